import { expect, test } from 'vitest';
import {
  decide,
  describeIneffective,
  describeRefusal,
  guardPolicy,
  lockedPolicy,
  matchesPattern,
  type Policies,
  type PolicyRule,
  type RequestFacts,
  readOnlyPolicy,
} from '../../../src/model/guard/policy.ts';

const request: RequestFacts = {
  method: 'DELETE',
  path: '/accounts/a1/storage/kv/namespaces/n1/values/k',
  effect: 'destroy',
  route: '/accounts/:account/storage/kv/namespaces/:namespace/values/*key',
  noun: 'key',
  account: 'a1',
  zone: undefined,
  namespace: 'n1',
  bucket: undefined,
  worker: undefined,
  hostname: undefined,
  name: 'k',
  unnamed: [],
  count: 1,
  target: 'production',
  client: 'terraform',
};

function getOutcome(rules: readonly PolicyRule[], facts: Partial<RequestFacts> = {}): string {
  const policies = { deciding: [{ source: 'user', rules }, guardPolicy] } as const;
  const { decision, rule } = decide(policies, { ...request, ...facts });
  return `${decision} by ${rule.name}`;
}

test.each([
  ['read', 'allow by reads'],
  ['change', 'allow by changes'],
  ['destroy', 'ask by deletes'],
  ['unknown', 'ask by unknown writes'],
] as const)('without a policy file, decides the effect %s as: %s', (effect, expected) => {
  expect(getOutcome([], { effect })).toBe(expected);
});

test.each(['token', 'access-key', 'member'] as const)(
  'without a policy file, a guard asks before it creates a new %s, with which a program could act without the guard',
  (noun) => {
    expect(getOutcome([], { effect: 'change', noun })).toBe('ask by new credentials');
    expect(getOutcome([], { effect: 'read', noun })).toBe('allow by reads');
  },
);

test.each<[string, Partial<PolicyRule>, string]>([
  ['effect', { effect: ['destroy'] }, 'allow by mine'],
  ['another effect', { effect: ['read'] }, 'ask by deletes'],
  ['noun', { noun: ['key', 'object'] }, 'allow by mine'],
  ['namespace', { namespace: ['n*'] }, 'allow by mine'],
  ['another namespace', { namespace: ['m*'] }, 'ask by deletes'],
  ['a bucket, although the request has no bucket', { bucket: ['*'] }, 'ask by deletes'],
  ['route without a method', { route: ['/accounts/*/storage/kv/*'] }, 'allow by mine'],
  [
    'declared route',
    { route: ['DELETE /accounts/:account/storage/kv/namespaces/:namespace/*'] },
    'allow by mine',
  ],
  ['another method', { route: ['PUT /accounts/*'] }, 'ask by deletes'],
  ['client', { client: ['terra*'] }, 'allow by mine'],
  ['target', { target: ['preview'] }, 'ask by deletes'],
  ['names', { names: ['k'] }, 'allow by mine'],
  ['more than one item', { over: 1 }, 'ask by deletes'],
  ['all conditions', { effect: ['destroy'], account: ['a1'], namespace: ['n1'], over: 0 }, 'allow by mine'],
  ['several conditions of which one is wrong', { effect: ['destroy'], account: ['a2'] }, 'ask by deletes'],
])('a rule matches by %s', (_, conditions, expected) => {
  expect(getOutcome([{ name: 'mine', decision: 'allow', ...conditions }])).toBe(expected);
});

test('a rule that allows an id of an unknown route allows no other spelling, which can be a name', () => {
  const uuid = '0f2ac74b-498b-4802-1968-4c500dcbe05b';
  const unknown = { effect: 'unknown', route: undefined, noun: undefined, unnamed: ['name'] } as const;
  const path = (name: string) => `/accounts/a1/queues-by-name/${name}`;
  const rule: PolicyRule = { name: 'mine', decision: 'allow', route: [path(uuid)] };
  expect(getOutcome([rule], { ...unknown, path: path(uuid) })).toBe('allow by mine');
  expect(getOutcome([rule], { ...unknown, path: path(uuid.replaceAll('-', '')) })).toBe(
    'ask by unknown writes',
  );
});

test('applies the first matching rule of a file', () => {
  const rules: PolicyRule[] = [
    { name: 'first', decision: 'deny', noun: ['key'] },
    { name: 'second', decision: 'allow', noun: ['key'] },
  ];
  expect(getOutcome(rules)).toBe('deny by first');
});

