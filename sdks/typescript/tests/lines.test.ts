/** Lines and events come out whole, wherever the bytes are cut. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Unavailable } from "../src/index.ts";
import { frameOf, lines, serverSent } from "../src/lines.ts";
import { all } from "./all.ts";

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size);
  }
}

const STREAM = [
  ...[": hello", ""],
  ...["id: 3", 'data: {"a":"ü😀\u2028"}', ""],
  ...["id: 4", "data: one", "data:two", "event: x", "retry: 1", ""],
  ...["id: 5", "data: cut o"],
].join("\n");

test("lines end with line feeds alone, in pieces of any size", async () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const found = await all(lines(cut("one\n\nü\u2028two\r\nrest", size)));
    assert.deepEqual(found, ["one", "", "ü\u2028two\r", "rest"]);
  }
});

test("events are read in pieces of any size, and one that was cut off is dropped", async () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    assert.deepEqual(await all(serverSent(cut(STREAM, size))), [
      { id: "3", data: '{"a":"ü😀\u2028"}' },
      { id: "4", data: "one\ntwo" },
    ]);
  }
});

test("events whose lines end as in HTTP are read, too", async () => {
  assert.deepEqual(await all(serverSent(cut(STREAM.replaceAll("\n", "\r\n"), 5))), [
    { id: "3", data: '{"a":"ü😀\u2028"}' },
    { id: "4", data: "one\ntwo" },
  ]);
});

test("a damaged frame is an error of ours", () => {
  assert.throws(() => frameOf('{"seq": 1'), Unavailable);
});
