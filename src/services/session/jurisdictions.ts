import { isObject } from '../../model/json-object.ts';
import { bucketJurisdictions, noJurisdiction } from '../../model/jurisdiction.ts';
import { type Answer, type Call, closeBody, readBody, type Send } from '../../v4/send.ts';
import { objstoreHeaders, objstoreWord } from '../../v4/wire.ts';

/**
 * The jurisdictions of buckets. The platform finds a bucket only if the call specifies the bucket's jurisdiction, which is not part of the
 * bucket name.
 */
export interface BucketJurisdictions {
  /** Returns the jurisdiction of a bucket; undefined if unknown, or if the bucket has no jurisdiction. */
  find(bucket: string): string | undefined;
  /** Returns the call with the jurisdiction of its bucket added, if known. */
  address(call: Call): Call;
  /** Stores the jurisdiction that the platform reports for a bucket. */
  remember(bucket: string, jurisdiction: string | undefined): void;
}

/**
 * Adds the bucket's jurisdiction, if known, to each call about a bucket. If the platform does not find the bucket, searches all jurisdictions
 * and repeats the call in the bucket's jurisdiction. The search sends one request per jurisdiction.
 */
export function withJurisdictions(send: Send): BucketJurisdictions & { readonly send: Send } {
  const known = new Map<string, string>();
  const searches = new Map<string, Promise<string | undefined>>();
  const search = (found: FoundBucket, call: Call) => {
    const running = searches.get(found.name) ?? searchJurisdiction(send, found, call);
    searches.set(found.name, running);
    return running.finally(() => searches.delete(found.name));
  };
  return {
    find: (bucket) => known.get(bucket),
    address(call) {
      const bucket = findBucket(call);
      return inJurisdiction(call, bucket && known.get(bucket.name));
    },
    remember(bucket, jurisdiction = noJurisdiction) {
      if (jurisdiction === noJurisdiction) known.delete(bucket);
      else known.set(bucket, jurisdiction);
    },
    async send(call) {
      const found = call.headers[objstoreHeaders.jurisdiction] === undefined && findBucket(call);
      if (!found) return send(call);
      const before = known.get(found.name);
      const answer = await send(inJurisdiction(call, before));
      if (answer.status !== 404 || !describesMissing.test(answer.headers['content-type'] ?? ''))
        return answer;
      const read = await readWhole(answer);
      if (!isMissingBucket(call, read.body)) return read;
      known.delete(found.name);
      const jurisdiction = await search(found, call);
      if (jurisdiction === undefined || jurisdiction === before) return read;
      if (jurisdiction !== noJurisdiction) known.set(found.name, jurisdiction);
      return send(inJurisdiction(call, jurisdiction));
    },
  };
}

/** The bucket of a call. `path` is the bucket's path in the v4 API; undefined for an S3 call, whose path does not contain the account. */
interface FoundBucket {
  readonly name: string;
  readonly path?: string;
}

const inPath = new RegExp(
  `^(/accounts/[^/?]+/)(?:${objstoreWord}/buckets|event_notifications/${objstoreWord})/([^/?]+)`,
);

function findBucket({ api, path }: Call): FoundBucket | undefined {
  if (api === 's3') {
    const name = /^\/([^/?]+)/.exec(path)?.[1];
    return name === undefined ? undefined : { name };
  }
  const [, account, name] = inPath.exec(path) ?? [];
  return account === undefined || name === undefined
    ? undefined
    : { name, path: `${account}${objstoreWord}/buckets/${name}` };
}

function inJurisdiction(call: Call, jurisdiction: string | undefined): Call {
  if (jurisdiction === undefined || jurisdiction === noJurisdiction) return call;
  return { ...call, headers: { ...call.headers, [objstoreHeaders.jurisdiction]: jurisdiction } };
}

/** Returns the jurisdiction of a bucket, or undefined if no jurisdiction contains the bucket. */
async function searchJurisdiction(
  send: Send,
  { name, path }: FoundBucket,
  call: Call,
): Promise<string | undefined> {
  const isS3 = call.api === 's3';
  for (const jurisdiction of [noJurisdiction, ...bucketJurisdictions]) {
    const probe: Call = {
      ...(isS3 && { api: 's3' as const }),
      method: 'GET',
      path: isS3 ? `/${name}?location` : (path ?? ''),
      headers: {},
      repeatable: true,
      ...(call.signal && { signal: call.signal }),
    };
    const answer = await send(inJurisdiction(probe, jurisdiction));
    await closeBody(answer);
    if (answer.status === 200) return jurisdiction;
  }
  return undefined;
}

/** Pattern of the content types of responses that may report a missing bucket. */
const describesMissing = /\b(?:json|xml)\b/;

async function readWhole(answer: Answer): Promise<Answer & { readonly body: Uint8Array }> {
  return { ...answer, body: await readBody(answer.body, 1024 * 1024) };
}

/** The platform's error code for a bucket that does not exist. */
const missingBucket = 10006;

function isMissingBucket({ api }: Call, body: Uint8Array): boolean {
  const text = Buffer.from(body).toString('utf8');
  if (api === 's3') return text.includes('<Code>NoSuchBucket</Code>');
  const errors = readErrors(text);
  return Array.isArray(errors) && errors.some((error) => isObject(error) && error['code'] === missingBucket);
}

function readErrors(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value['errors'] : undefined;
  } catch {
    return undefined;
  }
}
