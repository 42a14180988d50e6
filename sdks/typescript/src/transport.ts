/**
 * How operations reach a workspace. A transport carries names, values and frames; what they mean is decided on
 * the other side, so every transport gives the same answers and the same errors.
 */

import type { OperationName } from "./operations.ts";
import type { Json } from "./json.ts";

/** Options of any call. */
export interface CallOptions {
  /** Gives the call up: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer; `Infinity` waits for ever. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a call that can be repeated without doing it twice. */
export interface KeyedOptions extends CallOptions {
  /** An idempotency key: a repeated call gives the first answer. */
  readonly key?: string | undefined;
}

/** Which frames of a thread are wanted. */
export interface EventOptions {
  /** Only frames after this sequence number. */
  readonly afterSeq?: number | undefined;
  /** Go on with frames as they come. */
  readonly follow?: boolean | undefined;
  /** Stop after so many. */
  readonly maxEvents?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who acts, and through what: recorded in the log. */
export interface Provenance {
  readonly actorId: string;
  readonly origin: string;
}

/** One entry of a thread's log: the envelope, and whatever its type carries. */
export interface Frame {
  readonly id: string;
  readonly stream_kind: string;
  readonly stream_id: string;
  readonly seq: number;
  readonly timestamp_ms: number;
  readonly type: string;
  readonly [name: string]: Json;
}

export interface Transport {
  /** What the operation answers. Rejects with a SegueError. */
  call(name: OperationName, values: object, by: Provenance, options?: KeyedOptions): Promise<unknown>;
  /** Frames as they come. Leaving the loop ends what brings them. */
  events(threadId: string, options?: EventOptions): AsyncGenerator<Frame, void, undefined>;
}

export const TIMEOUT_MS = 60_000;

/** A signal for both: the caller gives up, or the time is over. */
export function bounded(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal | undefined {
  if (timeoutMs === Infinity) {
    return signal;
  }
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}
