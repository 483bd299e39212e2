import type { Difference } from './differences.ts';

/** An intended difference between the sandbox's answers and the types of the official SDK or the OpenAPI document, and its reason. */
export interface ExplainedDifference {
  /** An SDK type, a schema of the document (`2023/zone`), or a route; an asterisk matches any string. */
  readonly of: string;
  /** Fields with this difference; `values.*` matches all fields below `values`. */
  readonly fields: readonly string[];
  /** See `Difference`; an asterisk matches any string. */
  readonly is: string;
  readonly why: string;
}

/** All intended differences. An unlisted difference fails the test in which it occurs. */
export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    of: 'core/pagination.V4PagePagination*',
    fields: ['count', 'total_count', 'total_pages'],
    is: 'undeclared',
    why: 'the API reference lists these fields in `result_info`; the SDK declares only the fields that its own paging reads',
  },
  {
    of: 'core/pagination.CursorPaginationResponse.ResultInfo',
    fields: ['is_truncated', 'delimited'],
    is: 'undeclared',
    why: 'Miniflare’s copy of this API also has these fields, and a listing by a delimiter needs them; the SDK declares only the fields that its own paging reads',
  },
  {
    of: 'GET /accounts/:account/workers/scripts/:script/deployments',
    fields: ['result.deployments'],
    is: 'undeclared',
    why: 'wrangler reads `deployments`; the SDK expects a page with `items`',
  },
  {
    of: 'workers/scripts/versions.Version*Response',
    fields: ['annotations'],
    is: 'undeclared',
    why: 'wrangler reads the message and the tag of a version from these fields',
  },
  {
    of: 'workers/scripts/versions.Version*Response.Resources.Bindings',
    fields: [''],
    is: 'array',
    why: 'wrangler reads a list; the SDK declares an object without fields',
  },
  {
    of: 'workers/scripts/scripts.ScriptUpdateResponse',
    fields: ['deployment_id'],
    is: 'undeclared',
    why: 'older versions of wrangler read the new version’s id from this field',
  },
  {
    of: 'workers/subdomains.SubdomainGetResponse',
    fields: ['edge_url'],
    is: 'undeclared',
    why: 'only in the sandbox: the address at which its edge serves workers',
  },
  {
    of: 'workers/scripts/tail.TailGetResponse',
    fields: [''],
    is: 'null',
    why: 'without a client there is no tail; the SDK declares only the answer for an existing tail',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostnameDeleteResponse',
    fields: ['success', 'result', 'errors', 'messages'],
    is: 'undeclared',
    why: 'the envelope of all other answers, whose `success` clients check; the SDK declares only `id`',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostname*Response',
    fields: ['status'],
    is: '"caa_error"',
    why: 'the specification names this state; it is missing from the SDK’s list',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostname*Response',
    fields: ['status'],
    is: '"reticulating"',
    why: 'set by a test: a state that the platform may add, which must not cause failures',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostname*Response',
    fields: ['custom_metadata.*'],
    is: 'number',
    why: 'returned unchanged; the platform’s own examples contain numbers where the SDK allows only strings',
  },
  {
    of: 'dns/records.RecordResponse.*',
    fields: ['comment'],
    is: 'null',
    why: 'the platform returns null if there is no comment; the SDK omits the field',
  },
  {
    of: 'kv/namespaces/namespaces.NamespaceBulkGetResponse.WorkersKVBulkGetResult',
    fields: ['values.*'],
    is: 'null',
    why: 'a missing key, for which the SDK allows null only in answers with metadata',
  },
  {
    of: 'user/user.UserGetResponse',
    fields: ['username', 'created_on', 'modified_on'],
    is: 'undeclared',
    why: 'the platform returns these fields, and older libraries declare them',
  },
  {
    of: 'zones/zones.Zone.Owner',
    fields: ['email'],
    is: 'undeclared',
    why: 'the platform returns this field, with null next to `id` for a zone of an account',
  },
  {
    of: 'zones/zones.Zone.Owner',
    fields: ['id'],
    is: 'null',
    why: 'the platform returns null for a zone of an account; the SDK declares an optional string',
  },
];

