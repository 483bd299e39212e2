import { hash } from 'node:crypto';
import { checkNewKey, type Expiry, expiryFault, type KeyEntry, kvLimits } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { readBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { checkNewValue, type NewValue, readEntry, readValue, writeValue } from './kv.ts';

/** A key with its value, expiry and metadata. */
export interface WholeKey {
  readonly entry: KeyEntry;
  readonly value: Uint8Array;
}

/** The expected state of a key before a change: the SHA-256 of its value in lower-case hexadecimal, or `absent` for a missing key. */
export type Basis = { readonly sha256: string } | 'absent';

/** A key to write. Parts that are `kept` do not change: edgectl reads them from the platform immediately before the write. */
export interface KeyChange {
  readonly key: string;
  readonly value: Uint8Array | 'kept';
  readonly expiry: Expiry | 'kept';
  readonly metadata: { readonly json: unknown } | 'kept';
  /** If set, the key is written only if its state matches. */
  readonly basis: Basis | undefined;
}

/** A write that was refused because the stored key had changed. */
export interface KeyConflict {
  readonly outcome: 'conflict';
  readonly theirs: 'exists' | 'changed' | 'gone';
  /** SHA-256 of the stored value; undefined if the key was deleted. */
  readonly sha256?: string;
}

/**
 * The result of a write: a conflict, or the new state of the key. `before` is the key's old state, if the old state was read completely.
 */
export type Written =
  | ({ readonly outcome: 'stored'; readonly before?: KeyEntry | 'absent' } & WholeKey)
  | KeyConflict;

interface ChangeOptions {
  /** Whether to allow keys with whitespace and non-printable characters (default: only for an existing key). */
  readonly anyKey?: boolean;
  readonly signal?: AbortSignal;
  /** Whether to read the key's old metadata even if the write does not need it, so that the result contains `before`. */
  readonly whole?: boolean;
  /** Called instead of the write, with the key's old state and its new value. Must call `write`. */
  around?(before: WholeKey | undefined, stored: NewValue, write: () => Promise<void>): Promise<void>;
}

/** Returns the SHA-256 of stored bytes, in lower-case hexadecimal. */
export function hashValue(value: Uint8Array): string {
  return hash('sha256', value, 'hex');
}

/** Reads a key with value, expiry and metadata. Returns undefined if the key does not exist. */
export async function readKey(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
): Promise<WholeKey | undefined> {
  const current = await readBare(session, namespaceId, key, signal);
  if (current === undefined) return undefined;
  return { ...current, entry: (await readEntry(session, namespaceId, key, signal)) ?? current.entry };
}

/**
 * Writes a key if its state matches the change's basis. The platform has no conditional write: edgectl reads, compares and writes the key,
 * and another client can change the key in between. Refuses invalid input before anything is sent. Throws not-found if the value is `kept`
 * but the key no longer exists.
 */
export async function writeKey(
  session: Session,
  namespaceId: string,
  change: KeyChange,
  { anyKey, signal, around, whole = false }: ChangeOptions = {},
): Promise<Written> {
  const { key, value, expiry, metadata } = change;
  const now = session.world.now();
  checkNewKey(key, anyKey ?? true);
  if (value !== 'kept') {
    const json = metadata === 'kept' ? undefined : metadata.json;
    checkNewValue({ value, ...(expiry !== 'kept' && expiry), metadata: json ?? undefined }, now);
  }
  const keeps = whole || expiry === 'kept' || metadata === 'kept' || around !== undefined;
  const current = await (keeps ? readKey : readBare)(session, namespaceId, key, signal);
  const planned = planChange(change, current, now);
  if (planned.outcome === 'conflict') return planned;
  const stored = { ...planned.stored, anyKey: anyKey ?? current !== undefined };
  const write = () => writeValue(session, namespaceId, key, stored);
  await (around === undefined ? write() : around(current, stored, write));
  return {
    outcome: 'stored',
    value: planned.stored.value,
    entry: toEntry(key, planned.stored, now),
    ...(keeps && { before: current?.entry ?? 'absent' }),
  };
}

/**
 * Applies a change to the stored key, without sending anything. Returns the value to store, or a conflict. Throws the same errors as
 * `writeKey`.
 */
export function planChange(
  change: KeyChange,
  current: WholeKey | undefined,
  now: number,
): { readonly outcome: 'write'; readonly stored: NewValue } | KeyConflict {
  const conflict = findConflict(change.basis, current?.value);
  if (conflict !== undefined) return conflict;
  const value = change.value === 'kept' ? current?.value : change.value;
  if (value === undefined) throw new Problem('not-found', `Key "${change.key}" no longer exists.`);
  const metadata = change.metadata === 'kept' ? current?.entry.metadata : change.metadata.json;
  const expiry = change.expiry === 'kept' ? preserveExpiry(current?.entry, now) : change.expiry;
  const stored = { value, ...expiry, ...(metadata !== undefined && metadata !== null && { metadata }) };
  return { outcome: 'write', stored };
}

function findConflict(basis: Basis | undefined, current: Uint8Array | undefined): KeyConflict | undefined {
  if (basis === undefined) return undefined;
  if (current === undefined) return basis === 'absent' ? undefined : { outcome: 'conflict', theirs: 'gone' };
  const sha256 = hashValue(current);
  if (basis === 'absent') return { outcome: 'conflict', theirs: 'exists', sha256 };
  return sha256 === basis.sha256 ? undefined : { outcome: 'conflict', theirs: 'changed', sha256 };
}

/** Reads a key without its metadata, which would require another request. */
async function readBare(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
): Promise<WholeKey | undefined> {
  const found = await readValue(session, namespaceId, key, signal, { whole: true });
  if (found === undefined) return undefined;
  const { expiration } = found;
  const entry = { name: key, ...(expiration !== undefined && { expiration }) };
  return { value: await readBody(found.body, kvLimits.valueBytes), entry };
}

/** Returns the expiry for writing an entry again. Throws if the entry expires too soon to be written. */
export function preserveExpiry(entry: KeyEntry | undefined, now: number): Expiry {
  if (entry?.expiration === undefined) return {};
  const expiry = { expiration: entry.expiration };
  if (expiryFault(expiry, now) === undefined) return expiry;
  const left = Math.max(0, entry.expiration - Math.floor(now / 1000));
  throw new Problem(
    'invalid-input',
    `The key expires in ${left} s: too soon to write it with the same expiry.`,
    { hint: 'Specify a new time to live of at least 60 seconds.' },
  );
}

function toEntry(name: string, { ttl, expiration, metadata }: NewValue, now: number): KeyEntry {
  const expires = ttl === undefined ? expiration : Math.floor(now / 1000) + ttl;
  return {
    name,
    ...(expires !== undefined && { expiration: expires }),
    ...(metadata !== undefined && { metadata }),
  };
}
