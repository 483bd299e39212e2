import { expect, test } from 'vitest';
import { saving } from '../../../components/kit/keys/busy.ts';
import { createForm, removeForm } from '../../../components/objects/bucket-actions.ts';
import { formatAmount } from '../../../components/objects/chosen.ts';

const work = { busy: saving, run: async () => ({}) };

test.each([
  [
    { name: 'assets', location: '' },
    { name: 'assets', location: undefined },
  ],
  [
    { name: 'assets', location: ' WEUR ' },
    { name: 'assets', location: 'weur' },
  ],
  [
    { name: 'assets', storageClass: 'InfrequentAccess' },
    { name: 'assets', storageClass: 'InfrequentAccess' },
  ],
])('creates the bucket described in a form: %j', (values, wanted) => {
  const asked: unknown[] = [];
  const dialog = createForm((bucket) => {
    asked.push(bucket);
    return work;
  });
  expect(dialog.submit?.(values)).toEqual({ work });
  expect(asked).toEqual([wanted]);
});

test.each([
  [{ name: 'As', location: '' }, { name: expect.stringContaining('Not a valid name') }],
  [
    { name: 'assets', storageClass: 'Glacier' },
    { storageClass: 'Must be one of Standard, InfrequentAccess.' },
  ],
  [{ name: 'assets', location: 'mars' }, { location: 'Unknown location.' }],
])('reports the error in the form of a new bucket: %j', (values, errors) => {
  expect(createForm(() => work).submit?.(values)).toEqual({ errors });
});

test('names exactly what a deletion deletes, and shows its content', () => {
  const dialog = removeForm({ name: 'beta' }, { objects: 12, bytes: 3400, more: false }, work);
  expect(dialog.form.lines).toEqual([expect.stringContaining('12 objects (3.3 KiB)'), expect.anything()]);
  expect(dialog.form.fields.map(({ value }) => value)).toEqual(['']);
  expect(dialog.submit?.({ name: 'bet' })).toEqual({ errors: { name: 'The name does not match.' } });
  expect(dialog.submit?.({ name: 'beta' })).toEqual({ work });
});

test.each([
  [{ objects: 0, bytes: 0, more: false }, 'no object'],
  [{ objects: 1, bytes: 5, more: false }, '1 object (5 B)'],
  [{ objects: 10_000, bytes: 5, more: true }, 'more than 10,000 objects'],
])('shows how much a bucket contains: %j', (count, words) => {
  expect(formatAmount(count)).toBe(words);
});
