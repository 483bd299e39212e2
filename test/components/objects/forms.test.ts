import { expect, test } from 'vitest';
import { type Chosen, chosenWords } from '../../../components/objects/chosen.ts';
import { readObjectForm } from '../../../components/objects/form-reading.ts';
import {
  copyForm,
  downloadForm,
  folderName,
  type ObjectForm,
  removeForm,
  uploadForm,
} from '../../../components/objects/forms.ts';
import { removeDialog } from '../../../components/objects/questions.ts';
import { foldLines } from '../../../components/ui/forms/dialog-lines.ts';
import type { MarkedObject } from '../../../src/services/tasks/objects.ts';
import { plainSurface } from '../plain-surface.ts';

function chosen(marked: readonly MarkedObject[], folder = 'docs/', hidden = 0): Chosen {
  return { bucket: 'assets', folder, marked, hidden };
}

const one = chosen([{ key: 'docs/a.txt', size: 4 }]);
const some = chosen([
  { key: 'docs/a.txt', size: 4 },
  { key: 'docs/b', size: 5 },
]);
const folder = chosen([{ prefix: 'docs/deep/' }]);
const mixed = chosen([{ key: 'docs/a.txt', size: 4 }, { prefix: 'docs/deep/' }], 'docs/', 1);

/** The form with its fields filled. */
function filled(form: ObjectForm, values: Readonly<Record<string, string>>): ObjectForm {
  const fields = form.form.fields.map((field) => ({ ...field, value: values[field.name] ?? field.value }));
  return { ...form, form: { ...form.form, fields } };
}

function fieldOf(form: ObjectForm, name: string): string | undefined {
  return form.form.fields.find((field) => field.name === name)?.value;
}

test.each([
  [one, 'a.txt'],
  [folder, 'deep/'],
  [some, '2 objects'],
  [mixed, '1 object and 1 folder'],
  [chosen([{ key: 'docs/', size: 0 }]), 'docs/'],
  [chosen([{ key: 'docs/\u001b[2J', size: 0 }]), '\\e[2J'],
])('says what was chosen: %j', (what, words) => {
  expect(chosenWords(what)).toBe(words);
});

test.each([
  [{ path: 'x/page.html' }, { path: 'x/page.html', name: '', contentType: undefined, existing: 'skip' }],
  [
    { path: 'p', name: 'b', type: ' text/css ', existing: ' replace' },
    { path: 'p', name: 'b', contentType: 'text/css', existing: 'replace' },
  ],
])('reads the form of an upload: %j', (values, command) => {
  expect(readObjectForm(filled(uploadForm('assets', 'docs/'), values))).toEqual({
    command: { does: 'upload', bucket: 'assets', folder: 'docs/', ...command },
  });
});

test('reads where one object is copied to, and the prefix that many are copied below', () => {
  expect(readObjectForm(filled(copyForm(one), { bucket: 'other', key: 'k' }))).toEqual({
    command: { does: 'copy', from: one, to: { bucket: 'other', key: 'k' }, existing: 'skip' },
  });
  expect(readObjectForm(filled(copyForm(mixed), { key: 'old', existing: 'replace' }))).toEqual({
    command: { does: 'copy', from: mixed, to: { bucket: 'assets', key: 'old/' }, existing: 'replace' },
  });
  expect(readObjectForm(filled(copyForm(mixed), { key: '' }))).toMatchObject({
    command: { to: { bucket: 'assets', key: '' } },
  });
});

