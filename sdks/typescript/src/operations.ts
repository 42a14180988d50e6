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
  ChangeDashboardRequest,
  ChangeInitRequest,
  ChangeLinkRequest,
  ChangeLintRequest,
  ChangeListRequest,
  ChangeNewRequest,
  ChangePromoteRequest,
  ChangeRebuildRequest,
  ChangeResumeRequest,
  ChangeRetroRequest,
  ChangeShowRequest,
  ChangeUpdateRequest,
  DoctorRequest,
  DraftApproveRequest,
  DraftRejectRequest,
  DraftShowRequest,
  DraftWriteRequest,
  ForgetRequest,
  GcRequest,
  HandoffCommitRequest,
  HandoffCurrentRequest,
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
  SessionTakeRequest,
  StatusRequest,
  ThreadAmendRequest,
  ThreadAuditRequest,
  ThreadBranchRequest,
  ThreadCheckpointRequest,
  ThreadCheckpointsDueRequest,
  ThreadCompileRequest,
  ThreadCreateRequest,
  ThreadCutPointsRequest,
  ThreadEnsureRequest,
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

/** What every operation takes and gives, by its name. */
export interface Operations {
  readonly "thread.ensure": { readonly request: ThreadEnsureRequest; readonly answer: ThreadId };
  readonly "thread.create": { readonly request: ThreadCreateRequest; readonly answer: ThreadId };
  readonly "thread.list": { readonly request: ThreadListRequest; readonly answer: ThreadList };
  readonly "thread.show": { readonly request: ThreadShowRequest; readonly answer: ThreadDetail };
  readonly "thread.amend": { readonly request: ThreadAmendRequest; readonly answer: ThreadDetail };
  readonly "thread.post": { readonly request: ThreadPostRequest; readonly answer: Posted };
  readonly "thread.branch": { readonly request: ThreadBranchRequest; readonly answer: Branched };
  readonly "thread.handoff": { readonly request: ThreadHandoffRequest; readonly answer: HandedOff };
  readonly "thread.reference": { readonly request: ThreadReferenceRequest; readonly answer: Referenced };
  readonly "thread.search": { readonly request: ThreadSearchRequest; readonly answer: ThreadHits };
  readonly "thread.lineage": { readonly request: ThreadLineageRequest; readonly answer: Lineage };
  readonly "thread.graph": { readonly request: ThreadGraphRequest; readonly answer: Graph };
  readonly "thread.compile": { readonly request: ThreadCompileRequest; readonly answer: CompiledContext };
  readonly "thread.audit": { readonly request: ThreadAuditRequest; readonly answer: Audit };
  readonly "thread.checkpoint": { readonly request: ThreadCheckpointRequest; readonly answer: CheckpointMade };
  readonly "thread.checkpoints-due": { readonly request: ThreadCheckpointsDueRequest; readonly answer: CheckpointsDue };
  readonly "thread.cut-points": { readonly request: ThreadCutPointsRequest; readonly answer: CutPoints };
  readonly "artifact.put": { readonly request: ArtifactPutRequest; readonly answer: Stored };
  readonly "artifact.list": { readonly request: ArtifactListRequest; readonly answer: ArtifactList };
  readonly "artifact.get": { readonly request: ArtifactGetRequest; readonly answer: Uint8Array };
  readonly "session.list": { readonly request: SessionListRequest; readonly answer: SessionList };
  readonly "session.take": { readonly request: SessionTakeRequest; readonly answer: Imported };
  readonly "session.search": { readonly request: SessionSearchRequest; readonly answer: SessionHits };
  readonly "session.show": { readonly request: SessionShowRequest; readonly answer: SessionPage };
  readonly "session.import": { readonly request: SessionImportRequest; readonly answer: Imported };
  readonly "handoff.draft": { readonly request: HandoffDraftRequest; readonly answer: Proposal };
  readonly "handoff.commit": { readonly request: HandoffCommitRequest; readonly answer: Committed };
  readonly "handoff.lint": { readonly request: HandoffLintRequest; readonly answer: Judgement };
  readonly "handoff.verify": { readonly request: HandoffVerifyRequest; readonly answer: HandoffVerdict };
  readonly "handoff.ground": { readonly request: HandoffGroundRequest; readonly answer: Grounded };
  readonly "handoff.current": { readonly request: HandoffCurrentRequest; readonly answer: CurrentHandoff };
  readonly "draft.write": { readonly request: DraftWriteRequest; readonly answer: DraftTaken };
  readonly "draft.show": { readonly request: DraftShowRequest; readonly answer: DraftState };
  readonly "draft.approve": { readonly request: DraftApproveRequest; readonly answer: DraftApproved };
  readonly "draft.reject": { readonly request: DraftRejectRequest; readonly answer: DraftRejected };
  readonly "replay": { readonly request: ReplayRequest; readonly answer: Replayed };
  readonly "ack": { readonly request: AckRequest; readonly answer: Acknowledged };
  readonly "change.init": { readonly request: ChangeInitRequest; readonly answer: RecordsBegun };
  readonly "change.new": { readonly request: ChangeNewRequest; readonly answer: ChangeMade };
  readonly "change.list": { readonly request: ChangeListRequest; readonly answer: ChangeList };
  readonly "change.lint": { readonly request: ChangeLintRequest; readonly answer: Judgement };
  readonly "change.rebuild": { readonly request: ChangeRebuildRequest; readonly answer: RegistryRebuilt };
  readonly "change.retro": { readonly request: ChangeRetroRequest; readonly answer: ChangesMade };
  readonly "change.dashboard": { readonly request: ChangeDashboardRequest; readonly answer: DashboardWritten };
  readonly "change.show": { readonly request: ChangeShowRequest; readonly answer: ChangeRecord };
  readonly "change.update": { readonly request: ChangeUpdateRequest; readonly answer: ChangeUpdated };
  readonly "change.resume": { readonly request: ChangeResumeRequest; readonly answer: ChangeResumed };
  readonly "change.promote": { readonly request: ChangePromoteRequest; readonly answer: DecisionsWritten };
  readonly "change.close": { readonly request: ChangeCloseRequest; readonly answer: ChangeClosed };
  readonly "change.link": { readonly request: ChangeLinkRequest; readonly answer: ChangeUpdated };
  readonly "verify": { readonly request: VerifyRequest; readonly answer: Verdict };
  readonly "rebuild": { readonly request: RebuildRequest; readonly answer: Rebuilt };
  readonly "forget": { readonly request: ForgetRequest; readonly answer: Forgotten };
  readonly "gc": { readonly request: GcRequest; readonly answer: Collected };
  readonly "status": { readonly request: StatusRequest; readonly answer: WorkspaceStatus };
  readonly "doctor": { readonly request: DoctorRequest; readonly answer: Diagnosis };
}

