import { isUtf8 } from 'node:buffer';
import { refused } from '../../v4/envelope.ts';
import { type Call, readBody, type Send } from '../../v4/send.ts';
import { contract } from '../contract/contract.ts';
import type { ContractRow } from '../contract/row.ts';
import { codes } from '../http/codes.ts';
import { discardBody, pathWithoutQuery, type StrictAnswer } from './effect.ts';
import { parseFormParts } from './form-parts.ts';
import { listIgnoredParts } from './notes.ts';
import { openWriteRate } from './write-rate.ts';

/** A function that answers a call as strictly as the platform might. `route` is the pattern of the route that handles the call. */
export type Strict = (call: Call, route: string | undefined, send: Send) => Promise<StrictAnswer>;

export interface StrictOptions {
  /** Returns the time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Explains why the token of a call has more access than needed; undefined if its access is not too wide. */
  tooWide(call: Call): string | undefined;
}

/** Number of rows per page if the client does not request a number, and maximum number for lists with a cursor. */
const pageRows = 10;
/** Maximum number of bytes of a body to check. */
const maxInspectedBytes = 100 * 1024 * 1024;

/**
 * Refuses requests that the platform only tolerates, or will refuse in the future: unknown fields and query parameters, deprecated routes,
 * API keys instead of tokens, tokens with more access than needed, and a second write to a key within a second. Lists have short pages,
 * which reveal a client that reads only one page.
 */
export function openStrict({ now, tooWide }: StrictOptions): Strict {
  const tooOften = openWriteRate(now);
  return async (call, route, send) => {
    const row = route === undefined ? undefined : contract[`${call.method} ${route}`];
    if (row === undefined || route === undefined) return { answer: await send(call) };
    const whole = await readBodyIntoMemory(call, row, route);
    const refusal = findRefusal(whole, row, route) ?? refuseTooWide(tooWide(whole)) ?? tooOften(whole, route);
    if (refusal === undefined) return shortenPages(row, whole, send);
    await discardBody(whole);
    return refusal;
  };
}

function findRefusal(call: Call, row: ContractRow, route: string): StrictAnswer | undefined {
  if (row.deprecated !== undefined) {
    const reason = `${call.method} ${route} is deprecated: use ${row.deprecated}`;
    return { answer: refused(404, codes.noRoute, 'No route for that URI'), reason };
  }
  if (call.headers['authorization'] === undefined && call.headers['x-auth-key'] !== undefined) {
    const answer = refused(403, codes.unauthorized, 'Unauthorized to access requested resource');
    return {
      answer,
      reason: 'an API key has all permissions: use a token with only the required permissions',
    };
  }
  const query = call.path.slice(pathWithoutQuery(call).length + 1);
  const [note] = listIgnoredParts({
    method: call.method,
    route,
    query,
    body: readBodyText(call),
    parts: parseFormParts(call),
  });
  if (note === undefined) return undefined;
  return { answer: refused(400, codes.requestInvalid, `invalid request: ${note}`), reason: note };
}

function refuseTooWide(reason: string | undefined): StrictAnswer | undefined {
  if (reason === undefined) return undefined;
  return { answer: refused(403, codes.unauthorized, 'Unauthorized to access requested resource'), reason };
}

/** Reads the body of a call into memory if it must be checked. */
async function readBodyIntoMemory(call: Call, row: ContractRow, route: string): Promise<Call> {
  const isChecked = row.body !== undefined || /\/bulk(?:\/delete)?$/.test(route);
  if (!isChecked || typeof call.body !== 'function') return call;
  if (Number(call.headers['content-length'] ?? 0) > maxInspectedBytes) return call;
  return { ...call, body: await readBody(call.body(), maxInspectedBytes) };
}

function readBodyText({ body }: Call): string | undefined {
  if (!(body instanceof Uint8Array) || !isUtf8(body)) return undefined;
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
}

/** Limits the page size of lists, and reports a reason if the client must request another page. */
async function shortenPages(row: ContractRow, call: Call, send: Send): Promise<StrictAnswer> {
  const path = pathWithoutQuery(call);
  const query = new URLSearchParams(call.path.slice(path.length + 1));
  const size = row.query.includes('limit')
    ? 'limit'
    : row.query.includes('per_page')
      ? 'per_page'
      : undefined;
  if (call.method !== 'GET' || size === undefined) return { answer: await send(call) };
  // A page with a cursor may be shorter than requested; a numbered page must have the requested size.
  const byCursor = row.query.includes('cursor');
  if (!query.has(size) || (byCursor && Number(query.get(size)) > pageRows)) query.set(size, String(pageRows));
  const answer = await send({ ...call, path: `${path}?${query}` });
  const body = await readBody(answer.body);
  const left = describeRemainingRows(body);
  const whole = { ...answer, body };
  return left === undefined
    ? { answer: whole }
    : { answer: whole, reason: `${left}; the client must request the next page` };
}

/** Describes the rows that follow this page; undefined if the page is the last. */
function describeRemainingRows(body: Uint8Array): string | undefined {
  const info = readResultInfo(body);
  if (info === undefined) return undefined;
  const { page, per_page: perPage, total_count: total, cursor } = info;
  if (typeof cursor === 'string' && cursor !== '') return 'the list continues at a cursor';
  if (typeof page !== 'number' || typeof perPage !== 'number' || typeof total !== 'number') return undefined;
  const shown = page * perPage;
  return shown < total ? `${total - shown} of ${total} rows are on later pages` : undefined;
}

function readResultInfo(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const envelope: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  const found = typeof envelope === 'object' && envelope !== null && 'result_info' in envelope;
  return found ? (envelope.result_info as Readonly<Record<string, unknown>>) : undefined;
}
