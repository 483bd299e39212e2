import type { Difference } from './differences.ts';

/** An intended difference between the sandbox's answers and the types of the official SDK, and its reason. */
export interface ExplainedDifference {
  /** An SDK type, or a route; a star matches any string. */
  readonly of: string;
  /** Fields that differ in this way; `values.*` matches all fields below. */
  readonly fields: readonly string[];
  /** See `Difference`. */
  readonly is: string;
  readonly why: string;
}

/** All intended differences. Any other difference fails the test in which it occurs. */
export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    of: 'core/pagination.V4PagePagination*',
    fields: ['count', 'total_count', 'total_pages'],
    is: 'undeclared',
    why: 'the API reference has them in `result_info`; the SDK declares only what its own paging reads',
  },
  {
    of: 'core/pagination.CursorPaginationResponse.ResultInfo',
    fields: ['is_truncated', 'delimited'],
    is: 'undeclared',
    why: 'Miniflare’s copy of this API has them too, and a listing by a delimiter needs them; the SDK declares only what its own paging reads',
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
    why: 'wrangler shows the message and the tag of a version from them',
  },
  {
    of: 'workers/scripts/versions.Version*Response.Resources.Bindings',
    fields: [''],
    is: 'array',
    why: 'wrangler reads a list; the SDK has an object without fields',
  },
  {
    of: 'workers/scripts/scripts.ScriptUpdateResponse',
    fields: ['deployment_id'],
    is: 'undeclared',
    why: 'older versions of wrangler read the new version’s id from it',
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
    why: 'no client listens, so there is no tail; the SDK declares only the answer with one',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostnameDeleteResponse',
    fields: ['success', 'result', 'errors', 'messages'],
    is: 'undeclared',
    why: 'the envelope of all other answers, whose `success` clients check; the SDK has the bare `id`',
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
    why: 'returned as it was set; the platform’s own examples have numbers where the SDK has only strings',
  },
  {
    of: 'dns/records.RecordResponse.*',
    fields: ['comment'],
    is: 'null',
    why: 'the platform has null if there is no comment; the SDK omits the field',
  },
  {
    of: 'kv/namespaces/namespaces.NamespaceBulkGetResponse.WorkersKVBulkGetResult',
    fields: ['values.*'],
    is: 'null',
    why: 'a missing key, for which the SDK has null only in answers with metadata',
  },
  {
    of: 'user/user.UserGetResponse',
    fields: ['username', 'created_on', 'modified_on'],
    is: 'undeclared',
    why: 'the platform has them, and older libraries declare them',
  },
  {
    of: 'zones/zones.Zone.Owner',
    fields: ['email'],
    is: 'undeclared',
    why: 'the platform has it, with null beside `id` for a zone of an account',
  },
  {
    of: 'zones/zones.Zone.Owner',
    fields: ['id'],
    is: 'null',
    why: 'the platform has null for a zone of an account; the SDK declares an optional string',
  },
];

/** Returns the row that explains a difference, if any. */
export function findExplanation({ of, field, is }: Difference): ExplainedDifference | undefined {
  return explainedDifferences.find(
    (row) => row.is === is && fits(row.of, of) && row.fields.some((one) => fits(one, field)),
  );
}

function fits(pattern: string, name: string): boolean {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === name;
  return name.startsWith(start) && name.endsWith(end);
}
