import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonRecord } from '../../model/json-record.ts';
import {
  checkObjectKey,
  isMd5,
  type ObjectAddress,
  type ObjectEntry,
  objectLimits,
} from '../../model/objects/object.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { callBytes, callResult } from '../../v4/client.ts';
import { cursorPages } from '../../v4/pages.ts';
import type { ResultInfo } from '../../v4/parse-envelope.ts';
import { pathOf } from '../../v4/path.ts';
import { type Answer, type Call, readStart } from '../../v4/send.ts';
import { refuseOther } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { bucketBase, missingBucket, namedBucket, namingBucket } from './buckets.ts';
import { metadataHeaders, type ObjectMetadata } from './headers.ts';

const entryShape = v.object({
  key: v.string(),
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  etag: v.string(),
  last_modified: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text))),
  ),
  http_metadata: v.optional(
    v.object({
      contentType: v.exactOptional(v.string()),
      contentDisposition: v.exactOptional(v.string()),
      contentEncoding: v.exactOptional(v.string()),
      contentLanguage: v.exactOptional(v.string()),
      cacheControl: v.exactOptional(v.string()),
      cacheExpiry: v.exactOptional(v.string()),
    }),
  ),
  custom_metadata: v.optional(
    jsonRecord<string>('custom metadata are texts', (value) => typeof value === 'string'),
  ),
  storage_class: v.optional(v.string()),
});

/** One page of a listing: objects, and with a delimiter what the keys of each group share. */
export interface ObjectPage {
  readonly objects: readonly ObjectEntry[];
  readonly prefixes: readonly string[];
}

const checkPage = (result: unknown, info: ResultInfo): ObjectPage => ({
  objects: v.parse(v.array(entryShape), result).map(entryOf),
  prefixes: info.delimited ?? [],
});

function entryOf(wire: v.InferOutput<typeof entryShape>): ObjectEntry {
  const { cacheExpiry, ...texts } = wire.http_metadata ?? {};
  const expiry = Date.parse(cacheExpiry ?? '');
  return {
    key: wire.key,
    size: wire.size,
    etag: bareEtag(wire.etag),
    uploaded: Date.parse(wire.last_modified),
    httpMetadata: { ...texts, ...(Number.isNaN(expiry) ? {} : { cacheExpiry: expiry }) },
    customMetadata: wire.custom_metadata ?? {},
    ...(wire.storage_class === undefined ? {} : { storageClass: wire.storage_class }),
  };
}

/** Which objects to list. */
export interface ListOptions {
  readonly prefix?: string | undefined;
  /** Keys that hold it behind the prefix are not listed but grouped. */
  readonly delimiter?: string | undefined;
  /** Only keys behind this one. */
  readonly startAfter?: string | undefined;
  /** Size of a page, at most 1,000. */
  readonly limit?: number | undefined;
}

/**
 * Objects in the order of their keys' UTF-8 bytes, page by page, each page fetched when it is asked for. A page can be
 * empty and not be the last.
 */
export async function* listObjects(
  session: Session,
  bucket: string,
  { prefix, delimiter, startAfter, limit = objectLimits.listLimit }: ListOptions = {},
): AsyncGenerator<ObjectPage> {
  const base = await objectsBase(session, bucket);
  const query = {
    prefix: prefix || undefined,
    delimiter: delimiter || undefined,
    start_after: startAfter || undefined,
    per_page: limit,
  };
  const callAt = (cursor: string | undefined) => read(pathOf(base, { ...query, cursor }));
  const listed = ({ objects, prefixes }: ObjectPage) => [...objects, ...prefixes];
  const pages = cursorPages(session.send, callAt, checkPage, listed);
  try {
    yield* pages;
  } catch (error) {
    throw namedBucket(bucket, error);
  }
}

/**
 * Reads the entry of an object, without its bytes; undefined when there is none. It comes from a listing whose prefix
 * is the key (it sorts first), because the answer with the bytes need not say all of it.
 */
export async function readObjectEntry(
  session: Session,
  { bucket, key }: ObjectAddress,
): Promise<ObjectEntry | undefined> {
  for await (const { objects } of listObjects(session, bucket, { prefix: checkObjectKey(key), limit: 1 })) {
    const first = objects[0];
    if (first !== undefined) return first.key === key ? first : undefined;
  }
  return undefined;
}

/** An object's bytes as they come from the platform: read once. */
export interface OpenObject {
  readonly body: Answer['body'];
  /** Undefined where the platform does not say it. */
  readonly size: number | undefined;
  /** Without quotes; undefined where there is none, or where the platform has changed the bytes on the way. */
  readonly etag: string | undefined;
  readonly contentType: string | undefined;
}

/** Opens an object, or part of its bytes; undefined when there is none. A missing bucket is refused with not-found. */
export async function readObject(
  session: Session,
  { bucket, key }: ObjectAddress,
  range?: { readonly start: number; readonly end: number },
): Promise<OpenObject | undefined> {
  const path = pathOf([...(await objectsBase(session, bucket)), checkObjectKey(key)]);
  const headers = {
    'accept-encoding': 'identity',
    ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }),
  };
  const answer = await unlessMissing(bucket, () => callBytes(session.send, { ...read(path), headers }));
  return answer === undefined ? undefined : openedOf(answer);
}

