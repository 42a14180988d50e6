/** What only a connection can do: break, be refused, lead elsewhere. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { BadInput, Refused, Segue, Unavailable, http } from "../src/index.ts";
import type { Frame } from "../src/index.ts";
import { all } from "./all.ts";
import { folder, serve } from "./workspace.ts";

/** A server that answers as the test says, one answer for each request. */
async function answering(...answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const heard: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    heard.push(request);
    answers[Math.min(heard.length, answers.length) - 1]?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const dropped = (request: IncomingMessage): void => void request.socket.destroy();
const fine = (_: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(200, { "Content-Type": "application/json" }).end('{"threads":[]}');

function frames(from: number, to: number): string {
  const seqs = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  return seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq},"type":"x"}\n\n`).join("");
}

function streaming(text: string, end: (response: ServerResponse) => void) {
  return (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(text, () => end(response));
  };
}

const broken = (response: ServerResponse): void => void response.socket?.destroy();

test("a stream goes on after the server was started anew, and misses nothing", async () => {
  const workspace = folder();
  const first = await serve(workspace, "--no-token");
  const segue = new Segue(http(first.url));
  const { thread_id } = await segue.threads.create();
  const stream = segue.threads.events(thread_id, { follow: true, maxEvents: 2 });
  assert.equal((await stream.next()).value?.seq, 0);
  await first.stop();
  await serve(workspace, "--no-token", `--port=${new URL(first.url).port}`);
  await segue.threads.post({ thread_id, content: "while nobody listened" });
  const rest = await all(stream);
  assert.deepEqual(
    rest.map((frame) => frame["content"]),
    ["while nobody listened"],
  );
});

test("a broken stream is taken up after the last whole frame", async () => {
  const server = await answering(
    streaming(`${frames(0, 2)}id: 3\ndata: {"se`, broken),
    dropped,
    streaming(frames(3, 4), broken),
    streaming(frames(5, 5), (response) => response.end()),
  );
  const segue = new Segue(http(server.url, { pausesMs: [1, 1] }));
  const seen = await all(segue.threads.events("thread", { afterSeq: -1, follow: true, maxEvents: 6 }));
  assert.deepEqual(
    seen.map((frame: Frame) => frame.seq),
    [0, 1, 2, 3, 4, 5],
  );
  assert.deepEqual(
    server.heard.map((request) => [request.url, request.headers["last-event-id"]]),
    [
      ["/threads/thread/events?after_seq=-1&follow=true&max_events=6", undefined],
      ["/threads/thread/events?follow=true&max_events=3", "2"],
      ["/threads/thread/events?follow=true&max_events=3", "2"],
      ["/threads/thread/events?follow=true&max_events=1", "4"],
    ],
  );
});

test("a stream that breaks again and again is given up", async () => {
  const server = await answering(streaming(frames(0, 0), broken), dropped);
  const stream = new Segue(http(server.url, { pausesMs: [1, 1, 1] })).threads.events("thread", { follow: true });
  assert.equal((await stream.next()).value?.seq, 0);
  await assert.rejects(stream.next(), Unavailable);
  assert.equal(server.heard.length, 4);
});

test("a stream that is refused when taken up is not tried again", async () => {
  const problem = { detail: "Who?", code: "unauthorized", hint: "Say." };
  const refuse = (_: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(401, { "Content-Type": "application/problem+json" }).end(JSON.stringify(problem));
  const server = await answering(streaming(frames(0, 0), broken), refuse);
  const stream = new Segue(http(server.url, { pausesMs: [1, 1] })).threads.events("thread", { follow: true });
  await stream.next();
  await assert.rejects(stream.next(), { name: "Refused", message: "Who?", code: "unauthorized", status: 401 });
  assert.equal(server.heard.length, 2);
});

test("a signal ends the wait for a server that is gone", async () => {
  const server = await answering(streaming(frames(0, 0), broken));
  const controller = new AbortController();
  const { signal } = controller;
  const segue = new Segue(http(server.url, { pausesMs: [1_000_000] }));
  const stream = segue.threads.events("thread", { follow: true, signal });
  await stream.next();
  const waiting = stream.next();
  controller.abort();
  await assert.rejects(waiting, { name: "AbortError" });
});

test("a connection that says nothing for long is taken for dead", async (context) => {
  const server = await answering(
    streaming(frames(0, 0), () => undefined),
    () => undefined,
    streaming(frames(1, 1), (response) => response.end()),
  );
  const stream = new Segue(http(server.url)).threads.events("thread", { follow: true, maxEvents: 2 });
  await stream.next();
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let isOver = false;
  const next = stream.next().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    context.mock.timers.tick(1_000);
    await new Promise(setImmediate);
  }
  assert.equal((await next).value?.seq, 1);
});

