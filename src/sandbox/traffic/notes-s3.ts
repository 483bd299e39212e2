import type { Call } from '../../v4/send.ts';

/**
 * Headers that the provider names as not implemented (its page of S3 compatibility) and that change nothing here; those
 * that would change something are refused always.
 */
const undone: readonly string[] = [
  ...['acl', 'bucket-object-lock-enabled', 'bypass-governance-retention', 'expected-bucket-owner'],
  ...['grant-full-control', 'grant-read', 'grant-read-acp', 'grant-write', 'grant-write-acp', 'mfa'],
  ...['request-payer', 'server-side-encryption', 'server-side-encryption-bucket-key-enabled'],
  ...['server-side-encryption-context', 'source-expected-bucket-owner'],
].map((name) => `x-amz-${name}`);

/** Parameters that some operation takes; those of a signature and of `response-…` besides. */
const parameters: readonly string[] = [
  ...['continuation-token', 'delete', 'delimiter', 'encoding-type', 'fetch-owner', 'key-marker', 'list-type'],
  ...['location', 'marker', 'max-buckets', 'max-keys', 'max-parts', 'max-uploads', 'part-number-marker'],
  ...['partNumber', 'prefix', 'start-after', 'upload-id-marker', 'uploadId', 'uploads', 'versioning', 'x-id'],
];

/** Names of the headers that are passed over, and would not be by the provider. */
export function undoneHeaders(headers: Call['headers']): string[] {
  return undone.filter((name) => headers[name] !== undefined);
}

/** All of a request of the S3 API that the sandbox passes over, in words for its log. `query` is without its signature. */
export function notesOnS3({ headers }: Pick<Call, 'headers'>, query: string): string[] {
  const names = [...new URLSearchParams(query).keys()];
  const strange = names.filter((name) => !parameters.includes(name) && !name.startsWith('response-'));
  return [
    ...undoneHeaders(headers).map((name) => `the header ${name} is not honoured`),
    ...strange.map((name) => `the query parameter ${name} is not honoured`),
  ];
}
