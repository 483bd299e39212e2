import { type Expiry, expiryFault, type KeyEntry, kvLimits } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { readBody } from '../../src/v4/send.ts';
import type { KvService } from '../console/services.ts';

/** What a form about a key is for. */
export type KeyFormPurpose = 'create' | 'edit' | 'expire';

/** A key as it was when a form or an editor was opened on it. */
export interface KeySubject {
  readonly entry: KeyEntry;
  readonly value: Uint8Array;
}

/** A key to be written. What is `kept` is taken from the platform at that moment. */
export interface KeyWrite {
  readonly does: 'write';
  readonly key: string;
  readonly value: Uint8Array | 'kept';
  readonly expiry: Expiry | 'kept';
  readonly metadata: { readonly json: unknown } | 'kept';
  /** What the change was made from: a value that is another one by now is not overwritten unasked. */
  readonly basis: Uint8Array | 'absent' | undefined;
}

/** What a pane asks the services for about one key. */
export type KeyCommand =
  | KeyWrite
  | { readonly does: 'remove'; readonly key: string }
  | { readonly does: 'edit'; readonly key: string; readonly purpose: 'edit' | 'expire' }
  | { readonly does: 'edit-outside'; readonly key: string };

/** How a write ended: stored, or held back because the key is not what the change was made from. */
export type Written =
  | { readonly outcome: 'stored'; readonly entry: KeyEntry; readonly value: Uint8Array }
  | { readonly outcome: 'conflict'; readonly theirs: 'exists' | 'changed' | 'gone' };

/** Reads a key whole: value, expiry and metadata. Undefined when there is none. */
export async function readKey(
  kv: KvService,
  namespaceId: string,
  key: string,
  signal: AbortSignal,
): Promise<KeySubject | undefined> {
  const value = await kv.readValue(namespaceId, key, signal);
  if (value === undefined) return undefined;
  const body = await readBody(value.body, kvLimits.valueBytes);
  const entry = await kv.readEntry(namespaceId, key, signal);
  const { expiration } = value;
  return { value: body, entry: entry ?? { name: key, ...(expiration !== undefined && { expiration }) } };
}

/** Writes a key, unless it is not what the change was made from. */
export async function writeKey(
  kv: KvService,
  namespaceId: string,
  write: KeyWrite,
  now: number,
  signal: AbortSignal,
): Promise<Written> {
  const current = await readKey(kv, namespaceId, write.key, signal);
  const theirs = conflictOf(write, current);
  if (theirs !== undefined) return { outcome: 'conflict', theirs };
  const value = write.value === 'kept' ? current?.value : write.value;
  if (value === undefined) throw new Problem('not-found', `The key ${write.key} is gone.`);
  const metadata = write.metadata === 'kept' ? current?.entry.metadata : write.metadata.json;
  const expiry = write.expiry === 'kept' ? keptExpiry(current?.entry, now) : write.expiry;
  const extra = { ...expiry, ...(metadata !== undefined && metadata !== null && { metadata }) };
  await kv.writeValue(namespaceId, write.key, { value, ...extra, anyKey: current !== undefined });
  return { outcome: 'stored', value, entry: entryOf(write.key, extra, now) };
}

function conflictOf(
  { basis }: KeyWrite,
  current: KeySubject | undefined,
): 'exists' | 'changed' | 'gone' | undefined {
  if (basis === undefined) return undefined;
  if (basis === 'absent') return current === undefined ? undefined : 'exists';
  if (current === undefined) return 'gone';
  return Buffer.compare(basis, current.value) === 0 ? undefined : 'changed';
}

function keptExpiry(entry: KeyEntry | undefined, now: number): Expiry {
  if (entry?.expiration === undefined) return {};
  const expiry = { expiration: entry.expiration };
  if (expiryFault(expiry, now) === undefined) return expiry;
  const left = Math.max(0, entry.expiration - Math.floor(now / 1000));
  throw new Problem(
    'invalid-input',
    `The key expires in ${left} s, too soon to be written with the same expiry.`,
    {
      hint: 'Set a time to live of its own (at least 60 seconds) while you change it.',
    },
  );
}

function entryOf(
  name: string,
  { ttl, expiration, metadata }: Expiry & { metadata?: unknown },
  now: number,
): KeyEntry {
  const expires = ttl === undefined ? expiration : Math.floor(now / 1000) + ttl;
  return {
    name,
    ...(expires !== undefined && { expiration: expires }),
    ...(metadata !== undefined && { metadata }),
  };
}