function openedOf({ headers, body }: Answer): OpenObject {
  const length = Number(headers['content-length'] ?? Number.NaN);
  const etag = headers['etag'];
  return {
    body,
    size: Number.isSafeInteger(length) ? length : undefined,
    etag: etag === undefined || etag.startsWith('W/') ? undefined : bareEtag(etag),
    contentType: headers['content-type'],
  };
}

/** An object to store: its bytes can be opened several times, each time the same. */
export interface NewObject extends ObjectMetadata {
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/** The platform's answer about an object that it has stored. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
}

const putShape = v.object({
  key: v.nullish(v.string()),
  size: v.nullish(v.union([v.number(), v.string()])),
  etag: v.nullish(v.string()),
});

/**
 * Stores an object, its bytes streamed. Refuses what the platform would refuse, before anything is sent, and an answer
 * whose etag is not the MD5 of what was sent.
 */
export async function writeObject(
  session: Session,
  { bucket, key }: ObjectAddress,
  object: NewObject,
): Promise<StoredObject> {
  checkObjectKey(key);
  let hash = createHash('md5');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    hash = createHash('md5');
    let length = 0;
    for await (const chunk of object.open()) {
      session.world.interrupted.throwIfAborted();
      hash.update(chunk);
      length += chunk.length;
      yield chunk;
    }
    // The platform waits for what the length has promised, and would for ever.
    if (length < object.size) throw tooShort(key, length, object.size);
  }
  const call: Call = {
    method: 'PUT',
    path: pathOf([...(await objectsBase(session, bucket)), key]),
    headers: { ...metadataHeaders(object), 'content-length': String(object.size) },
    body: hashed,
    repeatable: true,
  };
  const check = (value: unknown) => v.parse(putShape, value ?? {});
  const { result } = await namingBucket(bucket, () => callResult(session.send, call, check));
  // The answer may come before the stream is asked for an end: its length has told that already.
  const sent = hash.digest('hex');
  const size = result.size === null || result.size === undefined ? undefined : Number(result.size);
  refuseOther(`Storing "${key}"`, { ...named(key), size: object.size }, { ...named(result.key), size });
  const etag = bareEtag(result.etag ?? sent);
  if (isMd5(etag.toLowerCase()) && etag.toLowerCase() !== sent) {
    const fault = `The platform stored other bytes under "${key}" than were sent (etag ${etag}, sent ${sent}).`;
    throw new Problem('refused', fault, { hint: 'Put it again.' });
  }
  return { key, size: object.size, etag };
}

function tooShort(key: string, length: number, size: number): Problem {
  const [got, expected] = [length, size].map((count) => count.toLocaleString('en'));
  return new Problem('refused', `"${key}" was not stored: ${got} of its ${expected} bytes could be read.`, {
    hint: 'What is stored there changes, or a proxy on the way cuts it. Try again.',
  });
}

/**
 * Refuses more bytes than an object can have: as invalid input, or with `code` where the platform has been asked for the
 * size.
 */
export function checkObjectSize(
  size: number,
  name: string,
  code: 'invalid-input' | 'refused' = 'invalid-input',
): void {
  if (size <= objectLimits.objectBytes) return;
  const bytes = size.toLocaleString('en');
  throw new Problem(code, `"${name}" has ${bytes} bytes; an object has at most 5,497,558,138,880 (5 TiB).`);
}

/** Removes an object. A missing one is no fault; a missing bucket is refused with not-found. */
export async function removeObject(session: Session, { bucket, key }: ObjectAddress): Promise<void> {
  const path = pathOf([...(await objectsBase(session, bucket)), checkObjectKey(key)]);
  const call: Call = { method: 'DELETE', path, headers: {}, repeatable: true };
  const removed = await unlessMissing(bucket, () =>
    callResult(session.send, call, (result: unknown) => result),
  );
  const answered = v.safeParse(removedShape, removed?.result);
  refuseOther(`Deleting "${key}"`, named(key), answered.success ? named(answered.output.key) : undefined);
}

const removedShape = v.object({ key: v.string() });

/** A key to compare: a platform may write the same characters in another form of Unicode. */
function named(key: string | null | undefined): { readonly key: string | undefined } {
  return { key: key?.normalize() };
}

/** The path of a bucket's objects. */
export async function objectsBase(session: Session, bucket: string): Promise<string[]> {
  return [...(await bucketBase(session, bucket)), 'objects'];
}

function read(path: string): Call {
  return { method: 'GET', path, headers: {}, repeatable: true };
}

/** Undefined for a missing object; a missing bucket stays a Problem, and is named. */
async function unlessMissing<T>(bucket: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found' && error.platformCode !== missingBucket)
      return undefined;
    throw namedBucket(bucket, error);
  }
}

/** An etag as a header has it, without its quotes. */
function bareEtag(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}

const rangeNotSatisfiable = 416;

/** The first `length` bytes of an object and no more; undefined when there is none. */
export async function readHead(
  session: Session,
  address: ObjectAddress,
  length: number,
): Promise<Uint8Array | undefined> {
  try {
    // A platform may answer a range with all of the bytes.
    const opened = await readObject(session, address, { start: 0, end: length - 1 });
    return opened === undefined ? undefined : await readStart(opened.body, length);
  } catch (error) {
    // An empty object has no first byte.
    if (isProblem(error) && error.status === rangeNotSatisfiable) return new Uint8Array();
    throw error;
  }
}
