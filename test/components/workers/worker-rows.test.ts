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

test('shows secrets, then other bindings, then deployments, the running one first', () => {
  const rows = workerRows(facts);
  expect(rows.map(({ facts: _, ...row }) => row)).toEqual([
    { id: 'secret TOKEN', kind: 'secret', name: 'TOKEN', label: 'TOKEN', value: '' },
    { id: 'binding KV', kind: 'binding', name: 'KV', label: 'KV', value: `kv_namespace ${'f'.repeat(32)}` },
    {
      id: 'binding SHAPE',
      kind: 'binding',
      name: 'SHAPE',
      label: 'SHAPE',
      value: 'json {"json":{"sides":3}}',
    },
    {
      id: 'deployment d2',
      kind: 'running',
      name: 'v2',
      label: 'v2 90%, v1 10%',
      value: 'by edgectl: fix checkout',
      since: Date.UTC(2026, 10, 21, 10),
    },
    { id: 'deployment d1', kind: 'deployed', name: 'v1', label: 'v1', value: 'by api' },
  ]);
  expect(rows.find(({ name }) => name === 'KV')?.facts).toEqual([
    ['name', 'KV'],
    ['type', 'kv_namespace'],
    ['namespace id', 'f'.repeat(32)],
    ['read as', 'env.KV'],
  ]);
  expect(rows.at(-2)?.facts).toEqual([
    ['version', 'v2, 90%'],
    ['version', 'v1, 10%'],
    ['deployed', '2026-11-21T10:00:00Z'],
    ['by', 'edgectl'],
    ['message', 'fix checkout'],
    ['deployment', 'd2'],
  ]);
  expect(factCounts(rows, facts.compatibilityDate)).toBe('1 secret, 2 bindings, 2026-11-01');
});

test('shows ten deployments at most', () => {
  const [one] = facts.deployments;
  const deployments = Array.from({ length: 30 }, () => one ?? facts.deployments[1]).flatMap(
    (each) => each ?? [],
  );
  expect(workerRows({ ...facts, deployments, secrets: [], bindings: [] })).toHaveLength(10);
});
