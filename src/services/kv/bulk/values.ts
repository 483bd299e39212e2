import { isUtf8 } from 'node:buffer';
import { isObject } from '../../../model/json-object.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { isProblem } from '../../../model/problem.ts';
import { callResult } from '../../../v4/client.ts';
import { buildPath } from '../../../v4/path.ts';
import { isTooLong } from '../../../v4/read-answer.ts';
import { type Call, readBody } from '../../../v4/send.ts';
import type { Session } from '../../session/session.ts';
import { readEntry, readValue } from '../kv.ts';
import { namespaceBase } from '../namespaces.ts';

/** A value in a bulk entry: a string, or base64 if the bytes are not UTF-8. */
export interface TextValue {
  readonly value: string;
  readonly base64?: true;
}

/** A value, with metadata and expiry if they were requested. `expiration` is in UNIX seconds. */
export interface StoredText extends TextValue {
  readonly metadata?: unknown;
  readonly expiration?: number;
}

/** An item in a list, with the value of its key. `value` is undefined if the item has no key, or if the key has no readable value. */
export interface WithValue<T> {
  readonly item: T;
  readonly value: StoredText | undefined;
}

/** The namespace to read values from. */
export interface ValueSource {
  readonly session: Session;
  readonly namespaceId: string;
  /** Whether to request metadata and expiry too. */
  readonly withMetadata?: boolean;
  /** Receives keys that exist, but whose values the platform has lost. */
  readonly lost?: { add(key: string): unknown };
}

/**
 * Limits for reading values: the number of parallel requests, and target sizes in characters for the values in one response (`answer`) and
 * for all values in memory (`together`).
 */
const bounds = { requests: 4, answer: 1024 * 1024, together: 2 * 1024 * 1024 };
const firstKeys = 16;

/**
 * Reads the values for a stream of items, in order, with up to 100 keys per request, and fewer if the values are large. An item without a
 * name is returned without a value.
 */
export async function* readItemValues<T>(
  source: ValueSource,
  items: AsyncIterable<readonly T[]>,
  getName: (item: T) => string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<WithValue<T>[]> {
  const waiting: Promise<WithValue<T>[]>[] = [];
  const maxBytes = Math.min(bounds.answer, source.session.bulkBytes);
  let size = firstKeys;
  let ahead: number = bounds.requests;
  const ask = async (group: readonly T[]): Promise<WithValue<T>[]> => {
    const names = group.map(getName).filter((name) => name !== undefined);
    const values = names.length === 0 ? undefined : await readValues(source, names, signal);
    const read = group.map((item) => ({ item, value: values?.get(getName(item) ?? '') }));
    if (names.length > 0) {
      const average = averageLength(names.length, read);
      size = clamp(maxBytes / average, kvLimits.bulkGetKeys);
      ahead = clamp(bounds.together / (size * average), bounds.requests);
    }
    return read;
  };
  for await (const page of items) {
    for (let at = 0; at < page.length; ) {
      const group = page.slice(at, at + size);
      at += group.length;
      const asked = ask(group);
      asked.catch(() => undefined);
      waiting.push(asked);
      while (waiting.length >= ahead) yield (await waiting.shift()) ?? [];
    }
  }
  for (const asked of waiting) yield await asked;
}

function averageLength<T>(count: number, read: readonly WithValue<T>[]): number {
  return read.reduce((sum, { value }) => sum + (value?.value.length ?? 0), 1) / count;
}

/** Rounds a number down, and limits it to the range from 1 to `max`. */
function clamp(number: number, max: number): number {
  return Math.max(1, Math.min(max, Math.floor(number)));
}

/** Reads the values of up to 100 keys. Omits missing keys. Omits keys with a lost value, and adds these keys to the source's `lost`. */
export async function readValues(
  source: ValueSource,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, StoredText>> {
  const [only] = keys;
  try {
    return await readTogether(source, keys, signal);
  } catch (error) {
    const isLost = isProblem(error) && error.status === 410;
    const isLong = isTooLong(error) || (isProblem(error) && error.status === 413);
    if (!(isLost || isLong) || only === undefined) throw error;
    if (keys.length === 1) {
      if (isLong) return readLong(source, only, signal);
      source.lost?.add(only);
      return new Map();
    }
  }
  // Reads each half of the keys separately, because the response was too long, or because one of the values is lost.
  const half = keys.length >> 1;
  const first = await readValues(source, keys.slice(0, half), signal);
  const second = await readValues(source, keys.slice(half), signal);
  return new Map([...first, ...second]);
}

async function readTogether(
  source: ValueSource,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, StoredText>> {
  const { session, namespaceId, withMetadata = false } = source;
  const call: Call = {
    method: 'POST',
    path: buildPath([...(await namespaceBase(session, namespaceId)), 'bulk', 'get']),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ keys, type: 'text', withMetadata })),
    repeatable: true,
    readsOnly: true,
    signal,
  };
  const { result: values } = await callResult(session.send, call, checkValues);
  const read = new Map<string, StoredText>();
  for (const key of keys) {
    const stored = storedText(Object.hasOwn(values, key) ? values[key] : undefined);
    if (stored === undefined) continue;
    // The endpoint returns text, in which U+FFFD may replace bytes that are not UTF-8.
    const alone = stored.value.includes('\ufffd') ? await readAlone(source, key, signal) : undefined;
    if (alone === undefined) read.set(key, stored);
    else for (const exact of alone.values()) read.set(key, { ...stored, ...exact });
  }
  return read;
}

/** Parses a value in the response: a string, an object if metadata was requested, or null if the key does not exist. */
function storedText(value: unknown): StoredText | undefined {
  if (typeof value === 'string') return { value };
  if (!isObject(value) || typeof value['value'] !== 'string') return undefined;
  const { metadata, expiration } = value;
  return {
    value: value['value'],
    ...(metadata === null ? {} : { metadata }),
    ...(typeof expiration === 'number' ? { expiration } : {}),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the values in a response, by key. Does not use a schema, because schemas drop the name `__proto__`, which is a valid key. */
function checkValues(result: unknown): Values {
  const values = isObject(result) ? result['values'] : undefined;
  if (!isObject(values)) throw new Error('it has no values');
  return values;
}

/** Reads a value that is too long for the bulk endpoint. If requested, also reads metadata and expiry. */
async function readLong(
  source: ValueSource,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, StoredText>> {
  const [found] = (await readAlone(source, key, signal)).values();
  if (found === undefined) return new Map();
  const entry = source.withMetadata
    ? await readEntry(source.session, source.namespaceId, key, signal)
    : undefined;
  const { name: _, ...beside } = entry ?? { name: key };
  return new Map([[key, { ...found, ...beside }]]);
}

async function readAlone(
  { session, namespaceId }: ValueSource,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, StoredText>> {
  const found = await readValue(session, namespaceId, key, signal, { whole: true });
  if (found === undefined) return new Map();
  const bytes = Buffer.from(await readBody(found.body, kvLimits.valueBytes));
  if (isUtf8(bytes)) return new Map([[key, { value: bytes.toString('utf8') }]]);
  return new Map([[key, { value: bytes.toString('base64'), base64: true }]]);
}
