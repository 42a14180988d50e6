// Written by docs/generate_typescript.py from the API's description; a test compares.

/** Any value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object whose members the description leaves open. */
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface AckRequest {
  readonly host: string;
  readonly session_id: string;
  readonly evidence: string;
}

export interface Acknowledged {
  readonly seq: number;
  readonly sha256: string;
  readonly thread_id: string;
}

export interface Approve {
  readonly by: string;
  readonly date?: string | null;
  readonly notes?: string | null;
}

export interface ArtifactGetRequest {
  readonly artifact_id: string;
  readonly offset?: number;
  readonly max_bytes?: number;
}

export interface ArtifactList {
  readonly artifacts: readonly ArtifactRow[];
}

export type ArtifactListRequest = Readonly<Record<string, never>>;

export interface ArtifactPutRequest {
  readonly data: Uint8Array;
  readonly verbatim?: boolean;
}

export interface ArtifactRow {
  readonly artifact_id: string;
  readonly bytes: number;
}

/** What a problem says, in the words of the command line. */
export interface AsCommand {
  readonly detail: string;
  readonly hint: string;
}

export interface Audit {
  readonly checked: number;
  readonly findings: readonly Finding[];
  readonly ok: boolean;
}

export interface Branched {
  readonly parent_message_id?: string;
  readonly parent_seq: number;
  readonly parent_thread_id: string;
  readonly thread_id: string;
}

export interface ChangeApproval {
  readonly approval_notes?: string;
  readonly approved?: boolean;
  readonly approved_by?: string | null;
  readonly approved_date?: string | null;
  readonly test_coverage_status?: string;
}

export interface ChangeCloseRequest {
  readonly tc_id: string;
  readonly approve_by?: string | null;
  readonly approval_notes?: string | null;
  readonly summary?: string | null;
  readonly author?: string | null;
  readonly reason?: string;
}

export interface ChangeClosed {
  readonly path?: string;
  readonly revision?: string;
  readonly status: string;
  readonly summary?: string;
  readonly tc_id: string;
  readonly updated: boolean;
  readonly warnings: readonly LintFinding[];
}

export type ChangeDashboardRequest = Readonly<Record<string, never>>;

export interface ChangeDescription {
  readonly breaking_changes?: readonly string[];
  readonly dependencies?: readonly string[];
  readonly detailed_design?: string | null;
  readonly motivation: string;
  readonly scope: string;
  readonly summary: string;
}

/** What the next session reads first. */
export interface ChangeHandoff {
  readonly blockers?: readonly string[];
  readonly decisions_made?: readonly DecisionMade[];
  readonly files_in_progress?: readonly FileAtWork[];
  readonly key_context?: readonly string[];
  readonly next_steps?: readonly string[];
  readonly progress_summary?: string;
}

export interface ChangeInitRequest {
  readonly project?: string | null;
  readonly author?: string | null;
  readonly force?: boolean;
}

export interface ChangeLinkRequest {
  readonly tc_id: string;
  readonly commits?: readonly string[];
  readonly ranges?: readonly string[];
  readonly pulls?: readonly string[];
  readonly pull_state?: "closed" | "draft" | "merged" | "open" | null;
  readonly releases?: readonly string[];
  readonly author?: string | null;
  readonly reason?: string;
}

export interface ChangeLintRequest {
  readonly tc_ids?: readonly string[];
}

/** `warning` tells where registry and records disagree, `emptied_by` which condition left nothing. */
export interface ChangeList {
  readonly changes: readonly ChangeRow[];
  readonly emptied_by?: string;
  readonly warning?: string;
}

export interface ChangeListRequest {
  readonly status?: readonly string[];
  readonly scope?: readonly string[];
  readonly priority?: readonly string[];
  readonly tag?: string;
  readonly words?: string;
  readonly only_open?: boolean;
  readonly limit?: number;
}

export interface ChangeMade {
  readonly path: string;
  readonly tc_id: string;
}

