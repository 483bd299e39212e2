import type { Remedy } from './remedy.ts';
/** The codes of all failures of edgectl. A new code needs a row here and in `exitCodes`. */
export type ProblemCode =
  | 'usage'
  | 'invalid-input'
  | 'config-invalid'
  | 'binding-not-found'
  | 'config-not-written'
  | 'account-not-chosen'
  | 'read-only'
  | 'refused'
  | 'conflict'
  | 'unavailable'
  | 'rate-limited'
  | 'unreachable'
  | 'store-invalid'
  | 'store-busy'
  | 'system'
  | 'bug'
  | 'not-found'
  | 'not-signed-in'
  | 'not-permitted'
  | 'not-confirmed'
  | 'partly-done'
  | 'check-failed'
  | 'interrupted';

/** The exit code of each failure (README, "Exit codes"). Exit code 2 means that no request was sent. */
export const exitCodes: Readonly<Record<ProblemCode, number>> = {
  usage: 2,
  'invalid-input': 2,
  'config-invalid': 2,
  'binding-not-found': 2,
  'account-not-chosen': 2,
  'read-only': 2,
  'config-not-written': 1,
  refused: 1,
  conflict: 1,
  unavailable: 1,
  'rate-limited': 1,
  unreachable: 1,
  'store-invalid': 1,
  'store-busy': 1,
  system: 1,
  bug: 1,
  'not-found': 3,
  'not-signed-in': 4,
  'not-permitted': 4,
  'not-confirmed': 5,
  'partly-done': 6,
  'check-failed': 7,
  interrupted: 130,
};

/** Advice about a failure: a sentence that is valid in all interfaces, or data that each interface formats. */
export interface Advice {
  readonly hint?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

export interface ProblemDetail extends Advice {
  cause?: unknown;
  /** The platform's own error code, for example 10014. */
  platformCode?: number | undefined;
  /** HTTP status of the response that reported the failure. */
  status?: number | undefined;
  /** The platform's request id (`cf-ray`), for a support ticket. */
  requestId?: string | undefined;
  /** Whether a retry may succeed; if omitted, the code decides. */
  retryable?: boolean | undefined;
  /** Seconds to wait before a retry, as specified by the platform. */
  retryAfter?: number | undefined;
  /** All invalid entries of a rejected file. */
  wrong?: readonly WrongEntry[] | undefined;
}

/** Maximum number of invalid entries in a failure. */
export const maxWrongEntries = 10_000;

/** An invalid entry of a file: its position, its name, and the error. */
export interface WrongEntry {
  /** Line number, starting at 1. */
  readonly line?: number | undefined;
  /** Index, starting at 0. */
  readonly index?: number | undefined;
  readonly key?: string | undefined;
  readonly hostname?: string | undefined;
  readonly reason: string;
}

/** Codes of temporary failures, after which the same command may succeed later. */
const retryableCodes: ReadonlySet<ProblemCode> = new Set([
  'rate-limited',
  'unavailable',
  'unreachable',
  'store-busy',
]);

/**
 * An expected failure: a code for programs, a sentence for people, and advice. The message may contain untrusted data. Escape it before
 * printing it on a terminal.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly hint: string | undefined;
  readonly remedy: Remedy | undefined;
  readonly platformCode: number | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly wrong: readonly WrongEntry[] | undefined;

  constructor(code: ProblemCode, message: string, detail: ProblemDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'Problem';
    this.code = code;
    this.hint = detail.hint;
    this.remedy = detail.remedy;
    this.platformCode = detail.platformCode;
    this.status = detail.status;
    this.requestId = detail.requestId;
    this.retryable = detail.retryable ?? retryableCodes.has(code);
    this.retryAfter = detail.retryAfter;
    this.wrong = detail.wrong;
  }
}

/** Returns a copy of a failure in which `change` has been applied to every string. */
export function rephrase(problem: Problem, change: (text: string) => string): Problem {
  const { code, message, hint, remedy, requestId, wrong, ...detail } = problem;
  return new Problem(code, change(message), {
    ...detail,
    cause: problem.cause,
    hint: hint === undefined ? undefined : change(hint),
    remedy: remedy === undefined ? undefined : rephraseRemedy(remedy, change),
    requestId: requestId === undefined ? undefined : change(requestId),
    wrong: wrong?.map((entry) => ({ ...entry, reason: change(entry.reason) })),
  });
}

function rephraseRemedy(remedy: Remedy, change: (text: string) => string): Remedy {
  const changed = (name: string, value: unknown) =>
    typeof value === 'string' && name !== 'kind' ? change(value) : value;
  return JSON.parse(JSON.stringify(remedy, changed));
}

/** Returns a copy of a failure with other advice. */
export function replaceAdvice(problem: Problem, { hint, remedy }: Advice): Problem {
  const { code, message, platformCode, status, requestId, retryable, retryAfter, wrong } = problem;
  const rest = { platformCode, status, requestId, retryable, retryAfter, wrong };
  return new Problem(code, message, { ...rest, hint, remedy, cause: problem });
}

/**
 * Returns whether a caught value is a `Problem`. Checks the name and the code, because the console's bundle contains its own copy of the
 * class.
 */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'code' in error;
}

/** Converts any caught value to a `Problem`; an unexpected error becomes a `bug`. */
export function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error;
  if (error instanceof Error) {
    if (error.name === 'AbortError') return new Problem('interrupted', 'Interrupted.', { cause: error });
    if (isSystemError(error))
      return new Problem('system', systemMessage(error), { cause: error, hint: systemErrorHint(error) });
    return new Problem('bug', error.message, {
      cause: error,
      remedy: { kind: 'report-fault' },
    });
  }
  return new Problem('bug', String(error));
}

/** Returns whether the value is an error of the operating system, such as a full disk or missing write permission. */
function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function systemErrorHint({ code }: NodeJS.ErrnoException): string | undefined {
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'Free some disk space, then try again.' : undefined;
}

function systemMessage(error: NodeJS.ErrnoException): string {
  const reason = error.message.replace(/^[A-Z0-9]+: /, '').replace(/, .*$/s, '');
  const where = error.path === undefined ? '' : ` ${error.path}`;
  return `Cannot ${error.syscall}${where}: ${reason} (${error.code}).`;
}
