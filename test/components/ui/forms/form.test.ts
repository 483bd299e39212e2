import { expect, test } from 'vitest';
import { fitForm, formRows } from '../../../../components/ui/forms/form-layout.ts';
import {
  type Form,
  formValues,
  openForm,
  reduceForm,
  skippedField,
} from '../../../../components/ui/forms/form-state.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { drawn } from '../../drawn.ts';
import { plainSurface } from '../../plain-surface.ts';

const fields = [
  { name: 'key', label: 'Key', value: '' },
  { name: 'ttl', label: 'TTL', value: '', note: 'Seconds, or 90m.' },
];

const form = openForm('New key', fields);

/** Returns the rows as displayed: lines, and fields in brackets. */
function renderRows(given: Form, width: number, height: number): string[] {
  return fitForm(given, plainSurface(width), height).map((row) =>
    row.type === 'text'
      ? drawn(row.text)
      : row.type === 'choice'
        ? '( )'
        : `[${given.fields[row.index]?.name}]`,
  );
}

test('types into the focused field, and moves from field to field in a cycle', () => {
  const typed = reduceForm(reduceForm(form, { type: 'typed', value: 'a' }), { type: 'next' });
  const both = reduceForm(typed, { type: 'typed', value: '90' });
  expect(formValues(both)).toEqual({ key: 'a', ttl: '90' });
  expect(reduceForm(both, { type: 'next' }).focus).toBe(0);
  expect(reduceForm(form, { type: 'previous' }).focus).toBe(1);
});

test('Enter moves to a required field before saving, until it was visited or filled in', () => {
  const [key = fields[0], ttl = fields[1]] = fields;
  if (key === undefined || ttl === undefined) throw new Error('two fields');
  const expecting = openForm('New key', [key, { ...ttl, isExpected: true }]);
  expect(skippedField(expecting)).toBe(1);
  const seen = reduceForm(reduceForm(expecting, { type: 'focused', index: 1 }), { type: 'previous' });
  expect([skippedField(seen), skippedField(form)]).toEqual([undefined, undefined]);
  expect(skippedField(openForm('Copy', [key, { ...ttl, value: '90', isExpected: true }]))).toBe(undefined);
});

test('shows errors next to their fields, focuses the first error, and clears an error when its field changes', () => {
  const refused = reduceForm(form, { type: 'refused', errors: { ttl: 'Too short.' } });
  expect(refused.focus).toBe(1);
  expect(refused.fields.map((field) => field.error)).toEqual([undefined, 'Too short.']);
  const typed = reduceForm(refused, { type: 'typed', value: '60' });
  expect(typed.fields[1]).toEqual({ name: 'ttl', label: 'TTL', value: '60', note: 'Seconds, or 90m.' });
});

test('keeps all input when saving fails, and shows the reason until the next save', () => {
  const typed = reduceForm(form, { type: 'typed', value: 'greeting' });
  const saving = reduceForm(typed, { type: 'saving' });
  expect(saving.saving).toBe(true);
  const problem = new Problem('unreachable', 'No answer.');
  const failed = reduceForm(saving, { type: 'failed', problem });
  expect(failed).toMatchObject({ saving: false, problem, fields: typed.fields });
  expect(reduceForm(failed, { type: 'saving' }).problem).toBeUndefined();
});

test('draws the title, lines, fields and remarks of a form', () => {
  const full = reduceForm(openForm('Delete', fields, ['All is lost.']), {
    type: 'refused',
    errors: { key: 'Wrong.' },
  });
  expect(renderRows(full, 40, 20)).toEqual([
    'Delete',
    'All is lost.',
    '[key]',
    '    Wrong.',
    '[ttl]',
    '    Seconds, or 90m.',
  ]);
  expect(formRows(full, plainSurface(40)).length).toBe(6);
});

/** Returns the title `Delete` on 40 columns, with a position at the right. */
const title = (position: string) => `Delete${position.padStart(34)}`;

test('on a short screen, omits remarks first, then fields, and the focused field last', () => {
  const full = reduceForm(openForm('Delete', fields, ['All is lost.']), {
    type: 'refused',
    errors: { key: 'Wrong.' },
  });
  expect(renderRows(full, 40, 5)).toEqual(['Delete', 'All is lost.', '[key]', '    Wrong.', '[ttl]']);
  // Without the error, the user would not know why the form was rejected.
  expect(renderRows(full, 40, 4)).toEqual(['Delete', '[key]', '    Wrong.', '[ttl]']);
  expect(renderRows(full, 40, 3)).toEqual([title('1 of 2 ↓'), '[key]', '    Wrong.']);
  expect(renderRows(full, 40, 1)).toEqual(['[key]']);
  expect(renderRows(reduceForm(full, { type: 'next' }), 40, 3)).toEqual([
    title('2 of 2 ↑'),
    '[ttl]',
    '    Seconds, or 90m.',
  ]);
});