export interface ChangeMetadata {
  readonly created_by: string;
  readonly estimated_effort?: string | null;
  readonly last_modified: string;
  readonly last_modified_by: string;
  readonly project: string;
}

export interface ChangeNewRequest {
  readonly title: string;
  readonly scope?: string;
  readonly summary?: string | null;
  readonly motivation?: string | null;
  readonly name?: string | null;
  readonly priority?: string;
  readonly author?: string | null;
  readonly session_id?: string | null;
  readonly platform?: string | null;
  readonly model?: string | null;
  readonly thread?: string | null;
  readonly more?: Update | null;
}

export interface ChangePromoteRequest {
  readonly tc_id: string;
  readonly refs: readonly string[];
}

export type ChangeRebuildRequest = Readonly<Record<string, never>>;

export interface ChangeRecord {
  readonly approval: ChangeApproval;
  readonly created: string;
  readonly created_by: string;
  readonly description: ChangeDescription;
  readonly files_affected: readonly ChangedFile[];
  readonly git?: JsonObject | null;
  readonly maturity?: JsonObject;
  readonly metadata: ChangeMetadata;
  readonly notes: string;
  readonly parent_tc?: string | null;
  readonly priority: string;
  readonly project: string;
  readonly related_tcs: readonly string[];
  readonly revision_history: readonly ChangeRevision[];
  readonly session_context: ChangeSessions;
  readonly status: string;
  readonly sub_tcs?: readonly SubChangeRow[];
  readonly tags: readonly string[];
  readonly tc_id: string;
  readonly test_cases: readonly ChangeTest[];
  readonly title: string;
  readonly updated: string;
}

export interface ChangeResumeRequest {
  readonly tc_id: string;
  readonly platform?: string | null;
  readonly model?: string | null;
  readonly session_id?: string | null;
  readonly summary?: string | null;
  readonly author?: string | null;
  readonly dry_run?: boolean;
}

export interface ChangeResumed {
  readonly drift: readonly LintFinding[];
  readonly handoff: ChangeHandoff;
  readonly packet: string;
  readonly path?: string;
  readonly revision?: string;
  readonly session: SessionAtWork;
  readonly status: string;
  readonly summary?: string;
  readonly tc_id: string;
  readonly updated: boolean;
}

export interface ChangeRetroRequest {
  readonly past: RetroFile;
}

export interface ChangeRevision {
  readonly author: string;
  readonly content?: string;
  readonly field_changes?: readonly ChangedField[];
  readonly revision_id: string;
  readonly seal?: string;
  readonly summary: string;
  readonly timestamp: string;
}

/** A record in the registry; `path` is relative to `docs/TC`. */
export interface ChangeRow {
  readonly created: string;
  readonly last_revision?: string;
  readonly parent_tc?: string;
  readonly path: string;
  readonly priority: string;
  readonly scope: string;
  readonly seal?: string;
  readonly status: string;
  readonly sub_tc_count?: number;
  readonly tags?: readonly string[];
  readonly tc_id: string;
  readonly test_summary?: Readonly<Record<string, number>>;
  readonly title: string;
  readonly updated: string;
}

export interface ChangeSessions {
  readonly current_session: SessionAtWork;
  readonly handoff?: ChangeHandoff;
  readonly session_history?: readonly EndedSession[];
  readonly threads?: readonly string[];
}

export interface ChangeShowRequest {
  readonly tc_id: string;
}

export interface ChangeTest {
  readonly actual_result?: string | null;
  readonly evidence?: readonly TestEvidence[];
  readonly expected_result: string;
  readonly procedure: readonly string[];
  readonly status?: string;
  readonly test_id: string;
  readonly tested_by?: string | null;
  readonly tested_date?: string | null;
  readonly title: string;
}

export interface ChangeUpdateRequest {
  readonly tc_id: string;
  readonly wanted: Update;
  readonly author?: string | null;
  readonly reason?: string;
  readonly strict?: boolean;
  readonly seal_anew?: boolean;
}

