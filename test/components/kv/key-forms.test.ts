import { expect, test } from 'vitest';
import { editKeyForm, expireKeyForm, type KeyWrite, newKeyForm } from '../../../components/kv/key-forms.ts';
import type { FormDialog } from '../../../components/ui/forms/dialog.ts';
import { type Form, formValues, reduceForm } from '../../../components/ui/forms/form-state.ts';
import { hashValue, type WholeKey } from '../../../src/services/kv/key-change.ts';

const now = Date.UTC(2026, 10, 21, 10);
const clock = { now: () => now };

function fill(form: Form, values: Readonly<Record<string, string>>): Form {
  let filled = form;
  for (const [focus, { name }] of form.fields.entries()) {
    const value = values[name];
    if (value !== undefined) filled = reduceForm({ ...filled, focus }, { type: 'typed', value });
  }
  return filled;
}

type KeyForm = FormDialog<KeyWrite>;

const asked = (wanted: KeyWrite) => wanted;
const newForm = () => newKeyForm(clock, asked);
const editForm = (key: WholeKey) => editKeyForm(key, clock, asked);

/** Returns the write that a filled form requests, or the form's errors. */
function save(dialog: KeyForm, values: Readonly<Record<string, string>> = {}) {
  const saved = dialog.submit?.(formValues(fill(dialog.form, values)));
  return saved !== undefined && 'work' in saved ? saved.work : saved;
}

function subject(value: string | Uint8Array, extra = {}): WholeKey {
  return { entry: { name: 'user:1', ...extra }, value: Buffer.from(value) };
}

function getValues({ form }: KeyForm): Record<string, string> {
  return Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
}

test('creates a new key only if it does not exist', () => {
  expect(save(newForm(), { key: 'a', value: 'hello', ttl: '90m', metadata: '{"x":1}' })).toEqual({
    key: 'a',
    value: Buffer.from('hello'),
    expiry: { ttl: 5400 },
    metadata: { json: { x: 1 } },
    basis: 'absent',
  });
});

test.each([
  ['2026-12-24', '2026-12-24T00:00:00Z'],
  ['2026-12-24 18:00', '2026-12-24T18:00:00Z'],
  ['2026-12-24T18:00', '2026-12-24T18:00:00Z'],
  ['2026-12-24T18:00+02:00', '2026-12-24T16:00:00Z'],
])('accepts the date %s as a time to live', (ttl, meant) => {
  const expiry = { expiration: Date.parse(meant) / 1000 };
  expect(save(newForm(), { key: 'a', ttl })).toMatchObject({ expiry });
});

test.each(['2026-13-40', '2026-11-21'])('rejects the date %s, which is invalid or in the past', (ttl) => {
  expect(save(newForm(), { key: 'a', ttl })).toMatchObject({ errors: { ttl: expect.any(String) } });
});

test('shows a past date in readable form in the error', () => {
  const read = save(newForm(), { key: 'a', ttl: '2020-01-01' });
  const ttl = 'An expiration must be at least 60 seconds ahead; 2020-01-01T00:00:00Z has passed.';
  expect(read).toEqual({ errors: { ttl } });
});

test('accepts an empty value, no ttl and no metadata', () => {
  expect(save(newForm(), { key: 'a' })).toMatchObject({
    value: Buffer.alloc(0),
    expiry: {},
    metadata: { json: undefined },
  });
});

const faults: ReadonlyArray<
  readonly [about: string, values: Record<string, string>, errors: Record<string, RegExp>]
> = [
  ['no key', { key: '' }, { key: /cannot be empty/ }],
  ['white space in the key', { key: 'a b' }, { key: /whitespace/i }],
  ['a key of two dots', { key: '..' }, { key: /another path/ }],
  ['a key that is too long', { key: 'k'.repeat(513) }, { key: /512 bytes/ }],
  ['a ttl below a minute', { key: 'a', ttl: '59' }, { ttl: /at least 60/ }],
  ['a ttl that is not a duration', { key: 'a', ttl: 'soon' }, { ttl: /Not a time/ }],
  ['metadata that is not JSON', { key: 'a', metadata: '{' }, { metadata: /JSON object/ }],
  ['metadata that is not an object', { key: 'a', metadata: '[1]' }, { metadata: /an array/ }],
  [
    'metadata that is too long',
    { key: 'a', metadata: `{"x":"${'m'.repeat(1100)}"}` },
    { metadata: /1,024 bytes/ },
  ],
  ['two faults together', { key: '', ttl: 'x' }, { key: /empty/, ttl: /[Nn]ot a time/ }],
];

