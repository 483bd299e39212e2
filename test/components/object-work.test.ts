import { expect, test } from 'vitest';
import { carryOutObject } from '../../components/panes/object-commands.ts';
import {
  copyForm,
  downloadForm,
  folderName,
  type ObjectForm,
  readObjectForm,
  removeBelowForm,
  uploadForm,
} from '../../components/panes/object-forms.ts';
import { formBefore, reduceWork, removeDialog, type Work } from '../../components/panes/object-work.ts';
import { progressTeller, progressWords } from '../../components/panes/transfer-words.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Progress } from '../../src/model/progress.ts';

const folder = { bucket: 'assets', key: 'docs/' };
const object = { bucket: 'assets', key: 'docs/a.txt' };

/** The form with its fields filled. */
function filled(form: ObjectForm, values: Readonly<Record<string, string>>): ObjectForm {
  const fields = form.form.fields.map((field) => ({ ...field, value: values[field.name] ?? field.value }));
  return { ...form, form: { ...form.form, fields } };
}

test.each([
  [{ path: 'x/page.html' }, { path: 'x/page.html', to: 'docs/page.html', contentType: undefined }],
  [
    { path: 'page.html', name: 'b.html' },
    { path: 'page.html', to: 'docs/b.html', contentType: undefined },
  ],
  [
    { path: 'p', type: ' text/css ' },
    { path: 'p', to: 'docs/p', contentType: 'text/css' },
  ],
])('reads the form of an upload: %j', (values, { path, to, contentType }) => {
  expect(readObjectForm(filled(uploadForm(folder), values))).toEqual({
    command: { does: 'upload', path, to: { bucket: 'assets', key: to }, contentType, replace: false },
  });
});

test.each([
  ['no file', uploadForm(folder), {}, 'path'],
  ['a key that is too long', uploadForm(folder), { path: 'x', name: 'k'.repeat(1020) }, 'name'],
  ['nowhere to download to', downloadForm(object), { path: ' ' }, 'path'],
  ['a copy onto itself', copyForm(object), {}, 'key'],
  ['a copy without a key', copyForm(object), { key: '' }, 'key'],
  ['a copy into no bucket', copyForm(object), { bucket: 'A' }, 'bucket'],
  [
    'another name than the folder has',
    removeBelowForm(folder, { objects: 2, bytes: 3, more: false }),
    { name: 'doc' },
    'name',
  ],
])('says beside the field what is wrong: %s', (_, form, values, field) => {
  expect(Object.keys((readObjectForm(filled(form, values)) as { errors: object }).errors)).toEqual([field]);
});

test('offers the name of the object for a download, unless it leads elsewhere or cannot be shown', () => {
  const offered = (key: string) => downloadForm({ bucket: 'b', key }).form.fields[0]?.value;
  expect(offered('docs/a.txt')).toBe('a.txt');
  expect(offered('docs/..')).toBe('');
  expect(offered('docs/a\\b')).toBe('');
  expect(offered('docs/\u202etxt')).toBe('');
  expect(offered('docs/')).toBe('');
});

test('asks for the last part of a folder, escaped, and counts what is below it', () => {
  expect(folderName('a/b/')).toBe('b');
  expect(folderName('/')).toBe('');
  const form = removeBelowForm({ bucket: 'b', key: 'a/\u001b/' }, { objects: 10_000, bytes: 1, more: true });
  expect(form.form.lines.join()).toContain('more than 10,000 objects');
  expect(readObjectForm(filled(form, { name: '\\e' }))).toEqual({
    command: { does: 'remove-below', bucket: 'b', prefix: 'a/\u001b/', total: undefined },
  });
});

const upload = {
  does: 'upload',
  path: 'x',
  to: object,
  contentType: undefined,
  replace: false,
} as const;

test('puts a form aside while its command is carried out, and brings it back when that fails', () => {
  const open: Work = { dialog: uploadForm(folder) };
  const begun = reduceWork(open, { type: 'begun', command: upload });
  expect(begun).toMatchObject({ busy: 'uploading', pending: { purpose: 'upload' } });
  expect(begun.dialog).toBeUndefined();
  const problem = new Problem('refused', 'no');
  const failed = reduceWork(begun, { type: 'failed', problem, command: upload });
  expect(failed).toMatchObject({ dialog: { kind: 'form', form: { problem, saving: false } } });
  expect(failed.busy).toBeUndefined();
});

