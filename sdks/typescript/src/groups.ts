// Written by docs/generate_typescript.py from the API's description; a test compares.

import type {
  Acknowledged,
  ArtifactList,
  Audit,
  Branched,
  ChangeClosed,
  ChangeList,
  ChangeMade,
  ChangeRecord,
  ChangeResumed,
  ChangeUpdated,
  ChangesMade,
  CheckpointMade,
  CheckpointsDue,
  Collected,
  Committed,
  CompiledContext,
  CurrentHandoff,
  CutPoints,
  DashboardWritten,
  DecisionsWritten,
  Diagnosis,
  DraftApproved,
  DraftRejected,
  DraftState,
  DraftTaken,
  Forgotten,
  Graph,
  Grounded,
  HandedOff,
  HandoffVerdict,
  Imported,
  Judgement,
  Lineage,
  Posted,
  Proposal,
  Rebuilt,
  RecordsBegun,
  Referenced,
  RegistryRebuilt,
  Replayed,
  SessionHits,
  SessionList,
  SessionPage,
  Stored,
  ThreadDetail,
  ThreadHits,
  ThreadId,
  ThreadList,
  Verdict,
  WorkspaceStatus,
} from "./answers.ts";
import type {
  AckRequest,
  ArtifactGetRequest,
  ArtifactListRequest,
  ArtifactPutRequest,
  ChangeCloseRequest,
  ChangeInitRequest,
  ChangeLinkRequest,
  ChangeLintRequest,
  ChangeListRequest,
  ChangeNewRequest,
  ChangePromoteRequest,
  ChangeResumeRequest,
  ChangeRetroRequest,
  ChangeShowRequest,
  ChangeUpdateRequest,
  DoctorRequest,
  DraftApproveRequest,
  DraftRejectRequest,
  DraftWriteRequest,
  ForgetRequest,
  GcRequest,
  HandoffCommitRequest,
  HandoffDraftRequest,
  HandoffGroundRequest,
  HandoffLintRequest,
  HandoffVerifyRequest,
  RebuildRequest,
  ReplayRequest,
  SessionImportRequest,
  SessionListRequest,
  SessionSearchRequest,
  SessionShowRequest,
  ThreadAmendRequest,
  ThreadAuditRequest,
  ThreadBranchRequest,
  ThreadCheckpointRequest,
  ThreadCheckpointsDueRequest,
  ThreadCompileRequest,
  ThreadCreateRequest,
  ThreadCutPointsRequest,
  ThreadGraphRequest,
  ThreadHandoffRequest,
  ThreadLineageRequest,
  ThreadListRequest,
  ThreadPostRequest,
  ThreadReferenceRequest,
  ThreadSearchRequest,
  ThreadShowRequest,
  VerifyRequest,
} from "./values.ts";
import type { OperationName, Operations } from "./operations.ts";
import type { CallOptions, KeyedOptions } from "./transport.ts";

/** Does an operation by its name. */
export type Ask = <Name extends OperationName>(
  name: Name,
  values: Operations[Name]["request"],
  options?: KeyedOptions,
) => Promise<Operations[Name]["answer"]>;

/** Append-only streams of frames: post, branch, hand off, compile. */
export class Threads {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** The workspace's default thread, made at the first call and the same ever after. */
  ensure(options?: CallOptions): Promise<ThreadId> {
    return this.#ask("thread.ensure", {}, options);
  }

  /** A new thread without a parent. */
  create(values: ThreadCreateRequest = {}, options?: KeyedOptions): Promise<ThreadId> {
    return this.#ask("thread.create", values, options);
  }

  /**
   * All threads, oldest first; archived ones only when asked for; at most `limit` of those that follow the one named
   * `after`. Where more follow, `next_after` is where the next page begins.
   */
  list(values: ThreadListRequest = {}, options?: CallOptions): Promise<ThreadList> {
    return this.#ask("thread.list", values, options);
  }

  /** One thread, with the hash that identifies its whole content. */
  show(values: ThreadShowRequest, options?: CallOptions): Promise<ThreadDetail> {
    return this.#ask("thread.show", values, options);
  }

  /** Renames a thread, tags it, puts it away or brings it back: what is given, in one commit. */
  amend(values: ThreadAmendRequest, options?: KeyedOptions): Promise<ThreadDetail> {
    return this.#ask("thread.amend", values, options);
  }