for (const [about, values, errors] of faults) {
  test(`shows an error in the form of a new key next to its field: ${about}`, () => {
    const read = save(newForm(), values);
    const found = read !== undefined && 'errors' in read ? read.errors : {};
    expect(Object.keys(found)).toEqual(Object.keys(errors));
    for (const [name, pattern] of Object.entries(errors)) expect(found[name]).toMatch(pattern);
  });
}

test('fills the edit form with the current values, and preserves values that the user does not change', () => {
  const key = subject('hello', { expiration: now / 1000 + 7200, metadata: { owner: 'web' } });
  const dialog = editForm(key);
  expect(getValues(dialog)).toEqual({ value: 'hello', ttl: '', metadata: '{"owner":"web"}' });
  expect(dialog.form.fields[1]?.note).toContain('The key expires in 2h (2026-11-21T12:00:00Z).');
  const nearly = subject('hello', { expiration: now / 1000 + 7199 });
  expect(editForm(nearly).form.fields[1]?.note).toContain('The key expires in 1h59m (2026-11-21T11:59:59Z).');
  expect(save(dialog)).toEqual({
    key: 'user:1',
    value: Buffer.from('hello'),
    expiry: 'kept',
    metadata: 'kept',
    basis: { sha256: hashValue(key.value) },
  });
});

test.each([
  'two\nlines\n',
  '-----BEGIN-----\r\nabc\r\n',
  '👨\u200d👩\u200d👧 a\u200bb \u202e \ufeff',
  'a\u0000\u001b[2J\\n',
])('offers any string for editing, and preserves every byte: %j', (value) => {
  const key = subject(value);
  const dialog = editForm(key);
  expect(getValues(dialog)['value']).toBe(value);
  expect(save(dialog)).toMatchObject({ value: Buffer.from(value) });
});

test('offers no field for binary data or a long value, and preserves the data', () => {
  for (const value of [Buffer.of(0xff, 0), 'x'.repeat(10_001)]) {
    const dialog = editForm(subject(value));
    const { form } = dialog;
    expect(form.fields.map(({ name }) => name)).toEqual(['ttl', 'metadata']);
    expect(form.lines.join()).toContain('press E to edit it in $EDITOR');
    expect(save(dialog)).toMatchObject({ value: 'kept' });
  }
});

test('removes the expiry if the input is "never", and the metadata if its field is empty', () => {
  const key = subject('hello', { expiration: now / 1000 + 7200, metadata: { owner: 'web' } });
  const saved = save(editForm(key), { ttl: 'never', metadata: '' });
  expect(saved).toMatchObject({ expiry: {}, metadata: { json: undefined } });
});

test('preserves metadata that the client would reject, unless the user edits the metadata', () => {
  const key = subject('hello', { metadata: 'a text' });
  expect(save(editForm(key))).toMatchObject({ metadata: 'kept' });
});

test('escapes invisible characters in metadata', () => {
  const key = subject('hello', { metadata: { a: '\u202e\u001b' } });
  expect(getValues(editForm(key))['metadata']).toBe('{"a":"\\u202e\\u001b"}');
});

test('requires an expiry in a form that sets only the expiry, and changes nothing else', () => {
  const key = subject('hello', { metadata: { a: 1 } });
  const dialog = expireKeyForm(key, clock, asked);
  expect(save(dialog)).toHaveProperty('errors.ttl');
  expect(save(dialog, { ttl: '7d' })).toEqual({
    key: 'user:1',
    value: 'kept',
    expiry: { ttl: 604_800 },
    metadata: 'kept',
    basis: undefined,
  });
});

test('shows the unchanged name of the key in the title of a form, with control characters marked', () => {
  const key = { ...subject('x'), entry: { name: 'a\u001b]0;x\u0007' } };
  expect(editForm(key).form.title).toBe('Edit a\u001b]0;x\u0007');
});
