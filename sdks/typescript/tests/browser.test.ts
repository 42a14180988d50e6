/** The client in a real browser, from a page of another origin: the sources with their types stripped. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";

import { folder, serve } from "./workspace.ts";

const CHROMIUM = process.env["CHROMIUM"] ?? "chromium";
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];

const PROGRAM = `
import { NotFound, Segue, http } from "./index.ts";

async function walk(url, token) {
  const told = [];
  const segue = new Segue(http(url, { token }));
  const { thread_id } = await segue.threads.create({ title: "From a page" }, { key: "page" });
  await segue.threads.amend({ thread_id, add_tags: ["web"] });
  for await (const frame of segue.threads.events(thread_id, { follow: true, maxEvents: 2 })) {
    told.push(frame.type);
  }
  const { artifact_id } = await segue.artifacts.put(new Uint8Array([1, 2, 3]));
  told.push((await segue.artifacts.get({ artifact_id })).length);
  await segue.threads.show({ thread_id: "00000000-0000-7000-8000-000000000000" }).catch((fault) => {
    told.push(fault instanceof NotFound);
  });
  const controller = new AbortController();
  const waiting = segue.threads.events(thread_id, { afterSeq: 9, follow: true, signal: controller.signal }).next();
  controller.abort();
  await waiting.catch((fault) => told.push(fault.name));
  return told;
}

const { url, token } = await (await fetch("/place")).json();
const told = await walk(url, token).catch((fault) => String(fault));
await fetch("/told", { method: "POST", body: JSON.stringify(told) });
`;

test("a page of another origin does what a program does", async () => {
  const pages = createServer();
  pages.listen(0, "127.0.0.1");
  await once(pages, "listening");
  after(() => {
    pages.close();
    pages.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const place = await serve(folder(), `--cors=${origin}`);
  const told = new Promise<string>((resolve) => {
    pages.on("request", (request, response) => {
      const { pathname } = new URL(request.url ?? "/", origin);
      if (pathname === "/told") {
        response.end();
        resolve(text(request));
      } else if (pathname === "/place") {
        response.end(JSON.stringify({ url: place.url, token: place.token }));
      } else if (pathname.endsWith(".ts")) {
        const source = readFileSync(new URL(`../src${pathname}`, import.meta.url), "utf8");
        response.writeHead(200, { "Content-Type": "text/javascript" }).end(stripTypeScriptTypes(source));
      } else {
        response.writeHead(200, { "Content-Type": "text/html" }).end(`<script type="module">${PROGRAM}</script>`);
      }
    });
  });
  const browser = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${folder()}`, origin], { stdio: "ignore" });
  try {
    assert.deepEqual(JSON.parse(await told), ["continuity_created", "continuity_tagged", 3, true, "AbortError"]);
  } finally {
    browser.kill();
    await once(browser, "exit");
  }
});
