import { hash } from 'node:crypto';
import { checkNewKey, type Expiry, expiryFault, type KeyEntry, kvLimits } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { readBody } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';
import { checkNewValue, type NewValue, readEntry, readValue, writeValue } from './kv.ts';

/** A key with all that is stored under it. */
export interface WholeKey {
  readonly entry: KeyEntry;
  readonly value: Uint8Array;
}

/** The stored value that a change assumes: its SHA-256 in lower-case hexadecimal, or `absent` for no such key. */
export type Basis = { readonly sha256: string } | 'absent';

/** A key to be written. What is `kept` is taken from the platform at that moment. */
export interface KeyChange {
  readonly key: string;
  readonly value: Uint8Array | 'kept';
  readonly expiry: Expiry | 'kept';
  readonly metadata: { readonly json: unknown } | 'kept';
  /** A key that is another by now is not written; undefined writes it whatever it is. */
  readonly basis: Basis | undefined;
}

/** Held back, because the key is not what the change was made from. */
export interface KeyConflict {
  readonly outcome: 'conflict';
  readonly theirs: 'exists' | 'changed' | 'gone';
  /** Of the value that is there. */
  readonly sha256?: string;
}

/** How a write ended; of one that is stored, how the key now is, and what it was where that was read. */
export type Written =
  | ({ readonly outcome: 'stored'; readonly before?: KeyEntry | 'absent' } & WholeKey)
  | KeyConflict;

interface ChangeOptions {
  /** Whether white space and what cannot be printed may be in the key; left out, in one that is there already. */
  readonly anyKey?: boolean;
  readonly signal?: AbortSignal;
  /** Whether the metadata that the key has are read as well, so that `before` is known. */
  readonly whole?: boolean;
  /** Makes the write by calling `write`, told what is there whole and what will be. */
  around?(before: WholeKey | undefined, stored: NewValue, write: () => Promise<void>): Promise<void>;
}

/** SHA-256 of stored bytes, in lower-case hexadecimal. */
export function sha256Of(value: Uint8Array): string {
  return hash('sha256', value, 'hex');
}

/** Reads a key whole: value, expiry and metadata. Undefined when there is none. */
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
 * Writes a key, unless it is not what the change was made from. The platform has no such write of its own: the key is
 * read, compared and written, and another writer can come between. Refuses before anything is sent what cannot be
 * stored; with not-found when a value is to be kept and the key is gone.
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
    entry: entryOf(key, planned.stored, now),
    ...(keeps && { before: current?.entry ?? 'absent' }),
  };
}

/** Applies a change to a key as it is: returns the value to store, or a conflict. Refuses as `writeKey` does. */
export function planChange(
  change: KeyChange,
  current: WholeKey | undefined,
  now: number,
): { readonly outcome: 'write'; readonly stored: NewValue } | KeyConflict {
  const conflict = conflictOf(change.basis, current?.value);
  if (conflict !== undefined) return conflict;
  const value = change.value === 'kept' ? current?.value : change.value;
  if (value === undefined) throw new Problem('not-found', `The key ${change.key} is gone.`);
  const metadata = change.metadata === 'kept' ? current?.entry.metadata : change.metadata.json;
  const expiry = change.expiry === 'kept' ? keptExpiry(current?.entry, now) : change.expiry;
  const stored = { value, ...expiry, ...(metadata !== undefined && metadata !== null && { metadata }) };
  return { outcome: 'write', stored };
}

function conflictOf(basis: Basis | undefined, current: Uint8Array | undefined): KeyConflict | undefined {
  if (basis === undefined) return undefined;
  if (current === undefined) return basis === 'absent' ? undefined : { outcome: 'conflict', theirs: 'gone' };
  const sha256 = sha256Of(current);
  if (basis === 'absent') return { outcome: 'conflict', theirs: 'exists', sha256 };
  return sha256 === basis.sha256 ? undefined : { outcome: 'conflict', theirs: 'changed', sha256 };
}

/** A key without its metadata, which another request tells. */
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

/** The expiry of an entry, to be written again. Refuses one that is too near to be. */
export function keptExpiry(entry: KeyEntry | undefined, now: number): Expiry {
  if (entry?.expiration === undefined) return {};
  const expiry = { expiration: entry.expiration };
  if (expiryFault(expiry, now) === undefined) return expiry;
  const left = Math.max(0, entry.expiration - Math.floor(now / 1000));
  throw new Problem(
    'invalid-input',
    `The key expires in ${left} s, too soon to be written with the same expiry.`,
    { hint: 'Set a time to live of its own (at least 60 seconds) while you change it.' },
  );
}

function entryOf(name: string, { ttl, expiration, metadata }: NewValue, now: number): KeyEntry {
  const expires = ttl === undefined ? expiration : Math.floor(now / 1000) + ttl;
  return {
    name,
    ...(expires !== undefined && { expiration: expires }),
    ...(metadata !== undefined && { metadata }),
  };
}
