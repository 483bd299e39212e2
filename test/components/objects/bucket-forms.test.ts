import { expect, test } from 'vitest';
import {
  amountOf,
  createForm,
  readBucketForm,
  removeForm,
} from '../../../components/objects/bucket-forms.ts';
import { formValues, reduceForm } from '../../../components/ui/forms/form-state.ts';

type BucketForm = ReturnType<typeof createForm>;

function fill(dialog: BucketForm, ...values: readonly string[]): BucketForm {
  const form = values.reduce(
    (now, value) => reduceForm(reduceForm(now, { type: 'typed', value }), { type: 'next' }),
    dialog.form,
  );
  return { ...dialog, form };
}

test.each([
  [['assets', ''], { command: { does: 'create', name: 'assets', location: undefined } }],
  [['assets', ' WEUR '], { command: { does: 'create', name: 'assets', location: 'weur' } }],
  [['As', ''], { errors: { name: expect.stringContaining('Not a name') } }],
  [['assets', 'mars'], { errors: { location: 'There is no such location.' } }],
])('reads the form of a new bucket: %j', (values, answer) => {
  expect(readBucketForm(fill(createForm(), ...values))).toEqual(answer);
});

test('deletes only what is named, and the bucket that the form was opened on', () => {
  const bucket = { name: 'beta' };
  const dialog = removeForm({ bucket, count: { objects: 12, bytes: 3400, more: false } });
  expect(dialog.form.lines).toEqual([expect.stringContaining('12 objects (3.3 KiB)'), expect.anything()]);
  expect(formValues(dialog.form)).toEqual({ name: '' });
  expect(readBucketForm(fill(dialog, 'bet'))).toEqual({ errors: { name: 'This is not its name.' } });
  expect(readBucketForm(fill(dialog, 'beta'))).toEqual({ command: { does: 'remove', bucket } });
});

test.each([
  [{ objects: 0, bytes: 0, more: false }, 'no object'],
  [{ objects: 1, bytes: 5, more: false }, '1 object (5 B)'],
  [{ objects: 10_000, bytes: 5, more: true }, 'more than 10,000 objects'],
])('says how much a bucket holds: %j', (count, words) => {
  expect(amountOf(count)).toBe(words);
});
