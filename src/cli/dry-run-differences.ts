import type { Noun } from '../model/guard/effect.ts';
import type { AttributeDifference } from '../model/hostnames/fleet/differences.ts';
import { isObject } from '../model/json-object.ts';
import { sha256 } from '../model/sha256.ts';
import { callBytes, callResult } from '../v4/client.ts';
import { findRoute } from '../v4/routes.ts';
import { type Call, closeBody, readBody, type Send } from '../v4/send.ts';

/** Kinds of resources that a single request can read in full, in the format that the body of a change uses. */
const comparableNouns: readonly Noun[] = ['record', 'hostname', 'fallback-origin', 'hold', 'namespace'];

/** Maximum length in bytes of a value that is read for comparison. */
const maxComparedBytes = 1024;

/**
 * Compares the fields that a request sets with the current state, read at the same address. Returns undefined if the
 * current state cannot be read, may be long, or may be secret.
 */
export async function findDifferences(
  send: Send,
  call: Call,
): Promise<readonly AttributeDifference[] | undefined> {
  if (call.api !== undefined || !['PUT', 'PATCH', 'DELETE'].includes(call.method)) return undefined;
  const path = call.path.replace(/\?.*$/, '');
  const noun = findRoute({ method: 'GET', path })?.noun;
  if (noun === undefined) return undefined;
  const reading: Call = { method: 'GET', path, headers: {}, repeatable: true };
  try {
    if (noun === 'object') return await objectDifference(send, call, reading);
    if (noun === 'key') return await valueDifference(send, call, reading);
    if (!comparableNouns.includes(noun)) return undefined;
    const { result } = await callResult(send, reading, (value: unknown) => value);
    return fieldDifferences(result, call);
  } catch {
    // Ignores the read error, because the change itself reports it, and a plan is useful without the old state.
    return undefined;
  }
}

/**
 * Returns the size and the digest of a short value, before and after the change. The value itself is not shown, because it may be a secret
 * that was passed as a file to keep it out of logs.
 */
async function valueDifference(
  send: Send,
  { method, headers, body }: Call,
  reading: Call,
): Promise<readonly AttributeDifference[] | undefined> {
  const isForm = headers['content-type']?.startsWith('multipart/') === true;
  const to = method !== 'DELETE' && !isForm && body instanceof Uint8Array ? body : undefined;
  if (method !== 'DELETE' && to === undefined) return undefined;
  const answer = await callBytes(send, reading);
  if (
    Number(answer.headers['content-length'] ?? 0) > maxComparedBytes ||
    (to?.length ?? 0) > maxComparedBytes
  ) {
    await closeBody(answer);
    return undefined;
  }
  const from = await readBody(answer.body, maxComparedBytes);
  return [
    { field: 'size', from: String(from.length), ...(to !== undefined && { to: String(to.length) }) },
    { field: 'sha256', from: describeBytes(from), ...(to !== undefined && { to: describeBytes(to) }) },
  ];
}

function describeBytes(bytes: Uint8Array): string {
  return Buffer.from(sha256(bytes)).toString('hex');
}

/** Returns the size and etag of the existing object, without reading its bytes, and the size of the new object. */
async function objectDifference(
  send: Send,
  { method, headers, body }: Call,
  reading: Call,
): Promise<readonly AttributeDifference[]> {
  const answer = await callBytes(send, reading);
  await closeBody(answer);
  const { 'content-length': size, etag } = answer.headers;
  const to = body instanceof Uint8Array ? String(body.length) : headers['content-length'];
  const isPut = method === 'PUT' && to !== undefined;
  return [
    ...(size === undefined ? [] : [{ field: 'size', from: size, ...(isPut && { to }) }]),
    ...(etag === undefined ? [] : [{ field: 'etag', from: etag.replaceAll('"', '') }]),
  ];
}

function fieldDifferences(now: unknown, { method, body }: Call): readonly AttributeDifference[] | undefined {
  const is = flattenFields(now);
  if (method === 'DELETE')
    return [...is]
      .filter(([field, from]) => !field.includes('.') && from !== 'null' && from !== '[]')
      .map(([field, from]) => ({ field, from }));
  if (!(body instanceof Uint8Array)) return undefined;
  const requested = flattenFields(JSON.parse(Buffer.from(body).toString('utf8')));
  return [...requested].flatMap(([field, to]) => {
    const from = is.get(field);
    return from === to ? [] : [{ field, ...(from !== undefined && { from }), to }];
  });
}

/** Returns the fields of a value by path, with objects flattened. Strings are unchanged; other values are JSON. */
function flattenFields(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, part]) => [...flattenFields(part, [...path, name])]),
    );
  if (path.length === 0) return new Map();
  return new Map([[path.join('.'), typeof value === 'string' ? value : JSON.stringify(value)]]);
}