/** `revision` and `summary` are those of the revision that was made, if one was. */
export interface ChangeUpdated {
  readonly path?: string;
  readonly revision?: string;
  readonly status: string;
  readonly summary?: string;
  readonly tc_id: string;
  readonly updated: boolean;
}

export interface ChangedField {
  readonly action: string;
  readonly field: string;
  readonly new_value?: Json;
  readonly old_value?: Json;
  readonly reason?: string | null;
}

export interface ChangedFile {
  readonly action: string;
  readonly description?: string | null;
  readonly lines_added?: number | null;
  readonly lines_removed?: number | null;
  readonly path: string;
}

export interface ChangesMade {
  readonly changes: readonly ChangeMade[];
}

/** The texts are what a new session would be told, and one after a compaction. */
export interface Check {
  readonly after_compaction?: string;
  readonly check: string;
  readonly events?: readonly string[];
  readonly hint?: string;
  readonly message: string;
  readonly ok: boolean;
  readonly text?: string;
}

export interface CheckpointMade {
  readonly checkpoint_id: string;
  readonly cut_rule_id: string;
  readonly summary_artifact_id: string;
  readonly thread_id: string;
  readonly to_message_id?: string;
  readonly to_seq: number;
}

/** `status` is `noop` where nothing was made, else `completed`. */
export interface CheckpointsDue {
  readonly cut_rule_id: string;
  readonly job_id?: string;
  readonly planned: readonly PlannedCheckpoint[];
  readonly result: readonly CheckpointMade[];
  readonly status: string;
  readonly stride_messages: number;
  readonly thread_id: string;
}

export interface Committed {
  readonly agent: string;
  readonly budget: number;
  readonly dropped: readonly Dropped[];
  readonly from_message_id?: string;
  readonly from_seq: number;
  readonly from_thread_id: string;
  readonly lint: Judgement;
  readonly packet: string;
  readonly redactions: Redacted;
  readonly rendered?: string;
  readonly session_id: string;
  readonly summary_artifact_id: string;
  readonly thread_id: string;
  readonly tokens: number;
}

export interface CompiledContext {
  readonly bundle: JsonObject;
  readonly bundle_artifact_id: string;
  readonly tokens: number;
}

export interface CurrentHandoff {
  readonly text: string;
}

export interface CutPointRow {
  readonly already_checkpointed: boolean;
  readonly latest_checkpoint_id?: string;
  readonly target_message_ordinal: number;
  readonly to_message_id: string;
  readonly to_seq: number;
}

export interface CutPoints {
  readonly cut_points: readonly CutPointRow[];
  readonly cut_rule_id: string;
  readonly message_count: number;
  readonly stride_messages: number;
  readonly thread_id: string;
}

export interface DashboardWritten {
  readonly bytes: number;
  readonly path: string;
  readonly records: number;
}

export interface Decision {
  readonly decision: string;
  readonly rationale: string;
  /** ISO 8601 date and time. */
  readonly timestamp: string;
}

export interface DecisionMade {
  readonly decision: string;
  readonly rationale: string;
  readonly timestamp: string;
}

export interface DecisionsWritten {
  readonly added: readonly string[];
  readonly path: string;
  readonly tc_id: string;
}

export interface Diagnosis {
  readonly checks: readonly Check[];
  readonly ok: boolean;
  readonly settings: Readonly<Record<string, SettingRow>>;
}

export interface DoctorRequest {
  readonly fix?: boolean;
}

export interface DraftApproveRequest {
  readonly clear?: readonly string[] | null;
}

export interface DraftApproved {
  readonly approval: string;
  readonly artifact_id: string;
  readonly cleared?: readonly string[];
  readonly sha256: string;
}

export interface DraftRejectRequest {
  readonly reason?: string | null;
}

export interface DraftRejected {
  readonly approval: string;
  readonly artifact_id: string;
}

