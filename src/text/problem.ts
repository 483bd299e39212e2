import type { Problem, ProblemCode } from '../model/problem.ts';
import { type EscapeOptions, escapeText } from './escape.ts';

/** A failure as one JSON object on stderr, with `--json`. Unknown fields are left out. */
export interface ProblemJson {
  readonly type: 'error';
  readonly error: {
    readonly code: ProblemCode;
    readonly message: string;
    readonly hint?: string;
    readonly platformCode?: number;
    readonly status?: number;
    readonly requestId?: string;
  };
}

/**
 * A failure as lines for a person: `error: …`, `hint: …`, `request id: …`, all escaped. Further lines of a message
 * are indented, so that nothing in it can pass for a line of ours.
 */
export function problemLines(problem: Problem, options: EscapeOptions = {}): string[] {
  const platform = [
    problem.platformCode === undefined ? undefined : `code ${problem.platformCode}`,
    problem.status === undefined ? undefined : `HTTP ${problem.status}`,
  ].filter((part) => part !== undefined);
  const suffix = platform.length === 0 ? '' : ` [${platform.join(', ')}]`;
  return [
    ...labelled('error', problem.message + suffix, options),
    ...labelled('hint', problem.hint, options),
    ...labelled('request id', problem.requestId, options),
  ];
}

/** The same failure for a program. */
export function problemJson(problem: Problem): ProblemJson {
  const { code, message, hint, platformCode, status, requestId } = problem;
  return {
    type: 'error',
    error: {
      code,
      message,
      ...(hint !== undefined && { hint }),
      ...(platformCode !== undefined && { platformCode }),
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { requestId }),
    },
  };
}

function labelled(label: string, text: string | undefined, options: EscapeOptions): string[] {
  if (text === undefined) return [];
  const [first = '', ...rest] = text.split('\n').map((line) => escapeText(line, options));
  const indent = ' '.repeat(label.length + 2);
  return [`${label}: ${first}`, ...rest.map((line) => indent + line)];
}
