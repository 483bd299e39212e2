// A rule by path checks only the path ("Policies" in docs/guard.md). The bulk requests are those of the routes in docs/api.md, and
// DeleteObjects.
import { expect, test } from 'vitest';
import { guardPolicy, type PolicyRule } from '../../../src/model/guard/policy.ts';
import { listPolicyWarnings } from '../../../src/model/guard/policy-warnings.ts';

const values = '/accounts/*/storage/kv/namespaces/*/values';
const namespace = '/accounts/:account/storage/kv/namespaces/:namespace';
const objects = '/accounts/*/r2/buckets/assets/objects';

/** Returns the bulk requests that are named in the warnings about a user's rules. */
function listUncovered(...rules: Partial<PolicyRule>[]): (string | undefined)[] {
  const all = rules.map((rule, index): PolicyRule => ({ name: `r${index}`, decision: 'deny', ...rule }));
  const user = { source: 'user', path: '/u/policy.toml', rules: all } as const;
  return listPolicyWarnings({ deciding: [user, guardPolicy] }).map(
    (one) => /does not cover (.*?), because/.exec(one)?.[1],
  );
}

test.each<[string, Partial<PolicyRule>, string]>([
  ['any method of a key', { route: [`${values}/prod:*`] }, `PUT ${namespace}/bulk`],
  ['any key', { route: [`PUT ${namespace}/values/*key`] }, `PUT ${namespace}/bulk`],
  ['deletes of a key', { route: [`DELETE ${values}/prod:*`] }, `POST ${namespace}/bulk/delete`],
  [
    'deletes, by effect',
    { route: [`${values}/prod:*`], effect: ['destroy'] },
    `POST ${namespace}/bulk/delete`,
  ],
  ['reads of a key', { route: [`GET ${values}/prod:*`] }, `POST ${namespace}/bulk/get`],
  ['objects', { route: [`${objects}/prod/*`] }, 'DELETE /accounts/:account/r2/buckets/:bucket/objects'],
  ['objects of the S3 API', { route: ['s3:/assets/prod/*'] }, 's3:DeleteObjects'],
  ['deletes of the S3 API', { route: ['DELETE s3:/assets/prod/*'] }, 's3:DeleteObjects'],
])('reports a bulk request that a rule by path does not cover: %s', (_, rule, expected) => {
  expect(listUncovered(rule)).toEqual([expected]);
});

test('names the rule, and what to use instead of the route', () => {
  const rules: PolicyRule[] = [{ name: 'prod', decision: 'ask', route: [`PUT ${values}/prod:*`] }];
  const policies = { deciding: [{ source: 'user', path: '/u/policy.toml', rules }, guardPolicy] } as const;
  expect(listPolicyWarnings(policies)).toEqual([
    `rule "prod" in /u/policy.toml does not cover PUT ${namespace}/bulk, because the rule's route contains a name, and a bulk request contains its names in the body. To cover bulk requests, use "names" instead of a route.`,
  ]);
});

test.each<[string, Partial<PolicyRule>[]]>([
  ['by name', [{ names: ['prod:*'] }]],
  ['by name and namespace', [{ names: ['prod:*'], noun: ['key'], namespace: ['n1'] }]],
  ['by the path of the bulk request', [{ route: ['/accounts/*/storage/kv/namespaces/*/bulk*'] }]],
  ['by everything below a namespace', [{ route: ['/accounts/*/storage/kv/*'] }]],
])('reports nothing if another rule covers the bulk requests: %s', (_, others) => {
  expect(listUncovered({ route: [`${values}/prod:*`] }, ...others)).toEqual([]);
});

test('reports nothing if the bulk request needs approval like the request for one name', () => {
  expect(listUncovered({ decision: 'ask', route: [`DELETE ${values}/prod:*`] })).toEqual([]);
});

test.each<[string, Partial<PolicyRule>]>([
  ['allows', { decision: 'allow', route: [`${values}/prod:*`] }],
  ['is about writes of objects, which have no bulk request', { route: ['PUT s3:/assets/prod/*'] }],
  [
    'has no name in its route',
    { route: ['DELETE /zones/*', '/accounts/*', 's3:DeleteBucket', 's3:/assets'] },
  ],
])('reports nothing about a rule that %s', (_, rule) => {
  expect(listUncovered(rule)).toEqual([]);
});

test.each<[string, Partial<PolicyRule>]>([
  ['another name', { names: ['staging:*'] }],
  ['many keys', { noun: ['key'], over: 10 }],
  ['another program', { noun: ['key'], client: ['terraform'] }],
])('does not count a rule about %s as covering the bulk requests', (_, other) => {
  expect(listUncovered({ route: [`PUT ${values}/prod:*`] }, other)).toHaveLength(1);
});
