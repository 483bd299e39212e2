import { expect, test } from 'vitest';
import { listShownNames } from '../../../src/model/guard/held.ts';
import { decide, guardPolicy, type PolicyRule } from '../../../src/model/guard/policy.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';

const path = '/accounts/a/storage/kv/namespaces/n/bulk/delete';

function showNames(rules: readonly PolicyRule[], names: readonly string[]): string[] {
  const body = Buffer.from(JSON.stringify(names));
  const facts = readRequestFacts({ method: 'POST', path, body }, { target: 'production', client: 'test' });
  return listShownNames(facts, decide({ deciding: [{ source: 'user', rules }, guardPolicy] }, facts));
}

const harmless = Array.from({ length: 99 }, (_, index) => `cache:${index}`);

test('shows first in a question about many names a name for each rule that asks, regardless of its position in the body', () => {
  const rules: PolicyRule[] = [
    { name: 'caches', decision: 'allow', names: ['cache:*'] },
    { name: 'staging', decision: 'ask', names: ['staging:*'] },
    { name: 'prod', decision: 'ask', names: ['prod:*'] },
  ];
  expect(showNames(rules, [...harmless, 'prod:1'])).toEqual(['prod:1', ...harmless.slice(0, 4)]);
  const staging = harmless.map((name) => `staging:${name}`);
  expect(showNames(rules, [...staging, 'prod:1', 'prod:1'])).toEqual([
    'staging:cache:0',
    'prod:1',
    'staging:cache:1',
    'staging:cache:2',
    'staging:cache:3',
  ]);
  expect(showNames([], harmless)).toEqual(harmless.slice(0, 5));
  expect(showNames(rules, ['prod:1', 'cache:1'])).toEqual(['prod:1', 'cache:1']);
});
