import { filterFault, type LogFilter } from '../../model/sandbox/logged-request.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type Exchange, param, type Route, readJson, refusal } from '../http/exchange.ts';
import type { Traffic } from './traffic.ts';

/** Routes for the request log and the faults of a server. The provider has no such routes. */
export const trafficRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/sandbox/requests', handle: listRequests },
  { method: 'DELETE', pattern: '/sandbox/requests', handle: clearRequests },
  { method: 'GET', pattern: '/sandbox/faults', handle: listFaults },
  { method: 'POST', pattern: '/sandbox/faults', handle: addFault },
  { method: 'DELETE', pattern: '/sandbox/faults', handle: clearFaults },
  { method: 'DELETE', pattern: '/sandbox/faults/:id', handle: clearFault },
];

function requireTraffic({ platform }: Exchange): Traffic {
  if (platform.traffic !== undefined) return platform.traffic;
  throw refusal(409, 10_000, 'requests and faults require a running server for this sandbox');
}

function listRequests(exchange: Exchange): Answer {
  return ok(requireTraffic(exchange).log.list(parseLogFilter(exchange.query)));
}

/**
 * Parses the filter of a query. Refuses an invalid filter with 400, because an empty list would look like a filter without matches.
 */
function parseLogFilter(query: URLSearchParams): LogFilter {
  const { since, limit, method, ...rest } = Object.fromEntries(query);
  const filter: LogFilter = {
    ...rest,
    ...(since !== undefined && { since: parseNumber(since) }),
    ...(limit !== undefined && { limit: parseNumber(limit) }),
    ...(method !== undefined && { method: method.toUpperCase() }),
  };
  const wrong = filterFault(filter);
  if (wrong === undefined) return filter;
  throw refusal(400, 10_000, wrong);
}

/** Parses a number. Returns NaN for any other string, including an empty string. */
function parseNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function clearRequests(exchange: Exchange): Answer {
  requireTraffic(exchange).log.clear();
  return ok({});
}

function listFaults(exchange: Exchange): Answer {
  return ok(requireTraffic(exchange).faults.list());
}

async function addFault(exchange: Exchange): Promise<Answer> {
  const traffic = requireTraffic(exchange);
  const { readFault } = await import('./fault-shape.ts');
  return ok(traffic.faults.add(readFault(await readJson(exchange, 'fault', 100_000))));
}

function clearFaults(exchange: Exchange): Answer {
  return ok({ cleared: requireTraffic(exchange).faults.clear() });
}

function clearFault(exchange: Exchange): Answer {
  const id = param(exchange, 'id');
  if (requireTraffic(exchange).faults.clear(id) === 1) return ok({ cleared: 1 });
  throw refusal(404, 10_000, `fault ${id} not found`);
}
