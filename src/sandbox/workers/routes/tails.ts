import { isObject } from '../../../model/json-object.ts';
import { readTraceFilter, type TraceFilter } from '../../../model/workers/trace-filter.ts';
import { emptyOk, ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, param, readJson, readLimited, refusal, smallBodyBytes } from '../../http/exchange.ts';
import { visitorAddress } from '../tails/platform-event.ts';
import { type Tail, type Tails, tailLimits } from '../tails/tails.ts';
import { tailPath } from '../tails/upgrade.ts';
import { workerCodes } from './codes.ts';
import { requireWorker } from './find.ts';

/** `POST .../tails {filters}`: creates a tail, whose WebSocket reports each future run of the worker. */
export async function postTail(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const filters = await readFilters(exchange);
  const { edge, tails } = exchange.platform;
  if (edge === undefined || tails === undefined) {
    const words = 'no workers are running: start the sandbox to tail workers';
    throw refusal(400, workerCodes.tailImpossible, words);
  }
  const { token } = exchange;
  const tail = await tails.add(name, filters, token && ((address) => token.isAddressAllowed(address)));
  if (tail === undefined) {
    const words = `This Worker already has ${tailLimits.listeners} tails, the maximum.`;
    throw refusal(400, workerCodes.tooManyTails, words);
  }
  return ok(formatTail(exchange, tails, tail));
}

/**
 * `GET .../tails`: returns the newest tail; null if the worker has no tail. The platform also returns a single object instead of a list.
 */
export function getTail(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const { tails } = exchange.platform;
  const [tail] = tails?.forWorker(name) ?? [];
  return ok(tails === undefined || tail === undefined ? null : formatTail(exchange, tails, tail));
}

/** `DELETE .../tails/{id}`. */
export function removeTail(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  if (exchange.platform.tails?.remove(name, param(exchange, 'tail')) === true) return emptyOk();
  throw refusal(404, workerCodes.tailNotFound, 'This Worker has no such tail.');
}

async function readFilters(exchange: Exchange): Promise<TraceFilter[]> {
  const { call } = exchange;
  // The body is optional, because the official SDK sends none.
  const bytes = await readLimited(call.body, smallBodyBytes);
  if (bytes.length === 0) return [];
  const body = await readJson({ ...exchange, call: { ...call, body: bytes } }, 'the tail');
  const filters = isObject(body) ? (body['filters'] ?? []) : undefined;
  if (!Array.isArray(filters)) throw refusal(400, codes.requestInvalid, 'filters must be a list');
  return filters.map(parseFilter);
}

function parseFilter(value: unknown): TraceFilter {
  try {
    const filter = readTraceFilter(value);
    if (!('client_ip' in filter)) return filter;
    return { client_ip: filter.client_ip.map((address) => (address === 'self' ? visitorAddress : address)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal(400, codes.requestInvalid, `invalid filter ${JSON.stringify(value)}: ${reason}`);
  }
}

function formatTail({ call }: Exchange, tails: Tails, { id, expiresAt }: Tail) {
  // The WebSocket's address uses the host name of the request, because the caller can reach that name.
  const { host } = call.headers;
  const baseUrl = host === undefined ? tails.baseUrl : `ws://${host}`;
  return { id, url: `${baseUrl}${tailPath}${id}`, expires_at: new Date(expiresAt).toISOString() };
}