export type DraftShowRequest = Readonly<Record<string, never>>;

export interface DraftState {
  readonly current: HandoffState;
  readonly pending?: WaitingDraft;
}

/** A draft that did not pass lint is not written. */
export interface DraftTaken {
  readonly approval?: string;
  readonly artifact_id?: string;
  readonly cleared?: readonly string[];
  readonly lint: Judgement;
  readonly replaces?: string;
  readonly sha256?: string;
  readonly written: boolean;
}

export interface DraftWriteRequest {
  readonly text: string;
  readonly host?: string;
  readonly session_id?: string;
  readonly sensitivity?: string;
}

export interface Dropped {
  readonly evidence?: Json;
  readonly what: string;
  readonly why: string;
}

export interface EndedSession {
  readonly agent?: string;
  readonly changes_made?: readonly string[];
  readonly ended: string;
  readonly model: string;
  readonly platform: string;
  readonly session_id: string;
  readonly started: string;
  readonly summary: string;
}

export interface EventsPage {
  readonly events: readonly JsonObject[];
  readonly next_after_seq: number;
}

export interface FileAtWork {
  readonly notes?: string | null;
  readonly path: string;
  readonly state: string;
}

/** A file to list, or what is to change about one already listed. */
export interface FileEdit {
  /** Relative to the project, forward slashes. */
  readonly path: string;
  readonly action?: "created" | "deleted" | "modified" | "renamed" | null;
  readonly description?: string | null;
  readonly lines_added?: number | null;
  readonly lines_removed?: number | null;
}

export interface FileInProgress {
  /** Relative to the project, forward slashes. */
  readonly path: string;
  readonly state: "editing" | "needs_review" | "partially_done" | "ready";
  readonly notes?: string | null;
}

export interface FileProgress {
  /** Relative to the project, forward slashes. */
  readonly path: string;
  readonly state: "editing" | "needs_review" | "partially_done" | "ready";
  readonly notes?: string | null;
}

export interface Finding {
  readonly hint: string;
  readonly kind: string;
  readonly message: string;
  readonly where: string;
}

export interface Graph {
  readonly graph: readonly string[];
}

export interface HandedOff {
  readonly from_message_id?: string;
  readonly from_seq: number;
  readonly from_thread_id: string;
  readonly summary_artifact_id: string;
  readonly thread_id: string;
}

/** What the next session reads first. */
export interface HandoffBlock {
  readonly progress_summary?: string;
  readonly next_steps?: readonly string[];
  readonly blockers?: readonly string[];
  readonly key_context?: readonly string[];
  readonly files_in_progress?: readonly FileInProgress[];
  readonly decisions_made?: readonly Decision[];
}

export interface HandoffCommitRequest {
  readonly goal?: string;
  readonly session?: string | null;
  readonly agent?: string | null;
  readonly budget?: number | null;
  readonly preset?: "" | "debug" | "docs" | "implement" | "review";
  readonly repo?: boolean | null;
  readonly include_files?: readonly string[];
  readonly text?: string | null;
}

export type HandoffCurrentRequest = Readonly<Record<string, never>>;

export interface HandoffDraftRequest {
  readonly goal?: string;
  readonly session?: string | null;
  readonly agent?: string | null;
  readonly budget?: number | null;
  readonly preset?: "" | "debug" | "docs" | "implement" | "review";
  readonly format?: "bundle" | "document" | "json" | "packet" | "tc";
  readonly repo?: boolean | null;
  readonly include_files?: readonly string[];
}

/** `state` is `holds`, `drifted` or `unknown`. */
export interface HandoffFinding {
  readonly hint: string;
  readonly kind: string;
  readonly message: string;
  readonly state: string;
  readonly where: string;
}

export interface HandoffLintRequest {
  readonly text: string;
  readonly kind?: "auto" | "document" | "packet" | "tc";
  readonly budget?: number | null;
}

