import { expect, test } from 'vitest';
import { factCounts, workerRows } from '../../../components/workers/worker-rows.ts';

const facts = {
  bindings: [
    { name: 'KV', type: 'kv_namespace', namespace_id: 'f'.repeat(32) },
    { name: 'TOKEN', type: 'secret_text' },
    { name: 'SHAPE', type: 'json', json: { sides: 3 } },
  ],
  compatibilityDate: '2026-11-01',
  compatibilityFlags: [],
  secrets: ['TOKEN'],
  deployments: [
    {
      id: 'd2',
      createdOn: '2026-11-21T10:00:00Z',
      source: 'edgectl',
      message: 'fix checkout',
      versions: [
        { id: 'v2', percentage: 90 },
        { id: 'v1', percentage: 10 },
      ],
    },
    { id: 'd1', createdOn: 'no date', source: 'api', versions: [{ id: 'v1', percentage: 100 }] },
  ],
};

test('shows deployments with the running deployment first, then bindings, then secrets', () => {
  const rows = workerRows(facts);
  expect(rows.map(({ facts: _, ...row }) => row)).toEqual([
    {
      id: 'deployment d2',
      kind: 'running',
      type: 'running',
      name: 'v2',
      label: 'v2 90%, v1 10%',
      value: 'fix checkout',
      source: 'edgectl',
      since: Date.UTC(2026, 10, 21, 10),
    },
    {
      id: 'deployment d1',
      kind: 'deployed',
      type: 'earlier',
      name: 'v1',
      label: 'v1',
      value: '',
      source: 'api',
    },
    {
      id: 'binding KV',
      kind: 'binding',
      type: 'namespace',
      name: 'KV',
      label: 'KV',
      value: 'f'.repeat(32),
    },
    {
      id: 'binding SHAPE',
      kind: 'binding',
      type: 'JSON',
      name: 'SHAPE',
      label: 'SHAPE',
      value: '{"sides":3}',
    },
    { id: 'secret TOKEN', kind: 'secret', type: 'secret', name: 'TOKEN', label: 'TOKEN', value: '' },
  ]);
  expect(rows.find(({ name }) => name === 'KV')?.facts).toEqual([
    ['name', 'KV'],
    ['type', 'kv_namespace'],
    ['namespace id', 'f'.repeat(32)],
    ['read as', 'env.KV'],
  ]);
  expect(rows[0]?.facts).toEqual([
    ['message', 'fix checkout'],
    ['deployed', '2026-11-21T10:00:00Z'],
    ['source', 'edgectl'],
    ['version', 'v2, 90%'],
    ['version', 'v1, 10%'],
    ['deployment', 'd2'],
  ]);
  expect(factCounts(rows)).toBe('2 bindings, 1 secret');
});

test('shows the title of a namespace if it is known, and its id', () => {
  const namespaceTitles = new Map([['f'.repeat(32), 'sessions']]);
  const row = workerRows({ ...facts, namespaceTitles }).find(({ name }) => name === 'KV');
  expect(row?.value).toBe('sessions');
  expect(row?.facts).toContainEqual(['namespace id', 'f'.repeat(32)]);
});

test('shows at most ten deployments', () => {
  const [one] = facts.deployments;
  const deployments = Array.from({ length: 30 }, () => one ?? facts.deployments[1]).flatMap(
    (each) => each ?? [],
  );
  expect(workerRows({ ...facts, deployments, secrets: [], bindings: [] })).toHaveLength(10);
});