/** Intended differences from the provider's OpenAPI document, which allows undeclared fields. */
export const explainedByDocument: readonly ExplainedDifference[] = [
  {
    of: '2023/*Record',
    fields: ['comment'],
    is: 'null',
    why: 'the platform returns null if there is no comment; the document declares a string',
  },
  {
    of: '2023/dns_response_single',
    fields: ['result.comment'],
    is: 'null',
    why: 'the platform returns null if there is no comment; the document declares a string',
  },
  {
    of: '2023/zone*',
    fields: ['owner.id'],
    is: 'null',
    why: 'the platform returns null for a zone of an account; the document declares a string',
  },
  {
    of: '2023/custom-hostname*',
    fields: ['status'],
    is: '"caa_error"',
    why: 'the specification names this state; it is missing from the document’s list',
  },
  {
    of: '2023/custom*hostname*',
    fields: ['status', 'result.status'],
    is: '"reticulating"',
    why: 'set by a test: a state that the platform may add, which must not cause failures',
  },
  {
    of: '2023/custom*hostname*',
    fields: ['ssl', 'result.ssl'],
    is: 'missing',
    why: 'a hostname can be created without a certificate, and then has no `ssl`; the SDK declares it as optional',
  },
  {
    of: '2023/schemas-permissions',
    fields: [''],
    is: 'object',
    why: 'an object of rights in the newest SDK; the document, which is older, declares a list of names',
  },
  {
    of: '2023/components-schemas-member',
    fields: ['name'],
    is: 'missing',
    why: 'the newest SDK declares the names only in `user`; the document is older',
  },
  {
    of: '2023/tail-response',
    fields: ['result'],
    is: 'null',
    why: 'no client listens, so there is no tail; the document declares only the answer with a tail',
  },
  {
    of: '2023/routes',
    fields: ['script'],
    is: 'missing',
    why: 'a route without a worker, which turns workers off for its pattern; the SDK declares the field as optional',
  },
  {
    of: '2023/api-response-common',
    fields: ['result'],
    is: 'missing',
    why: 'the newest SDK declares no `result` when a tail is deleted; the document is older',
  },
  {
    of: 'GET /accounts/:account/storage/kv/namespaces/:namespace/metadata/*key',
    fields: ['result'],
    is: 'null',
    why: 'a key without metadata; the document declares only the answer with metadata',
  },
  {
    of: '2026/r2_put-object-result',
    fields: ['size'],
    is: '"*"',
    why: 'a string in the SDK and in the platform’s responses to uploads; a number in Miniflare’s copy of the document',
  },
  {
    of: '2026/r2_list-objects-result-info',
    fields: ['is_truncated'],
    is: 'boolean',
    why: 'a boolean, as in the bindings and in S3; Miniflare’s copy of the document declares "true" or "false"; clients continue from the cursor, so the type has no effect',
  },
  {
    of: '2026/r2_result_info',
    fields: ['total_count'],
    is: 'missing',
    why: 'only Miniflare counts its buckets; the SDK declares a cursor and no total',
  },
  ...['0rtt', 'minify', 'max_upload', 'origin_max_http_version'].map((setting) => ({
    of: `2023/${setting}`,
    fields: ['id'],
    is: '*',
    why: 'a setting that is newer than the document, whose list of settings is closed',
  })),
];

/** Returns the row that explains a difference, if any. */
export function findExplanation({ of, field, is }: Difference): ExplainedDifference | undefined {
  return [...explainedDifferences, ...explainedByDocument].find(
    (row) => fits(row.is, is) && fits(row.of, of) && row.fields.some((one) => fits(one, field)),
  );
}

function fits(pattern: string, name: string): boolean {
  if (pattern === name) return true;
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0 || !name.startsWith(start)) return false;
  let at = start.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  const end = rest.at(-1) ?? '';
  return name.endsWith(end) && name.length - end.length >= at;
}
