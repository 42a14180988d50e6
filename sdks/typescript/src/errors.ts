/**
 * What can go wrong, under the names of the Python library: one sentence, one hint, one exit code.
 *
 * Whether a server or the command line tells it, the same failure is the same class with the same code.
 */

export abstract class SegueError extends Error {
  /** A word for programs, such as `not_found`. */
  readonly code: string;
  /** What to do about it. */
  readonly hint: string;
  /** The status that a server answers with. */
  readonly status: number;
  /** The code that the command line ends with. */
  abstract readonly exitCode: number;

  constructor(message: string, hint: string, code: string, status: number) {
    super(message);
    this.hint = hint;
    this.code = code;
    this.status = status;
  }
}

/** The answer is no: what was named does not exist here. */
export class NotFound extends SegueError {
  override readonly name = "NotFound";
  readonly exitCode = 1;

  constructor(message: string, hint: string, code = "not_found", status = 404) {
    super(message, hint, code, status);
  }
}

/** The request cannot be understood or breaks a rule; asking again will not help. */
export class BadInput extends SegueError {
  override readonly name = "BadInput";
  readonly exitCode = 2;

  constructor(message: string, hint: string, code = "bad_input", status = 400) {
    super(message, hint, code, status);
  }
}

/** The log moved between reading and writing; reading again and retrying may help. */
export class Conflict extends SegueError {
  override readonly name = "Conflict";
  readonly exitCode = 3;

  constructor(message: string, hint: string, code = "conflict", status = 409) {
    super(message, hint, code, status);
  }
}

/** Policy forbids it: approval, sensitivity, a token's scope. */
export class Refused extends SegueError {
  override readonly name = "Refused";
  readonly exitCode = 4;

  constructor(message: string, hint: string, code = "refused", status = 403) {
    super(message, hint, code, status);
  }
}

/** The workspace cannot be reached or used now. */
export class Unavailable extends SegueError {
  override readonly name = "Unavailable";
  readonly exitCode = 5;

  constructor(message: string, hint: string, code = "unavailable", status = 503) {
    super(message, hint, code, status);
  }
}

/** A class to make an error of. */
export type Fault = new (message: string, hint: string, code?: string, status?: number) => SegueError;

const OF_STATUS: Readonly<Record<number, Fault>> = { 401: Refused, 403: Refused, 404: NotFound, 409: Conflict };
const OF_EXIT_CODE: Readonly<Record<number, Fault>> = { 1: NotFound, 2: BadInput, 3: Conflict, 4: Refused };

export function faultOfStatus(status: number): Fault {
  return OF_STATUS[status] ?? (status >= 400 && status < 500 ? BadInput : Unavailable);
}

export function faultOfExitCode(exitCode: number | null): Fault {
  return OF_EXIT_CODE[exitCode ?? 0] ?? Unavailable;
}
