import { exitCodes, type ProblemCode } from '../../model/problem.ts';
import {
  anyOf,
  bool,
  count,
  list,
  number,
  object,
  oneOf,
  only,
  openObject,
  optional,
  text,
} from '../../model/shape.ts';

const codes = Object.keys(exitCodes) as ProblemCode[];

/** A failure as printed on stderr, or in a list next to the item that failed. */
export const failure = object({
  code: oneOf(codes, 'Kind of failure, which determines the exit code; new kinds may be added'),
  message: text('Human-readable message'),
  hint: optional(text('Human-readable advice')),
  platformCode: optional(number("The platform's error code")),
  status: optional(count('HTTP status of the response')),
  requestId: optional(text("The platform's request id, for a support ticket")),
  retryable: bool('Whether a retry may succeed'),
  retryAfter: optional(count('Seconds to wait before a retry, as specified by the platform')),
  wrong: optional(
    list(
      object({
        line: optional(count('Line number, starting at 1')),
        index: optional(count('Index of the entry, starting at 0; messages count from 1')),
        key: optional(
          text('What identifies the entry: a key, the name of a secret, or the path of a field in a seed'),
        ),
        hostname: optional(text('Hostname in the line')),
        reason: text('Why the entry is invalid'),
      }),
      'All invalid entries of a rejected file, up to 10,000',
    ),
  ),
});

/** A stderr line with `--json`. */
export const talk = anyOf([
  openObject({
    type: oneOf(
      ['note', 'warning', 'debug'],
      'debug is printed only with --debug; note is not printed with --quiet',
    ),
    message: text('Human-readable message; other fields may contain the same facts in machine-readable form'),
  }),
  object({
    type: only('progress', 'Printed at most once per second during long operations'),
    phase: text('Name of the phase'),
    unit: text('Unit of done and total'),
    done: number('Number of completed units'),
    total: optional(number('Total; absent if unknown')),
    retries: count('Number of retried requests'),
    failed: count('Number of failures'),
    rate: optional(number('Units per second')),
    secondsLeft: optional(number('Estimated seconds until completion')),
  }),
  object({ type: only('error', 'The last line: why the exit code is not 0'), error: failure }),
]);
