import * as v from 'valibot';
import type { FaultRequest } from '../../model/sandbox/fault.ts';
import { refusal } from '../http/exchange.ts';
import { formatShapeFault, parseShape, toShapeFault } from '../http/shape-faults.ts';
import { matchesRoute, matchPattern, spellOutMatch } from './match.ts';

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(600_000));
const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(86_400));

const shape = v.pipe(
  v.strictObject({
    match: v.pipe(
      v.string(),
      v.regex(matchPattern, 'must be a method or *, and a path that starts with / or s3:/'),
      v.check(matchesRoute, 'must match a route; docs/api.md lists the routes'),
    ),
    status: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
    retryAfter: v.exactOptional(seconds),
    latency: v.exactOptional(milliseconds),
    jitter: v.exactOptional(milliseconds),
    cut: v.exactOptional(v.picklist(['before', 'in', 'after'])),
    body: v.exactOptional(v.picklist(['truncated', 'wrong', 'empty', 'html'])),
    unsuccessfulKeys: v.exactOptional(share),
    stale: v.exactOptional(seconds),
    pageSize: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(10))),
    rate: v.exactOptional(
      v.strictObject({ requests: count, seconds: count, per: v.picklist(['path', 'token']) }),
    ),
    share: v.exactOptional(share),
    times: v.exactOptional(count),
    seed: v.exactOptional(v.pipe(v.number(), v.integer())),
  }),
  v.check(
    ({ match: _, share: _share, times: _times, seed: _seed, ...effects }) => Object.keys(effects).length > 0,
    'has no effect; set at least one effect, such as status or latency',
  ),
  v.check(
    ({ retryAfter, status, rate }) => retryAfter === undefined || status !== undefined || rate !== undefined,
    'has retryAfter, which requires status or rate',
  ),
  v.check(
    ({ unsuccessfulKeys, match }) =>
      unsuccessfulKeys === undefined || !/^(?:\S+ )?s3:/.test(spellOutMatch(match)),
    'has unsuccessfulKeys, which the S3 API does not support',
  ),
);

/** Parses a fault from JSON. Refuses an invalid fault with 400, and names the field. */
export function readFault(value: unknown): FaultRequest {
  const read = parseShape(shape, value);
  if (read.success) return read.output;
  const [issue] = read.issues;
  if (issue.type === 'check') throw refusal(400, 10_012, `the fault ${issue.message}`);
  throw refusal(400, 10_012, formatShapeFault(toShapeFault(shape, issue), 'the fault'));
}
