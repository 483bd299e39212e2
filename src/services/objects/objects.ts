import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { jsonRecord, orMissing } from '../../model/json-record.ts';
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
import { buildPath } from '../../v4/path.ts';
import { type Answer, type Call, readStart } from '../../v4/send.ts';
import { checkAnswer } from '../session/agreement.ts';
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
  http_metadata: orMissing(
    v.object({
      contentType: v.exactOptional(v.string()),
      contentDisposition: v.exactOptional(v.string()),
      contentEncoding: v.exactOptional(v.string()),
      contentLanguage: v.exactOptional(v.string()),
      cacheControl: v.exactOptional(v.string()),
      cacheExpiry: v.exactOptional(v.string()),
    }),
  ),
  custom_metadata: orMissing(
    jsonRecord<string>('custom metadata values must be strings', (value) => typeof value === 'string'),
  ),
  storage_class: orMissing(v.string()),
});

/** One page of a listing: objects and, with a delimiter, the common prefixes of the grouped keys. */
export interface ObjectPage {
  readonly objects: readonly ObjectEntry[];
  readonly prefixes: readonly string[];
}

const checkPage = (result: unknown, info: ResultInfo): ObjectPage => ({
  objects: v.parse(v.array(entryShape), result).map(parseEntry),
  prefixes: info.delimited ?? [],
});

function parseEntry(wire: v.InferOutput<typeof entryShape>): ObjectEntry {
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

/** Conditions for the objects to list. */
export interface ListOptions {
  readonly prefix?: string | undefined;
  /** Keys that contain this string after the prefix are grouped instead of listed. */
  readonly delimiter?: string | undefined;
  /** Key after which the listing starts. */
  readonly startAfter?: string | undefined;
  /** Maximum number of objects per page, up to 1,000. */
  readonly limit?: number | undefined;
}

/**
 * Lists objects, sorted by the UTF-8 bytes of their keys, page by page. Fetches each page when the caller requests it. An empty page is not
 * necessarily the last page.
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
  const callAt = (cursor: string | undefined) => read(buildPath(base, { ...query, cursor }));
  const listed = ({ objects, prefixes }: ObjectPage) => [...objects, ...prefixes];
  const pages = cursorPages(session.send, callAt, checkPage, listed);
  try {
    yield* pages;
  } catch (error) {
    throw namedBucket(bucket, error);
  }
}

/**
 * Reads the entry of an object, without the object's bytes. Returns undefined if the object does not exist. Lists the objects whose keys
 * start with the key, because the response with the bytes may lack fields; the object itself is the first of them.
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

/** The bytes of an object, which can be read only once, with the object's properties from the response headers. */
export interface OpenObject {
  readonly body: Answer['body'];
  /** The size in bytes; undefined if the platform does not report it. */
  readonly size: number | undefined;
  /** The etag without quotes; undefined if the response has no etag or a weak etag, which means that a proxy has changed the bytes. */
  readonly etag: string | undefined;
  readonly contentType: string | undefined;
}

/** Opens an object, or a range of its bytes. Returns undefined if the object does not exist. Throws not-found for a missing bucket. */
export async function readObject(
  session: Session,
  { bucket, key }: ObjectAddress,
  range?: { readonly start: number; readonly end: number },
): Promise<OpenObject | undefined> {
  const path = buildPath([...(await objectsBase(session, bucket)), checkObjectKey(key)]);
  const headers = {
    'accept-encoding': 'identity',
    ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }),
  };
  const answer = await unlessMissing(bucket, () => callBytes(session.send, { ...read(path), headers }));
  return answer === undefined ? undefined : toOpened(answer);
}

function toOpened({ headers, body }: Answer): OpenObject {
  const length = Number(headers['content-length'] ?? Number.NaN);
  const etag = headers['etag'];
  return {
    body,
    size: Number.isSafeInteger(length) ? length : undefined,
    etag: etag === undefined || etag.startsWith('W/') ? undefined : bareEtag(etag),
    contentType: headers['content-type'],
  };
}

