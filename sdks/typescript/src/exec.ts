/**
 * A workspace of this machine, over the command line: every call starts `segue` and ends with it. For Node.
 *
 * Arguments go to the program as they are, never through a shell, and a value is never taken for a flag.
 */

import { Child } from "./child.ts";
import type { Ended } from "./child.ts";
import { Unavailable, faultOfExitCode } from "./errors.ts";
import type { SegueError } from "./errors.ts";
import { frameOf, jsonOf, lines } from "./lines.ts";
import { ROUTES } from "./operations.ts";
import type { OperationName, Operations } from "./operations.ts";
import { TIMEOUT_MS, bounded } from "./transport.ts";
import type { EventOptions, Frame, KeyedOptions, Provenance, Transport } from "./transport.ts";

export interface ExecOptions {
  /** The workspace's directory; the one around `cwd` unless given. */
  readonly workspace?: string | undefined;
  /** The program and its first arguments: `["segue"]` unless given. */
  readonly command?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long a call may take: 60 s unless given. */
  readonly timeoutMs?: number | undefined;
}

/** The workspace that the command line works on. */
export function exec(options: ExecOptions = {}): Transport {
  return new Exec(options);
}

/** How a call is said on the command line. */
interface Said {
  readonly words: readonly string[];
  /** The argument that stands behind all flags. */
  readonly last: string;
  readonly input?: string | Uint8Array;
}

type Saying<Name extends OperationName> = (values: Operations[Name]["request"], who: readonly string[]) => Said;

/** Operations that `segue call` leaves to commands of their own, because bytes are not JSON. */
const WITH_BYTES: { readonly [Name in OperationName]?: Saying<Name> } = {
  "artifact.put": ({ data, verbatim }) => ({
    words: ["artifact", "put", ...(verbatim === true ? ["--verbatim"] : [])],
    last: "-",
    input: data,
  }),
  "artifact.get": ({ artifact_id, offset, max_bytes }) => ({
    words: ["artifact", "get", ...flag("--offset", offset), ...flag("--max-bytes", max_bytes)],
    last: artifact_id,
  }),
  "session.take": ({ data }, who) => ({
    words: ["sessions", "import", "--agent=generic", ...who],
    last: "-",
    input: data,
  }),
};

class Exec implements Transport {
  readonly #options: ExecOptions;

  constructor(options: ExecOptions) {
    this.#options = options;
  }

  async call(name: OperationName, values: object, by: Provenance, options: KeyedOptions = {}): Promise<unknown> {
    options.signal?.throwIfAborted();
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const signal = bounded(options.signal, timeoutMs);
    const child = this.#started(saidFor(name, values, by, options.key), signal);
    const stdout: Uint8Array[] = [];
    for await (const piece of child.output()) {
      stdout.push(piece);
    }
    options.signal?.throwIfAborted();
    if (signal?.aborted) {
      throw new Unavailable(`${name} gave no answer within ${timeoutMs} ms.`, "Give it more time with `timeoutMs`.");
    }
    const ended = await child.ended;
    const data = joined(stdout);
    if (ended.exitCode === 0 && ROUTES[name].gives === "bytes") {
      return data;
    }
    const answer = jsonOf(new TextDecoder().decode(data));
    if (ended.exitCode !== 0 || answer === undefined) {
      throw faultOf(ended, answer);
    }
    return answer;
  }

  async *events(threadId: string, options: EventOptions = {}): AsyncGenerator<Frame, void, undefined> {
    options.signal?.throwIfAborted();
    const words = [
      ...["thread", "events", ...(options.follow === true ? ["--follow"] : [])],
      ...[...flag("--after-seq", options.afterSeq), ...flag("--max-events", options.maxEvents)],
    ];
    const child = this.#started({ words, last: threadId }, options.signal);
    let refusal: unknown;
    for await (const line of lines(child.output())) {
      options.signal?.throwIfAborted();
      const frame = frameOf(line);
      if ("seq" in frame) {
        yield frame;
      } else {
        refusal = frame;
      }
    }
    options.signal?.throwIfAborted();
    const ended = await child.ended;
    if (ended.exitCode !== 0) {
      throw faultOf(ended, refusal);
    }
  }

  #started(said: Said, signal: AbortSignal | undefined): Child {
    const { command = [], workspace, cwd, env } = this.#options;
    const [program = "segue", ...before] = command;
    const args = [...before, ...said.words, ...flag("--workspace", workspace), "--json", "--", said.last];
    // Answers are UTF-8 whatever the locale says.
    const environment = { ...process.env, ...env, PYTHONUTF8: "1" };
    return new Child({ command: program, args, cwd, env: environment, input: said.input ?? "" }, signal);
  }
}

function saidFor(name: OperationName, values: object, by: Provenance, key: string | undefined): Said {
  const who = [`--actor-id=${by.actorId}`, `--origin=${by.origin}`];
  const saying = WITH_BYTES[name] as ((values: object, who: readonly string[]) => Said) | undefined;
  const words = ["call", ...who, ...flag("--key", key)];
  return saying?.(values, who) ?? { words, last: name, input: JSON.stringify(values) };
}

function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [`${name}=${value}`];
}

function faultOf(ended: Ended, answer: unknown): SegueError {
  const { error } = (answer ?? {}) as { readonly error?: Readonly<Record<"message" | "hint" | "code", string>> };
  if (error === undefined) {
    const said = ended.stderr.trim().split("\n").at(-1) ?? "";
    return new Unavailable(
      `segue ended with exit code ${ended.exitCode}, but without an answer${said && `: ${said}`}`,
      "Check that the command of `exec` is segue.",
    );
  }
  return new (faultOfExitCode(ended.exitCode))(error.message, error.hint, error.code);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
