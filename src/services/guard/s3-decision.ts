import { isUtf8 } from 'node:buffer';
import { type Decided, decideAll, type Policies, type RequestFacts } from '../../model/guard/policy.ts';
import { bucketNameFault } from '../../model/objects/bucket.ts';
import { objectLimits } from '../../model/objects/object.ts';
import { parseObjectPath } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { canonicalPath } from '../../s3/signature.ts';
import { listChildren, parseDocument, textIn, type Xml } from '../../s3/xml.ts';
import {
  findHeaderAmbiguity,
  isMethodParameter,
  isPlainText,
  readRequestFacts,
} from '../../v4/request-facts.ts';
import { objstoreHeaders } from '../../v4/wire.ts';

/** An S3 API request, as the policy evaluates it. */
export interface S3Asked {
  readonly method: string;
  /** `/bucket/key` in AWS's encoding, with the query. */
  readonly path: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The jurisdiction, which an S3 client sends in the path; undefined if the path contains none. */
  readonly jurisdiction: string | undefined;
  /** The body, only for DeleteObjects. */
  readonly body: Uint8Array | undefined;
}

/** A decision, and the facts that the log records. */
export interface S3Decided {
  readonly facts: RequestFacts;
  readonly decided: Decided;
}

/**
 * Returns the decision for an S3 API request. A copy also counts as a read of its source, and the strictest decision applies. Throws an
 * `S3Refusal` if the request cannot be parsed.
 */
export function decideS3(
  policies: Policies,
  asked: S3Asked,
  seen: Pick<RequestFacts, 'target' | 'client'>,
): S3Decided {
  const facts = addDeletedKeys(readFacts(asked, seen), asked);
  return { facts, decided: decideAll(policies, [facts, ...listSourceFacts(facts, asked, seen)]) };
}

function readFacts(
  asked: Pick<S3Asked, 'method' | 'path' | 'jurisdiction'> & Partial<S3Asked>,
  seen: Pick<RequestFacts, 'target' | 'client'>,
): RequestFacts {
  const { jurisdiction } = asked;
  const facts = readRequestFacts({ ...asked, api: 's3' }, seen);
  return jurisdiction === undefined ? facts : { ...facts, jurisdiction };
}

/** Adds the keys that the body of DeleteObjects lists. */
function addDeletedKeys(facts: RequestFacts, { headers, body }: S3Asked): RequestFacts {
  if (facts.route !== 's3:DeleteObjects') return facts;
  const bytes = Buffer.from(body ?? []);
  if (!isUtf8(bytes) || !isPlainText(headers)) throw new S3Refusal('MalformedXML');
  const keys = readDeletedKeys(bytes.toString('utf8'));
  return {
    ...facts,
    name: keys.length === 1 ? keys[0] : undefined,
    listed: { name: keys },
    unnamed: facts.unnamed.filter((fact) => fact !== 'name'),
    count: keys.length,
  };
}

/**
 * Returns the keys listed in the body of DeleteObjects. Throws an `S3Refusal` for a document that another parser could read differently: a
 * document with comments, CDATA, a DOCTYPE, another encoding, unknown elements, or several keys in an object.
 */
function readDeletedKeys(text: string): readonly string[] {
  const document = ambiguousXml.test(text) ? undefined : parseDocument(text);
  const objects = listChildren(document, 'Object');
  const isPlain =
    document?.name === 'Delete' &&
    hasOnly(document, ['Object', 'Quiet']) &&
    objects.every((object) => hasOnly(object, objectElements) && listChildren(object, 'Key').length === 1);
  const keys = objects.map((object) => textIn(object, 'Key') ?? '');
  if (isPlain && keys.length > 0 && keys.length <= objectLimits.deleteKeys && !keys.includes('')) return keys;
  throw new S3Refusal('MalformedXML');
}