test('applies rules that ask or deny, but no rule that allows, to a name that a request omits', () => {
  const hostname: Partial<RequestFacts> = { noun: 'hostname', unnamed: ['hostname', 'account'] };
  const rule = (decision: PolicyRule['decision']): PolicyRule => ({
    name: 'mine',
    decision,
    hostname: ['*.example.com'],
  });
  expect(getOutcome([rule('allow')], hostname)).toBe('ask by deletes');
  expect(getOutcome([rule('deny')], hostname)).toBe('deny by mine');
  expect(getOutcome([{ name: 'bulk', decision: 'allow', over: 5 }], { count: undefined })).toBe(
    'ask by deletes',
  );
  expect(getOutcome([{ name: 'bulk', decision: 'deny', over: 5 }], { count: undefined })).toBe(
    'deny by bulk',
  );
});

const perhaps = (decision: PolicyRule['decision']): PolicyRule => ({
  name: `perhaps ${decision}`,
  decision,
  names: ['x*'],
});
const certain = (decision: PolicyRule['decision']): PolicyRule => ({ name: `certain ${decision}`, decision });

test.each<[string, readonly PolicyRule[], string]>([
  ['an ask rule does not hide a deny rule', [perhaps('ask'), perhaps('deny')], 'deny by perhaps deny'],
  [
    'an ask rule does not hide a deny rule that certainly matches',
    [perhaps('ask'), certain('deny')],
    'deny by certain deny',
  ],
  ['the order does not matter', [perhaps('deny'), perhaps('ask')], 'deny by perhaps deny'],
  ['a possible rule can be stricter', [perhaps('ask'), certain('allow')], 'ask by perhaps ask'],
  ['a possible permission is ignored', [perhaps('allow'), certain('deny')], 'deny by certain deny'],
  ['rules after a certain rule are ignored', [certain('ask'), perhaps('deny')], 'ask by certain ask'],
  [
    'rules after a certain rule that allows are ignored',
    [certain('allow'), perhaps('deny')],
    'allow by certain allow',
  ],
  ['the first of equal rules is named', [perhaps('ask'), certain('ask')], 'ask by perhaps ask'],
])('applies the strictest possible rule if the name is unknown: %s', (_, rules, expected) => {
  expect(getOutcome(rules, { name: undefined, unnamed: ['name'] })).toBe(expected);
  const over = rules.map(({ names, ...rule }) => (names === undefined ? rule : { ...rule, over: 5 }));
  expect(getOutcome(over, { count: undefined })).toBe(expected);
});

test.each<[string, Partial<PolicyRule>, string]>([
  ['denies deletes', { decision: 'deny', effect: ['destroy'] }, 'deny by mine'],
  ['denies changes', { decision: 'deny', effect: ['change'] }, 'deny by mine'],
  ['asks about deletes', { decision: 'ask', effect: ['destroy'] }, 'ask by mine'],
  ['denies reads', { decision: 'deny', effect: ['read'] }, 'allow by certain allow'],
  ['denies buckets', { decision: 'deny', noun: ['bucket'] }, 'deny by mine'],
  [
    'asks about deletes of buckets',
    { decision: 'ask', effect: ['destroy'], noun: ['bucket'] },
    'ask by mine',
  ],
  [
    'allows deletes of buckets',
    { decision: 'allow', effect: ['destroy'], noun: ['bucket'] },
    'allow by certain allow',
  ],
])('considers every effect and noun for a write to an unknown route: a rule that %s', (_, rule, expected) => {
  const unknown = { effect: 'unknown', route: undefined, noun: undefined, unnamed: ['name'] } as const;
  expect(getOutcome([{ ...certain('deny'), ...rule, name: 'mine' }, certain('allow')], unknown)).toBe(
    expected,
  );
});

test('names in a refusal the facts that the request does not show', () => {
  const rules: PolicyRule[] = [{ name: 'mine', decision: 'deny', names: ['x'], namespace: ['n1'], over: 5 }];
  const policies = { deciding: [{ source: 'user', path: '/p.toml', rules }, guardPolicy] } as const;
  const refusal = (facts: Partial<RequestFacts>) =>
    describeRefusal(decide(policies, { ...request, ...facts }));
  expect(refusal({ name: undefined, unnamed: ['name'], count: undefined })).toBe(
    'rule "mine" in /p.toml forbids this request, because the request does not show its name and number of items, or its body cannot be read. The owner of that file can change the rule.',
  );
  expect(refusal({ name: 'x', count: 6 })).toBe(
    'rule "mine" in /p.toml forbids this request. The owner of that file can change the rule.',
  );
});

test("applies the user's rule that denies an unknown name, even if the administrator's rule asks about the name", () => {
  const policies: Policies = {
    deciding: [
      { source: 'root', rules: [perhaps('ask')] },
      { source: 'user', rules: [perhaps('deny'), certain('allow')] },
    ],
  };
  expect(decide(policies, { ...request, name: undefined, unnamed: ['name'] }).rule.name).toBe('perhaps deny');
  expect(decide(policies, { ...request, name: 'x' }).rule.name).toBe('perhaps ask');
});

