import { objectIn } from '../../v4/form-object.ts';
import type { Call } from '../../v4/send.ts';
import { contract, strangeFields, strangeParameters } from '../contract/contract.ts';
import type { NotedPart } from './form-parts.ts';

/** One request as its notes need it. */
export interface Asked {
  readonly method: string;
  /** Pattern of the route that took it. */
  readonly route: string | null;
  /** Without the question mark. */
  readonly query: string;
  /** The body as text, where it is one. */
  readonly body?: string | undefined;
  /** Of a multipart form. */
  readonly parts?: readonly NotedPart[] | undefined;
}

/** All parts of a request that the sandbox ignores, as text for its log. */
export function notesOn({ method, route, query, body, parts = [] }: Asked): string[] {
  const row = route === null ? undefined : contract[`${method} ${route}`];
  if (row === undefined) return [];
  const parameters = strangeParameters(row.query, query).map(
    (name) => `the query parameter ${name} is not honoured`,
  );
  const fields = row.body === undefined ? [] : strangeFields(row.body, parsed(body));
  const { form, formFields = {} } = row;
  const names = parts.map(({ name }) => name);
  const strange = form === undefined ? [] : names.filter((name) => !form.includes(name));
  const inParts = Object.entries(formFields).flatMap(([name, known]) =>
    strangeFields(known, objectOrNothing(parts, name)).map((field) => `${name}.${field}`),
  );
  return [
    ...parameters,
    ...strange.map((name) => `the part ${name} of the form is not known`),
    ...[...inParts, ...fields].map((name) => `the field ${name} is not known`),
  ];
}

/** Undefined where the part is no JSON object: its route refuses that. */
function objectOrNothing(parts: readonly NotedPart[], name: string): unknown {
  try {
    return objectIn(parts, name);
  } catch {
    return undefined;
  }
}

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

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

/** Names of the headers that are ignored, and that the provider would not ignore. */
export function undoneHeaders(headers: Call['headers']): string[] {
  return undone.filter((name) => headers[name] !== undefined);
}

/** All parts of a request of the S3 API that the sandbox ignores, as text for its log. `query` is without its signature. */
export function notesOnS3({ headers }: Pick<Call, 'headers'>, query: string): string[] {
  const names = [...new URLSearchParams(query).keys()];
  const strange = names.filter((name) => !parameters.includes(name) && !name.startsWith('response-'));
  return [
    ...undoneHeaders(headers).map((name) => `the header ${name} is not honoured`),
    ...strange.map((name) => `the query parameter ${name} is not honoured`),
  ];
}
