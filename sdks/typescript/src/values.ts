// Written by docs/generate_typescript.py from the API's description; a test compares.

import type { JsonObject } from "./json.ts";

export interface AckRequest {
  readonly host: string;
  readonly session_id: string;
  readonly evidence: string;
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

export interface ArtifactListRequest {
  readonly limit?: number;
  readonly after?: string;
}

export interface ArtifactPutRequest {
  readonly data: Uint8Array;
  readonly verbatim?: boolean;
}

export interface ChangeCloseRequest {
  readonly tc_id: string;
  readonly approve_by?: string | null;
  readonly approval_notes?: string | null;
  readonly summary?: string | null;
  readonly author?: string | null;
  readonly reason?: string;
}

export type ChangeDashboardRequest = Readonly<Record<string, never>>;

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

export interface ChangeListRequest {
  readonly status?: readonly string[];
  readonly scope?: readonly string[];
  readonly priority?: readonly string[];
  readonly tag?: string;
  readonly words?: string;
  readonly only_open?: boolean;
  readonly limit?: number;
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

export interface ChangeResumeRequest {
  readonly tc_id: string;
  readonly platform?: string | null;
  readonly model?: string | null;
  readonly session_id?: string | null;
  readonly summary?: string | null;
  readonly author?: string | null;
  readonly dry_run?: boolean;
}

export interface ChangeRetroRequest {
  readonly past: RetroFile;
}

export interface ChangeShowRequest {
  readonly tc_id: string;
}

export interface ChangeUpdateRequest {
  readonly tc_id: string;
  readonly wanted: Update;
  readonly author?: string | null;
  readonly reason?: string;
  readonly strict?: boolean;
  readonly seal_anew?: boolean;
}

export interface Decision {
  readonly decision: string;
  readonly rationale: string;
  /** ISO 8601 date and time. */
  readonly timestamp: string;
}

export interface DoctorRequest {
  readonly fix?: boolean;
}

export interface DraftApproveRequest {
  readonly expect: string;
  readonly clear?: readonly string[] | null;
}

export interface DraftRejectRequest {
  readonly reason?: string | null;
}

export type DraftShowRequest = Readonly<Record<string, never>>;

export interface DraftWriteRequest {
  readonly text: string;
  readonly host?: string;
  readonly session_id?: string;
  readonly sensitivity?: string;
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

export interface ForgetRequest {
  readonly targets?: readonly string[];
  readonly artifacts?: readonly string[];
  readonly sessions?: readonly string[];
  readonly reason?: string;
  readonly everywhere?: boolean;
  readonly dry_run?: boolean;
}

export interface GcRequest {
  readonly dry_run?: boolean;
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

export interface HandoffGroundRequest {
  readonly text: string;
  readonly session?: string | null;
  readonly repair?: boolean;
}

export interface HandoffLintRequest {
  readonly text: string;
  readonly kind?: "auto" | "document" | "packet" | "tc";
  readonly budget?: number | null;
}

export interface HandoffVerifyRequest {
  readonly text?: string | null;
  readonly artifact_id?: string | null;
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

export interface RebuildRequest {
  readonly accept_loss?: boolean;
}

export interface ReplayRequest {
  readonly host?: string;
  readonly session_id?: string;
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

export interface SessionImportRequest {
  readonly session: string;
}

export interface SessionListRequest {
  readonly agent?: string;
  readonly limit?: number;
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
  readonly line?: number;
  readonly around?: number;
}

export interface SessionTakeRequest {
  readonly data: Uint8Array;
}

export type StatusRequest = Readonly<Record<string, never>>;

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
  readonly agent?: string | null;
  readonly session_id?: string | null;
}

export interface ThreadLineageRequest {
  readonly thread_id: string;
}

export interface ThreadListRequest {
  readonly archived?: boolean;
  readonly tag?: string;
  readonly limit?: number;
  readonly after?: string;
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

export interface VerifyRequest {
  readonly what?: string;
}
