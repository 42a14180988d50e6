/**
 * A stream of frames that outlives its connections.
 *
 * A stream that had begun is taken up after the last frame that arrived, so a consumer sees every frame once and
 * in order. What cannot be reached in the first place is told at once.
 */

import { Unavailable } from "./errors.ts";
import type { EventOptions, Frame } from "./transport.ts";

/** Where a connection is to begin. */
export interface Place {
  readonly afterSeq: number;
  /** Whether frames arrived before. */
  readonly resumed: boolean;
  readonly maxEvents: number | undefined;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

export type Connect = (place: Place) => Promise<AsyncIterable<Frame>>;

/** Frames as they come. `pausesMs` lie between attempts; a frame that arrives makes them begin anew. */
export async function* following(
  connect: Connect,
  pausesMs: readonly number[],
  options: EventOptions,
): AsyncGenerator<Frame, void, undefined> {
  const { afterSeq = -1, follow = false, maxEvents, signal } = options;
  let begun = false;
  let last: number | undefined;
  let seen = 0;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const connection = new AbortController();
    let broken = new Unavailable("The stream ended.", "Check that `segue serve` still runs there.");
    try {
      const frames = await connect({
        afterSeq: last ?? afterSeq,
        resumed: last !== undefined,
        maxEvents: maxEvents === undefined ? undefined : maxEvents - seen,
        signal: signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]),
      });
      begun = true;
      for await (const frame of frames) {
        last = frame.seq;
        seen += 1;
        failures = 0;
        yield frame;
      }
      if (!follow || seen === maxEvents) {
        return;
      }
    } catch (fault) {
      signal?.throwIfAborted();
      if (!begun || !(fault instanceof Unavailable)) {
        throw fault;
      }
      broken = fault;
    } finally {
      connection.abort();
    }
    const pause = pausesMs[failures];
    if (pause === undefined) {
      throw broken;
    }
    failures += 1;
    await passing(pause, signal);
  }
}

/** Resolves after a while, or as soon as the signal says so. */
function passing(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });
}