/** The current handoff document. `edited` is true where a person changed what was approved. */
export interface HandoffState {
  readonly age_ms?: number | null;
  readonly bytes?: number;
  readonly edited?: boolean;
  readonly exists: boolean;
  readonly path: string;
  readonly rich?: boolean;
  readonly sensitivity?: string;
  readonly sha256?: string;
  readonly tokens?: number;
}

export interface HandoffVerdict {
  readonly findings: readonly HandoffFinding[];
  readonly ok: boolean;
}

export interface HandoffVerifyRequest {
  readonly text?: string | null;
  readonly artifact_id?: string | null;
}

export interface Health {
  readonly status: string;
}

export interface HookTraces {
  readonly last: string;
  readonly path: string;
  readonly traces: number;
}

export interface Imported {
  readonly added: number;
  readonly agent: string;
  readonly head_seq: number;
  readonly redactions: number;
  readonly session_id: string;
  readonly thread_id: string;
  readonly unreadable?: number;
}

export interface Judgement {
  readonly findings: readonly LintFinding[];
  readonly pass: boolean;
  readonly score: number;
}

export interface LastFrame {
  readonly seq: number;
  readonly thread_id: string;
  readonly timestamp_ms: number;
  readonly type: string;
}

export interface Lineage {
  readonly ancestors: readonly Relation[];
  readonly children: readonly Relation[];
  readonly thread_id: string;
}

export interface LintFinding {
  readonly hint: string;
  readonly message: string;
  readonly rule: string;
  readonly severity: string;
  readonly where: string;
}

export interface MemoryProposals {
  readonly candidates: number;
  readonly path: string;
}

/** The step becomes the one with that number. */
export interface Move {
  readonly step: string;
  readonly to: number;
}

export interface NewDecision {
  readonly decision: string;
  readonly rationale: string;
  readonly timestamp?: string | null;
}

export interface NewEvidence {
  readonly test_id: string;
  readonly type: "command_output" | "file_reference" | "log_snippet" | "screenshot";
  readonly description: string;
  readonly content?: string | null;
  readonly path?: string | null;
}

/** `under` names a sub-change one level up, for a third level. */
export interface NewSub {
  readonly title: string;
  readonly description?: string | null;
  readonly files?: readonly string[];
  readonly under?: string | null;
}

export interface NewTest {
  readonly title: string;
  readonly procedure: readonly string[];
  readonly expected_result: string;
}

export interface Parent {
  readonly relation: string;
  readonly seq: number;
  readonly thread_id: string;
}

export interface PlannedCheckpoint {
  readonly target_message_ordinal: number;
  readonly to_message_id: string;
  readonly to_seq: number;
}

export interface Posted {
  readonly message_id: string;
  readonly seq: number;
  readonly thread_id: string;
}

export interface Problem {
  readonly code: string;
  readonly command_line?: AsCommand;
  readonly detail: string;
  readonly hint: string;
  readonly status: number;
  readonly title: string;
  readonly type: string;
}

export interface Proposal {
  readonly agent: string;
  readonly budget: number;
  readonly dropped: readonly Dropped[];
  readonly lint: Judgement;
  readonly packet: string;
  readonly redactions: Redacted;
  readonly rendered?: string;
  readonly session_id: string;
  readonly tokens: number;
}

export type RebuildRequest = Readonly<Record<string, never>>;

export interface Rebuilt {
  readonly streams: number;
  readonly threads: number;
}

export interface RecordNote {
  readonly tc_id: string;
  readonly what: string;
}

/** `status` is `initialized` or `already_initialized`. */
export interface RecordsBegun {
  readonly path: string;
  readonly project_name: string;
  readonly records?: number;
  readonly status: string;
}

export interface Redacted {
  readonly by_kind: Readonly<Record<string, number>>;
  readonly total: number;
}

export interface Referenced {
  readonly seq: number;
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_thread_id: string;
}

