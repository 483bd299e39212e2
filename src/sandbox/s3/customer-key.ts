import { createHash } from 'node:crypto';
import { S3Refusal } from '../../s3/refusal.ts';
import type { ObjectDetails } from '../../store/objects/details.ts';

// SSE-C, as described on the provider's page "Using SSE-C": every request for an object that is encrypted with a customer-provided key must
// contain this key. The sandbox also requires the key, but does not encrypt the bytes on disk. A worker's binding reads such an object
// without a key, because Miniflare does not support keys.

const own = 'x-amz-server-side-encryption-customer-';
const ofSource = 'x-amz-copy-source-server-side-encryption-customer-';

type Headers = Readonly<Record<string, string>>;

/** Returns the MD5 of the customer's key in a request, in base64; undefined if the request contains no key. Refuses a malformed key. */
export function parseCustomerKey(headers: Headers): string | undefined {
  return parseKey(headers, own);
}

/** Returns the MD5 of the customer's key for the source of a copy. */
export function parseSourceKey(headers: Headers): string | undefined {
  return parseKey(headers, ofSource);
}

function parseKey(headers: Headers, prefix: string): string | undefined {
  const [algorithm, key, md5] = ['algorithm', 'key', 'key-md5'].map((name) => headers[prefix + name]);
  if (algorithm === undefined && key === undefined && md5 === undefined) return undefined;
  const needs = 'Requests specifying Server Side Encryption with Customer provided keys must provide';
  if (algorithm !== 'AES256')
    throw new S3Refusal('InvalidArgument', `${needs} a valid encryption algorithm: AES256.`);
  const bytes = Buffer.from(key ?? '', 'base64');
  if (bytes.length !== 32)
    throw new S3Refusal('InvalidArgument', `${needs} an appropriate secret key: 256 bits in base64.`);
  const computed = createHash('md5').update(bytes).digest('base64');
  if (md5 === undefined)
    throw new S3Refusal('InvalidArgument', `${needs} the client calculated MD5 of the secret key.`);
  if (md5 === computed) return computed;
  throw new S3Refusal(
    'InvalidArgument',
    'The calculated MD5 hash of the key did not match the hash that was provided.',
  );
}

/** Refuses a request that does not send the key of the object, or sends a key although the object has none. */
export function checkCustomerKey(
  { ssecKeyMd5 }: Pick<ObjectDetails, 'ssecKeyMd5'>,
  keyMd5: string | undefined,
): void {
  if (ssecKeyMd5 === keyMd5) return;
  if (ssecKeyMd5 === undefined)
    throw new S3Refusal('InvalidRequest', 'The encryption parameters are not applicable to this object.');
  throw new S3Refusal(
    'InvalidRequest',
    keyMd5 === undefined
      ? 'The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.'
      : 'The provided encryption parameters did not match the ones used originally to encrypt the object.',
  );
}

/** Returns the headers that confirm the key in an answer. */
export function formatCustomerKey({ ssecKeyMd5 }: Pick<ObjectDetails, 'ssecKeyMd5'>): Record<string, string> {
  return ssecKeyMd5 === undefined ? {} : { [`${own}algorithm`]: 'AES256', [`${own}key-md5`]: ssecKeyMd5 };
}