test("leaving a stream closes its connection", async () => {
  const server = await answering(streaming(frames(0, 0), () => undefined));
  for await (const _ of new Segue(http(server.url)).threads.events("thread", { follow: true })) {
    break;
  }
  await once(server.heard[0]?.socket ?? assert.fail("nobody asked"), "close");
});

test("a request is repeated where that cannot do it twice, and once", async () => {
  const reading = await answering(dropped, fine);
  assert.deepEqual(await new Segue(http(reading.url)).threads.list(), { threads: [] });
  const keyed = await answering(dropped, fine);
  await new Segue(http(keyed.url)).threads.create({}, { key: "k" });
  assert.equal(keyed.heard.length, 2);
  const writing = await answering(dropped, fine);
  await assert.rejects(new Segue(http(writing.url)).threads.create(), Unavailable);
  assert.equal(writing.heard.length, 1);
  const gone = await answering(dropped);
  await assert.rejects(new Segue(http(gone.url)).threads.list(), Unavailable);
  assert.equal(gone.heard.length, 2);
  const streamed = await answering(dropped, streaming(frames(0, 0), (response) => response.end()));
  assert.equal((await all(new Segue(http(streamed.url)).threads.events("thread"))).length, 1);
});

test("what does not answer as segue does is told", async () => {
  const page = (status: number, headers: Readonly<Record<string, string>>) => {
    return (_: IncomingMessage, response: ServerResponse): void =>
      void response.writeHead(status, headers).end("<p>Hi");
  };
  const html = { "Content-Type": "text/html" };
  for (const answer of [page(200, html), page(502, html), page(302, { Location: "/elsewhere" })]) {
    const segue = new Segue(http((await answering(answer)).url));
    await assert.rejects(segue.threads.list(), Unavailable);
    await assert.rejects(segue.artifacts.get({ artifact_id: "a" }), Unavailable);
    await assert.rejects(segue.threads.events("thread").next(), Unavailable);
  }
});

test("wrong tokens, addresses and ports are sentences", async () => {
  const server = await serve(folder());
  await assert.rejects(new Segue(http(server.url, { token: "segue_wrong" })).threads.list(), (fault) => {
    assert.ok(fault instanceof Refused);
    assert.deepEqual([fault.status, fault.code, fault.exitCode], [401, "unauthorized", 4]);
    return true;
  });
  await server.stop();
  const nobody = new Segue(http(server.url));
  await assert.rejects(nobody.threads.list(), /127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
  await assert.rejects(nobody.threads.events("default", { follow: true }).next(), Unavailable);
  for (const address of ["ftp://somewhere", "http://", "http://user:secret@host", "http://host:port", ""]) {
    assert.throws(
      () => http(address),
      (fault) => fault instanceof BadInput && !`${fault.message}${fault.hint}`.includes("secret"),
      address,
    );
  }
});

test("a token that cannot be sent is refused and not quoted, and a line's end is no part of one", async () => {
  for (const token of ["secret\nX-More: 1", "sécret", "two secrets"]) {
    assert.throws(
      () => http("http://127.0.0.1:7878", { token }),
      (fault) => fault instanceof BadInput && !`${fault.message}${fault.hint}`.includes("cret"),
    );
  }
  const server = await answering(fine);
  await new Segue(http(server.url, { token: "secret\n" })).threads.list();
  assert.equal(server.heard[0]?.headers.authorization, "Bearer secret");
});

test("a workspace is named by the address", async () => {
  const [one, other] = [folder(), folder()];
  const server = await serve(one, `--workspace=other=${other}`);
  const { token } = server;
  const there = new Segue(http(`${server.url}/workspaces/other/`, { token }));
  await there.threads.create({ title: "There" });
  assert.equal((await there.threads.list()).threads.length, 1);
  assert.equal((await new Segue(http(server.url, { token })).threads.list()).threads.length, 0);
});

test("nothing that a browser lacks is imported but for the command line", () => {
  const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src");
  const reached = new Set<string>(["./index.ts"]);
  for (const file of reached) {
    for (const [, name = ""] of readFileSync(join(source, file), "utf8").matchAll(/from "(.+)";/g)) {
      reached.add(name);
    }
  }
  assert.ok(reached.has("./http.ts"));
  assert.deepEqual(
    [...reached].filter((name) => !name.startsWith("./") || name === "./exec.ts"),
    [],
  );
});