export interface RegistryRebuilt {
  readonly changed: boolean;
  readonly mended: readonly RecordNote[];
  readonly records: number;
  readonly unreadable: readonly RecordNote[];
}

export interface Relation {
  readonly message_id?: string;
  readonly relation: string;
  readonly seq: number;
  readonly thread_id: string;
}

export interface ReplayRequest {
  readonly host?: string;
  readonly session_id?: string;
}

export interface Replayed {
  readonly replayed: boolean;
  readonly text?: string;
}

export interface Resolution {
  readonly blocker: string;
  readonly how?: string | null;
}

/** One past change. `related_indices` point at other changes of the same file, from 0. */
export interface RetroChange {
  readonly title: string;
  readonly scope: "bugfix" | "documentation" | "enhancement" | "feature" | "hotfix" | "infrastructure" | "refactor";
  readonly description: string;
  readonly priority?: "critical" | "high" | "low" | "medium";
  readonly status?: "blocked" | "deployed" | "implemented" | "in_progress" | "paused" | "planned" | "tested" | "voided";
  readonly date?: string | null;
  readonly motivation?: string | null;
  readonly detailed_design?: string | null;
  readonly files?: readonly string[];
  readonly tags?: readonly string[];
  readonly version?: string | null;
  readonly breaking_changes?: readonly string[];
  readonly dependencies?: readonly string[];
  readonly related_indices?: readonly number[];
  readonly commits?: readonly string[];
}

export interface RetroFile {
  readonly project: string;
  readonly default_author?: string;
  readonly changes: readonly RetroChange[];
}

export interface SessionAtWork {
  readonly agent?: string;
  readonly last_active?: string | null;
  readonly model: string;
  readonly platform: string;
  readonly session_id: string;
  readonly started: string;
}

export interface SessionHit {
  readonly agent: string;
  readonly id: string;
  readonly kind: string;
  readonly line: number;
  readonly path: string;
  readonly snippet: string;
}

export interface SessionHits {
  readonly hits: readonly SessionHit[];
  readonly skipped?: readonly JsonObject[];
}

export interface SessionImportRequest {
  readonly session: string;
}

export interface SessionList {
  readonly sessions: readonly SessionRow[];
  readonly skipped?: readonly JsonObject[];
}

export interface SessionListRequest {
  readonly agent?: string;
  readonly limit?: number;
}

export interface SessionPage {
  readonly counts: Readonly<Record<string, number>>;
  readonly entries: readonly JsonObject[];
  readonly next_offset?: number;
  readonly others?: number;
  readonly redactions: Redacted;
  readonly session: SessionRow;
}

export interface SessionRow {
  readonly agent: string;
  readonly branch?: string;
  readonly bytes: number;
  readonly cwd?: string;
  readonly id: string;
  readonly last_prompt?: string;
  readonly parent?: string;
  readonly path: string;
  readonly title?: string;
  readonly turns: number;
  readonly updated_at_ms: number;
}

export interface SessionSearchRequest {
  readonly words: string;
  readonly agent?: string;
  readonly limit?: number;
}

export interface SessionShowRequest {
  readonly session: string;
  readonly offset?: number;
  readonly limit?: number;
}

export interface SessionTakeRequest {
  readonly data: Uint8Array;
}

export interface SettingRow {
  readonly source: string;
  readonly value: Json;
}

export type StatusRequest = Readonly<Record<string, never>>;

export interface Stored {
  readonly artifact_id: string;
  readonly bytes: number;
  readonly redactions?: Redacted;
}

export interface SubChangeRow {
  readonly description?: string | null;
  readonly files_affected?: readonly string[];
  readonly revision_history?: readonly JsonObject[];
  readonly status?: string;
  readonly sub_id: string;
  readonly title: string;
}

export interface SubEdit {
  readonly sub_id: string;
  readonly status?:
    | "blocked"
    | "deployed"
    | "implemented"
    | "in_progress"
    | "paused"
    | "planned"
    | "tested"
    | "voided"
    | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly add_files?: readonly string[];
}

