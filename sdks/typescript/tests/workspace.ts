/** A workspace of its own in a temporary directory, and a server on it: real programs, started by the tests. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { lines } from "../src/lines.ts";
import { COMMAND } from "./command.ts";

/** A directory that is gone when the tests of the file are over. */
export function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "segue-test-")));
  after(() => rmSync(made, { recursive: true, force: true, maxRetries: 10 }));
  return made;
}

export interface Server {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** `segue serve` on a workspace, at a port of its own; it listens when this resolves. */
export async function serve(workspace: string, ...flags: readonly string[]): Promise<Server> {
  const [program = "segue", ...words] = COMMAND;
  const args = [...words, "serve", "--json", "--port=0", `--workspace=${workspace}`, ...flags];
  // The list of accepted workspaces is the one that the tests' own commands use.
  const { HOME = "", XDG_CONFIG_HOME = join(HOME, ".config") } = process.env;
  const env = { ...process.env, HOME: workspace, XDG_CONFIG_HOME };
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  const stop = (): Promise<void> => ended(child);
  after(stop);
  const { value } = await lines(child.stdout).next();
  const { url, token = "" } = JSON.parse(value ?? "{}") as { url?: string; token?: string };
  return { url: url ?? assert.fail(`segue serve did not start: ${value}`), token, stop };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}
