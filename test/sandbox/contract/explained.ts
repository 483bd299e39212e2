import type { Difference } from './differences.ts';

/** A difference between the answers of the sandbox and the types of the official SDK that is meant, and why. */
export interface ExplainedDifference {
  /** A type of the SDK, or a route; a star stands for any text. */
  readonly of: string;
  /** Fields that differ in this way; `values.*` stands for all below. */
  readonly fields: readonly string[];
  /** As in a `Difference`. */
  readonly is: string;
  readonly why: string;
}

/** All differences that are meant. Another one fails the test in which it comes. */
export const explainedDifferences: readonly ExplainedDifference[] = [
  {
    of: 'core/pagination.V4PagePagination*',
    fields: ['count', 'total_count', 'total_pages'],
    is: 'undeclared',
    why: 'the API reference has them in `result_info`; the SDK names what its own paging reads',
  },
  {
    of: 'core/pagination.CursorPaginationResponse.ResultInfo',
    fields: ['is_truncated', 'delimited'],
    is: 'undeclared',
    why: 'Miniflare’s copy of this API has them too, and no listing by a delimiter can do without; the SDK names what its own paging reads',
  },
  {
    of: 'GET /accounts/:account/workers/scripts/:script/deployments',
    fields: ['result.deployments'],
    is: 'undeclared',
    why: 'wrangler reads `deployments`; the SDK takes the list for a page with `items`',
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
    why: 'older versions of wrangler take the id of the new version from it',
  },
  {
    of: 'workers/subdomains.SubdomainGetResponse',
    fields: ['edge_url'],
    is: 'undeclared',
    why: 'of the sandbox alone: where its edge serves the workers',
  },
  {
    of: 'workers/scripts/tail.TailGetResponse',
    fields: [''],
    is: 'null',
    why: 'nobody listens, so there is no tail; the SDK knows only the answer with one',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostnameDeleteResponse',
    fields: ['success', 'result', 'errors', 'messages'],
    is: 'undeclared',
    why: 'the envelope of all other answers, which clients look for `success` in; the SDK has the bare `id`',
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
    why: 'set by a test: a state that the platform may add, which nothing may fail at',
  },
  {
    of: 'custom-hostnames/custom-hostnames.CustomHostname*Response',
    fields: ['custom_metadata.*'],
    is: 'number',
    why: 'given back as it was set; the platform’s own examples have numbers where the SDK has texts alone',
  },
  {
    of: 'dns/records.RecordResponse.*',
    fields: ['comment'],
    is: 'null',
    why: 'the platform has null where there is no comment; the SDK leaves the field out',
  },
  {
    of: 'kv/namespaces/namespaces.NamespaceBulkGetResponse.WorkersKVBulkGetResult',
    fields: ['values.*'],
    is: 'null',
    why: 'a key that is not there, for which the SDK has null only in answers with metadata',
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
    why: 'the platform has null for a zone of an account; the SDK says text or nothing',
  },
];

/** The row that explains a difference; undefined where none does. */
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
