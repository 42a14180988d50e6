/** A program that was started, and that ends with whoever started it. */

import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";

import { Unavailable } from "./errors.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string | Uint8Array;
}

export interface Ended {
  readonly exitCode: number | null;
  /** The end of what it said beside its answer. */
  readonly stderr: string;
}

const GRACE_MS = 2_000;
const STDERR_CHARACTERS = 2_000;

export class Child {
  /** How it ended. Rejects with Unavailable if it could not be started. */
  readonly ended: Promise<Ended>;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #signal: AbortSignal | undefined;

  constructor(program: Program, signal: AbortSignal | undefined) {
    this.#process = started(program);
    this.ended = ending(this.#process, program.command);
    this.ended.catch(() => undefined);
    this.#signal = signal;
    signal?.addEventListener("abort", this.#stop);
    // It may end before it has read everything; how it ended says why.
    this.#process.stdin.on("error", () => undefined);
    this.#process.stdin.end(program.input);
  }

  /** What it writes. Whoever stops reading, or gives the signal, ends the program. */
  async *output(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.#process.stdout as AsyncIterable<Uint8Array>;
    } catch {
      // Output that is cut off has its reason in how the program ended.
    } finally {
      if (!this.#process.stdout.readableEnded) {
        this.#stop();
      }
      await this.ended.catch(() => undefined);
      this.#signal?.removeEventListener("abort", this.#stop);
    }
  }

  readonly #stop = (): void => {
    this.#process.kill("SIGTERM");
    const patience = setTimeout(() => this.#process.kill("SIGKILL"), GRACE_MS).unref();
    this.#process.once("exit", () => clearTimeout(patience));
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
  };
}

function started(program: Program): ChildProcessWithoutNullStreams {
  try {
    return spawn(program.command, program.args, { cwd: program.cwd, env: program.env, windowsHide: true });
  } catch (fault) {
    throw notStarted(program.command, fault);
  }
}

function ending(process: ChildProcessWithoutNullStreams, command: string): Promise<Ended> {
  let stderr = "";
  process.stderr.setEncoding("utf8").on("data", (said: string) => {
    stderr = (stderr + said).slice(-STDERR_CHARACTERS);
  });
  return new Promise((resolve, reject) => {
    process.once("error", (fault) => reject(notStarted(command, fault)));
    process.once("close", (exitCode) => resolve({ exitCode, stderr }));
  });
}

function notStarted(command: string, fault: unknown): Unavailable {
  const reason = fault instanceof Error ? fault.message : String(fault);
  return new Unavailable(
    `${command} cannot be started: ${reason}.`,
    "Install segue, or name its command in the options of `exec`.",
  );
}
