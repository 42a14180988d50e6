/** What only the command line can do: not be there, not be segue, and be ended. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { exec } from "../src/exec.ts";
import { Segue, Unavailable } from "../src/index.ts";
import { COMMAND } from "./command.ts";
import { folder } from "./workspace.ts";

const workspace = folder();

/** The command under test, which notes its process id in a file first. */
function noted(file: string): readonly string[] {
  const script = `
    require("fs").writeFileSync(process.argv[1], String(process.pid));
    process.execve(process.argv[2], process.argv.slice(2), process.env);`;
  return [process.execPath, "--no-warnings", "-e", script, file, ...COMMAND];
}

function isAlive(file: string): boolean {
  try {
    return process.kill(Number(readFileSync(file, "utf8")), 0);
  } catch {
    return false;
  }
}

test("a command that is not there is told", async () => {
  const segue = new Segue(exec({ workspace, command: ["segue-that-is-not-there"] }));
  await assert.rejects(segue.status(), (fault) => {
    assert.ok(fault instanceof Unavailable);
    assert.match(fault.message, /segue-that-is-not-there cannot be started/);
    return true;
  });
  await assert.rejects(segue.threads.events("default").next(), Unavailable);
});

test("a command that is not segue is told with what it said", async () => {
  const command = [process.execPath, "-e", 'console.error("I am another program"); process.exitCode = 9', "--"];
  await assert.rejects(new Segue(exec({ workspace, command })).status(), /exit code 9.*I am another program/);
  const talkative = [process.execPath, "-e", 'console.log("hello")', "--"];
  await assert.rejects(new Segue(exec({ workspace, command: talkative })).status(), Unavailable);
  const terse = [process.execPath, "-e", "console.log(5)", "--"];
  await assert.rejects(new Segue(exec({ workspace, command: terse })).threads.events("default").next(), Unavailable);
});

test("a program that reads nothing is no harm to one that writes much", async () => {
  const command = [process.execPath, "-e", "process.exitCode = 7", "--"];
  await assert.rejects(new Segue(exec({ workspace, command })).artifacts.put(new Uint8Array(5_000_000)), /exit code 7/);
});

test("no shell sees the arguments", async () => {
  const witness = join(workspace, "witness");
  const segue = new Segue(exec({ workspace, command: COMMAND }), { actorId: `$(touch ${witness}); touch ${witness}` });
  const { thread_id } = await segue.threads.create();
  const { value } = await segue.threads.events(thread_id).next();
  assert.equal(value?.["actor_id"], `$(touch ${witness}); touch ${witness}`);
  assert.equal(existsSync(witness), false);
});

test("an argument that no program can be given is an error of ours", async () => {
  const segue = new Segue(exec({ workspace, command: COMMAND }));
  await assert.rejects(segue.artifacts.get({ artifact_id: "a\u0000b" }), Unavailable);
});

test("the program has ended when its stream is left, or aborted", async () => {
  const file = join(workspace, "pid");
  const plain = new Segue(exec({ workspace, command: COMMAND }));
  const { thread_id } = await plain.threads.create();
  const segue = new Segue(exec({ workspace, command: noted(file) }));
  for await (const _ of segue.threads.events(thread_id, { follow: true })) {
    assert.equal(isAlive(file), true);
    break;
  }
  assert.equal(isAlive(file), false);
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of segue.threads.events(thread_id, { follow: true, signal: controller.signal })) {
      assert.equal(isAlive(file), true);
      controller.abort();
    }
  }, { name: "AbortError" });
  assert.equal(isAlive(file), false);
});

test("the workspace is the one around the directory unless it is named", async () => {
  const { thread_id } = await new Segue(exec({ workspace, command: COMMAND })).threads.ensure();
  const around = new Segue(exec({ cwd: workspace, command: COMMAND, env: { SEGUE_SERVER: undefined } }));
  assert.equal((await around.threads.ensure()).thread_id, thread_id);
});
