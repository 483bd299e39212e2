import { expect, test } from 'vitest';
import { deleting, saving } from '../../../components/keymap/busy.ts';
import { workerRows } from '../../../components/workers/rows.ts';
import {
  factCounts,
  noWorker,
  readSecretForm,
  reduceWorker,
  removeSecretDialog,
  secretForm,
  selectedRow,
  type WorkerEvent,
  type WorkerState,
} from '../../../components/workers/state.ts';
import { Problem } from '../../../src/model/problem.ts';

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
      versions: [
        { id: 'v2', percentage: 90 },
        { id: 'v1', percentage: 10 },
      ],
    },
    { id: 'd1', createdOn: 'no date', source: 'api', versions: [{ id: 'v1', percentage: 100 }] },
  ],
};

function after(...events: WorkerEvent[]): WorkerState {
  return events.reduce(reduceWorker, noWorker({ name: 'site' }));
}

const read: WorkerEvent = { type: 'read', facts };

function typed(purpose: 'create' | 'edit', values: readonly string[]): WorkerState {
  const dialog = secretForm('site', purpose === 'create' ? undefined : 'TOKEN');
  const events = values.flatMap((value): WorkerEvent[] => [
    { type: 'form', event: { type: 'typed', value } },
    { type: 'form', event: { type: 'next' } },
  ]);
  return after(read, { type: 'asked', dialog }, ...events);
}

test('shows secrets, then bindings that are none, then deployments, the one that runs first', () => {
  expect(workerRows(facts)).toEqual([
    { kind: 'secret', name: 'TOKEN', text: 'TOKEN' },
    { kind: 'binding', name: 'KV', text: `KV = kv_namespace ${'f'.repeat(32)}` },
    { kind: 'binding', name: 'SHAPE', text: 'SHAPE = json {"json":{"sides":3}}' },
    {
      kind: 'running',
      name: 'v2',
      text: 'v2 90%, v1 10% by edgectl',
      since: Date.UTC(2026, 10, 21, 10),
    },
    { kind: 'deployed', name: 'v1', text: 'v1 by api' },
  ]);
  expect(factCounts(after(read))).toBe('1 secret, 2 bindings, 2026-11-01');
});

test('shows ten deployments at most', () => {
  const [one] = facts.deployments;
  const deployments = Array.from({ length: 30 }, () => one ?? facts.deployments[1]).flatMap(
    (each) => each ?? [],
  );
  expect(workerRows({ ...facts, deployments, secrets: [], bindings: [] })).toHaveLength(10);
});

test('keeps the selected row while it is read again', () => {
  const down: WorkerEvent = { type: 'moved', move: 'down', height: 10 };
  const again = after(read, down, down, { type: 'read', facts: { ...facts, secrets: ['A', 'TOKEN'] } });
  expect(selectedRow(again)?.name).toBe('SHAPE');
});

test('draws the text of a secret hidden', () => {
  for (const name of [undefined, 'TOKEN']) {
    const text = secretForm('site', name).form.fields.find((field) => field.name === 'text');
    expect(text?.hidden).toBe(true);
  }
});

test('reads the form of a secret', () => {
  expect(readSecretForm(typed('create', ['NEW', 'word']))).toEqual({
    command: { does: 'put', name: 'NEW', text: 'word' },
  });
  expect(readSecretForm(typed('edit', ['other']))).toEqual({
    command: { does: 'put', name: 'TOKEN', text: 'other' },
  });
  expect(readSecretForm(after(read))).toBeUndefined();
});

test.each([
  ['a name that is no identifier', ['not-one', 'x'], ['name']],
  ['an empty text', ['NEW', ''], ['text']],
  ['both', ['', ''], ['name', 'text']],
])('says beside the fields what is wrong: %s', (_, values, fields) => {
  const answer = readSecretForm(typed('create', values)) as { errors: object };
  expect(Object.keys(answer.errors)).toEqual(fields);
});

test('asks before a new secret takes the place of one, with the form behind the question', () => {
  const answer = readSecretForm(typed('create', ['TOKEN', 'x']));
  expect(answer).toMatchObject({
    asks: { kind: 'confirm', command: { does: 'put', name: 'TOKEN' }, behind: { purpose: 'create' } },
  });
});

test('keeps the form when setting fails, and shows any other failure in a box', () => {
  const problem = new Problem('refused', 'no');
  const command = { does: 'put', name: 'NEW', text: 'word' } as const;
  const begun = reduceWorker(typed('create', ['NEW', 'word']), { type: 'begun', command });
  expect(begun.busy).toBe(saving);
  const failed = reduceWorker(begun, { type: 'failed', problem, command });
  expect(failed).toMatchObject({ busy: undefined, dialog: { kind: 'form', form: { problem } } });
  const remove = removeSecretDialog('site', 'TOKEN');
  const gone = after(
    read,
    { type: 'asked', dialog: remove },
    { type: 'begun', command: { does: 'remove', name: 'TOKEN' } },
  );
  expect(gone).toMatchObject({ busy: deleting, dialog: undefined });
});
