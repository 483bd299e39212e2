import { readFormObject } from '../../v4/form-object.ts';
import type { Call } from '../../v4/send.ts';
import { contract, unknownFields, unknownParameters } from '../contract/contract.ts';
import type { NotedPart } from './form-parts.ts';

/** The parts of a request from which its notes are derived. */
export interface NotedRequest {
  readonly method: string;
  /** Pattern of the request's route. */
  readonly route: string | null;
  /** The query without the question mark. */
  readonly query: string;
  /** The body, if it is text. */
  readonly body?: string | undefined;
  /** Parts of a multipart form. */
  readonly parts?: readonly NotedPart[] | undefined;
}

/** Describes, for the log, all parts of a request that the sandbox ignores. */
export function listIgnoredParts({ method, route, query, body, parts = [] }: NotedRequest): string[] {
  const row = route === null ? undefined : contract[`${method} ${route}`];
  if (row === undefined) return [];
  const parameters = unknownParameters(row.query, query).map(
    (name) => `the query parameter ${name} is ignored`,
  );
  const fields = row.body === undefined ? [] : unknownFields(row.body, parseBody(body));
  const { form, formFields = {} } = row;
  const names = parts.map(({ name }) => name);
  const strange = form === undefined ? [] : names.filter((name) => !form.includes(name));
  const inParts = Object.entries(formFields).flatMap(([name, known]) =>
    unknownFields(known, parsePart(parts, name)).map((field) => `${name}.${field}`),
  );
  return [
    ...parameters,
    ...strange.map((name) => `the form part ${name} is unknown`),
    ...[...inParts, ...fields].map((name) => `the field ${name} is unknown`),
  ];
}

/** Parses a part as a JSON object; undefined if the part is invalid, because the route then refuses the request. */
function parsePart(parts: readonly NotedPart[], name: string): unknown {
  try {
    return readFormObject(parts, name);
  } catch {
    return undefined;
  }
}

function parseBody(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Headers that the provider lists as not implemented (its page on S3 compatibility) and that have no effect here.
 * Headers that would have an effect are always refused.
 */
const unsupportedHeaders: readonly string[] = [
  ...['acl', 'bucket-object-lock-enabled', 'bypass-governance-retention', 'expected-bucket-owner'],
  ...['grant-full-control', 'grant-read', 'grant-read-acp', 'grant-write', 'grant-write-acp', 'mfa'],
  ...['request-payer', 'server-side-encryption', 'server-side-encryption-bucket-key-enabled'],
  ...['server-side-encryption-context', 'source-expected-bucket-owner'],
].map((name) => `x-amz-${name}`);

/** Every parameter that an operation accepts, except signature parameters and `response-…`. */
const parameters: readonly string[] = [
  ...['continuation-token', 'delete', 'delimiter', 'encoding-type', 'fetch-owner', 'key-marker', 'list-type'],
  ...['location', 'marker', 'max-buckets', 'max-keys', 'max-parts', 'max-uploads', 'part-number-marker'],
  ...['partNumber', 'prefix', 'start-after', 'upload-id-marker', 'uploadId', 'uploads', 'versioning', 'x-id'],
];

/** Returns the names of a request's headers that the sandbox ignores and the provider does not implement. */
export function listUnsupportedHeaders(headers: Call['headers']): string[] {
  return unsupportedHeaders.filter((name) => headers[name] !== undefined);
}

/** Describes, for the log, all parts of an S3 request that the sandbox ignores. `query` does not include the signature. */
export function listIgnoredS3Parts({ headers }: Pick<Call, 'headers'>, query: string): string[] {
  const names = [...new URLSearchParams(query).keys()];
  const strange = names.filter((name) => !parameters.includes(name) && !name.startsWith('response-'));
  return [
    ...listUnsupportedHeaders(headers).map((name) => `the header ${name} is ignored`),
    ...strange.map((name) => `the query parameter ${name} is ignored`),
  ];
}
