import type { CallEffect, Noun } from './effect.ts';
import {
  decide,
  decisions,
  describeIneffective,
  describeRule,
  type FoundRule,
  namedFacts,
  type Policies,
  type RequestFacts,
} from './policy.ts';

/** Describes each rule that does less than its author may expect: a rule that has no effect, and a rule that bulk requests can bypass. */
export function listPolicyWarnings(policies: Policies): string[] {
  return [...describeIneffective(policies), ...describeUncoveredBulk(policies)];
}

/** A bulk request that can replace several requests with `method` whose paths match `single`. */
interface BulkRequest {
  readonly method: string;
  /** Matches route patterns that end with a name, and captures the name. */
  readonly single: RegExp;
  readonly bulk: {
    readonly method: string;
    /** The declared route, or the operation. */
    readonly route: string;
    readonly effect: CallEffect;
    readonly noun: Noun;
    /** The path, if it differs from the route. */
    readonly path?: string;
  };
}

const namespace = '/accounts/:account/storage/kv/namespaces/:namespace';
const objects = '/accounts/:account/r2/buckets/:bucket/objects';
const [value, object, s3Object] = [/\/values\/(.+)$/, /\/objects\/(.+)$/, /(?<![^ ])s3:\/[^/]+\/(.+)$/];

const bulkRequests: readonly BulkRequest[] = [
  {
    method: 'PUT',
    single: value,
    bulk: { method: 'PUT', route: `${namespace}/bulk`, effect: 'change', noun: 'key' },
  },
  {
    method: 'DELETE',
    single: value,
    bulk: { method: 'POST', route: `${namespace}/bulk/delete`, effect: 'destroy', noun: 'key' },
  },
  {
    method: 'DELETE',
    single: value,
    bulk: { method: 'DELETE', route: `${namespace}/bulk`, effect: 'destroy', noun: 'key' },
  },
  {
    method: 'GET',
    single: value,
    bulk: { method: 'POST', route: `${namespace}/bulk/get`, effect: 'read', noun: 'key' },
  },
  {
    method: 'DELETE',
    single: object,
    bulk: { method: 'DELETE', route: objects, effect: 'destroy', noun: 'object' },
  },
  {
    method: 'DELETE',
    single: s3Object,
    bulk: {
      method: 'POST',
      route: 's3:DeleteObjects',
      effect: 'destroy',
      noun: 'object',
      path: 's3:/:bucket',
    },
  },
];

/**
 * Describes each rule that asks or denies based on a path that ends with a name, if the policies are less strict about a bulk request for
 * the same name. A bulk request contains its names in the body, and a rule compares a route only with the path.
 */
function describeUncoveredBulk(policies: Policies): string[] {
  const { deciding, tightening = [] } = policies;
  return [...deciding, ...tightening].flatMap((policy) =>
    policy.rules.flatMap((rule) => {
      const found = findUncovered(policies, { rule, policy });
      if (found === undefined) return [];
      const { method, route } = found.bulk;
      const request = route.startsWith('s3:') ? route : `${method} ${route}`;
      return `${describeRule({ rule, policy })} does not cover ${request}, because the rule's route contains a name, and a bulk request contains its names in the body. To cover bulk requests, use "names" instead of a route.`;
    }),
  );
}

function findUncovered(policies: Policies, found: FoundRule): BulkRequest | undefined {
  const { decision, route = [] } = found.rule;
  return bulkRequests.find((bulk) =>
    route.some((pattern) => {
      const request = toBulkFacts(pattern, found, bulk);
      if (request === undefined) return false;
      return decisions.indexOf(decide(policies, request).decision) < decisions.indexOf(decision);
    }),
  );
}

/** Returns the facts of a bulk request for a name that a pattern matches; undefined if the rule is not about such requests. */
function toBulkFacts(
  pattern: string,
  { rule }: FoundRule,
  { method, single, bulk }: BulkRequest,
): RequestFacts | undefined {
  const [, name] = single.exec(pattern) ?? [];
  const [ownMethod = method] = /^[A-Z]+(?= )/.exec(pattern) ?? [];
  const { effect = [bulk.effect], noun = [bulk.noun] } = rule;
  if (name === undefined || ownMethod !== method) return undefined;
  if (!effect.includes(bulk.effect) || !noun.includes(bulk.noun)) return undefined;
  const findId = (before: RegExp) => before.exec(pattern)?.[1];
  const ids = {
    account: findId(/\/accounts\/([^/*:]+)\//),
    namespace: findId(/\/namespaces\/([^/*:]+)\//),
    bucket: findId(/(?:\/buckets|s3:)\/([^/*:]+)\//),
  };
  const toPath = (route: string) =>
    route.replace(/:(account|namespace|bucket)/g, (_, id: keyof typeof ids) => ids[id] ?? 'any');
  return {
    ...bulk,
    ...ids,
    path: toPath(bulk.path ?? bulk.route),
    zone: undefined,
    worker: undefined,
    hostname: undefined,
    name: undefined,
    listed: { name: [name.replaceAll('*', '')] },
    // The pattern specifies no other facts, so a rule about one of those is assumed to cover the request.
    unnamed: namedFacts,
    count: 1,
    target: rule.target?.[0] ?? 'production',
    client: rule.client?.[0]?.replaceAll('*', '') ?? 'any',
  };
}