export interface TestEvidence {
  readonly content?: string | null;
  readonly description: string;
  readonly path?: string | null;
  readonly timestamp?: string | null;
  readonly type: string;
}

/** For a skip, `actual_result` says why. */
export interface TestResult {
  readonly test_id: string;
  readonly status: "blocked" | "fail" | "pass" | "pending" | "skip";
  readonly actual_result?: string | null;
  readonly tested_by?: string | null;
  readonly tested_date?: string | null;
}

export interface ThreadAmendRequest {
  readonly thread_id: string;
  readonly title?: string | null;
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly archived?: boolean | null;
}

export interface ThreadAuditRequest {
  readonly thread_id: string;
}

export interface ThreadBranchRequest {
  readonly thread_id: string;
  readonly title?: string | null;
  readonly from_message_id?: string | null;
  readonly from_seq?: number | null;
}

export interface ThreadCheckpointRequest {
  readonly thread_id: string;
  readonly summary_markdown?: string | null;
  readonly summary_artifact_id?: string | null;
  readonly to_message_id?: string | null;
  readonly to_seq?: number | null;
}

export interface ThreadCheckpointsDueRequest {
  readonly thread_id: string;
  readonly stride?: number | null;
  readonly max_new?: number;
  readonly dry_run?: boolean;
}

export interface ThreadCompileRequest {
  readonly thread_id: string;
  readonly budget?: number | null;
  readonly at_seq?: number | null;
  readonly run?: string | null;
}

export interface ThreadCreateRequest {
  readonly title?: string | null;
}

export interface ThreadCutPointsRequest {
  readonly thread_id: string;
  readonly stride?: number;
  readonly limit?: number;
}

export interface ThreadDetail {
  readonly archived: boolean;
  readonly created_at_ms: number;
  readonly default: boolean;
  readonly head_hash: string;
  readonly head_seq: number;
  readonly parent?: Parent;
  readonly tags: readonly string[];
  readonly thread_id: string;
  readonly title?: string;
}

export type ThreadEnsureRequest = Readonly<Record<string, never>>;

export interface ThreadGraphRequest {
  readonly thread_id?: string;
}

export interface ThreadHandoffRequest {
  readonly thread_id: string;
  readonly title?: string | null;
  readonly summary_markdown?: string | null;
  readonly summary_artifact_id?: string | null;
  readonly goal?: string | null;
  readonly refs?: Readonly<Record<string, readonly JsonObject[]>> | null;
  readonly from_message_id?: string | null;
  readonly from_seq?: number | null;
}

export interface ThreadHit {
  readonly seq: number;
  readonly snippet: string;
  readonly thread_id: string;
}

export interface ThreadHits {
  readonly hits: readonly ThreadHit[];
}

export interface ThreadId {
  readonly thread_id: string;
}

export interface ThreadLineageRequest {
  readonly thread_id: string;
}

export interface ThreadList {
  readonly threads: readonly ThreadRow[];
}

export interface ThreadListRequest {
  readonly archived?: boolean;
  readonly tag?: string;
}

export interface ThreadPostRequest {
  readonly thread_id: string;
  readonly content: string;
  readonly role?: string;
  readonly run?: string | null;
  readonly run_ended?: string | null;
  readonly effects?: readonly JsonObject[];
  readonly expect?: number | null;
}

export interface ThreadReferenceRequest {
  readonly thread_id: string;
  readonly to_thread_id: string;
  readonly to_seq?: number | null;
  readonly note?: string | null;
}

export interface ThreadRow {
  readonly archived: boolean;
  readonly created_at_ms: number;
  readonly default: boolean;
  readonly head_seq: number;
  readonly parent?: Parent;
  readonly tags: readonly string[];
  readonly thread_id: string;
  readonly title?: string;
}

export interface ThreadSearchRequest {
  readonly words: string;
  readonly limit?: number;
}