export type OperationName = keyof Operations;

/** Where an operation is on a server, and how its request and its answer travel. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly takes: "query" | "json" | "bytes";
  readonly gives: "json" | "bytes" | "events";
  readonly writes: boolean;
}

export const ROUTES: Readonly<Record<OperationName | "thread.events", Route>> = {
  "thread.ensure": { method: "POST", path: "/threads/ensure", takes: "json", gives: "json", writes: true },
  "thread.create": { method: "POST", path: "/threads", takes: "json", gives: "json", writes: true },
  "thread.list": { method: "GET", path: "/threads", takes: "query", gives: "json", writes: false },
  "thread.show": { method: "GET", path: "/threads/{thread_id}", takes: "query", gives: "json", writes: false },
  "thread.amend": { method: "PATCH", path: "/threads/{thread_id}", takes: "json", gives: "json", writes: true },
  "thread.post": { method: "POST", path: "/threads/{thread_id}/messages", takes: "json", gives: "json", writes: true },
  "thread.branch": { method: "POST", path: "/threads/{thread_id}/branch", takes: "json", gives: "json", writes: true },
  "thread.handoff": {
    method: "POST",
    path: "/threads/{thread_id}/handoff",
    takes: "json",
    gives: "json",
    writes: true,
  },
  "thread.reference": {
    method: "POST",
    path: "/threads/{thread_id}/references",
    takes: "json",
    gives: "json",
    writes: true,
  },
  "thread.events": {
    method: "GET",
    path: "/threads/{thread_id}/events",
    takes: "query",
    gives: "events",
    writes: false,
  },
  "thread.search": { method: "GET", path: "/search", takes: "query", gives: "json", writes: false },
  "thread.lineage": {
    method: "GET",
    path: "/threads/{thread_id}/lineage",
    takes: "query",
    gives: "json",
    writes: false,
  },
  "thread.graph": { method: "GET", path: "/lineage", takes: "query", gives: "json", writes: false },
  "thread.compile": {
    method: "POST",
    path: "/threads/{thread_id}/compile",
    takes: "json",
    gives: "json",
    writes: true,
  },
  "thread.audit": { method: "GET", path: "/threads/{thread_id}/audit", takes: "query", gives: "json", writes: false },
  "thread.checkpoint": {
    method: "POST",
    path: "/threads/{thread_id}/checkpoints",
    takes: "json",
    gives: "json",
    writes: true,
  },
  "thread.checkpoints-due": {
    method: "POST",
    path: "/threads/{thread_id}/checkpoints/due",
    takes: "json",
    gives: "json",
    writes: true,
  },
  "thread.cut-points": {
    method: "GET",
    path: "/threads/{thread_id}/cut-points",
    takes: "query",
    gives: "json",
    writes: false,
  },
  "artifact.put": { method: "POST", path: "/artifacts", takes: "bytes", gives: "json", writes: true },
  "artifact.list": { method: "GET", path: "/artifacts", takes: "query", gives: "json", writes: false },
  "artifact.get": { method: "GET", path: "/artifacts/{artifact_id}", takes: "query", gives: "bytes", writes: false },
  "session.list": { method: "GET", path: "/sessions", takes: "query", gives: "json", writes: false },
  "session.take": { method: "POST", path: "/sessions", takes: "bytes", gives: "json", writes: true },
  "session.search": { method: "GET", path: "/sessions/search", takes: "query", gives: "json", writes: false },
  "session.show": { method: "GET", path: "/sessions/{session}", takes: "query", gives: "json", writes: false },
  "session.import": { method: "POST", path: "/sessions/{session}/import", takes: "json", gives: "json", writes: true },
  "handoff.draft": { method: "POST", path: "/handoffs/draft", takes: "json", gives: "json", writes: false },
  "handoff.commit": { method: "POST", path: "/handoffs", takes: "json", gives: "json", writes: true },
  "handoff.lint": { method: "POST", path: "/handoffs/lint", takes: "json", gives: "json", writes: false },
  "handoff.verify": { method: "POST", path: "/handoffs/verify", takes: "json", gives: "json", writes: false },
  "handoff.ground": { method: "POST", path: "/handoffs/ground", takes: "json", gives: "json", writes: false },
  "handoff.current": { method: "GET", path: "/handoffs/current", takes: "query", gives: "json", writes: false },
  "draft.write": { method: "POST", path: "/boundary/draft", takes: "json", gives: "json", writes: true },
  "draft.show": { method: "GET", path: "/boundary/draft", takes: "query", gives: "json", writes: false },
  "draft.approve": { method: "POST", path: "/boundary/draft/approve", takes: "json", gives: "json", writes: true },
  "draft.reject": { method: "POST", path: "/boundary/draft/reject", takes: "json", gives: "json", writes: true },
  "replay": { method: "POST", path: "/boundary/replay", takes: "json", gives: "json", writes: true },
  "ack": { method: "POST", path: "/boundary/ack", takes: "json", gives: "json", writes: true },
  "change.init": { method: "POST", path: "/changes/init", takes: "json", gives: "json", writes: true },
  "change.new": { method: "POST", path: "/changes", takes: "json", gives: "json", writes: true },
  "change.list": { method: "GET", path: "/changes", takes: "query", gives: "json", writes: false },
  "change.lint": { method: "POST", path: "/changes/lint", takes: "json", gives: "json", writes: false },
  "change.rebuild": { method: "POST", path: "/changes/rebuild", takes: "json", gives: "json", writes: true },
  "change.retro": { method: "POST", path: "/changes/retro", takes: "json", gives: "json", writes: true },
  "change.dashboard": { method: "POST", path: "/changes/dashboard", takes: "json", gives: "json", writes: true },
  "change.show": { method: "GET", path: "/changes/{tc_id}", takes: "query", gives: "json", writes: false },
  "change.update": { method: "PATCH", path: "/changes/{tc_id}", takes: "json", gives: "json", writes: true },
  "change.resume": { method: "POST", path: "/changes/{tc_id}/resume", takes: "json", gives: "json", writes: true },
  "change.promote": { method: "POST", path: "/changes/{tc_id}/promote", takes: "json", gives: "json", writes: true },
  "change.close": { method: "POST", path: "/changes/{tc_id}/close", takes: "json", gives: "json", writes: true },
  "change.link": { method: "POST", path: "/changes/{tc_id}/links", takes: "json", gives: "json", writes: true },
  "verify": { method: "GET", path: "/verify", takes: "query", gives: "json", writes: false },
  "rebuild": { method: "POST", path: "/rebuild", takes: "json", gives: "json", writes: true },
  "forget": { method: "POST", path: "/forget", takes: "json", gives: "json", writes: true },
  "gc": { method: "POST", path: "/gc", takes: "json", gives: "json", writes: true },
  "status": { method: "GET", path: "/status", takes: "query", gives: "json", writes: false },
  "doctor": { method: "POST", path: "/doctor", takes: "json", gives: "json", writes: true },
};
