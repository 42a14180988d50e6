/** The examples of the documentation run as they stand, but for addresses and paths. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";

import { lines } from "../src/lines.ts";
import { all } from "./all.ts";
import { COMMAND } from "./command.ts";
import { folder, serve } from "./workspace.ts";

const SOURCE = new URL("../src/", import.meta.url).href;
const PAGES = ["../README.md", "../../../docs/how-to/typescript.md"];

const workspace = folder();
const server = await serve(workspace);

/** A directory where `segue` is the command under test. */
function commands(): string {
  const made = folder();
  const words = COMMAND.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(made, "segue"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return made;
}

for (const page of PAGES) {
  test(page, async () => {
    const text = readFileSync(new URL(page, import.meta.url), "utf8");
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    const program = blocks
      .join("\n")
      .replaceAll('"@segue/sdk"', `"${SOURCE}index.ts"`)
      .replaceAll('"@segue/sdk/exec"', `"${SOURCE}exec.ts"`)
      .replaceAll("http://127.0.0.1:7878", server.url)
      .replaceAll("/path/to/project", workspace);
    assert.ok(blocks.length > 1);
    const file = join(folder(), "example.ts");
    writeFileSync(file, program);
    const env = {
      ...process.env,
      SEGUE_TOKEN: server.token,
      PATH: `${commands()}${delimiter}${process.env["PATH"]}`,
    };
    const child = spawn(process.execPath, ["--no-warnings", file], { cwd: workspace, env });
    const ended = once(child, "close");
    const [said, complaints] = await Promise.all([all(lines(child.stdout)), all(lines(child.stderr))]);
    assert.deepEqual(complaints, []);
    assert.notEqual(said.length, 0);
    assert.deepEqual(await ended, [0, null]);
  });
}