test.each([
  ['no file', uploadForm('assets', ''), {}, ['path']],
  ['a key that is too long', uploadForm('assets', ''), { path: 'x', name: 'k'.repeat(1025) }, ['name']],
  ['a word that is none', uploadForm('assets', ''), { path: 'x', existing: 'all' }, ['existing']],
  ['nowhere to download to', downloadForm(one), { path: ' ' }, ['path']],
  ['no folder to download to', downloadForm(some), { path: '', existing: '' }, ['path', 'existing']],
  ['a copy onto itself', copyForm(one), {}, ['key']],
  ['copies onto themselves', copyForm(mixed), {}, ['key']],
  ['a copy without a key', copyForm(one), { key: '' }, ['key']],
  ['a prefix that is too long', copyForm(some), { key: 'k'.repeat(1025) }, ['key']],
  ['a copy into no bucket', copyForm(one), { bucket: 'A' }, ['bucket']],
  [
    'another name than it has',
    removeForm(folder, { objects: 2, bytes: 3, more: false }),
    { name: 'docs' },
    ['name'],
  ],
  ['another bucket', removeForm(mixed, { objects: 2, bytes: 3, more: false }), { name: 'deep' }, ['name']],
])('says beside the field what is wrong: %s', (_, form, values, fields) => {
  expect(Object.keys((readObjectForm(filled(form, values)) as { errors: object }).errors)).toEqual(fields);
});

test('offers the name of the object for a download, unless it leads elsewhere or cannot be shown', () => {
  const offered = (key: string) => fieldOf(downloadForm(chosen([{ key }])), 'path');
  expect(offered('docs/a.txt')).toBe('a.txt');
  expect(offered('docs/..')).toBe('');
  expect(offered('docs/a\\b')).toBe('a\\b');
  expect(offered('docs/\u202etxt')).toBe('');
  expect(offered('docs/')).toBe('');
});

test('offers a folder for many that has the name of theirs, or of the bucket', () => {
  const offered = (where: string) => fieldOf(downloadForm(chosen([{ prefix: `${where}a/` }], where)), 'path');
  expect(offered('')).toBe('assets');
  expect(offered('docs/deep/')).toBe('deep');
  expect(offered('docs/../')).toBe('assets');
  expect(offered('docs/\u001b/')).toBe('assets');
});

test('asks for the last part of a folder, escaped, and for the bucket where that is empty', () => {
  expect(folderName('a/b/')).toBe('b');
  const form = removeForm(chosen([{ prefix: 'docs/\u001b/' }]), { objects: 10_000, bytes: 1, more: true });
  expect(form.form.lines.join()).toContain('more than 10,000 objects below it');
  expect(readObjectForm(filled(form, { name: '\\e' }))).toMatchObject({ command: { does: 'remove' } });
  const empty = removeForm(chosen([{ prefix: 'docs//' }]), { objects: 1, bytes: 1, more: false });
  expect(empty.form.lines.join()).toContain('Type the name of the bucket, assets, to delete it.');
  expect(readObjectForm(filled(empty, { name: '' }))).toHaveProperty('errors');
  expect(readObjectForm(filled(empty, { name: 'assets' }))).toMatchObject({ command: { does: 'remove' } });
});

test.each([
  ['one object', one, 1, 'confirm'],
  ['a few objects', some, 2, 'confirm'],
  ['many objects', some, 100, 'form'],
  ['a folder', folder, 1, 'form'],
  ['an empty folder among them', mixed, 1, 'form'],
])('asks for a yes or a name before a deletion: %s', (_, what, objects, kind) => {
  expect(removeDialog(what, { objects, bytes: 0, more: false }).kind).toBe(kind);
});

test('names what is deleted, and says what of it the reader does not see', () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ key: `docs/${index}\u001b`, size: 1 }));
  const count = { objects: 7, bytes: 7, more: false };
  const dialog = removeDialog(chosen(many, 'docs/', 2), count);
  if (dialog.kind !== 'confirm') throw new Error('no question');
  expect(dialog.question.question).toBe('Delete 7 objects of assets?');
  expect(foldLines(dialog.question.lost, plainSurface(80)).slice(0, 2)).toEqual([
    '2 of them are not shown in the list.',
    '0\\e, 1\\e, 2\\e, 3\\e, 4\\e and 2 more.',
  ]);
});
