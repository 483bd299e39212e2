import { evaluate } from '../../model/objects/condition.ts';
import { objectKeyFault, objectLimits } from '../../model/objects/object.ts';
import { type ByteRange, parseRange } from '../../model/objects/range.ts';
import type { ObjectRecord } from '../../store/objects/objects.ts';
import { ok } from '../../v4/envelope.ts';
import { type Answer, type Body, openStream } from '../../v4/send.ts';
import { objstoreHeaders } from '../../v4/wire.ts';
import { keysNow } from '../http/clock.ts';
import { type Exchange, param, readJson, refusal, unreadableBody } from '../http/exchange.ts';
import { checkStorageClass, requireBucket } from './buckets.ts';
import { objectCodes } from './codes.ts';
import {
  formatObject,
  formatObjectHeaders,
  parseConditions,
  parseCustomMetadata,
  parseHttpMetadata,
} from './headers.ts';

/**
 * `GET .../objects/{key}`: returns the bytes and the headers of the object. Supports a single range and conditions (304, 412). With
 * `cf-metadata-only: true`, returns metadata as JSON instead.
 */
export function readObject(exchange: Exchange): Answer {
  const { name, storageClass } = requireBucket(exchange);
  const key = requireKey(exchange);
  const { headers } = exchange.call;
  if (headers['cf-metadata-only'] === 'true') {
    return ok(formatObject(exchange.platform.objects().find(name, key) ?? refuseObject(), storageClass));
  }
  let part: Part = { status: 200 };
  const opened = exchange.platform.objects().read(name, key, (object) => {
    refuseEncrypted(object);
    part = selectPart(object, headers);
    return part.status === 200 ? wholeRange(object) : part.range;
  });
  const { object, body } = opened ?? refuseObject();
  return {
    status: part.status,
    headers: { ...formatObjectHeaders(object, storageClass), ...formatLength(part, object) },
    body,
  };
}

/** Refuses to return an object encrypted with a customer-provided key: this API has no parameter for the key. */
function refuseEncrypted({ ssecKeyMd5 }: ObjectRecord): void {
  if (ssecKeyMd5 === undefined) return;
  const message =
    'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.';
  throw refusal(400, objectCodes.argumentInvalid, message);
}

/** The answer to a read: the whole object, a range of the object, or 304. */
interface Part {
  readonly status: 200 | 206 | 304;
  readonly range?: ByteRange;
}

function selectPart(object: ObjectRecord, headers: Exchange['call']['headers']): Part {
  const outcome = evaluate(parseConditions(headers), object);
  if (outcome === 'failed') throw preconditionRefusal();
  if (outcome === 'unchanged') return { status: 304 };
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== `"${object.etag}"`) return { status: 200 };
  const range = parseRange(headers['range'], object.size);
  if (range === 'none')
    throw refusal(416, objectCodes.rangeInvalid, 'The requested range is not satisfiable');
  return range === undefined ? { status: 200 } : { status: 206, range };
}

function wholeRange({ size }: ObjectRecord): ByteRange {
  return { start: 0, end: size - 1 };
}

function formatLength({ status, range }: Part, { size }: ObjectRecord): Record<string, string> {
  if (status === 304) return {};
  if (range === undefined) return { 'content-length': String(size) };
  return {
    'content-length': String(range.end - range.start + 1),
    'content-range': `bytes ${range.start}-${range.end}/${size}`,
  };
}

/**
 * `PUT .../objects/{key}`: streams the body to the store, with the HTTP and custom metadata in the headers. If a condition is not met once
 * the body has arrived, answers 412 and keeps the old object. The default storage class is the bucket's storage class.
 */
export async function writeObject(exchange: Exchange): Promise<Answer> {
  const { name, storageClass: ofBucket } = requireBucket(exchange);
  const { call, platform } = exchange;
  const storageClass = checkStorageClass(call.headers[objstoreHeaders.storageClass] ?? ofBucket);
  const stored = await platform.objects().write(
    name,
    {
      key: requireKey(exchange),
      body: limitBody(call.body),
      httpMetadata: parseHttpMetadata(call.headers),
      customMetadata: parseCustomMetadata(call.headers),
      details: () => ({ storageClass }),
      allow(before) {
        // The check is repeated, because the bucket may have been deleted while the body arrived.
        requireBucket(exchange);
        if (evaluate(parseConditions(call.headers), before) !== 'go on') throw preconditionRefusal();
      },
    },
    keysNow(platform),
  );
  return ok({
    key: stored.key,
    etag: stored.etag,
    size: String(stored.size),
    uploaded: new Date(stored.uploaded).toISOString(),
    version: stored.version,
    storage_class: storageClass,
  });
}

async function* limitBody(body: Body | undefined): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of openStream(body)) {
    length += chunk.length;
    if (length > objectLimits.uploadBytes) {
      const message = 'Your proposed upload exceeds the maximum allowed object size.';
      throw refusal(400, objectCodes.objectTooLarge, message);
    }
    yield chunk;
  }
}

/** `DELETE .../objects/{key}`: deletes the object; a missing object is ignored. */
export function removeObject(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  const key = requireKey(exchange);
  exchange.platform.objects().remove(name, [key]);
  return ok({ key });
}

const listBodyLimit = 4 * 1024 * 1024;

/**
 * `DELETE .../objects`: deletes the objects in a JSON array of up to 1,000 keys; missing objects are ignored. Any string is accepted,
 * because a worker can store an object under a key that no path can contain, and only this route can delete such an object.
 */
export async function removeObjects(exchange: Exchange): Promise<Answer> {
  const { name } = requireBucket(exchange);
  const keys = await readJson(exchange, 'array of keys', listBodyLimit);
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > objectLimits.deleteKeys) {
    throw unreadableBody('array of keys', `it must have 1 to ${objectLimits.deleteKeys} keys`);
  }
  const texts = keys.map((key: unknown) => (typeof key === 'string' ? key : refuseKey()));
  exchange.platform.objects().remove(name, texts);
  return ok(texts.map((key) => ({ key })));
}

/** Returns the key in the path, which may contain unencoded slashes. */
function requireKey(exchange: Exchange): string {
  return checkKey(param(exchange, 'key'));
}

function checkKey(key: string): string {
  return objectKeyFault(key) === undefined ? key : refuseKey();
}

function refuseKey(): never {
  throw refusal(400, objectCodes.objectNameInvalid, 'The specified object name is not valid.');
}

function refuseObject(): never {
  throw refusal(404, objectCodes.objectNotFound, 'The specified key does not exist.');
}

function preconditionRefusal() {
  const message = 'At least one of the pre-conditions you specified did not hold.';
  return refusal(412, objectCodes.preconditionFailed, message);
}
