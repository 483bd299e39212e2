import type { Remedy } from './remedy.ts';
/** Every way in which edgectl can fail. Closed: a new failure gets a row here and in `exitCodes`. */
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

/** Exit code of each failure (README, "Exit codes"). 2 means that nothing was sent. */
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

/** Advice about a failure: a sentence that is right on every surface, or data that each surface words. */
export interface Advice {
  readonly hint?: string | undefined;
  readonly remedy?: Remedy | undefined;
}

export interface ProblemDetail extends Advice {
  cause?: unknown;
  /** The platform's own error code, for example 10014. */
  platformCode?: number | undefined;
  /** HTTP status of the refusing answer. */
  status?: number | undefined;
  /** The platform's request id (`cf-ray`), for a support ticket. */
  requestId?: string | undefined;
  /** Whether the same may succeed when it is tried again; if omitted, the code decides. */
  retryable?: boolean | undefined;
  /** Seconds to wait before that, as the platform says. */
  retryAfter?: number | undefined;
  /** All wrong entries of a file that is refused. */
  wrong?: readonly WrongEntry[] | undefined;
}

/** Most wrong entries that a failure carries. */
export const maxWrong = 10_000;

/** A wrong entry of a file: its place, what it is about, and why it is wrong. */
export interface WrongEntry {
  /** From 1. */
  readonly line?: number | undefined;
  /** From 0. */
  readonly index?: number | undefined;
  readonly key?: string | undefined;
  readonly hostname?: string | undefined;
  readonly reason: string;
}

/** Failures of the moment: the same command may succeed later. */
const passing: ReadonlySet<ProblemCode> = new Set([
  'rate-limited',
  'unavailable',
  'unreachable',
  'store-busy',
]);

/**
 * An expected failure: a code for programs, a sentence for people, and what they can do. The message is plain text that may
 * contain outside data: whoever shows it on a terminal escapes it.
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
    this.retryable = detail.retryable ?? passing.has(code);
    this.retryAfter = detail.retryAfter;
    this.wrong = detail.wrong;
  }
}

/** The same failure with each of its strings changed by `change`. */
export function rephrased(problem: Problem, change: (text: string) => string): Problem {
  const { code, message, hint, remedy, requestId, wrong, ...detail } = problem;
  return new Problem(code, change(message), {
    ...detail,
    cause: problem.cause,
    hint: hint === undefined ? undefined : change(hint),
    remedy: remedy === undefined ? undefined : rephrasedRemedy(remedy, change),
    requestId: requestId === undefined ? undefined : change(requestId),
    wrong: wrong?.map((entry) => ({ ...entry, reason: change(entry.reason) })),
  });
}

function rephrasedRemedy(remedy: Remedy, change: (text: string) => string): Remedy {
  const changed = (name: string, value: unknown) =>
    typeof value === 'string' && name !== 'kind' ? change(value) : value;
  return JSON.parse(JSON.stringify(remedy, changed));
}

/** The same failure with other advice: what else it says stays. */
export function advised(problem: Problem, { hint, remedy }: Advice): Problem {
  const { code, message, platformCode, status, requestId, retryable, retryAfter, wrong } = problem;
  const kept = { platformCode, status, requestId, retryable, retryAfter, wrong };
  return new Problem(code, message, { ...kept, hint, remedy, cause: problem });
}

/**
 * Whether a caught value is a `Problem`. By name and code, because the console's bundle carries its own copy of
 * the class.
 */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'code' in error;
}

/** Turns anything caught into a `Problem`; an unexpected error becomes a `bug`. */
export function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error;
  if (error instanceof Error) {
    if (error.name === 'AbortError') return new Problem('interrupted', 'Interrupted.', { cause: error });
    if (isSystemError(error))
      return new Problem('system', systemMessage(error), { cause: error, hint: roomHint(error) });
    return new Problem('bug', error.message, {
      cause: error,
      remedy: { kind: 'report-fault' },
    });
  }
  return new Problem('bug', String(error));
}

/** A refusal of the operating system: a full disk, a folder that may not be written to. */
function isSystemError(error: Error): error is NodeJS.ErrnoException {
  return 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

function roomHint({ code }: NodeJS.ErrnoException): string | undefined {
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'Make room there, then repeat.' : undefined;
}

function systemMessage(error: NodeJS.ErrnoException): string {
  const reason = error.message.replace(/^[A-Z0-9]+: /, '').replace(/, .*$/s, '');
  const where = error.path === undefined ? '' : ` ${error.path}`;
  return `Cannot ${error.syscall}${where}: ${reason} (${error.code}).`;
}