test('asks before something is replaced; no goes back to the form, yes replaces', () => {
  const begun = reduceWork({ dialog: uploadForm(folder) }, { type: 'begun', command: upload });
  const asked = reduceWork(begun, { type: 'exists', command: upload });
  expect(asked.dialog).toMatchObject({ kind: 'confirm', command: { replace: true } });
  expect(formBefore(asked)?.purpose).toBe('upload');
  expect(reduceWork(asked, { type: 'dismissed' }).dialog).toMatchObject({
    kind: 'form',
    form: { saving: false },
  });
});

test('shows a failure without a form in a box that knows how to try again', () => {
  const command = { does: 'remove', address: object } as const;
  const begun = reduceWork({ dialog: removeDialog(object) }, { type: 'begun', command });
  expect(begun).toMatchObject({ busy: 'deleting' });
  const problem = new Problem('unreachable', 'no answer');
  expect(reduceWork(begun, { type: 'failed', problem, command }).dialog).toEqual({
    kind: 'problem',
    problem,
    command,
  });
});

test('lets a transfer go on when a list cannot be read beside it', () => {
  const begun = reduceWork({}, { type: 'begun', command: upload });
  const problem = new Problem('unreachable', 'no answer');
  const failed = reduceWork(begun, { type: 'failed', problem, command: { does: 'read' } });
  expect(failed).toMatchObject({ busy: 'uploading', dialog: { kind: 'problem' } });
  expect(reduceWork(failed, { type: 'dismissed' })).toMatchObject({ busy: 'uploading', dialog: undefined });
});

test.each([
  [{ phase: 'uploading', unit: 'bytes', done: 1, total: 3 }, 'uploading 33%'],
  [{ phase: 'downloading', unit: 'bytes', done: 2_500_000 }, 'downloading 2.5 MB'],
  [{ phase: 'deleting', unit: 'objects', done: 2000 }, 'deleting 2,000 objects'],
  [{ phase: 'copying', unit: 'bytes', done: 0, total: 0 }, 'copying 0 B'],
  [{ phase: 'copying', unit: 'bytes', done: 9, total: 3 }, 'copying 100%'],
] as const)('says how far something is: %j', (progress, words) => {
  expect(progressWords({ retries: 0, failed: 0, ...progress })).toBe(words);
});

test('tells progress only when its words change, and nothing once it is stopped', () => {
  const told: string[] = [];
  const stop = new AbortController();
  const tell = progressTeller(stop.signal, (words) => told.push(words));
  const at = (done: number): Progress => ({
    phase: 'uploading',
    unit: 'bytes',
    done,
    total: 1000,
    retries: 0,
    failed: 0,
  });
  for (const done of [1, 2, 10, 11]) tell(at(done));
  stop.abort();
  tell(at(500));
  expect(told).toEqual(['uploading 0%', 'uploading 1%']);
});

test('looks for what is there only where nothing shall be replaced', async () => {
  const asked: string[] = [];
  const refuse = (name: string) => () => {
    asked.push(name);
    return Promise.reject(new Error('not to be asked'));
  };
  const service = {
    async *listBuckets() {},
    async *list() {},
    createBucket: refuse('createBucket'),
    deleteBucket: refuse('deleteBucket'),
    count: refuse('count'),
    readHead: refuse('readHead'),
    download: refuse('download'),
    copy: refuse('copy'),
    remove: refuse('remove'),
    removeBelow: refuse('removeBelow'),
    readEntry: refuse('readEntry'),
    upload: async () => undefined,
  };
  const under = { signal: new AbortController().signal, progress: () => undefined };
  const outcome = await carryOutObject({ ...upload, replace: true }, service, under);
  expect(outcome).toEqual({ type: 'stored', at: object, entry: undefined });
  expect(asked).toEqual([]);
});
