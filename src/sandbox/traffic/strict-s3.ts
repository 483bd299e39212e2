import type { S3Operation } from '../../model/objects/s3-operation.ts';
import { type Answer, type Call, readBody, type Send } from '../../v4/send.ts';
import type { S3Call } from '../s3/call.ts';
import { discardBody, type StrictAnswer } from './effect.ts';
import { listUnsupportedHeaders } from './notes.ts';
import { formatRefusal, limitRows } from './s3-forms.ts';
import type { Strict } from './strict.ts';

/** Minimum milliseconds between two writes to a key (the provider's error 10058). */
const minIntervalMs = 1000;
/** Maximum number of rows per page, even if the client requests more. */
const pageRows = 10;

const writes: readonly S3Operation[] = ['PutObject', 'CopyObject', 'CompleteMultipartUpload'];
const lists: readonly S3Operation[] = ['ListObjects', 'ListObjectsV2', 'ListMultipartUploads', 'ListParts'];

/**
 * Answers S3 calls as strictly as the provider documents: refuses headers that the provider does not implement, and a second write to a key
 * within a second. Lists have short pages.
 */
export function openStrictS3(now: () => number): Strict {
  const isTooOften = openObjectRate(now);
  return async (call, operation, send) => {
    const [header] = listUnsupportedHeaders(call.headers);
    if (header !== undefined) {
      await discardBody(call);
      const answer = await formatRefusal(call, 501, 0, `Header '${header}' not implemented`);
      return { answer, reason: `the platform does not implement the header ${header}` };
    }
    if (isAmong(writes, operation)) return limitWrites(call, send, isTooOften);
    return isAmong(lists, operation) ? shortenPages(call, send) : { answer: await send(call) };
  };
}

type IsTooFrequent = NonNullable<S3Call['isTooOften']>;

function isAmong(operations: readonly string[], operation: string | undefined): boolean {
  return operation !== undefined && operations.includes(operation);
}

/** Returns a function that checks whether an object was written less than a second ago. Refused writes do not count. */
function openObjectRate(now: () => number): IsTooFrequent {
  const lastByKey = new Map<string, number>();
  return (object) => {
    const at = now();
    for (const [key, last] of lastByKey) {
      if (last > at - minIntervalMs) break;
      lastByKey.delete(key);
    }
    if (lastByKey.has(object)) return true;
    lastByKey.set(object, at);
    return false;
  };
}

/** Limits the write rate. The check runs inside `send`, because the object is known only once the account is known. */
async function limitWrites(call: Call, send: Send, isTooOften: IsTooFrequent): Promise<StrictAnswer> {
  let isRefused = false;
  const asked: Call & Pick<S3Call, 'isTooOften'> = {
    ...call,
    isTooOften(object) {
      isRefused = isTooOften(object);
      return isRefused;
    },
  };
  const answer = await send(asked);
  if (!isRefused) return { answer };
  await discardBody(call);
  const reason = 'the object was written twice within a second';
  return { answer: { ...answer, headers: { ...answer.headers, 'retry-after': '1' } }, reason };
}

async function shortenPages(call: Call, send: Send): Promise<StrictAnswer> {
  const answer = await send(limitRows(call, pageRows));
  const body = await readBody(answer.body);
  const isCut = Buffer.from(body).includes('<IsTruncated>true<');
  const whole: Answer = { ...answer, body };
  return isCut
    ? { answer: whole, reason: 'the list continues; the client must request the next page' }
    : { answer: whole };
}
