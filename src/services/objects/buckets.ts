import * as v from 'valibot';
import { refuseUnsupported } from '../../model/capability.ts';
import { orMissing } from '../../model/json-record.ts';
import { bucketJurisdictions } from '../../model/jurisdiction.ts';
import { type Bucket, checkBucketName } from '../../model/objects/bucket.ts';
import type { bucketDifference } from '../../model/objects/bucket-shape.ts';
import { isProblem, Problem, type ProblemCode, replaceAdvice } from '../../model/problem.ts';
import type { Remedy } from '../../model/remedy.ts';
import type { ValueOf } from '../../model/shape.ts';
import { callResult } from '../../v4/client.ts';
import { cursorPages } from '../../v4/pages.ts';
import { buildPath } from '../../v4/path.ts';
import type { Call } from '../../v4/send.ts';
import { objstoreHeaders, objstoreWord } from '../../v4/wire.ts';
import { checkAnswer } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

const bucketShape = v.object({
  name: v.string(),
  creation_date: orMissing(v.string()),
  location: orMissing(v.string()),
  storage_class: orMissing(v.string()),
  jurisdiction: orMissing(v.string()),
});
const bucketsShape = v.object({ buckets: v.array(bucketShape) });

const checkBucket = (result: unknown): Bucket => parseBucket(v.parse(bucketShape, result));
const checkBuckets = (result: unknown): Bucket[] => v.parse(bucketsShape, result).buckets.map(parseBucket);
const asItIs = (result: unknown): unknown => result;

