/** What the compiler holds callers to. Checked with the sources; never run. */

import type { Branched, Frame, Json, Segue } from "../src/index.ts";

export async function typing(segue: Segue): Promise<void> {
  const branch: Branched = await segue.threads.branch({ thread_id: "x", from_seq: 3 }, { key: "k" });
  const bytes: Uint8Array = await segue.artifacts.get({ artifact_id: "x" });
  const [frame]: (Frame | undefined)[] = [];
  const content: Json | undefined = frame?.["content"];
  await segue.handoffs.draft({ goal: "finish", preset: "debug", format: "json" });
  await segue.sessions.take(bytes, { timeoutMs: 1_000, signal: AbortSignal.timeout(1) });
  const found = await segue.call("thread.search", { words: `${branch.parent_seq} ${String(content)}`, limit: 3 });
  await segue.threads.show({ thread_id: found.hits[0]?.thread_id ?? "" });

  // @ts-expect-error a thread must be named
  await segue.threads.branch({ title: "x" });
  // @ts-expect-error there is no such value
  await segue.threads.create({ colour: "red" });
  // @ts-expect-error there is no such preset
  await segue.handoffs.draft({ preset: "dance" });
  // @ts-expect-error reading has no idempotency key
  await segue.threads.show({ thread_id: "x" }, { key: "k" });
  // @ts-expect-error answers are not to be changed
  branch.thread_id = "y";
  // @ts-expect-error there is no such operation
  await segue.call("thread.fold", {});
  // @ts-expect-error frames come through `threads.events`
  await segue.call("thread.events", { thread_id: "x" });
}
