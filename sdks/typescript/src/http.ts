/**
 * A workspace on a server, over `fetch`: for Node and for browsers.
 *
 * A request is sent again only where that cannot do it twice.
 */

import type { Problem } from "./answers.ts";
import { BadInput, Unavailable, faultOfStatus } from "./errors.ts";
import type { SegueError } from "./errors.ts";
import { following } from "./following.ts";
import type { Place } from "./following.ts";
import { frameOf, jsonOf, serverSent } from "./lines.ts";
import { ROUTES } from "./operations.ts";
import type { OperationName, Route } from "./operations.ts";
import { addressOf, requestOf } from "./request.ts";
import type { Asked } from "./request.ts";
import { TIMEOUT_MS, bounded } from "./transport.ts";
import type { EventOptions, Frame, KeyedOptions, Provenance, Transport } from "./transport.ts";

export interface HttpOptions {
  /** The bearer token; in Node SEGUE_TOKEN unless given. */
  readonly token?: string | undefined;
  /** How long a call may take: 60 s unless given. */
  readonly timeoutMs?: number | undefined;
  /** The pauses between attempts to take up a broken stream: five, of 13 s in all, unless given. */
  readonly pausesMs?: readonly number[] | undefined;
  /** Another `fetch`: with a proxy, with other certificates. */
  readonly fetch?: typeof fetch | undefined;
}

/** The workspace at an address such as `http://127.0.0.1:7878`, which may end in `/workspaces/NAME`. */
export function http(url: string, options: HttpOptions = {}): Transport {
  return new Http(url, options);
}

const PAUSES_MS = [100, 300, 1_000, 3_000, 9_000] as const;
/** Servers say something every 15 s; a connection that says nothing for so long is dead. */
const SILENCE_MS = 45_000;
const NOBODY: Provenance = { actorId: "", origin: "" };

/** No answer, as opposed to one that says no. */
class Unreachable extends Unavailable {}

class Http implements Transport {
  readonly #url: string;
  readonly #token: string;
  readonly #timeoutMs: number;
  readonly #pausesMs: readonly number[];
  readonly #fetch: typeof fetch;

  constructor(url: string, options: HttpOptions) {
    this.#url = addressOf(url);
    this.#token = sendable(options.token ?? tokenOfEnvironment());
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#pausesMs = options.pausesMs ?? PAUSES_MS;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  async call(name: OperationName, values: object, by: Provenance, options: KeyedOptions = {}): Promise<unknown> {
    options.signal?.throwIfAborted();
    const route = ROUTES[name];
    const asked = requestOf(name, route, values, by, options.key);
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    const signal = bounded(options.signal, timeoutMs);
    const repeatable = !route.writes || options.key !== undefined;
    try {
      return this.#answer(await this.#persisting(repeatable, signal, () => this.#exchange(asked, signal)), route);
    } catch (fault) {
      options.signal?.throwIfAborted();
      const isLate = fault instanceof Unreachable && signal?.aborted;
      throw isLate ? this.#unreachable(`it gave no answer within ${timeoutMs} ms`) : fault;
    }
  }

  events(threadId: string, options: EventOptions = {}): AsyncGenerator<Frame, void, undefined> {
    const connect = (place: Place): Promise<AsyncIterable<Frame>> =>
      this.#connect(threadId, options.follow ?? false, place);
    return following(connect, this.#pausesMs, options);
  }

  async #connect(threadId: string, follow: boolean, place: Place): Promise<AsyncIterable<Frame>> {
    const where = place.resumed ? {} : { after_seq: place.afterSeq };
    const values = { thread_id: threadId, ...where, follow, max_events: place.maxEvents };
    const asked = requestOf("thread.events", ROUTES["thread.events"], values, NOBODY);
    const resume = place.resumed ? { "Last-Event-ID": String(place.afterSeq) } : {};
    const headers = { ...asked.headers, Accept: "text/event-stream", ...resume };
    const silence = new AbortController();
    const signal = AbortSignal.any([place.signal, silence.signal]);
    const send = (): Promise<Response> => this.#send({ ...asked, headers }, signal);
    const response = await endingSilence(silence, this.#persisting(!place.resumed, signal, send));
    if (response.status !== 200 || kindOf(response) !== "text/event-stream" || response.body === null) {
      throw this.#fault(response.status, jsonOf(textOf(await this.#heard(response))));
    }
    return framesOf(this.#pieces(response.body, silence));
  }

  /** A connection that was kept may have been closed meanwhile: what may be done twice is tried twice. */
  async #persisting<T>(repeatable: boolean, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (fault) {
      if (!repeatable || signal?.aborted || !(fault instanceof Unreachable)) {
        throw fault;
      }
      return work();
    }
  }

