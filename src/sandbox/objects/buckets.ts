import { isObject } from '../../model/json-object.ts';
import { acceptedJurisdictions, noJurisdiction } from '../../model/jurisdiction.ts';
import {
  bucketLimits,
  bucketLocations,
  bucketNameFault,
  storageClasses,
} from '../../model/objects/bucket.ts';
import type { StoredBucket } from '../../store/objects/buckets.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { objstoreHeaders } from '../../v4/wire.ts';
import {
  type Exchange,
  type Platform,
  param,
  readJson,
  refusal,
  toText,
  unreadableBody,
} from '../http/exchange.ts';
import { readWholeNumber } from '../http/paging.ts';
import { findAccountPlatform } from '../session/account-platform.ts';
import { objectCodes } from './codes.ts';
import { updateBucketSettings } from './settings/bucket-settings.ts';

const [standard = 'Standard'] = storageClasses;

/**
 * `GET .../buckets?name_contains&start_after&order=name&direction&per_page&cursor`: lists buckets by name, 20 per page by default.
 * `result_info.cursor` is present if there are more pages.
 */
export function listBuckets(exchange: Exchange): Answer {
  const jurisdiction = readJurisdiction(exchange);
  const { platform, query } = exchange;
  const perPage = readWholeNumber(query, 'per_page', 1, bucketLimits.listLimit, 20);
  const descending = readDirection(query) === 'desc';
  const after = query.get('cursor') ? parseCursor(query.get('cursor') ?? '') : query.get('start_after');
  const wanted = query.get('name_contains') ?? '';
  const sorted = listAllBuckets(platform).filter(
    (bucket) => bucket.name.includes(wanted) && getJurisdiction(bucket) === jurisdiction,
  );
  if (descending) sorted.reverse();
  const behind = (name: string) => !after || (descending ? name < after : name > after);
  const rest = sorted.filter(({ name }) => behind(name));
  const page = rest.slice(0, perPage);
  const last = rest.length > perPage ? page.at(-1) : undefined;
  const cursor = last === undefined ? {} : { cursor: Buffer.from(last.name).toString('base64url') };
  return ok({ buckets: page.map(formatBucket) }, { per_page: perPage, ...cursor });
}

function parseCursor(text: string): string {
  const name = Buffer.from(text, 'base64url').toString('utf8');
  if (Buffer.from(name).toString('base64url') === text) return name;
  throw refusal(400, objectCodes.argumentInvalid, 'The cursor is not valid.');
}

function readDirection(query: URLSearchParams): string {
  const order = query.get('order') ?? 'name';
  const direction = query.get('direction') ?? 'asc';
  if (order === 'name' && (direction === 'asc' || direction === 'desc')) return direction;
  throw refusal(
    400,
    objectCodes.argumentInvalid,
    'Buckets can be ordered only by name; the direction must be asc or desc.',
  );
}

/** Returns the buckets, sorted by name; for local data, the buckets that contain data. */
function listAllBuckets(platform: Platform): StoredBucket[] {
  if (platform.kind === 'sandbox') return platform.registry().buckets.list();
  return platform.objects().bucketFolders().sort().map(localBucket);
}

function localBucket(name: string): StoredBucket {
  return { name, createdAt: 0, storageClass: standard };
}

/**
 * `POST .../buckets {name, locationHint, storageClass}`: creates a bucket; refused with 10004 if the bucket exists, and with 10005 if the
 * name is invalid.
 */
export async function createBucket(exchange: Exchange): Promise<Answer> {
  const jurisdiction = readJurisdiction(exchange);
  refuseLocal(exchange);
  const body = await readJson(exchange, 'bucket');
  if (!isObject(body)) throw unreadableBody('bucket', 'it is not a JSON object');
  const { name, locationHint: location } = body;
  if (typeof name !== 'string' || bucketNameFault(name) !== undefined) throw badName();
  if (location !== undefined && !bucketLocations.includes(toText(location).toLowerCase())) {
    throw refusal(400, objectCodes.argumentInvalid, `The location hint '${toText(location)}' is not valid.`);
  }
  const created = exchange.platform.registry().buckets.create({
    name,
    storageClass: checkStorageClass(body['storageClass']),
    ...(location === undefined ? {} : { location: toText(location).toLowerCase() }),
    ...(jurisdiction !== noJurisdiction && { jurisdiction }),
  });
  if (created !== undefined) return ok(formatBucket(created));
  const message = 'The bucket you tried to create already exists, and you own it.';
  throw refusal(409, objectCodes.bucketExists, message);
}

/** `GET .../buckets/{bucket}`. */
export function getBucket(exchange: Exchange): Answer {
  return ok(formatBucket(requireBucket(exchange)));
}

/** `PATCH .../buckets/{bucket}`: sets the storage class of new objects to the class in a header. */
export function changeBucket(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  refuseLocal(exchange);
  const storageClass = checkStorageClass(exchange.call.headers[objstoreHeaders.storageClass]);
  const changed = exchange.platform.registry().buckets.setStorageClass(name, storageClass);
  return ok(formatBucket(changed ?? noBucket()));
}

