import { isUtf8 } from 'node:buffer';
import { kvLimits } from '../model/kv.ts';
import { isProblem } from '../model/problem.ts';
import { callResult } from '../v4/client.ts';
import { pathOf } from '../v4/path.ts';
import { type Call, readBody } from '../v4/send.ts';
import { namespaceBase, readValue } from './kv.ts';
import type { Session } from './session.ts';

/** A value as a bulk entry carries it: text, or base64 where the bytes are not UTF-8. */
export interface TextValue {
  readonly value: string;
  readonly base64?: true;
}

/** An item of a list, and the value of its key; undefined where the key does not exist (any more). */
export interface WithValue<T> {
  readonly item: T;
  readonly value: TextValue | undefined;
}

/** Where values are read from. */
export interface ValueSource {
  readonly session: Session;
  readonly namespaceId: string;
}

/** Requests for values that run side by side, and how many bytes each should bring. */
const ahead = 4;
const answerBytes = 4 * 1024 * 1024;
const firstKeys = 16;

/**
 * Reads the values of a stream of items, in its order, by requests of up to 100 keys; fewer where values are large, so
 * that memory stays small. An item without a name passes through without a value.
 */
export async function* readValuesOf<T>(
  source: ValueSource,
  items: AsyncIterable<readonly T[]>,
  nameOf: (item: T) => string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<WithValue<T>[]> {
  const waiting: Promise<WithValue<T>[]>[] = [];
  let size = firstKeys;
  const ask = async (group: readonly T[]): Promise<WithValue<T>[]> => {
    const names = group.map(nameOf).filter((name) => name !== undefined);
    const values = names.length === 0 ? undefined : await readValues(source, names, signal);
    const read = group.map((item) => ({ item, value: values?.get(nameOf(item) ?? '') }));
    if (names.length > 0) size = nextSize(names.length, read);
    return read;
  };
  for await (const page of items) {
    for (let at = 0; at < page.length; ) {
      const group = page.slice(at, at + size);
      at += group.length;
      const asked = ask(group);
      asked.catch(() => undefined);
      waiting.push(asked);
      if (waiting.length >= ahead) yield (await waiting.shift()) ?? [];
    }
  }
  for (const asked of waiting) yield await asked;
}

/** How many keys to ask for next, when so many values were so long. */
function nextSize<T>(count: number, read: readonly WithValue<T>[]): number {
  const bytes = read.reduce((sum, { value }) => sum + (value?.value.length ?? 0), 0);
  return Math.max(1, Math.min(kvLimits.bulkGetKeys, Math.floor((answerBytes * count) / (bytes + 1))));
}

/** The values of up to 100 keys. Those that do not exist are left out. */
export async function readValues(
  source: ValueSource,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, TextValue>> {
  const [only] = keys;
  try {
    return await readTogether(source, keys, signal);
  } catch (error) {
    if (!isProblem(error) || error.status !== 413 || only === undefined) throw error;
  }
  // Together the values are longer than an answer can be.
  if (keys.length === 1) return readAlone(source, only, signal);
  const half = keys.length >> 1;
  const first = await readValues(source, keys.slice(0, half), signal);
  const second = await readValues(source, keys.slice(half), signal);
  return new Map([...first, ...second]);
}

async function readTogether(
  source: ValueSource,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, TextValue>> {
  const { session, namespaceId } = source;
  const call: Call = {
    method: 'POST',
    path: pathOf([...(await namespaceBase(session, namespaceId)), 'bulk', 'get']),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ keys, type: 'text' })),
    repeatable: true,
    readsOnly: true,
    ...(signal ? { signal } : {}),
  };
  const { result: values } = await callResult(session.send, call, checkValues);
  const read = new Map<string, TextValue>();
  for (const key of keys) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (typeof value !== 'string') continue;
    // The endpoint gives text only: this character may stand for bytes that are none.
    if (value.includes('\ufffd')) {
      const alone = await readAlone(source, key, signal);
      const found = alone.get(key);
      if (found !== undefined) read.set(key, found);
    } else read.set(key, { value });
  }
  return read;
}

type Values = Readonly<Record<string, unknown>>;

/** Not by a schema: those drop keys like `__proto__`, which is a key like any other here. */
function checkValues(result: unknown): Values {
  const values = isObject(result) ? result['values'] : undefined;
  if (!isObject(values)) throw new Error('it has no values');
  return values;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readAlone(
  { session, namespaceId }: ValueSource,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, TextValue>> {
  const found = await readValue(session, namespaceId, key, signal);
  if (found === undefined) return new Map();
  const bytes = Buffer.from(await readBody(found.body, kvLimits.valueBytes + 1));
  if (isUtf8(bytes)) return new Map([[key, { value: bytes.toString('utf8') }]]);
  return new Map([[key, { value: bytes.toString('base64'), base64: true }]]);
}
