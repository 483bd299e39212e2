import { expect, test } from 'vitest';
import { saving } from '../../../components/kit/keys/busy.ts';
import { type Chosen, describeChosen, folderName } from '../../../components/objects/chosen.ts';
import { removeDialog, removeForm } from '../../../components/objects/removal.ts';
import { copyForm, downloadForm, uploadForm } from '../../../components/objects/transfers.ts';
import type { FormDialog, Work } from '../../../components/ui/forms/dialog.ts';
import { foldLines } from '../../../components/ui/forms/dialog-lines.ts';
import { formValues } from '../../../components/ui/forms/form-state.ts';
import type { MarkedObject } from '../../../src/services/tasks/objects.ts';
import { drawn } from '../drawn.ts';
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

type Form = FormDialog<Work>;

const work: Work = { busy: saving, run: async () => ({}) };
const upload = uploadForm('assets', '', () => work);
const download = (from: Chosen) => downloadForm(from, () => work);
const copy = (from: Chosen) => copyForm(from, () => work);
const remove = (from: Chosen, objects: number) =>
  removeForm(from, { objects, bytes: objects, more: false }, work);

/** Returns the result of a form whose fields are filled with these values. */
function filled({ form, submit }: Form, values: Readonly<Record<string, string>>) {
  const fields = form.fields.map((field) => ({ ...field, value: values[field.name] ?? field.value }));
  return submit?.(formValues({ ...form, fields }));
}

/** Returns the work that a filled form requests. */
function asked(formFor: (make: (wanted: unknown) => Work) => Form, values: Readonly<Record<string, string>>) {
  const inputs: unknown[] = [];
  const form = formFor((wanted) => {
    inputs.push(wanted);
    return work;
  });
  expect(filled(form, values)).toEqual({ work });
  return inputs;
}

function getField({ form }: Form, name: string): string | undefined {
  return form.fields.find((field) => field.name === name)?.value;
}

test.each([
  [one, 'a.txt'],
  [folder, 'deep/'],
  [some, '2 objects'],
  [mixed, '1 object and 1 folder'],
  [chosen([{ key: 'docs/', size: 0 }]), 'docs/'],
  [chosen([{ key: 'docs/\u001b[2J', size: 0 }]), '\u001b[2J'],
])('formats the choice of a content type: %j', (what, words) => {
  expect(describeChosen(what)).toBe(words);
});

test.each([
  [{ path: 'x/page.html' }, { path: 'x/page.html', name: '', contentType: undefined, existing: 'skip' }],
  [
    { path: 'p', name: 'b', type: ' text/css ', existing: ' replace' },
    { path: 'p', name: 'b', contentType: 'text/css', existing: 'replace' },
  ],
])('parses the form of an upload: %j', (values, wanted) => {
  expect(asked((make) => uploadForm('assets', 'docs/', make), values)).toEqual([
    { bucket: 'assets', folder: 'docs/', ...wanted },
  ]);
});

test('parses the destination of one object, and the prefix for several objects', () => {
  const copied = (from: Chosen, values: Readonly<Record<string, string>>) =>
    asked((make) => copyForm(from, make), values);
  expect(copied(one, { bucket: 'other', key: 'k' })).toEqual([
    { from: one, to: { bucket: 'other', key: 'k' }, existing: 'skip' },
  ]);
  expect(copied(mixed, { key: 'old', existing: 'replace' })).toEqual([
    { from: mixed, to: { bucket: 'assets', key: 'old/' }, existing: 'replace' },
  ]);
  expect(copied(mixed, { key: '' })).toMatchObject([{ to: { bucket: 'assets', key: '' } }]);
});

test.each([
  ['no file', upload, {}, ['path']],
  ['a key that is too long', upload, { path: 'x', name: 'k'.repeat(1025) }, ['name']],
  ['an unknown word', upload, { path: 'x', existing: 'all' }, ['existing']],
  ['a download without a file', download(one), { path: ' ' }, ['path']],
  ['a download without a folder', download(some), { path: '', existing: '' }, ['path', 'existing']],
  ['a copy onto itself', copy(one), {}, ['key']],
  ['copies onto themselves', copy(mixed), {}, ['key']],
  ['a copy without a key', copy(one), { key: '' }, ['key']],
  ['a prefix that is too long', copy(some), { key: 'k'.repeat(1025) }, ['key']],
  ['a copy to an invalid bucket', copy(one), { bucket: 'A' }, ['bucket']],
  ['the name of another folder', remove(folder, 2), { name: 'docs' }, ['name']],
  ['the name of another bucket', remove(mixed, 2), { name: 'deep' }, ['name']],
])('reports the error at its field: %s', (_, form, values, fields) => {
  expect(Object.keys((filled(form, values) as { errors: object }).errors)).toEqual(fields);
});

test('proposes the name of the object for a download, unless the name leaves the folder or cannot be shown', () => {
  const offered = (key: string) => getField(download(chosen([{ key }])), 'path');
  expect(offered('docs/a.txt')).toBe('a.txt');
  expect(offered('docs/..')).toBe('');
  expect(offered('docs/a\\b')).toBe('a\\b');
  expect(offered('docs/\u202etxt')).toBe('');
  expect(offered('docs/')).toBe('');
});

test('proposes a folder for several objects, and names it after their folder or the bucket', () => {
  const offered = (where: string) => getField(download(chosen([{ prefix: `${where}a/` }], where)), 'path');
  expect(offered('')).toBe('assets');
  expect(offered('docs/deep/')).toBe('deep');
  expect(offered('docs/../')).toBe('assets');
  expect(offered('docs/\u001b/')).toBe('assets');
});

test('requires the escaped name of a folder before deletion, or the bucket’s name if the folder has an empty name', () => {
  expect(folderName('a/b/')).toBe('b');
  const many = { objects: 10_000, bytes: 1, more: true };
  const form = removeForm(chosen([{ prefix: 'docs/\u001b/' }]), many, work);
  expect(form.form.lines.join()).toContain('more than 10,000 objects below this folder');
  expect(form.form.lines).toContain('Type the name as: <U+001B>');
  expect(filled(form, { name: '<U+001B>' })).toEqual({ work });
  const empty = remove(chosen([{ prefix: 'docs//' }]), 1);
  expect(empty.form.lines.join()).toContain('Type the name of the bucket, assets, to delete it.');
  expect(filled(empty, { name: '' })).toHaveProperty('errors');
  expect(filled(empty, { name: 'assets' })).toEqual({ work });
});

test.each([
  ['one object', one, 1, 'confirm'],
  ['a few objects', some, 2, 'confirm'],
  ['many objects', some, 100, 'form'],
  ['a folder', folder, 1, 'form'],
  ['objects and an empty folder', mixed, 1, 'form'],
])('requires Yes or a name before a deletion: %s', (_, what, objects, kind) => {
  expect(removeDialog(what, { objects, bytes: 0, more: false }, work).kind).toBe(kind);
});

test('names all objects that will be deleted, including objects that a filter hides', () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ key: `docs/${index}\u001b`, size: 1 }));
  const count = { objects: 7, bytes: 7, more: false };
  const dialog = removeDialog(chosen(many, 'docs/', 2), count, work);
  if (dialog.kind !== 'confirm') throw new Error('no question');
  expect(dialog.question.question).toBe('Delete 7 objects from assets?');
  expect(
    foldLines(dialog.question.lost, plainSurface(80))
      .slice(0, 2)
      .map(({ text }) => drawn(text)),
  ).toEqual(['2 marked rows are not shown in the list.', '0␛, 1␛, 2␛, 3␛, 4␛ and 2 more.']);
});