  /** Adds a message and, in the same commit, the run it started, what its tools did, and its end. */
  post(values: ThreadPostRequest, options?: KeyedOptions): Promise<Posted> {
    return this.#ask("thread.post", values, options);
  }

  /** A child that inherits the parent's history up to a cut; nothing is copied. */
  branch(values: ThreadBranchRequest, options?: KeyedOptions): Promise<Branched> {
    return this.#ask("thread.branch", values, options);
  }

  /**
   * A child that starts fresh from a bundle: a summary and references, never the parent's history. `agent` and
   * `session_id` are those of the session that it was drafted from, where it was.
   */
  handoff(values: ThreadHandoffRequest, options?: KeyedOptions): Promise<HandedOff> {
    return this.#ask("thread.handoff", values, options);
  }

  /** Records that this thread draws on another one, up to a cut. */
  reference(values: ThreadReferenceRequest, options?: KeyedOptions): Promise<Referenced> {
    return this.#ask("thread.reference", values, options);
  }

  /** Threads whose titles, messages or touched paths hold all the words. */
  search(values: ThreadSearchRequest, options?: CallOptions): Promise<ThreadHits> {
    return this.#ask("thread.search", values, options);
  }

  /** A thread's ancestors, nearest first, and its children, oldest first. */
  lineage(values: ThreadLineageRequest, options?: CallOptions): Promise<Lineage> {
    return this.#ask("thread.lineage", values, options);
  }

  /** The forest, or the tree a thread stands in, as lines of text. */
  graph(values: ThreadGraphRequest = {}, options?: CallOptions): Promise<Graph> {
    return this.#ask("thread.graph", values, options);
  }

  /** The context a run on this thread should start with, stored as an artifact and recorded. */
  compile(values: ThreadCompileRequest, options?: KeyedOptions): Promise<CompiledContext> {
    return this.#ask("thread.compile", values, options);
  }

  /** Compiles every recorded context of a thread again; `ok` when all came out byte for byte the same. */
  audit(values: ThreadAuditRequest, options?: CallOptions): Promise<Audit> {
    return this.#ask("thread.audit", values, options);
  }

  /** Records a checkpoint at a message: with a written summary, a stored one, or one made from the frames. */
  checkpoint(values: ThreadCheckpointRequest, options?: KeyedOptions): Promise<CheckpointMade> {
    return this.#ask("thread.checkpoint", values, options);
  }

  /**
   * Makes the checkpoints that are due, oldest first, as one recorded job: 8 unless told otherwise, 32 at most. A dry
   * run names all that are due.
   */
  checkpointsDue(values: ThreadCheckpointsDueRequest, options?: CallOptions): Promise<CheckpointsDue> {
    return this.#ask("thread.checkpoints-due", values, options);
  }

  /** Where checkpoints may fall: every n-th message, and which of them have one. */
  cutPoints(values: ThreadCutPointsRequest, options?: CallOptions): Promise<CutPoints> {
    return this.#ask("thread.cut-points", values, options);
  }
}

/** Bytes under the sha256 of their content. */
export class Artifacts {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Stores bytes and says under which name. */
  put(data: Uint8Array, values: Omit<ArtifactPutRequest, "data"> = {}, options?: CallOptions): Promise<Stored> {
    return this.#ask("artifact.put", { ...values, data }, options);
  }

  /**
   * Every artifact with its size, by name; at most `limit` of those that follow the one named `after`. Where more
   * follow, `next_after` is where the next page begins.
   */
  list(values: ArtifactListRequest = {}, options?: CallOptions): Promise<ArtifactList> {
    return this.#ask("artifact.list", values, options);
  }

  /** The bytes of an artifact, or a range of them; no version of the handoff document through a channel. */
  get(values: ArtifactGetRequest, options?: CallOptions): Promise<Uint8Array> {
    return this.#ask("artifact.get", values, options);
  }
}

/** Sessions of agents on the server's machine that belong to the workspace's project. */
export class Sessions {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Sessions of this project, across agents, newest first. */
  list(values: SessionListRequest = {}, options?: CallOptions): Promise<SessionList> {
    return this.#ask("session.list", values, options);
  }

  /**
   * Takes a session that a caller sends, in segue's own format: as its own thread, or to bring that thread up to date.
   * Whatever it holds is redacted before it is stored.
   */
  take(data: Uint8Array, options?: CallOptions): Promise<Imported> {
    return this.#ask("session.take", { data }, options);
  }

  /** Entries of this project's sessions that hold all the words, newest session first. */
  search(values: SessionSearchRequest, options?: CallOptions): Promise<SessionHits> {
    return this.#ask("session.search", values, options);
  }

