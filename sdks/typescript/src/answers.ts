// Written by docs/generate_typescript.py from the API's description; a test compares.

import type { Json, JsonObject } from "./json.ts";

export interface Acknowledged {
  readonly seq: number;
  readonly sha256: string;
  readonly thread_id: string;
}

/** What quotes the same words and stays. */
export interface AlsoIn {
  readonly artifacts: readonly string[];
  readonly files: readonly string[];
  readonly frames: readonly FramePlace[];
}

export interface ArtifactList {
  readonly artifacts: readonly ArtifactRow[];
  readonly next_after?: string;
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

/** `lines` are the first and the last that it tells of, `folded` counts rows that it tells only by their number. */
export interface BriefMade {
  readonly agent: string;
  readonly brief: string;
  readonly budget: number;
  readonly folded: number;
  readonly lines: readonly number[];
  readonly session_id: string;
  readonly tokens: number;
}

export interface ChangeApproval {
  readonly approval_notes?: string;
  readonly approved?: boolean;
  readonly approved_by?: string | null;
  readonly approved_date?: string | null;
  readonly test_coverage_status?: string;
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

/** `warning` tells where registry and records disagree, `emptied_by` which condition left nothing. */
export interface ChangeList {
  readonly changes: readonly ChangeRow[];
  readonly emptied_by?: string;
  readonly warning?: string;
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

/** `status` is `noop` where nothing was made, else `completed`; `still_due` counts what another job may make. */
export interface CheckpointsDue {
  readonly cut_rule_id: string;
  readonly job_id?: string;
  readonly planned: readonly PlannedCheckpoint[];
  readonly result: readonly CheckpointMade[];
  readonly status: string;
  readonly still_due: number;
  readonly stride_messages: number;
  readonly thread_id: string;
}

export interface Collected {
  readonly bytes: number;
  readonly items: readonly CollectedRow[];
  readonly removed: boolean;
}

/** `what` is a transcript, an index, a handoff, a mark, spool or a leftover; `name` its path, or an artifact's id. */
export interface CollectedRow {
  readonly bytes: number;
  readonly name: string;
  readonly what: string;
}

export interface Committed {
  readonly agent: string;
  readonly budget: number;
  readonly dropped: readonly Dropped[];
  readonly from_message_id?: string;
  readonly from_seq: number;
  readonly from_thread_id: string;
  readonly lint: Judgement;
  readonly notes?: readonly string[];
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

export interface DraftApproved {
  readonly approval: string;
  readonly artifact_id: string;
  readonly cleared?: readonly string[];
  readonly sha256: string;
}

export interface DraftRejected {
  readonly approval: string;
  readonly artifact_id: string;
}

export interface DraftState {
  readonly current: HandoffState;
  readonly pending?: WaitingDraft;
}

/**
 * A draft that did not pass lint is not written. `findings` is what its session does not show; with an error among them
 * it waits, whatever the settings say.
 */
export interface DraftTaken {
  readonly approval?: string;
  readonly artifact_id?: string;
  readonly cleared?: readonly string[];
  readonly findings?: readonly GroundFinding[];
  readonly lint: Judgement;
  readonly replaces?: string;
  readonly sha256?: string;
  readonly written: boolean;
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

export interface FileRow {
  readonly bytes: number;
  readonly path: string;
}

/** A `severity` of `error` is damage; a `note` is not. */
export interface Finding {
  readonly hint: string;
  readonly kind: string;
  readonly message: string;
  readonly severity: string;
  readonly where: string;
}

/** What went, or would go; `remains` are sentences on what segue cannot remove. */
export interface Forgotten {
  readonly also_in: AlsoIn;
  readonly artifacts: readonly ArtifactRow[];
  readonly bytes: number;
  readonly files: readonly FileRow[];
  readonly forgotten: boolean;
  readonly frames: readonly ForgottenFrames[];
  readonly remains: readonly string[];
}

export interface ForgottenFrames {
  readonly seqs: readonly number[];
  readonly thread_id: string;
}

export interface FramePlace {
  readonly seq: number;
  readonly thread_id: string;
}

export interface Graph {
  readonly graph: readonly string[];
}

/** `kind` is `elsewhere`, `not_seen` or `contradicted`; `atom` what does not stand there, `lines` where it does. */
export interface GroundFinding {
  readonly atom: string;
  readonly hint: string;
  readonly kind: string;
  readonly line: number;
  readonly lines: readonly number[];
  readonly message: string;
  readonly severity: string;
  readonly where: string;
}

/** `text` is the repaired one, where that was asked for. */
export interface Grounded {
  readonly checked: number;
  readonly corrected: number;
  readonly findings: readonly GroundFinding[];
  readonly missing: readonly Lost[];
  readonly ok: boolean;
  readonly session_id: string;
  readonly shown: number;
  readonly text?: string;
}

export interface HandedOff {
  readonly from_message_id?: string;
  readonly from_seq: number;
  readonly from_thread_id: string;
  readonly summary_artifact_id: string;
  readonly thread_id: string;
}

/** `state` is `holds`, `drifted` or `unknown`; `line` is that of the handoff, where it is about one. */
export interface HandoffFinding {
  readonly hint: string;
  readonly kind: string;
  readonly line?: number;
  readonly message: string;
  readonly severity: string;
  readonly state: string;
  readonly where: string;
}

/**
 * The current handoff document. `rich` and `recorded` are what the log says: approved, and known at all. `edited` is
 * true where the file is not what was approved, which is what sessions are given.
 */
export interface HandoffState {
  readonly age_ms?: number | null;
  readonly bytes?: number;
  readonly edited?: boolean;
  readonly exists: boolean;
  readonly path: string;
  readonly recorded?: boolean;
  readonly rich?: boolean;
  readonly sensitivity?: string;
  readonly sha256?: string;
  readonly tokens?: number;
}

export interface HandoffVerdict {
  readonly findings: readonly HandoffFinding[];
  readonly ok: boolean;
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
  readonly head_message_id?: string;
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

export interface Lost {
  readonly evidence: readonly number[];
  readonly text: string;
  readonly what: string;
}

export interface MemoryProposals {
  readonly candidates: number;
  readonly path: string;
}

/** `chosen` is the model that the settings name, if any. */
export interface ModelList {
  readonly chosen: string;
  readonly models: readonly ModelRow[];
}

/**
 * `kind` is `program`, `api` or `command`; `why` says why it is not usable, `remains` what cannot be switched off in
 * it. `allowed` tells whether private sessions may go to its `destination`; `said` is what it wrote when it was
 * checked.
 */
export interface ModelRow {
  readonly allowed: boolean;
  readonly destination: string;
  readonly key?: boolean;
  readonly kind: string;
  readonly name: string;
  readonly remains?: string;
  readonly said?: string;
  readonly usable: boolean;
  readonly version?: string;
  readonly why?: string;
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
  readonly notes?: readonly string[];
  readonly packet: string;
  readonly redactions: Redacted;
  readonly rendered?: string;
  readonly session_id: string;
  readonly tokens: number;
}

/** What was made again, and what `verify` says of the log afterwards. */
export interface Rebuilt {
  readonly findings: readonly Finding[];
  readonly ok: boolean;
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

export interface Replayed {
  readonly replayed: boolean;
  readonly text?: string;
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

export interface SessionList {
  readonly sessions: readonly SessionRow[];
  readonly skipped?: readonly JsonObject[];
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
  readonly passed_over?: string;
  readonly path: string;
  readonly title?: string;
  readonly turns: number;
  readonly updated_at_ms: number;
}

export interface SettingRow {
  readonly source: string;
  readonly value: Json;
}

export interface Stored {
  readonly artifact_id: string;
  readonly bytes: number;
  readonly redacted: boolean;
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

export interface TestEvidence {
  readonly content?: string | null;
  readonly description: string;
  readonly path?: string | null;
  readonly timestamp?: string | null;
  readonly type: string;
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

export interface ThreadList {
  readonly next_after?: string;
  readonly threads: readonly ThreadRow[];
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

export interface Verdict {
  readonly findings: readonly Finding[];
  readonly ok: boolean;
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