function parseBucket(wire: v.InferOutput<typeof bucketShape>): Bucket {
  const { name, creation_date, location, storage_class, jurisdiction } = wire;
  return {
    name,
    ...(creation_date === undefined ? {} : { createdOn: creation_date }),
    ...(location === undefined ? {} : { location }),
    ...(storage_class === undefined ? {} : { storageClass: storage_class }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  };
}

/** Lists the buckets of one jurisdiction (default: none), sorted by name, page by page. Fetches each page when the caller requests it. */
export async function* listBuckets(
  session: Session,
  { nameContains, jurisdiction }: BucketFilter & { readonly jurisdiction?: string | undefined } = {},
): AsyncGenerator<Bucket[]> {
  const base = await bucketsBase(session);
  const query = { per_page: 1000, name_contains: nameContains };
  const headers = jurisdictionHeader(jurisdiction);
  const callAt = (cursor: string | undefined): Call => ({
    ...read(buildPath(base, { ...query, cursor })),
    headers,
  });
  for await (const page of cursorPages(session.send, callAt, checkBuckets, (buckets) => buckets)) {
    for (const bucket of page) session.jurisdictions?.remember(bucket.name, bucket.jurisdiction);
    yield page;
  }
}

interface BucketFilter {
  readonly nameContains?: string | undefined;
}

/**
 * Lists the buckets without a jurisdiction, then the buckets of each jurisdiction. Skips jurisdictions that the account cannot use.
 */
export async function* listAllBuckets(
  session: Session,
  options: BucketFilter = {},
): AsyncGenerator<Bucket[]> {
  yield* listBuckets(session, options);
  if (session.jurisdictions === undefined) return;
  for (const jurisdiction of bucketJurisdictions) {
    try {
      yield* listBuckets(session, { ...options, jurisdiction });
    } catch (error) {
      if (!isProblem(error) || !unusable.includes(error.code)) throw error;
    }
  }
}

/** Error codes for a jurisdiction that is not available to the account. */
const unusable: readonly ProblemCode[] = ['refused', 'not-permitted', 'not-found'];

function jurisdictionHeader(jurisdiction: string | undefined): Record<string, string> {
  return jurisdiction === undefined ? {} : { [objstoreHeaders.jurisdiction]: jurisdiction };
}

/** Settings of a new bucket, in addition to its name. */
export interface BucketOptions {
  readonly jurisdiction?: string | undefined;
  readonly location?: string | undefined;
  readonly storageClass?: string | undefined;
}

/** Creates a bucket. Throws if the name is invalid (before anything is sent) or in use (10004). */
export async function createBucket(
  session: Session,
  name: string,
  { location, storageClass, jurisdiction }: BucketOptions = {},
): Promise<Bucket> {
  refuseUnsupported(session, 'createBuckets');
  checkBucketName(name);
  const body = {
    name,
    ...(location === undefined ? {} : { locationHint: location }),
    ...(storageClass === undefined ? {} : { storageClass }),
  };
  const call: Call = {
    method: 'POST',
    path: buildPath(await bucketsBase(session)),
    headers: { 'content-type': 'application/json', ...jurisdictionHeader(jurisdiction) },
    body: Buffer.from(JSON.stringify(body)),
    repeatable: false,
  };
  try {
    const { result } = await callResult(session.send, call, checkBucket);
    checkAnswer(`Creating the bucket "${name}"`, { name, storageClass, jurisdiction }, result);
    session.jurisdictions?.remember(name, result.jurisdiction ?? jurisdiction);
    return result;
  } catch (error) {
    throw withRemedy(error, 10004, { kind: 'take-existing' });
  }
}

/** A setting of an existing bucket that differs from the requested setting. `from` is undefined if the platform reports no value. */
export type BucketDifference = ValueOf<typeof bucketDifference>;

/**
 * A bucket that was created, or that already existed. `differences` lists the settings of an existing bucket that differ from the requested
 * settings.
 */
export interface EnsuredBucket {
  readonly bucket: Bucket;
  readonly created: boolean;
  readonly differences: readonly BucketDifference[];
}

/** Creates a bucket, or returns the existing bucket with this name. Throws all other errors of `createBucket`. */
export async function ensureBucket(
  session: Session,
  name: string,
  options: BucketOptions,
): Promise<EnsuredBucket> {
  try {
    return { bucket: await createBucket(session, name, options), created: true, differences: [] };
  } catch (error) {
    if (!isProblem(error) || error.platformCode !== 10004) throw error;
    const bucket = await readBucket(session, name);
    return { bucket, created: false, differences: unlikeBucket(bucket, options) };
  }
}

/**
 * Returns the requested settings that differ from the bucket's settings. Ignores case, as the platform does for
 * location hints.
 */
function unlikeBucket(bucket: Bucket, options: BucketOptions): BucketDifference[] {
  return (['location', 'storageClass', 'jurisdiction'] as const).flatMap((field) => {
    const [from, to] = [bucket[field], options[field]];
    if (to === undefined || from?.toLowerCase() === to.toLowerCase()) return [];
    return [{ field, ...(from !== undefined && { from }), to }];
  });
}

/** Reads a bucket. Throws not-found if the bucket does not exist. */
export async function readBucket(session: Session, name: string): Promise<Bucket> {
  const call = read(buildPath(await bucketBase(session, name)));
  return (await namingBucket(name, () => callResult(session.send, call, checkBucket))).result;
}

/** Deletes a bucket. Throws not-found if the bucket does not exist, and refused if it contains objects (10008). */
export async function deleteBucket(session: Session, name: string): Promise<void> {
  const path = buildPath(await bucketBase(session, name));
  try {
    const call: Call = { method: 'DELETE', path, headers: {}, repeatable: true };
    const { result } = await namingBucket(name, () => callResult(session.send, call, asItIs));
    checkAnswer(`Deleting the bucket "${name}"`, { name }, result);
  } catch (error) {
    throw withRemedy(error, 10008, { kind: 'empty-bucket' });
  }
}

/** Runs `work` on a bucket. If the bucket does not exist, the error contains its name and the platform's code (10006). */
export async function namingBucket<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namedBucket(name, error);
  }
}

/** Returns an error that contains the bucket's name if `error` reports that the bucket does not exist; otherwise returns `error`. */
export function namedBucket(name: string, error: unknown): unknown {
  if (!isProblem(error) || error.platformCode !== missingBucket) return error;
  const { code, status, requestId, platformCode } = error;
  return new Problem(code, `The bucket "${name}" does not exist.`, {
    platformCode,
    status,
    requestId,
    remedy: { kind: 'choose-bucket' },
    cause: error,
  });
}

/** The platform's error code for a bucket that does not exist. */
export const missingBucket = 10006;

/** Returns the path of a bucket, in segments. */
export async function bucketBase(session: Session, name: string): Promise<string[]> {
  return [...(await bucketsBase(session)), name];
}

async function bucketsBase(session: Session): Promise<string[]> {
  return ['accounts', await session.accountId(), objstoreWord, 'buckets'];
}

function read(path: string): Call {
  return { method: 'GET', path, headers: {}, repeatable: true };
}

/** Adds a remedy to a platform error with this code; returns any other error unchanged. */
function withRemedy(error: unknown, platformCode: number, remedy: Remedy): unknown {
  return isProblem(error) && error.platformCode === platformCode ? replaceAdvice(error, { remedy }) : error;
}
