import {
  count,
  map,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  texts,
  time,
} from '../shape.ts';
import type { Fault, FaultRate } from './fault.ts';
import type { LoggedRequest } from './logged-request.ts';

/** DNS of customers that a sandbox answers with. */
export const dnsEntry = object({
  name: text('The name'),
  type: text('Type of the record; or SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS'),
  ttl: optional(count('Seconds')),
  contents: texts('Of a failure, the types that it concerns; none for all'),
});

const faultRate: Shape<FaultRate> = object({
  requests: count('So many'),
  seconds: count('Within this number of seconds'),
  per: oneOf(['path', 'token'], 'Counted for each of these'),
});

// The types of faults and requests are documented where the library exports them; the compiler holds these shapes to them.

/** A fault that is set. `docs/sandbox.md` describes each effect; several may be set: a wait comes first, a cut last. */
export const fault: Shape<Fault> = object({
  id: text('By which it is ended'),
  match: text('Method and glob of the path that it meets'),
  met: count('Requests that it has met'),
  status: optional(count('HTTP status that it answers with')),
  retryAfter: optional(count('Seconds in Retry-After')),
  latency: optional(count('Milliseconds that it waits')),
  jitter: optional(count('Maximum random addition in milliseconds')),
  cut: optional(oneOf(['before', 'in', 'after'], 'When it cuts the connection')),
  body: optional(oneOf(['truncated', 'wrong', 'empty', 'html'], 'Replacement of the body')),
  unsuccessfulKeys: optional(number('Share of the keys of a bulk change that are not taken, 0 to 1')),
  stale: optional(count('Seconds for which what was read is read again')),
  pageSize: optional(count('Rows on a page at most')),
  rate: optional(faultRate),
  share: optional(number('Share of the requests that it meets, 0 to 1')),
  times: optional(count('Requests after which it is over')),
  seed: optional(number('By which chance is repeated')),
});

/** A request that a sandbox's server has answered, or cut. */
export const loggedRequest: Shape<LoggedRequest> = object({
  number: count('In the order in which they ended, from 1'),
  time: time('When it came'),
  api: oneOf(['v4', 's3'], 'The v4 API, or the S3 API of its buckets'),
  method: text('GET, …'),
  path: text('Below /client/v4, percent-encoded; of the S3 API /bucket/key'),
  query: text('Without the question mark, and without a signature; empty when there is none'),
  status: nullable(count('HTTP status; null where the connection was cut')),
  route: nullable(
    text('Pattern of the route that answered, or operation of the S3 API; null where there is none'),
  ),
  rule: nullable(text('Why the answer is another one than usual; null where nothing made it so')),
  notes: texts('Ignored parts of the request'),
  milliseconds: number('Until the answer was ready'),
  requestHeaders: map(text('Its value'), 'Lower-case names, without credentials'),
  answerHeaders: map(text('Its value'), 'Lower-case names'),
  requestBody: optional(text('The beginning of a body of text')),
  answerBody: optional(text('The beginning of a body of text')),
});