export interface ThreadShowRequest {
  readonly thread_id: string;
}

/** Applied in this order, whatever the order it was asked in; the status comes last. */
export interface Update {
  readonly title?: string | null;
  readonly priority?: "critical" | "high" | "low" | "medium" | null;
  readonly project?: string | null;
  readonly scope?:
    | "bugfix"
    | "documentation"
    | "enhancement"
    | "feature"
    | "hotfix"
    | "infrastructure"
    | "refactor"
    | null;
  readonly summary?: string | null;
  readonly motivation?: string | null;
  readonly detailed_design?: string | null;
  readonly effort?: "epic" | "large" | "medium" | "small" | "trivial" | null;
  readonly add_breaking_changes?: readonly string[];
  readonly remove_breaking_changes?: readonly string[];
  readonly add_dependencies?: readonly string[];
  readonly remove_dependencies?: readonly string[];
  readonly files?: readonly FileEdit[];
  readonly remove_files?: readonly string[];
  readonly add_tests?: readonly NewTest[];
  readonly add_evidence?: readonly NewEvidence[];
  readonly test_results?: readonly TestResult[];
  readonly coverage?: "full" | "none" | "partial" | null;
  readonly revoke_approval?: boolean;
  readonly approve?: Approve | null;
  readonly add_subs?: readonly NewSub[];
  readonly sub_edits?: readonly SubEdit[];
  readonly parent?: string | null;
  readonly relate?: readonly string[];
  readonly unrelate?: readonly string[];
  readonly add_tags?: readonly string[];
  readonly remove_tags?: readonly string[];
  readonly notes?: readonly string[];
  readonly threads?: readonly string[];
  readonly handoff?: HandoffBlock | null;
  readonly progress?: string | null;
  readonly complete_next?: readonly string[];
  readonly remove_next?: readonly string[];
  readonly add_next?: readonly string[];
  readonly move_next?: readonly Move[];
  readonly resolve_blockers?: readonly Resolution[];
  readonly add_blockers?: readonly string[];
  readonly remove_context?: readonly string[];
  readonly add_context?: readonly string[];
  readonly drop_files_in_progress?: readonly string[];
  readonly files_in_progress?: readonly FileProgress[];
  readonly remove_decisions?: readonly string[];
  readonly decisions?: readonly NewDecision[];
  readonly maturity?: JsonObject | null;
  readonly status?:
    | "blocked"
    | "deployed"
    | "implemented"
    | "in_progress"
    | "paused"
    | "planned"
    | "tested"
    | "voided"
    | null;
}

export interface Verdict {
  readonly findings: readonly Finding[];
  readonly ok: boolean;
}

export interface VerifyRequest {
  readonly what?: string;
}

/** A draft that waits for approval; without `text` where the channel may not carry it. */
export interface WaitingDraft {
  readonly age_ms: number | null;
  readonly artifact_id: string;
  readonly bytes: number;
  readonly host: string;
  readonly path: string;
  readonly place?: string;
  readonly sensitivity: string;
  readonly session_id: string;
  readonly sha256: string;
  readonly text?: string;
  readonly thread_id: string;
  readonly tokens: number;
}

/** Only `workspace` and `exists` where there is none yet; what is empty, or as it should be, is left out. */
export interface WorkspaceStatus {
  readonly archived?: number;
  readonly artifact_bytes?: number;
  readonly artifacts?: number;
  readonly default_thread_id?: string;
  readonly draft?: WaitingDraft;
  readonly exists: boolean;
  readonly frames?: number;
  readonly handoff?: HandoffState;
  readonly hooks?: HookTraces;
  readonly inside_workspace?: string;
  readonly last_frame?: LastFrame;
  readonly maintenance?: readonly string[];
  readonly proposals?: readonly MemoryProposals[];
  readonly spooled?: number;
  readonly store?: string;
  readonly threads?: number;
  readonly unwritable?: string;
  readonly workspace: string;
}