/** `DELETE .../buckets/{bucket}`: deletes the bucket; refused with 10008 while the bucket contains an object or an unfinished upload. */
export function removeBucket(exchange: Exchange): Answer {
  const { name } = requireBucket(exchange);
  const { platform } = exchange;
  const { objects, uploads } = platform.objects().usage(name);
  if (objects + uploads > 0) {
    const message = `The bucket you tried to delete (${name}) is not empty (account ${param(exchange, 'account')}).`;
    throw refusal(409, objectCodes.bucketNotEmpty, message);
  }
  platform.objects().removeBucket(name);
  if (platform.kind === 'sandbox') {
    platform.registry().buckets.remove(name);
    updateBucketSettings(platform, name, () => undefined);
  }
  return ok({});
}

/**
 * Returns the bucket in the path. For local data, every bucket exists; otherwise, refuses an invalid name with 10005 and an unknown name
 * with 10006.
 */
export function requireBucket(exchange: Exchange): StoredBucket {
  const jurisdiction = readJurisdiction(exchange);
  const { platform } = exchange;
  const name = param(exchange, 'bucket');
  if (platform.kind === 'local') return jurisdiction === noJurisdiction ? localBucket(name) : noBucket();
  if (bucketNameFault(name) !== undefined) throw badName();
  const found = platform.registry().buckets.find(name);
  return found === undefined || getJurisdiction(found) !== jurisdiction ? noBucket() : found;
}

function noBucket(): never {
  throw refusal(404, objectCodes.bucketNotFound, 'The specified bucket does not exist.');
}

function badName() {
  return refusal(400, objectCodes.bucketNameInvalid, 'The specified bucket name is not valid.');
}

/** Returns a storage class (default: Standard). Refuses an unknown class with 10040. */
export function checkStorageClass(value: unknown): string {
  if (value === undefined) return standard;
  if (typeof value === 'string' && storageClasses.includes(value)) return value;
  throw refusal(400, objectCodes.storageClassInvalid, 'The storage class specified is not valid.');
}

/** Reads the jurisdiction of a request. */
function readJurisdiction({ call }: Exchange): string {
  const jurisdiction = call.headers[objstoreHeaders.jurisdiction] ?? noJurisdiction;
  if (jurisdiction === noJurisdiction || acceptedJurisdictions.includes(jurisdiction)) return jurisdiction;
  throw refusal(400, objectCodes.argumentInvalid, `The jurisdiction '${jurisdiction}' is not valid.`);
}

function getJurisdiction({ jurisdiction = noJurisdiction }: Pick<StoredBucket, 'jurisdiction'>): string {
  return jurisdiction;
}

function refuseLocal({ platform }: Exchange): void {
  if (platform.kind !== 'local') return;
  throw refusal(
    400,
    objectCodes.argumentInvalid,
    'Local data has no list of buckets: an object can be written to any bucket.',
  );
}

function formatBucket(bucket: StoredBucket) {
  const { name, createdAt, storageClass, location } = bucket;
  return {
    name,
    creation_date: new Date(createdAt).toISOString(),
    ...(location === undefined ? {} : { location }),
    storage_class: storageClass,
    jurisdiction: getJurisdiction(bucket),
  };
}

/**
 * `POST /graphql`: supports only one query from the provider's analytics API: the size of a bucket (`r2StorageAdaptiveGroups`, filtered by
 * `bucketName`), which `wrangler r2 bucket info` sends. Like the provider, answers other queries with an error.
 */
export async function readMetrics(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'query');
  const { query, variables: given } = isObject(body) ? body : {};
  const variables = isObject(given) ? given : {};
  const filter = variables['filter'];
  const bucket = isObject(filter) ? filter['bucketName'] : undefined;
  if (typeof query !== 'string' || !query.includes('r2StorageAdaptiveGroups') || typeof bucket !== 'string') {
    return answer({
      data: null,
      errors: [{ message: 'the sandbox only supports r2StorageAdaptiveGroups for a bucket' }],
    });
  }
  const seen = findQueriedPlatform(exchange, variables['accountTag']);
  if (seen === undefined)
    return answer({ data: null, errors: [{ message: 'not authorized for that account' }] });
  const { objects, bytes } = readUsage(seen, bucket);
  const max = { objectCount: objects, payloadSize: bytes, metadataSize: 0 };
  const datetime = new Date(exchange.platform.now()).toISOString();
  const groups = [{ max, dimensions: { datetime } }];
  return answer({ data: { viewer: { accounts: [{ r2StorageAdaptiveGroups: groups }] } }, errors: null });
}

/**
 * Returns the platform as seen by the account in the query's variables (default: the sandbox's own account); undefined if the caller is not
 * allowed to read the buckets of this account.
 */
function findQueriedPlatform({ platform, token }: Exchange, named: unknown): Platform | undefined {
  if (platform.kind === 'local') return platform;
  const account = typeof named === 'string' ? named : platform.registry().account().id;
  const mayRead = token?.allows('Workers R2 Storage', 'Read', { account, zone: undefined }) !== false;
  return mayRead ? findAccountPlatform(platform, account) : undefined;
}

/** Returns the usage of a bucket; 0 for an unknown name, which may be the name on disk of another account's bucket. */
function readUsage(platform: Platform, bucket: string): { readonly objects: number; readonly bytes: number } {
  const isThere = platform.kind === 'local' || platform.registry().buckets.find(bucket) !== undefined;
  return isThere ? platform.objects().usage(bucket) : { objects: 0, bytes: 0 };
}

function answer(value: unknown): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}