const ambiguousXml = /<!|<\?(?!xml )|<\?xml[^>]*encoding(?!=["']utf-8["'])/i;
const objectElements = ['Key', 'VersionId', 'ETag', 'LastModifiedTime', 'Size'];

function hasOnly({ children }: Xml, names: readonly string[]): boolean {
  return children.every(
    ({ name, children: inner }) => names.includes(name) && (name === 'Object' || inner.length === 0),
  );
}

/** The parts of a request that must have a single meaning. */
interface ReadableRequest {
  readonly method: string;
  /** The decoded path. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Throws an `S3Refusal` for a request that the platform could interpret differently from the guard, or that a question could not show
 * completely.
 */
export function checkS3Ambiguity({ method, path, query, headers }: ReadableRequest): void {
  const fail = (why: string): never => {
    throw new S3Refusal('InvalidRequest', why);
  };
  if (!['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].includes(method)) throw new S3Refusal('MethodNotAllowed');
  const header = findHeaderAmbiguity(headers);
  if (header !== undefined) fail(header);
  if (headers[objstoreHeaders.jurisdiction] !== undefined)
    fail('The jurisdiction of an S3 request is part of the endpoint, not a header.');
  if (headers['cf-create-bucket-if-missing'] !== undefined)
    throw new S3Refusal(
      'NotImplemented',
      'a guard does not create buckets with a header: create the bucket first.',
    );
  const [, bucket = '', ...key] = path.split('/');
  if ((bucket === '' && key.length > 0) || /[A-Z]/.test(bucket)) throw new S3Refusal('InvalidBucketName');
  if (key.length > 1 && key[0] === '') fail('The path contains an empty segment.');
  if (hasDots(path)) fail('The path contains . or .. as a segment.');
  const names = query.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) fail('The query contains a parameter twice.');
  if (names.includes('x-amz-copy-source')) fail('The source of a copy must be in a header.');
  if (names.some(isMethodParameter)) fail('The query could change the method.');
}

/**
 * Returns the facts for reading the source of a copy, as if by GetObject: one item for each object that a server could derive from the
 * client's spelling.
 */
function listSourceFacts(
  { route }: RequestFacts,
  { headers, jurisdiction }: S3Asked,
  seen: Pick<RequestFacts, 'target' | 'client'>,
): RequestFacts[] {
  const source = headers['x-amz-copy-source'];
  if (source === undefined || (route !== 's3:CopyObject' && route !== 's3:UploadPartCopy')) return [];
  const [path = ''] = source.split('?', 1);
  // Some servers decode "+" as a space.
  const spellings = new Set([path, path.replaceAll('+', ' ')]);
  return [...spellings].map((one) => readSourceFacts(one, jurisdiction, seen));
}

function readSourceFacts(
  path: string,
  jurisdiction: string | undefined,
  seen: Pick<RequestFacts, 'target' | 'client'>,
): RequestFacts {
  if (!/^[ -~]*$/.test(path))
    throw new S3Refusal('InvalidArgument', 'The source of the copy must be percent-encoded.');
  const { bucket, key } = parseObjectPath(decodeSource(path.startsWith('/') ? path : `/${path}`));
  if (bucketNameFault(bucket) !== undefined || key === '')
    throw new S3Refusal('InvalidArgument', 'The source of the copy is not an object in a bucket.');
  if (hasDots(`${bucket}/${key}`))
    throw new S3Refusal('InvalidArgument', 'The source of the copy contains . or .. as a segment.');
  return readFacts({ method: 'GET', path: canonicalPath(`/${bucket}/${key}`), jurisdiction }, seen);
}

/** Returns whether a decoded path has a segment that a server could resolve to another path. */
function hasDots(path: string): boolean {
  return path.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

/** Decodes the source of a copy. Throws if the source is not percent-encoded UTF-8. */
function decodeSource(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new S3Refusal('InvalidArgument', 'The source of the copy is not percent-encoded UTF-8.');
  }
}
