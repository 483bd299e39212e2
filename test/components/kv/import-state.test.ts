import { expect, test } from 'vitest';
import { starting } from '../../../components/kit/keys/busy.ts';
import {
  formatReading,
  foundIn,
  type ImportEvent,
  type ImportState,
  importCounts,
  importLength,
  importRow,
  maxRows,
  noImport,
  reduceImport,
} from '../../../components/kv/import-state.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { KeyEffect } from '../../../src/services/kv/bulk/preview.ts';

function checked(entries: number, wrong = 0): ImportEvent {
  const first = Array.from({ length: Math.min(20, wrong) }, (_, index) => ({
    index,
    key: `k${index}`,
    reason: 'it is wrong',
  }));
  const faults = { count: wrong, first };
  return {
    type: 'found',
    found: { step: 'checked', entries, faults, fingerprint: 'f' },
  };
}

function compared(effect: KeyEffect['effect'], count: number): ImportEvent {
  const effects = Array.from({ length: count }, (_, index) => ({ key: `${effect}${index}`, effect }));
  return { type: 'found', found: { step: 'compared', effects } };
}

const all: ImportEvent = { type: 'compared-all' };
const after = (...events: ImportEvent[]): ImportState => events.reduce(reduceImport, noImport);

test('shows the progress while the file is read and compared', () => {
  const progress = { phase: 'checking', unit: 'bytes', done: 34, total: 100, retries: 0, failed: 0 } as const;
  const reading = after({ type: 'progressed', words: formatReading(progress) });
  expect(importCounts(reading)).toBe('checking 34%');
  expect(reduceImport(reading, { type: 'progressed', words: 'checking 34%' })).toBe(reading);
  const half = after(checked(200), compared('create', 100));
  expect(importCounts(half)).toBe('comparing 50%, 100 new, 0 changed, 0 same');
  expect(foundIn(half)).toEqual({ isReading: true, wrong: 0, changes: 100 });
});

test('counts the new, changed and equal entries, and lists all entries that would change', () => {
  const state = after(
    checked(1408, 3),
    compared('create', 1200),
    compared('change', 150),
    compared('same', 50),
    all,
  );
  expect(importCounts(state)).toBe('1,200 new, 150 changed, 50 same, 3 invalid, 5 repeated');
  expect(foundIn(state)).toEqual({ isReading: false, wrong: 3, changes: 1350 });
  expect(importLength(state)).toBe(1353);
  expect(importRow(state, 0)).toEqual({ effect: 'invalid', text: 'Entry 1, key "k0": it is wrong.' });
  expect(importRow(state, 3)).toEqual({ effect: 'create', text: 'create0' });
});

test('keeps up to a maximum number of rows, and shows the number of other rows', () => {
  const state = after(checked(15_030, 30), compared('create', 9000), compared('change', 6000), all);
  expect(importLength(state)).toBe(maxRows + 1);
  expect(importRow(state, maxRows)).toEqual({ effect: '', text: '… and 5,030 more' });
  expect(importCounts(state)).toBe('9,000 new, 6,000 changed, 0 same, 30 invalid');
});

test('starts over when the file is reread', () => {
  expect(after(checked(10), compared('create', 10), { type: 'reading' })).toEqual(noImport);
});

test('keeps the results if the rest of the file cannot be read, and never offers to import', () => {
  const problem = new Problem('unreachable', 'no answer');
  const failed = after(checked(10), compared('create', 4), {
    type: 'failed',
    problem,
    command: 'read',
  });
  expect(failed.dialog).toMatchObject({ kind: 'problem', problem });
  expect(importCounts(failed)).toBe('4 new, 0 changed, 0 same, stopped: press r to read the file again');
  expect(foundIn(failed).isReading).toBe(true);
  expect(reduceImport(failed, { type: 'dismissed' }).dialog).toBeUndefined();
});

test('leaves the preview unchanged if the task cannot be started', () => {
  const problem = new Problem('system', 'disk full');
  const command = { busy: starting, run: async () => ({}) };
  const failed = after(
    checked(1),
    compared('create', 1),
    all,
    { type: 'begun', busy: starting },
    {
      type: 'failed',
      problem,
      command,
    },
  );
  expect(failed).toMatchObject({ phase: 'ready', busy: undefined, dialog: { command } });
});

test('moves through the rows, including the last row, which contains the number of rows not shown', () => {
  const state = after(checked(10_001), compared('create', 10_001), all);
  const moved = reduceImport(state, { type: 'moved', move: 'last', height: 10 });
  expect(moved.cursor.index).toBe(maxRows);
});
