import { expect, test } from 'vitest';
import { saving } from '../../../components/kit/keys/busy.ts';
import {
  createForm,
  leftBindingsNotice,
  removeForm,
  renameForm,
} from '../../../components/kv/namespace-actions.ts';

const alpha = { id: 'a'.repeat(32), title: 'alpha' };
const work = { busy: saving, run: async () => ({}) };

test('requires the title before it deletes, and accepts nothing else', () => {
  const dialog = removeForm({ ...alpha, title: 'al\u001bpha' }, [], work);
  expect(dialog.form.lines).toEqual([
    expect.stringContaining('al\u001bpha'),
    'Type the title of the namespace to delete it.',
    'On a keyboard, type: al<U+001B>pha',
  ]);
  expect(dialog.form.fields.map(({ name, value }) => [name, value])).toEqual([['title', '']]);
  const wrong = { errors: { title: 'The title does not match.' } };
  expect(dialog.submit?.({ title: '' })).toEqual(wrong);
  expect(dialog.submit?.({ title: 'alpha' })).toEqual(wrong);
  expect(dialog.submit?.({ title: 'al<U+001B>pha' })).toEqual({ work });
});

test('names in the question, and afterwards, the bindings that remain', () => {
  const bindings = ['"K\u001bV" (id) at /x/edgectl.toml:5'];
  expect(removeForm(alpha, bindings, work).form.lines.slice(1)).toEqual([
    'The binding "K\u001bV" (id) at /x/edgectl.toml:5 will then point to no namespace.',
    'Type the title of the namespace to delete it.',
  ]);
  expect(leftBindingsNotice(alpha, bindings)).toBe(
    'Deleted alpha. Remove its remaining bindings yourself: "K\u001bV" (id) at /x/edgectl.toml:5',
  );
  expect(leftBindingsNotice(alpha, [])).toBeUndefined();
});

test('a rename starts with the title, unless a field cannot show it', () => {
  const fieldOf = (title: string) => renameForm({ ...alpha, title }, () => work).form.fields[0]?.value;
  expect(fieldOf('back\\slash')).toBe('back\\slash');
  expect(fieldOf('bad\u202ename')).toBe('');
});

const forms = {
  create: createForm,
  rename: (become: (title: string) => typeof work) => renameForm(alpha, become),
};

test.each(['create', 'rename'] as const)('accepts the typed title, but not an empty one: %s', (name) => {
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