test('decides each name in a body separately, and applies no rule about names to a list without names', () => {
  const rules: PolicyRule[] = [
    { name: 'a', decision: 'allow', names: ['a*'] },
    { name: 'b', decision: 'allow', names: ['b*'], over: 1 },
    { name: 'c', decision: 'deny', names: ['c*'] },
  ];
  const outcome = (...names: string[]) =>
    getOutcome(rules, {
      name: names.length === 1 ? names[0] : undefined,
      listed: { name: names },
      count: names.length,
    });
  expect(outcome('a1', 'b1')).toBe('allow by a');
  expect(outcome('b1')).toBe('ask by deletes');
  expect(outcome('a1', 'd1')).toBe('ask by deletes');
  expect(outcome('a1', 'd1', 'c1')).toBe('deny by c');
  expect(outcome()).toBe('ask by deletes');
});

test('names in a decision each rule that asks, including rules of a project', () => {
  const rule = (name: string): PolicyRule => ({ name, decision: 'ask', names: [`${name}*`] });
  const policies: Policies = {
    deciding: [{ source: 'user', rules: [rule('staging'), rule('prod')] }, guardPolicy],
    tightening: [{ source: 'project', rules: [rule('p')] }],
  };
  const asking = (...names: string[]) =>
    decide(policies, { ...request, name: undefined, listed: { name: names } }).asking.map(
      (one) => one.rule.name,
    );
  expect(asking('staging1', 'staging2')).toEqual(['staging']);
  expect(asking('staging1', 'prod1', 'x')).toEqual(['staging', 'prod', 'p', 'deletes']);
});

test("applies root's policy before the user's, and a project's policy only if it makes the decision stricter", () => {
  const policies = (root: PolicyRule[], user: PolicyRule[], project: PolicyRule[]): Policies => ({
    deciding: [{ source: 'root', rules: root }, { source: 'user', rules: user }, guardPolicy],
    tightening: [{ source: 'project', rules: project }],
  });
  const rule = (name: string, decision: PolicyRule['decision']): PolicyRule => ({ name, decision });
  const decided = (...parts: Parameters<typeof policies>) => decide(policies(...parts), request).rule.name;
  expect(decided([rule('root', 'deny')], [rule('user', 'allow')], [])).toBe('root');
  expect(decided([], [rule('user', 'allow')], [rule('project', 'ask')])).toBe('project');
  expect(decided([], [rule('user', 'deny')], [rule('project', 'allow')])).toBe('user');
  expect(decided([], [], [rule('project', 'allow')])).toBe('deletes');
});

test("reports a project's rule that allows as without effect, unless later rules of its file follow", () => {
  const rule = (name: string, decision: PolicyRule['decision']): PolicyRule => ({ name, decision });
  const rules = [rule('exception', 'allow'), rule('strict', 'deny'), rule('useless', 'allow')];
  const project = { source: 'project', path: '/p/edgectl-policy.toml', rules } as const;
  expect(describeIneffective({ deciding: [guardPolicy], tightening: [project] })).toEqual([
    '/p/edgectl-policy.toml: rule "useless" has no effect, because a project\'s policy can only make decisions stricter.',
  ]);
});

test('the rule of a locked profile names the profile, and its refusal explains how to unlock the profile', () => {
  const decided = decide({ deciding: [lockedPolicy('profile acme is locked', false)] }, request);
  expect(decided.rule.name).toBe('profile acme is locked');
  expect(describeRefusal(decided)).toMatch(/Start the guard again to unlock the profile\.$/);
});

test('denies every write in a read-only session, regardless of the policy file', () => {
  const everything = { source: 'user', rules: [{ name: 'all', decision: 'allow' }] } as const;
  const policies: Policies = {
    deciding: [everything],
    tightening: [readOnlyPolicy('its profile is read-only')],
  };
  const outcomes = (['read', 'change', 'destroy', 'unknown'] as const).map(
    (effect) => decide(policies, { ...request, effect }).decision,
  );
  expect(outcomes).toEqual(['allow', 'deny', 'deny', 'deny']);
  expect(describeRefusal(decide(policies, request))).toBe(
    'rule "read-only: its profile is read-only" in the built-in policy forbids this request. No policy can allow the request.',
  );
});

test.each([
  ['a*c', 'abc', true],
  ['a*c', 'ac', true],
  ['a*c', 'ab', false],
  ['*', '', true],
  ['a*a', 'a', false],
  ['*b*', 'abc', true],
  ['a.c', 'abc', false],
  ['', 'a', false],
  ['ab*ab', 'ab', false],
  ['*a*b*', 'xaxbx', true],
  ['*a*b*', 'xbxax', false],
])('matches pattern %j against %j: %j', (pattern, text, expected) => {
  expect(matchesPattern(pattern, text)).toBe(expected);
});

test('does not take exponential time for a pattern with many stars', () => {
  expect(matchesPattern(`${'*a'.repeat(2000)}*b`, 'a'.repeat(20_000))).toBe(false);
});