  /**
   * A session's counts and a page of its entries, redacted; `next_offset` is where the next page begins. With `line`
   * only the entries of that line, which a pointer like `[#412]` names, and of so many `around` it.
   */
  show(values: SessionShowRequest, options?: CallOptions): Promise<SessionPage> {
    return this.#ask("session.show", values, options);
  }

  /** Brings a session into the log as its own thread, or that thread up to date. */
  import(values: SessionImportRequest, options?: CallOptions): Promise<Imported> {
    return this.#ask("session.import", values, options);
  }
}

/** Drafting, judging and storing handoffs. */
export class Handoffs {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Drafts the handoff of a session of this project, by default the newest, for a goal; writes nothing. */
  draft(values: HandoffDraftRequest = {}, options?: CallOptions): Promise<Proposal> {
    return this.#ask("handoff.draft", values, options);
  }

  /**
   * Stores the handoff of a session: its thread, the bundle, and the child thread that starts from it. `text` is the
   * packet as reviewed, within its budget; without it the draft stands as it is.
   */
  commit(values: HandoffCommitRequest = {}, options?: CallOptions): Promise<Committed> {
    return this.#ask("handoff.commit", values, options);
  }

  /** Judges a handoff: findings, a score, and whether it passes. */
  lint(values: HandoffLintRequest, options?: CallOptions): Promise<Judgement> {
    return this.#ask("handoff.lint", values, options);
  }

  /**
   * What of a handoff still holds, what drifted, what cannot be known; by default of the newest one. Through a channel,
   * findings quote the current document only as far as that may carry it.
   */
  verify(values: HandoffVerifyRequest = {}, options?: CallOptions): Promise<HandoffVerdict> {
    return this.#ask("handoff.verify", values, options);
  }

  /**
   * Judges a text statement by statement against a session of this project, by default the one that it names, else the
   * newest: what stands where it points, what elsewhere, what nowhere, what is contradicted, and what it lost. With
   * `repair` the answer holds the text with its pointers corrected and the lost put back.
   */
  ground(values: HandoffGroundRequest, options?: CallOptions): Promise<Grounded> {
    return this.#ask("handoff.ground", values, options);
  }

  /** The current handoff, if its sensitivity allows the channel to carry it. */
  current(options?: CallOptions): Promise<CurrentHandoff> {
    return this.#ask("handoff.current", {}, options);
  }
}

/** Rich handoffs and their approval. */
export class Drafts {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * Takes a draft, about the work in a directory of the workspace. The answer says whether it passed, whether it waits
   * for approval, and which waiting one it replaces.
   */
  write(values: DraftWriteRequest, options?: CallOptions): Promise<DraftTaken> {
    return this.#ask("draft.write", values, options);
  }

  /**
   * The waiting draft, if any, and the state of the current handoff. Through a channel, the draft's text only where its
   * sensitivity allows that.
   */
  show(options?: CallOptions): Promise<DraftState> {
    return this.#ask("draft.show", {}, options);
  }

  /**
   * Approves the waiting draft that somebody reviewed: `expect` is its whole id. Raises Conflict when another draft
   * waits by now. `clear` names channels that may carry it although they are cleared for less.
   */
  approve(values: DraftApproveRequest, options?: CallOptions): Promise<DraftApproved> {
    return this.#ask("draft.approve", values, options);
  }

  /** Sets the waiting draft aside; it stays in the log. */
  reject(values: DraftRejectRequest = {}, options?: CallOptions): Promise<DraftRejected> {
    return this.#ask("draft.reject", values, options);
  }
}

/** Change records. */
export class Changes {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * Starts `docs/TC`. Done again it changes nothing; with `force` the configuration is written anew while records,
   * numbers and registry stay.
   */
  init(values: ChangeInitRequest = {}, options?: CallOptions): Promise<RecordsBegun> {
    return this.#ask("change.init", values, options);
  }

  /** Makes a record with the next free number, linked to the thread of the session at work, or to the one named. */
  new(values: ChangeNewRequest, options?: CallOptions): Promise<ChangeMade> {
    return this.#ask("change.new", values, options);
  }

  /** Rows of the registry, by number. One that cannot be read is derived from the records instead. */
  list(values: ChangeListRequest = {}, options?: CallOptions): Promise<ChangeList> {
    return this.#ask("change.list", values, options);
  }