  async #exchange(asked: Asked, signal: AbortSignal | undefined): Promise<Told> {
    const response = await this.#send(asked, signal);
    return { status: response.status, kind: kindOf(response), data: await this.#heard(response) };
  }

  async #send(asked: Asked, signal: AbortSignal | undefined): Promise<Response> {
    const authorization = this.#token === "" ? {} : { Authorization: `Bearer ${this.#token}` };
    try {
      return await this.#fetch(this.#url + asked.target, {
        method: asked.method,
        headers: { ...asked.headers, ...authorization },
        body: asked.body ?? null,
        signal: signal ?? null,
        redirect: "error",
        cache: "no-store",
      });
    } catch (fault) {
      throw this.#unreachable(reasonOf(fault));
    }
  }

  async #heard(response: Response): Promise<Uint8Array> {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch (fault) {
      throw this.#unreachable(reasonOf(fault));
    }
  }

  async *#pieces(
    body: ReadableStream<Uint8Array>,
    silence: AbortController,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = body.getReader();
    for (;;) {
      const piece = await endingSilence(silence, reader.read()).catch((fault: unknown) => {
        throw this.#unreachable(reasonOf(fault));
      });
      if (piece.done) {
        return;
      }
      yield piece.value;
    }
  }

  #answer(told: Told, route: Route): unknown {
    const isDone = told.status < 300;
    if (isDone && route.gives === "bytes" && told.kind === "application/octet-stream") {
      return told.data;
    }
    const said = jsonOf(textOf(told.data));
    if (isDone && route.gives === "json" && said !== undefined) {
      return said;
    }
    if (isProblem(said) && "answer" in said) {
      return said.answer;
    }
    throw this.#fault(told.status, said);
  }

  #fault(status: number, said: unknown): SegueError {
    if (!isProblem(said)) {
      return new Unavailable(
        `${this.#url} answered ${status}, but not as segue does.`,
        "Check the address; a proxy may stand in between.",
      );
    }
    const { detail, hint } = said.command_line ?? said; // in the words that every transport uses
    return new (faultOfStatus(status))(detail, hint, said.code, status);
  }

  #unreachable(reason: string): Unreachable {
    return new Unreachable(
      `The server ${this.#url} cannot be reached: ${reason}.`,
      "Check the address and that `segue serve` runs there.",
    );
  }
}

interface Told {
  readonly status: number;
  readonly kind: string;
  readonly data: Uint8Array;
}

/** What is waited for, unless it takes so long that nothing more is to be expected. */
function endingSilence<T>(silence: AbortController, awaited: Promise<T>): Promise<T> {
  const timer = setTimeout(() => silence.abort(new Error("it fell silent")), SILENCE_MS);
  return awaited.finally(() => clearTimeout(timer));
}

async function* framesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  for await (const event of serverSent(pieces)) {
    yield frameOf(event.data);
  }
}

function kindOf(response: Response): string {
  return (response.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function textOf(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function isProblem(said: unknown): said is Problem & { readonly answer?: unknown } {
  return typeof said === "object" && said !== null && "detail" in said && "code" in said;
}

/** Why a connection failed: `fetch` keeps it in the cause. */
function reasonOf(fault: unknown): string {
  const said = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  return (said instanceof Error ? said.message || said.name : String(said)).replace(/\.$/, "");
}

/** A token as a header can carry it. What cannot be sent is not quoted, since errors are shown and logged. */
function sendable(token: string): string {
  const trimmed = token.trim();
  if (!/^[!-~]*$/.test(trimmed)) {
    throw new BadInput("The token is none: it holds characters that no token has.", "Copy it again, on one line.");
  }
  return trimmed;
}

function tokenOfEnvironment(): string {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return process?.env?.["SEGUE_TOKEN"] ?? "";
}
