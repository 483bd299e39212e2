import { expect, test } from 'vitest';
import { saving } from '../../../components/kit/keys/busy.ts';
import {
  createForm,
  leftBindingsNotice,
  type NamespaceUses,
  removeForm,
  renameForm,
} from '../../../components/kv/namespace-actions.ts';
import { foldLines } from '../../../components/ui/forms/dialog-lines.ts';
import { fitForm } from '../../../components/ui/forms/form-layout.ts';

const alpha = { id: 'a'.repeat(32), title: 'alpha' };
const unused: NamespaceUses = { bindings: [], workers: [], keys: [] };
const work = { busy: saving, run: async () => ({}) };

test('requires the exact title before it deletes a namespace', () => {
  const dialog = removeForm({ ...alpha, title: 'al\u001bpha' }, unused, work);
  expect(dialog.form.title).toContain('al\u001bpha');
  expect(dialog.form.lines).toEqual([
    'The namespace has no keys.',
    'Type the title of the namespace to delete it.',
    'Type the name as: al<U+001B>pha',
  ]);
  expect(dialog.form.fields.map(({ name, value }) => [name, value])).toEqual([['title', '']]);
  const wrong = { errors: { title: 'The title does not match.' } };
  expect(dialog.submit?.({ title: '' })).toEqual(wrong);
  expect(dialog.submit?.({ title: 'alpha' })).toEqual(wrong);
  expect(dialog.submit?.({ title: 'al<U+001B>pha' })).toEqual({ work });
});

test('shows which keys are lost with a namespace, and which workers use the namespace', () => {
  const surface = { columns: 90, redact: (text: string) => text };
  const linesOf = (uses: NamespaceUses) =>
    foldLines(removeForm(alpha, uses, work).form.lines, surface).map(({ text }) => text);
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const workers = [{ worker: 'edge', binding: 'FLAGS' }];
  expect(linesOf({ ...unused, keys, workers })).toEqual([
    '7 keys will be lost.',
    'The worker edge uses the namespace as FLAGS, and will fail without it.',
    'Keys: a, b, c, d, e and 2 more.',
    'Type the title of the namespace to delete it.',
  ]);
  expect(linesOf({ bindings: [], keys: undefined, workers: undefined }).slice(0, 2)).toEqual([
    'All keys and values of the namespace will be lost.',
    'edgectl did not check whether workers use the namespace.',
  ]);
  const many = Array.from({ length: 1000 }, (_, index) => `key${index}`);
  expect(linesOf({ ...unused, keys: many })[0]).toBe('1,000 keys or more will be lost.');
});

test('on a small screen, shows the loss and the worker, fewer names of keys, and a mark where text is cut', () => {
  const keys = ['address-lookup', 'checkout.apple-pay', 'dark-mode', 'feature'];
  const workers = [{ worker: 'shop-edge', binding: 'FLAGS' }];
  const { form } = removeForm({ ...alpha, title: 'shop-flags' }, { ...unused, keys, workers }, work);
  const surface = { columns: 40, redact: (text: string) => text };
  const rows = (height: number) =>
    fitForm(form, surface, height).map((row) => (row.type === 'text' ? row.text : row.type));
  const loss = [
    'Delete namespace shop-flags',
    '4 keys will be lost.',
    'The worker shop-edge uses the namespace',
    'as FLAGS, and will fail without it.',
  ];
  expect(rows(8)).toEqual([
    ...loss,
    'Keys: address-lookup and 3 more.',
    'Type the title of the namespace to',
    'delete it.',
    'field',
  ]);
  expect(rows(7)).toEqual([...loss, 'Type the title of the namespace to', 'delete it.', 'field']);
  expect(rows(4)).toEqual([loss[0], '…', 'delete it.', 'field']);
});

test('names the remaining bindings in the question and in the result', () => {
  const bindings = ['"K\u001bV" (id) at /x/edgectl.toml:5'];
  expect(removeForm(alpha, { ...unused, bindings }, work).form.lines.slice(1)).toEqual([
    'The binding "K\u001bV" (id) at /x/edgectl.toml:5 will then point to a deleted namespace.',
    'Type the title of the namespace to delete it.',
  ]);
  expect(leftBindingsNotice(alpha, bindings)).toBe(
    'Deleted alpha. Remove its remaining bindings yourself: "K\u001bV" (id) at /x/edgectl.toml:5',
  );
  expect(leftBindingsNotice(alpha, [])).toBeUndefined();
});

test('starts a rename with the current title, unless a field cannot show the title', () => {
  const fieldOf = (title: string) => renameForm({ ...alpha, title }, () => work).form.fields[0]?.value;
  expect(fieldOf('back\\slash')).toBe('back\\slash');
  expect(fieldOf('bad\u202ename')).toBe('');
});

const forms = {
  create: createForm,
  rename: (become: (title: string) => typeof work) => renameForm(alpha, become),
};

test.each(['create', 'rename'] as const)('accepts the typed title, but not an empty title: %s', (name) => {
  const asked: string[] = [];
  const dialog = forms[name]((title) => {
    asked.push(title);
    return work;
  });
  expect(dialog.form.fields[0]?.name).toBe('title');
  expect(dialog.submit?.({ title: '  ' })).toEqual({ errors: { title: 'A title cannot be empty.' } });
  expect(dialog.submit?.({ title: '' })).toEqual({ errors: { title: 'A title cannot be empty.' } });
  expect(asked).toEqual([]);
  expect(dialog.submit?.({ title: 'omega' })).toEqual({ work });
  expect(asked).toEqual(['omega']);
});
