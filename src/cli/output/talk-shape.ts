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

/** A failure: on stderr, or next to the item that failed in a list. */
export const failure = object({
  code: oneOf(codes, 'Kind of the failure, from which the exit code follows; new kinds may come'),
  message: text('A sentence for people'),
  hint: optional(text('What can be done, for people')),
  platformCode: optional(number("The platform's own number of the error")),
  status: optional(count('HTTP status of the answer')),
  requestId: optional(text("The platform's id of the request, for a support ticket")),
  retryable: bool('Whether the same may succeed when it is tried again'),
  retryAfter: optional(count('Seconds to wait before that, as the platform says')),
  wrong: optional(
    list(
      object({
        line: optional(count('From 1')),
        index: optional(count('Of the entry, from 0; messages count entries from 1')),
        key: optional(text('Key of the entry; name of the secret; path of the field in a seed')),
        hostname: optional(text('Hostname of the line')),
        reason: text('Why it is wrong'),
      }),
      'All wrong entries of a file that is refused, up to 10,000',
    ),
  ),
});

/** A stderr line with `--json`. */
export const talk = anyOf([
  openObject({
    type: oneOf(['note', 'warning', 'debug'], 'debug only with --debug, note not with --quiet'),
    message: text('A sentence for people; other fields may say the same for programs'),
  }),
  object({
    type: only('progress', 'At most once a second, while something takes long'),
    phase: text('Name of the phase'),
    unit: text('What is counted'),
    done: number('How many are done'),
    total: optional(number('Total; absent if unknown')),
    retries: count('Requests that were repeated'),
    failed: count('Things that failed'),
    rate: optional(number('Units a second')),
    secondsLeft: optional(number('Until it is done, as it looks')),
  }),
  object({ type: only('error', 'The last line: why the exit code is not 0'), error: failure }),
]);
