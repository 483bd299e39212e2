import { isUtf8 } from 'node:buffer';
import type { Noun } from '../../model/guard/effect.ts';
import type { RequestFacts } from '../../model/guard/policy.ts';
import { buildPath } from '../../v4/path.ts';
import { findRoute } from '../../v4/routes.ts';
import { closeBody, readStart } from '../../v4/send.ts';
import { objstoreHeaders } from '../../v4/wire.ts';
import type { Session } from '../session/session.ts';
import type { HeldDetail, ShownContent } from './approvals.ts';
import type { HeldQuestion, HeldRequests } from './held.ts';

/** Maximum length of displayed text, in bytes: two such strings, escaped as JSON, must fit in one answer on the guard's socket. */
const shownBytes = 256 * 1024;

/** Nouns whose content is, or can contain, a credential. */
const secretNouns: readonly (Noun | undefined)[] = ['access-key', 'secret', 'token', 'worker'];

/**
 * The part of a session that reads the current state of resources. Without `accountId`, the state of objects in S3 API requests is unknown.
 */
type Reader = Pick<Session, 'send'> & Partial<Pick<Session, 'accountId'>>;

/**
 * Describes a held request for the person who decides: what the request sends, and the current state of the resource if a GET request
 * returns that state.
 */
export async function describeHeld(
  held: HeldRequests,
  reader: Reader,
  number: string,
): Promise<HeldDetail | undefined> {
  const question = held.find(number);
  const request = held.list().find((one) => one.number === number);
  if (question === undefined || request === undefined) return undefined;
  if (secretNouns.includes(question.facts.noun)) return { request, sent: 'hidden', present: 'hidden' };
  return { request, sent: showSent(question), present: await readPresent(reader, question.facts) };
}

function showSent({ start, bytes, isStreamed }: HeldQuestion): ShownContent {
  if (start.length > 0) return showBytes(start, bytes);
  return bytes === 0 && isStreamed !== true ? 'none' : 'unread';
}

async function readPresent(reader: Reader, facts: RequestFacts): Promise<ShownContent> {
  try {
    const path = await findReadPath(reader, facts);
    if (path === undefined) return 'unread';
    const { jurisdiction } = facts;
    const headers = jurisdiction === undefined ? {} : { [objstoreHeaders.jurisdiction]: jurisdiction };
    const answer = await reader.send({ method: 'GET', path, headers, repeatable: true });
    if (answer.status === 404) return 'none';
    if (answer.status !== 200) {
      await closeBody(answer);
      return 'unread';
    }
    const start = await readStart(answer.body, shownBytes + 1);
    if (start.length <= shownBytes) return showBytes(start, start.length);
    const length = Number(answer.headers['content-length'] ?? 0);
    return showBytes(start, length > shownBytes ? length : undefined);
  } catch {
    return 'unread';
  }
}

/** Returns the path of a GET request that returns the state of the resource; undefined if there is none. */
async function findReadPath(
  { accountId }: Reader,
  { path, route, bucket, name }: RequestFacts,
): Promise<string | undefined> {
  if (!path.startsWith('s3:')) return findRoute({ method: 'GET', path }) && path;
  // A list of keys in the body, or a part of an upload, has no single state.
  const isObject = /^s3:(?:PutObject|CopyObject|DeleteObject|CompleteMultipartUpload)$/.test(route ?? '');
  if (!isObject || bucket === undefined || name === undefined || accountId === undefined) return undefined;
  return buildPath(['accounts', await accountId(), 'r2', 'buckets', bucket, 'objects', name]);
}

/** Decodes the start of some content as text. `total` is the length of the whole content in bytes; undefined if the length is unknown. */
function showBytes(bytes: Uint8Array, total: number | undefined): ShownContent {
  const start = bytes.subarray(0, shownBytes);
  const isWhole = start.length === total;
  // The cut may split a character, so up to 3 bytes are dropped.
  const text = (isWhole ? [0] : [0, 1, 2, 3])
    .map((less) => start.subarray(0, start.length - less))
    .find((one) => isUtf8(one));
  if (text === undefined) return 'binary';
  return {
    text: Buffer.from(text).toString('utf8'),
    bytes: text.length,
    ...(total !== undefined && { total }),
  };
}
