/**
 * Lines, server-sent events and frames out of bytes, wherever the pieces are cut.
 *
 * Only a line feed ends a line: JSON may hold U+2028 as it is.
 */

import { Unavailable } from "./errors.ts";
import type { Frame } from "./transport.ts";

export async function* lines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  // The parts of an unfinished line are joined once: a long line in small pieces must not be copied each time.
  let unfinished: string[] = [];
  for await (const piece of pieces) {
    const [first = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
    unfinished.push(first);
    const last = others.pop();
    if (last !== undefined) {
      yield unfinished.join("");
      yield* others;
      unfinished = [last];
    }
  }
  const rest = unfinished.join("") + decoder.decode();
  if (rest !== "") {
    yield rest;
  }
}

export interface ServerSent {
  readonly id: string;
  readonly data: string;
}

/** The events of a stream. One that was cut off before its end is dropped. */
export async function* serverSent(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSent, void, undefined> {
  let id = "";
  let data: string[] = [];
  for await (const raw of lines(pieces)) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line === "" && data.length > 0) {
      yield { id, data: data.join("\n") };
      data = [];
    } else if (line.startsWith("id:")) {
      id = value(line, 3);
    } else if (line.startsWith("data:")) {
      data.push(value(line, 5));
    }
  }
}

function value(line: string, from: number): string {
  return line.slice(line[from] === " " ? from + 1 : from);
}

/** A frame out of its JSON. */
export function frameOf(text: string): Frame {
  const frame = jsonOf(text);
  if (typeof frame !== "object" || frame === null) {
    throw new Unavailable("A frame arrived damaged.", "Ask again from the last one that arrived whole.");
  }
  return frame as Frame;
}

/** The value that a text stands for; undefined for what is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
