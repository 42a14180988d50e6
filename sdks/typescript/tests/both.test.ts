/** Every fact here holds for both transports. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { exec } from "../src/exec.ts";
import { BadInput, Conflict, NotFound, Segue, SegueError, http } from "../src/index.ts";
import { all } from "./all.ts";
import { COMMAND } from "./command.ts";
import { folder, serve } from "./workspace.ts";

const NOBODY = "00000000-0000-7000-8000-000000000000";
const workspace = folder();
const server = await serve(workspace);
const WAYS = {
  http: () => http(server.url, { token: server.token }),
  exec: () => exec({ workspace, command: COMMAND }),
};

async function rejection(promise: Promise<unknown>): Promise<SegueError> {
  const fault = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(fault instanceof SegueError, `rejected with a SegueError, not ${String(fault)}`);
  return fault;
}

for (const [way, transport] of Object.entries(WAYS)) {
  describe(way, () => {
    const segue = new Segue(transport());

    test("a walk: create, post, branch, read", async () => {
      const { thread_id } = await segue.threads.create({ title: "Retry tests" });
      const posted = await segue.threads.post({ thread_id, content: "Make the retry test pass." });
      const branch = await segue.threads.branch({ thread_id, title: "Another way" });
      assert.equal(branch.parent_seq, posted.seq);
      assert.equal((await segue.threads.show({ thread_id: branch.thread_id })).title, "Another way");
      const { ancestors } = await segue.threads.lineage({ thread_id: branch.thread_id });
      assert.deepEqual(
        ancestors.map((one) => one.thread_id),
        [thread_id],
      );
      const types = (await all(segue.threads.events(thread_id))).map((frame) => frame.type);
      assert.deepEqual(types, ["continuity_created", "continuity_message_appended"]);
      assert.equal((await segue.verify()).ok, true);
    });

    test("any text goes there and back", async () => {
      const content = "ünï\u2028cødé 😀 \"'`$(rm) \\ \u0000\n--help";
      const { thread_id } = await segue.threads.create({ title: "--title" });
      await segue.threads.post({ thread_id, content });
      assert.equal((await all(segue.threads.events(thread_id, { afterSeq: 0 })))[0]?.["content"], content);
    });

    test("lists and switches arrive as such", async () => {
      const { thread_id } = await segue.threads.create({}, { key: `archived-${way}` });
      await segue.threads.amend({ thread_id, add_tags: ["one", `only-${way}`], archived: true });
      const tag = `only-${way}`;
      assert.deepEqual(await segue.threads.list({ tag }), { threads: [] });
      const { threads } = await segue.threads.list({ archived: true, tag });
      assert.deepEqual(threads[0]?.tags, ["one", tag]);
    });

    test("a key does it once", async () => {
      const { thread_id } = await segue.threads.create();
      const options = { key: `once ü/${way}` };
      const first = await segue.threads.post({ thread_id, content: "once" }, options);
      assert.deepEqual(await segue.threads.post({ thread_id, content: "once" }, options), first);
    });

    test("who acts is on record", async () => {
      const robot = new Segue(transport(), { actorId: "robot", origin: "workshop" });
      const { thread_id } = await robot.threads.create();
      const [frame] = await all(robot.threads.events(thread_id));
      assert.deepEqual([frame?.["actor_id"], frame?.["origin"]], ["robot", "workshop"]);
    });

    test("bytes go there and back, whole and in part", async () => {
      const data = Uint8Array.from({ length: 256 * 300 }, (_, n) => n % 256);
      const { artifact_id, bytes } = await segue.artifacts.put(data);
      assert.equal(bytes, data.length);
      assert.deepEqual(new Uint8Array(await segue.artifacts.get({ artifact_id })), data);
      const part = await segue.artifacts.get({ artifact_id, offset: 7, max_bytes: 3 });
      assert.deepEqual([...part], [7, 8, 9]);
    });

    test("secrets are taken out of stored text unless it is verbatim", async () => {
      const secret = new TextEncoder().encode(`password = "hunter2hunter2-${way}"\n`);
      const redacted = await segue.artifacts.put(secret);
      const verbatim = await segue.artifacts.put(secret, { verbatim: true });
      assert.notEqual(redacted.artifact_id, verbatim.artifact_id);
    });

    test("a session that is taken says whose it was and where", async () => {
      const rows = [
        { segue_session: 1, id: `recorded-${way}`, agent: "codex", path: "/elsewhere/rollout.jsonl" },
        { kind: "user", text: "Make the retry test pass." },
      ];
      const data = new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      const taken = await segue.sessions.take(data);
      assert.equal(taken.agent, "codex");
      const [created] = await all(segue.threads.events(taken.thread_id, { maxEvents: 1 }));
      assert.match(JSON.stringify(created), /codex/);
    });

    test("a session is taken as bytes", async () => {
      const session = [
        { segue_session: 1, id: `taken-${way}`, agent: "my-agent", cwd: workspace },
        { kind: "user", by: "person", text: "Make the retry test pass." },
      ];
      const data = new TextEncoder().encode(session.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const taken = await segue.sessions.take(data);
      assert.equal((await segue.threads.show({ thread_id: taken.thread_id })).head_seq, taken.head_seq);
    });

    test("errors have a class, a code, a hint, a status and an exit code", async () => {
      const missing = await rejection(segue.threads.show({ thread_id: NOBODY }));
      assert.ok(missing instanceof NotFound);
      assert.deepEqual([missing.code, missing.status, missing.exitCode], ["not_found", 404, 1]);
      assert.match(missing.message, new RegExp(NOBODY));
      assert.equal(missing.hint, "`segue thread list` shows the threads.");
      const { thread_id } = await segue.threads.create();
      const moved = await rejection(segue.threads.post({ thread_id, content: "late", expect: 7 }));
      assert.ok(moved instanceof Conflict);
      assert.equal(moved.exitCode, 3);
      const wrong = await rejection(segue.threads.branch({ thread_id, from_seq: 0, from_message_id: "x" }));
      assert.ok(wrong instanceof BadInput);
      assert.equal(wrong.exitCode, 2);
    });

    test("an operation that is not there, and values that it does not take, are told", async () => {
      assert.ok((await rejection(segue.call("thread.fold" as "thread.show", { thread_id: "x" }))) instanceof NotFound);
      const colourful = { title: "x", colour: "red" };
      const fault = await rejection(segue.threads.create(colourful));
      assert.ok(fault instanceof BadInput);
      assert.match(fault.message, /colour/);
    });

    test("an id that looks like a path, or like nothing, leads nowhere else", async () => {
      for (const thread_id of ["..", ".", "", "../status", "a\nb"]) {
        const fault = await rejection(segue.threads.lineage({ thread_id }));
        assert.ok(fault instanceof BadInput || fault instanceof NotFound, `${JSON.stringify(thread_id)}: ${fault.name}`);
      }
    });

    test("an id that looks like a flag is an id", async () => {
      for (const id of ["--help", "-", "--follow"]) {
        for (const ask of [() => segue.artifacts.get({ artifact_id: id }), () => all(segue.threads.events(id))]) {
          const fault = await rejection(ask());
          assert.ok(fault instanceof BadInput || fault instanceof NotFound, `${id}: ${fault.name}`);
        }
      }
    });

    test("a stream of what is not there is an error", async () => {
      const fault = await rejection(all(segue.threads.events(NOBODY)));
      assert.ok(fault instanceof NotFound);
    });

    test("a stream follows, and ends after as many as were wanted", async () => {
      const { thread_id } = await segue.threads.create();
      const seen: number[] = [];
      for await (const frame of segue.threads.events(thread_id, { follow: true, maxEvents: 3 })) {
        seen.push(frame.seq);
        await segue.threads.post({ thread_id, content: "next" });
      }
      assert.deepEqual(seen, [0, 1, 2]);
    });

    test("a stream of nothing is refused", async () => {
      const { thread_id } = await segue.threads.create();
      assert.ok((await rejection(all(segue.threads.events(thread_id, { maxEvents: 0 })))) instanceof BadInput);
    });

    test("a stream can be left", async () => {
      const { thread_id } = await segue.threads.create();
      for await (const frame of segue.threads.events(thread_id, { follow: true })) {
        assert.equal(frame.seq, 0);
        break;
      }
    });

    test("a signal ends a stream with its reason", async () => {
      const { thread_id } = await segue.threads.create();
      const controller = new AbortController();
      const reason = new Error("enough");
      await assert.rejects(async () => {
        for await (const _ of segue.threads.events(thread_id, { follow: true, signal: controller.signal })) {
          controller.abort(reason);
        }
      }, reason);
    });

    test("a signal gives a call up, before it begins and meanwhile", async () => {
      const reason = new Error("never mind");
      await assert.rejects(segue.status({ signal: AbortSignal.abort(reason) }), reason);
      const controller = new AbortController();
      const asked = segue.status({ signal: controller.signal });
      controller.abort(reason);
      await assert.rejects(asked, reason);
    });

    test("a call that takes too long is given up", async () => {
      const fault = await rejection(segue.verify({}, { timeoutMs: 1 }));
      assert.deepEqual([fault.code, fault.exitCode], ["unavailable", 5]);
      assert.match(fault.message, /within 1 ms/);
    });
  });
}

describe("a thousand frames", () => {
  let thread_id = "";
  before(async () => {
    const segue = new Segue(WAYS.http());
    thread_id = (await segue.threads.create()).thread_id;
    const numbers = Array.from({ length: 1_000 }, (_, n) => n);
    await Promise.all(numbers.map((n) => segue.threads.post({ thread_id, content: `${n} ${"x".repeat(500)}` })));
  });

  for (const [way, transport] of Object.entries(WAYS)) {
    test(`arrive in order over ${way}`, async () => {
      const seqs = (await all(new Segue(transport()).threads.events(thread_id))).map((frame) => frame.seq);
      assert.deepEqual(
        seqs,
        Array.from({ length: 1_001 }, (_, n) => n),
      );
    });
  }
});
