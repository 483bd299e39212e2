import * as v from 'valibot';
import { orMissing } from '../../model/json-record.ts';
import {
  checkKey,
  checkNewKey,
  type Expiry,
  effectiveExpiry,
  expiryFault,
  type KeyEntry,
  kvLimits,
  metadataFault,
} from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { capitalize } from '../../model/sentence.ts';
import { callBytes, callResult } from '../../v4/client.ts';
import { multipart } from '../../v4/multipart.ts';
import { cursorPages } from '../../v4/pages.ts';
import { buildPath } from '../../v4/path.ts';
import { type Answer, type Call, readStart } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { namespaceBase, readCall } from './namespaces.ts';

const keyShape = v.object({
  name: v.string(),
  expiration: orMissing(v.number()),
  metadata: v.optional(v.unknown()),
});

const checkKeys = (result: unknown): KeyEntry[] => v.parse(v.array(keyShape), result) as KeyEntry[];
const checkNothing = (): undefined => undefined;

/** A value from the platform: a body that can be read only once, and the expiry in UNIX seconds, if any. */
export interface Value {
  readonly body: Answer['body'];
  readonly expiration?: number;
}

/** A value to store under a key, as bytes. If both kinds of expiry are set, the ttl is used. */
export interface NewValue extends Expiry {
  readonly value: Uint8Array;
  readonly metadata?: unknown;
  /** Whether to allow keys with whitespace and non-printable characters. */
  readonly anyKey?: boolean;
}

/**
 * Lists keys page by page, sorted by their UTF-8 bytes. Fetches each page when the caller requests it. An empty page is not necessarily the
 * last page. `limit` is the maximum number of keys per page, up to 1,000.
 */
export async function* listKeys(
  session: Session,
  namespaceId: string,
  options: { prefix?: string | undefined; limit?: number; signal?: AbortSignal } = {},
): AsyncGenerator<KeyEntry[]> {
  const base = [...(await namespaceBase(session, namespaceId)), 'keys'];
  const { prefix, limit, signal } = options;
  yield* cursorPages(
    session.send,
    (cursor) => readCall(base, { prefix: prefix || undefined, limit, cursor }, signal),
    checkKeys,
    (keys) => keys,
  );
}

/**
 * Reads the value of a key; returns undefined if the key does not exist. Set `whole` if the caller will read the complete value into memory.
 */
export async function readValue(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
  { whole = false }: { whole?: boolean } = {},
): Promise<Value | undefined> {
  const base = [...(await namespaceBase(session, namespaceId)), 'values', checkKey(key)];
  const maxBytes = kvLimits.valueBytes;
  const call = { ...readCall(base, {}, signal), ...(whole ? { wholeAnswer: maxBytes } : {}) };
  const answer = await unlessMissing(() => callBytes(session.send, call, maxBytes));
  if (answer === undefined) return undefined;
  const expiration = Number(answer.headers['expiration']);
  return Number.isInteger(expiration) && expiration > 0
    ? { body: answer.body, expiration }
    : { body: answer.body };
}

/**
 * Reads the first `length` bytes of a value. `isWhole` means that the value has no more bytes. Returns undefined if the key does not exist.
 */
export async function readValueStart(
  session: Session,
  namespaceId: string,
  key: string,
  length: number,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean } | undefined> {
  const value = await readValue(session, namespaceId, key, signal);
  if (value === undefined) return undefined;
  const bytes = await readStart(value.body, length + 1);
  return { bytes: bytes.subarray(0, length), isWhole: bytes.length <= length };
}

/**
 * Reads the metadata and expiry of a key; returns undefined if the key does not exist. Lists the keys that start with the key: the key
 * itself is the first of them, so one request returns both metadata and expiry, without the value.
 */
export async function readEntry(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
): Promise<KeyEntry | undefined> {
  const options = { prefix: checkKey(key), limit: 10, ...(signal ? { signal } : {}) };
  for await (const page of listKeys(session, namespaceId, options)) {
    const first = page[0];
    if (first !== undefined) return first.name === key ? first : undefined;
  }
  return undefined;
}

/** Stores a value. Refuses invalid input before anything is sent. */
export async function writeValue(
  session: Session,
  namespaceId: string,
  key: string,
  entry: NewValue,
): Promise<void> {
  checkNewKey(key, entry.anyKey ?? false);
  checkNewValue(entry, session.world.now());
  const { ttl, expiration } = effectiveExpiry(entry);
  const base = [...(await namespaceBase(session, namespaceId)), 'values', key];
  const call: Call = {
    method: 'PUT',
    path: buildPath(base, { expiration, expiration_ttl: ttl }),
    ...payload(session, entry),
    repeatable: true,
  };
  await callResult(session.send, call, checkNothing);
}

/** Deletes a key. A missing key is not an error. */
export async function removeKey(session: Session, namespaceId: string, key: string): Promise<void> {
  const base = [...(await namespaceBase(session, namespaceId)), 'values', checkKey(key)];
  const call: Call = { method: 'DELETE', path: buildPath(base), headers: {}, repeatable: true };
  try {
    await callResult(session.send, call, checkNothing);
  } catch (error) {
    if (!isProblem(error) || !saysKeyIsMissing(error)) throw error;
  }
}

/**
 * Returns whether a 404 states that the key does not exist, which confirms a deletion. Other 404s, for example from a proxy, confirm
 * nothing.
 */
function saysKeyIsMissing(problem: Problem): boolean {
  return problem.code === 'not-found' && !namesNamespace(problem) && /\bkey\b/i.test(problem.message);
}

function payload(session: Session, entry: NewValue): Pick<Call, 'headers' | 'body'> {
  if (entry.metadata === undefined) {
    return { headers: { 'content-type': 'application/octet-stream' }, body: entry.value };
  }
  const boundary = `edgectl-${Buffer.from(session.world.random(18)).toString('hex')}`;
  const form = multipart(
    [
      { name: 'value', content: entry.value },
      { name: 'metadata', content: JSON.stringify(entry.metadata) },
    ],
    boundary,
  );
  return { headers: { 'content-type': form.contentType }, body: form.body };
}

/** Throws if the platform does not accept the value, the expiry or the metadata. `now` is in milliseconds. */
export function checkNewValue(entry: NewValue, now: number): void {
  if (entry.value.length > kvLimits.valueBytes) {
    const size = entry.value.length.toLocaleString('en');
    throw new Problem(
      'invalid-input',
      `A value can be at most 25 MiB (26,214,400 bytes); this one has ${size} bytes.`,
    );
  }
  const fault =
    expiryFault(entry, now) ?? (entry.metadata === undefined ? undefined : metadataFault(entry.metadata));
  if (fault !== undefined) throw new Problem('invalid-input', `${capitalize(fault)}.`);
}

const missingNamespaceCodes = new Set([10009, 10011, 10013]);

/** Returns the result of `call`, or undefined for a missing key. Throws for a missing namespace: only the messages of the two 404s differ. */
async function unlessMissing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found' && !namesNamespace(error)) return undefined;
    throw error;
  }
}

function namesNamespace(problem: Problem): boolean {
  return missingNamespaceCodes.has(problem.platformCode ?? 0) && /namespace/i.test(problem.message);
}