/** An object to store. `open` can be called several times, and must return the same bytes each time. */
export interface NewObject extends ObjectMetadata {
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/** An object that has been stored. */
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
 * Stores an object, and streams its bytes. Refuses invalid input before anything is sent. Throws if the etag in the response is an MD5, but
 * not the MD5 of the sent bytes.
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
    // The platform would wait forever for the missing bytes.
    if (length < object.size) throw tooShort(key, length, object.size);
  }
  const call: Call = {
    method: 'PUT',
    path: buildPath([...(await objectsBase(session, bucket)), key]),
    headers: { ...metadataHeaders(object), 'content-length': String(object.size) },
    body: hashed,
    repeatable: true,
  };
  const check = (value: unknown) => v.parse(putShape, value ?? {});
  const { result } = await namingBucket(bucket, () => callResult(session.send, call, check));
  // All bytes have been sent, although the stream may not have ended: the platform knows the length from the header.
  const sent = hash.digest('hex');
  const size = result.size === null || result.size === undefined ? undefined : Number(result.size);
  checkAnswer(`Storing "${key}"`, { ...named(key), size: object.size }, { ...named(result.key), size });
  const etag = bareEtag(result.etag ?? sent);
  if (isMd5(etag.toLowerCase()) && etag.toLowerCase() !== sent) {
    const fault = `The platform stored different bytes for "${key}" (etag ${etag}, sent ${sent}).`;
    throw new Problem('refused', fault, { hint: 'Upload the object again.' });
  }
  return { key, size: object.size, etag };
}

function tooShort(key: string, length: number, size: number): Problem {
  const [got, expected] = [length, size].map((count) => count.toLocaleString('en'));
  return new Problem(
    'refused',
    `"${key}" was not stored: only ${got} of its ${expected} bytes could be read.`,
    {
      hint: 'The source may have changed, or a proxy may have cut the transfer. Try again.',
    },
  );
}

/** Throws if a size exceeds the maximum size of an object. Use the code `refused` for a size that the platform reported. */
export function checkObjectSize(
  size: number,
  name: string,
  code: 'invalid-input' | 'refused' = 'invalid-input',
): void {
  if (size <= objectLimits.objectBytes) return;
  const bytes = size.toLocaleString('en');
  throw new Problem(
    code,
    `"${name}" has ${bytes} bytes; an object can be at most 5 TiB (5,497,558,138,880 bytes).`,
  );
}

/** Deletes an object. A missing object is not an error; throws not-found for a missing bucket. */
export async function removeObject(session: Session, { bucket, key }: ObjectAddress): Promise<void> {
  const path = buildPath([...(await objectsBase(session, bucket)), checkObjectKey(key)]);
  const call: Call = { method: 'DELETE', path, headers: {}, repeatable: true };
  const removed = await unlessMissing(bucket, () =>
    callResult(session.send, call, (result: unknown) => result),
  );
  const answered = v.safeParse(removedShape, removed?.result);
  checkAnswer(`Deleting "${key}"`, named(key), answered.success ? named(answered.output.key) : undefined);
}

const removedShape = v.object({ key: v.string() });

/** Returns a key in NFC for a comparison, because a platform may return a key in another Unicode normalization form. */
function named(key: string | null | undefined): { readonly key: string | undefined } {
  return { key: key?.normalize() };
}

/** Returns the path of a bucket's objects, in segments. */
export async function objectsBase(session: Session, bucket: string): Promise<string[]> {
  return [...(await bucketBase(session, bucket)), 'objects'];
}

function read(path: string): Call {
  return { method: 'GET', path, headers: {}, repeatable: true };
}

/**
 * Returns the result of `call`, or undefined for a missing object. For a missing bucket, throws a Problem that contains the bucket's name.
 */
async function unlessMissing<T>(bucket: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found' && error.platformCode !== missingBucket)
      return undefined;
    throw namedBucket(bucket, error);
  }
}

/** Returns an etag from a header, without quotes. */
function bareEtag(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}

const rangeNotSatisfiable = 416;

/** Reads at most the first `length` bytes of an object. Returns undefined if the object does not exist. */
export async function readHead(
  session: Session,
  address: ObjectAddress,
  length: number,
): Promise<Uint8Array | undefined> {
  try {
    // A platform may ignore the range and return all bytes of the object.
    const opened = await readObject(session, address, { start: 0, end: length - 1 });
    return opened === undefined ? undefined : await readStart(opened.body, length);
  } catch (error) {
    // An empty object has no first byte.
    if (isProblem(error) && error.status === rangeNotSatisfiable) return new Uint8Array();
    throw error;
  }
}
