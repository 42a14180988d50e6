/** One client, whatever carries its calls. Methods are named after the operations; values and answers are theirs. */

import { NotFound } from "./errors.ts";
import { Artifacts, Changes, Drafts, Handoffs, Sessions, Threads as ThreadCalls, Upkeep } from "./groups.ts";
import type { Ask } from "./groups.ts";
import { ROUTES } from "./operations.ts";
import type { Operations } from "./operations.ts";
import type { EventOptions, Frame, Provenance, Transport } from "./transport.ts";

/** Threads, and their frames as they come. */
export class Threads extends ThreadCalls {
  readonly #transport: Transport;

  constructor(transport: Transport, ask: Ask) {
    super(ask);
    this.#transport = transport;
  }

  /** Frames after a sequence number: those there are and, with `follow`, those to come. */
  events(threadId: string, options?: EventOptions): AsyncGenerator<Frame, void, undefined> {
    return this.#transport.events(threadId, options);
  }
}

export class Segue extends Upkeep {
  readonly threads: Threads;
  readonly artifacts: Artifacts;
  readonly sessions: Sessions;
  readonly handoffs: Handoffs;
  readonly drafts: Drafts;
  readonly changes: Changes;
  /** Does an operation by its name, such as `thread.branch`. */
  readonly call: Ask;

  constructor(transport: Transport, by: Partial<Provenance> = {}) {
    const who = { actorId: by.actorId ?? "user", origin: by.origin ?? "sdk" };
    const ask: Ask = async (name, values, options) => {
      if (!Object.hasOwn(ROUTES, name)) {
        throw new NotFound(`There is no operation ${JSON.stringify(name)}.`, "`segue call --list` shows them.");
      }
      return (await transport.call(name, values, who, options)) as Operations[typeof name]["answer"];
    };
    super(ask);
    this.threads = new Threads(transport, ask);
    this.artifacts = new Artifacts(ask);
    this.sessions = new Sessions(ask);
    this.handoffs = new Handoffs(ask);
    this.drafts = new Drafts(ask);
    this.changes = new Changes(ask);
    this.call = ask;
  }
}