  /** The quality of the records named; of all of them and of their tree if none is. The worst one decides. */
  lint(values: ChangeLintRequest = {}, options?: CallOptions): Promise<Judgement> {
    return this.#ask("change.lint", values, options);
  }

  /** Makes the registry again from the records, whatever state it is in; a record that cannot be read is told. */
  rebuild(options?: CallOptions): Promise<RegistryRebuilt> {
    return this.#ask("change.rebuild", {}, options);
  }

  /** Makes a record of each past change, all in one go, with its commits linked. */
  retro(values: ChangeRetroRequest, options?: CallOptions): Promise<ChangesMade> {
    return this.#ask("change.retro", values, options);
  }

  /** Writes the page, to `docs/TC/index.html` unless another place is named. */
  dashboard(options?: CallOptions): Promise<DashboardWritten> {
    return this.#ask("change.dashboard", {}, options);
  }

  /** The record as it is in its file. */
  show(values: ChangeShowRequest, options?: CallOptions): Promise<ChangeRecord> {
    return this.#ask("change.show", values, options);
  }

  /** Applies an update as one revision. `strict` refuses a record that lint would complain about. */
  update(values: ChangeUpdateRequest, options?: CallOptions): Promise<ChangeUpdated> {
    return this.#ask("change.update", values, options);
  }

  /** Shows the block, checks it against the repository, archives the session before and opens a new one. */
  resume(values: ChangeResumeRequest, options?: CallOptions): Promise<ChangeResumed> {
    return this.#ask("change.resume", values, options);
  }

  /** Writes decisions of a change to `docs/decisions.md`, each once; all of them if none is named. */
  promote(values: ChangePromoteRequest, options?: CallOptions): Promise<DecisionsWritten> {
    return this.#ask("change.promote", values, options);
  }

  /** Deploys a tested change: approval, status and the end of its session, in one revision. */
  close(values: ChangeCloseRequest, options?: CallOptions): Promise<ChangeClosed> {
    return this.#ask("change.close", values, options);
  }

  /** Links commits, pull requests and releases to a change; HEAD if nothing is named. */
  link(values: ChangeLinkRequest, options?: CallOptions): Promise<ChangeUpdated> {
    return this.#ask("change.link", values, options);
  }
}

/** The workspace as a whole, and the boundary. */
export class Upkeep {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * The current handoff for a session, once; through a channel only what that may carry, whatever the host says it is.
   */
  replay(values: ReplayRequest = {}, options?: CallOptions): Promise<Replayed> {
    return this.#ask("replay", values, options);
  }

  /**
   * Records, once per handoff, that the receiving session has read it. Raises NotFound for a session that was given
   * none.
   */
  ack(values: AckRequest, options?: CallOptions): Promise<Acknowledged> {
    return this.#ask("ack", values, options);
  }

  /** Re-derives hashes, order, links and blobs, and compares caches with truth. */
  verify(values: VerifyRequest = {}, options?: CallOptions): Promise<Verdict> {
    return this.#ask("verify", values, options);
  }

  /**
   * Makes every cache again from the frames, and says what is wrong with those. Where acknowledged frames are missing
   * it refuses, unless the loss is accepted; then that is recorded.
   */
  rebuild(values: RebuildRequest = {}, options?: CallOptions): Promise<Rebuilt> {
    return this.#ask("rebuild", values, options);
  }

  /**
   * Removes content for good: `targets` are THREAD@SEQ, a message id, or a THREAD for all that it says; `sessions` are
   * AGENT:ID. What else quotes it is named in `also_in`, and goes with `everywhere`. A dry run only says what would go.
   */
  forget(values: ForgetRequest = {}, options?: CallOptions): Promise<Forgotten> {
    return this.#ask("forget", values, options);
  }

  /**
   * Removes what was kept longer than settings say (`retention.*`), and what interrupted writes left. A dry run only
   * says what would go, and how much; that is all an agent is told, for whom the settings are a few words in its
   * environment.
   */
  gc(values: GcRequest = {}, options?: CallOptions): Promise<Collected> {
    return this.#ask("gc", values, options);
  }

  /** Where this workspace stands, in a few numbers. */
  status(options?: CallOptions): Promise<WorkspaceStatus> {
    return this.#ask("status", {}, options);
  }

  /** Every check with its verdict, and every setting with its source; mends what is safe to mend. */
  doctor(values: DoctorRequest = {}, options?: CallOptions): Promise<Diagnosis> {
    return this.#ask("doctor", values, options);
  }
}
