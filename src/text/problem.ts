import { truncateMessage } from '../model/long-text.ts';
import type { Advice, Problem, ProblemCode, WrongEntry } from '../model/problem.ts';
import { formatRemedy, type RemedyTexts } from '../model/remedy.ts';
import { escapeText } from './escape.ts';

/** A failure as JSON. Fields with unknown values are absent. */
export interface FailureJson {
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string;
  readonly platformCode?: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly retryable: boolean;
  readonly retryAfter?: number;
  readonly wrong?: readonly WrongEntry[];
}

/** A failure as one JSON object on stderr, for `--json`. */
export interface ProblemJson {
  readonly type: 'error';
  readonly error: FailureJson;
}

/**
 * Formats a failure as lines for people: `error: …`, `hint: …`, `request id: …`. Further lines of a message are indented, so that they
 * cannot be confused with edgectl's own lines. A very long invalid value is cut; programs receive the full value (`problemJson`). The
 * interface provides the wording of remedies, and the function that makes untrusted data safe (default: escaping).
 */
export function problemLines(
  problem: Problem,
  words: RemedyTexts,
  makeSafe: (text: string) => string = escapeText,
): string[] {
  const platform = [
    problem.platformCode === undefined ? undefined : `code ${problem.platformCode}`,
    problem.status === undefined ? undefined : `HTTP ${problem.status}`,
  ].filter((part) => part !== undefined);
  const suffix = platform.length === 0 ? '' : ` [${platform.join(', ')}]`;
  return [
    ...labelled('error', truncateMessage(problem.message) + suffix, makeSafe),
    ...labelled('hint', shortAdvice(problem, words), makeSafe),
    ...labelled('request id', problem.requestId, makeSafe),
  ];
}

/** Returns the advice for a failure in the wording of an interface. The advice is not escaped. */
export function formatAdvice({ hint, remedy }: Advice, words: RemedyTexts): string | undefined {
  return remedy === undefined ? hint : formatRemedy(words, remedy);
}

function shortAdvice(advice: Advice, words: RemedyTexts): string | undefined {
  const text = formatAdvice(advice, words);
  return text === undefined ? undefined : truncateMessage(text);
}

/** Converts a failure to the JSON object that is printed on stderr. */
export function problemJson(problem: Problem, words: RemedyTexts): ProblemJson {
  return { type: 'error', error: failureJson(problem, words) };
}

/** Converts the failure of one of several items to JSON, for the result of that item. */
export function failureJson(problem: Problem, words: RemedyTexts): FailureJson {
  const { code, message, platformCode, status, requestId, retryable, retryAfter, wrong } = problem;
  const hint = formatAdvice(problem, words);
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(platformCode !== undefined && { platformCode }),
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
    retryable,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(wrong !== undefined && { wrong }),
  };
}

function labelled(label: string, text: string | undefined, makeSafe: (text: string) => string): string[] {
  if (text === undefined) return [];
  const [first = '', ...rest] = text.split('\n').map(makeSafe);
  const indent = ' '.repeat(label.length + 2);
  return [`${label}: ${first}`, ...rest.map((line) => indent + line)];
}