const many: Form = openForm('New hostname', [
  { name: 'hostname', label: 'Hostname', value: 'shop.acme.example', isRequired: true, note: 'Required.' },
  ...['method', 'authority', 'branding', 'tls', 'origin'].map((name) => ({ name, label: name, value: '' })),
]);

test('shows the position of the focused field, and the first required field, if not all fields are visible', () => {
  const rows = (focus: number, height: number) =>
    renderRows(reduceForm(many, { type: 'focused', index: focus }), 40, height).map((row) =>
      row.trim().replace(/ {2,}/, '  '),
    );
  expect(rows(0, 5)).toEqual([
    'New hostname  1 of 6 ↓',
    '[hostname]',
    'Required.',
    '[method]',
    '[authority]',
  ]);
  expect(rows(3, 4)).toEqual(['New hostname  4 of 6 ↑↓', '[hostname]', '[branding]', '[tls]']);
  expect(rows(5, 4)).toEqual(['New hostname  6 of 6 ↑', '[hostname]', '[tls]', '[origin]']);
  expect(rows(3, 2)).toEqual(['New hostname  4 of 6 ↑↓', '[branding]']);
  expect(rows(3, 7)[0]).toBe('New hostname');
});

test('keeps the focused field, its error and the number of rows on a screen of any height', () => {
  const lines = ['All is lost.', 'Type the name of the key to delete the key.'];
  for (let height = 1; height < 14; height++)
    for (let focus = 0; focus < many.fields.length; focus++) {
      const name = many.fields[focus]?.name ?? '';
      const given = reduceForm({ ...many, lines }, { type: 'refused', errors: { [name]: 'Wrong.' } });
      const rows = renderRows(given, 40, height);
      expect(rows.length).toBeLessThanOrEqual(height);
      expect(rows.filter((row) => row === `[${name}]`)).toHaveLength(1);
      if (height > 2) expect(rows.map((row) => row.trim())).toContain('Wrong.');
      if (height > 4) expect(rows.filter((row) => row === '[hostname]')).toHaveLength(1);
    }
});

test('shows the position in a long title, which is then shortened', () => {
  const [row] = renderRows({ ...many, title: 'Copy 3 keys of '.repeat(4) }, 40, 3);
  expect(row).toMatch(/^Copy 3 keys of Copy 3 keys.*… {2}1 of 6 ↓$/);
  expect(row).toHaveLength(40);
});

const picked = openForm('New key', [
  {
    name: 'kind',
    label: 'Kind',
    value: 'b',
    choices: ['a', 'b', 'c', 'd'].map((value) => ({ value, label: value })),
  },
  ...fields,
]);

test('lists the values of the focused field only if the whole form fits', () => {
  expect(renderRows(picked, 40, 7)).toEqual(['New key', '[kind]', '( )', '( )', '( )', '[key]', '[ttl]']);
  expect(renderRows(picked, 40, 6)).toEqual(['New key', '[kind]', '[key]', '[ttl]', '    Seconds, or 90m.']);
});

test('reduces a list of values that scrolls anyway, before only the chosen value is left', () => {
  const choices = Array.from({ length: 30 }, (_, at) => ({ value: `${at}`, label: `${at}` }));
  const long = openForm('Copy', [{ name: 'to', label: 'To', value: '3', choices }, ...fields]);
  const count = (height: number) => renderRows(long, 40, height).filter((row) => row === '( )').length + 1;
  expect([11, 10, 7, 6].map(count)).toEqual([8, 4, 4, 1]);
});

test('shows the length of a multi-line text below its field', () => {
  const lines = openForm('New', [{ name: 'value', label: 'Value', value: 'a\n👍\n', multiline: true }]);
  expect(renderRows(lines, 40, 9)).toEqual(['New', '[value]', '    2 lines, 4 characters.']);
});

test('limits the text of an error to a few rows', () => {
  const errors = { ttl: `Not a time: ${'x'.repeat(10_000)}` };
  expect(renderRows(reduceForm(form, { type: 'refused', errors }), 40, 40)).toHaveLength(7);
});

test('shows an error below its field, or a failure as an error of the form', () => {
  const hostile = reduceForm(form, { type: 'failed', problem: new Problem('refused', 'no\u001b[2J') });
  expect(renderRows(hostile, 80, 20)).toContain('error: no␛[2J');
  const refused = reduceForm(form, { type: 'refused', errors: { key: 'bad \u202e' } });
  expect(renderRows(refused, 80, 20)).toContainEqual(expect.stringMatching(/^ {4,}bad <U\+202E>$/));
});
