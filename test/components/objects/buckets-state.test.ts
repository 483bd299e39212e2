import { expect, test } from 'vitest';
import {
  amountOf,
  type BucketsEvent,
  type BucketsState,
  bucketCounts,
  createDialog,
  noBuckets,
  readBucketForm,
  reduceBuckets,
  removeDialog,
  selectedBucket,
  shownBuckets,
} from '../../../components/objects/buckets-state.ts';
import { Problem } from '../../../src/model/problem.ts';

const [alpha, beta, gamma] = [{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' }];
const listed: BucketsEvent = { type: 'listed', buckets: [alpha, beta, gamma], complete: true };
const down: BucketsEvent = { type: 'moved', move: 'down', height: 10 };

function after(...events: BucketsEvent[]): BucketsState {
  return events.reduce(reduceBuckets, noBuckets);
}

function typed(...values: readonly string[]): BucketsEvent[] {
  return values.flatMap((value): BucketsEvent[] => [
    { type: 'form', event: { type: 'typed', value } },
    { type: 'form', event: { type: 'next' } },
  ]);
}

test('counts what has come, and says when the list is whole or has stopped', () => {
  expect(bucketCounts(after())).toBe('0 buckets so far');
  expect(bucketCounts(after(listed))).toBe('3 buckets');
  expect(bucketCounts(after(listed, { type: 'filtered', text: 'A' }))).toBe('3 of 3');
  const problem = new Problem('unreachable', 'no answer');
  const failed = after({ type: 'failed', problem, command: { does: 'list' } });
  expect(bucketCounts(failed)).toContain('stopped');
});

test('filters by name, keeps the selection, and Esc clears', () => {
  const filtered = after(listed, down, { type: 'filtered', text: 'et' });
  expect(shownBuckets(filtered)).toEqual([beta]);
  expect(selectedBucket(reduceBuckets(filtered, { type: 'closed' }))).toEqual(beta);
});

test('puts a new bucket in its place and selects it', () => {
  const created = after(listed, { type: 'created', bucket: { name: 'azur' } });
  expect(created.buckets.map(({ name }) => name)).toEqual(['alpha', 'azur', 'beta', 'gamma']);
  expect(selectedBucket(created)?.name).toBe('azur');
});

test.each([
  [['assets', ''], { command: { does: 'create', name: 'assets', location: undefined } }],
  [['assets', ' WEUR '], { command: { does: 'create', name: 'assets', location: 'weur' } }],
  [['As', ''], { errors: { name: expect.stringContaining('Not a name') } }],
  [['assets', 'mars'], { errors: { location: 'There is no such location.' } }],
])('reads the form of a new bucket: %j', (values, answer) => {
  expect(
    readBucketForm(after(listed, { type: 'asked', dialog: createDialog() }, ...typed(...values)).dialog),
  ).toEqual(answer);
});

test('deletes only what is named, and the bucket that the form was opened on', () => {
  const dialog = removeDialog({ bucket: beta, count: { objects: 12, bytes: 3400, more: false } });
  expect(dialog).toMatchObject({
    form: { lines: [expect.stringContaining('12 objects (3.4 kB)'), expect.anything()] },
  });
  const open = after(listed, { type: 'asked', dialog });
  expect(readBucketForm(reduceBuckets(open, typed('bet')[0] as BucketsEvent).dialog)).toHaveProperty(
    'errors',
  );
  expect(readBucketForm(reduceBuckets(open, typed('beta')[0] as BucketsEvent).dialog)).toEqual({
    command: { does: 'remove', bucket: beta },
  });
});

test.each([
  [{ objects: 0, bytes: 0, more: false }, 'no object'],
  [{ objects: 1, bytes: 5, more: false }, '1 object (5 B)'],
  [{ objects: 10_000, bytes: 5, more: true }, 'more than 10,000 objects'],
])('says how much a bucket holds: %j', (count, words) => {
  expect(amountOf(count)).toBe(words);
});

test('keeps the selection when the list is read again, and its place when the selected bucket is gone', () => {
  const again = (...buckets: { name: string }[]): BucketsEvent[] => [
    { type: 'stale' },
    { type: 'listed', buckets, complete: true },
  ];
  expect(selectedBucket(after(listed, down, ...again({ name: 'aa' }, alpha, beta, gamma)))).toEqual(beta);
  expect(selectedBucket(after(listed, down, ...again(alpha, gamma)))).toEqual(gamma);
});

test('keeps a form while the list is read again beside it, also when that fails', () => {
  const typing = after(listed, { type: 'asked', dialog: createDialog() }, ...typed('new'), { type: 'stale' });
  expect(typing).toMatchObject({ loading: true, dialog: { kind: 'form' } });
  const problem = new Problem('unreachable', 'no answer');
  const failed = reduceBuckets(typing, { type: 'failed', problem, command: { does: 'list' } });
  expect(failed).toMatchObject({ stopped: true, loading: false, dialog: typing.dialog });
});

test('is busy only until the task has started', () => {
  const begun = after(listed, { type: 'begun', command: { does: 'remove', bucket: beta } });
  expect(begun.busy).toBe('starting');
  expect(reduceBuckets(begun, { type: 'started' })).toMatchObject({ busy: undefined, dialog: undefined });
});

test('keeps the form of a bucket that cannot be created', () => {
  const problem = new Problem('refused', 'taken');
  const command = { does: 'create', name: 'x', location: undefined } as const;
  const open = after(listed, { type: 'asked', dialog: createDialog() }, { type: 'begun', command });
  expect(open.busy).toBe('saving');
  expect(reduceBuckets(open, { type: 'failed', problem, command })).toMatchObject({
    busy: undefined,
    dialog: { kind: 'form', form: { problem } },
  });
});
