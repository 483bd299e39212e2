import { expect, test } from 'vitest';
import {
  createForm,
  leftWords,
  readNamespaceForm,
  removeForm,
  renameForm,
} from '../../../components/kv/namespace-forms.ts';
import { reduceForm } from '../../../components/ui/forms/form-state.ts';

type NamespaceForm = ReturnType<typeof createForm>;

const alpha = { id: 'a'.repeat(32), title: 'alpha' };

function typed(dialog: NamespaceForm, value: string): NamespaceForm {
  return { ...dialog, form: reduceForm(dialog.form, { type: 'typed', value }) };
}

test('asks for the title before it deletes, and takes nothing else', () => {
  const namespace = { ...alpha, title: 'al\u001bpha' };
  const dialog = removeForm(namespace, []);
  expect(dialog.form.lines).toEqual([expect.stringContaining('al\\epha'), 'Type its title to delete it.']);
  const wrong = { errors: { title: 'This is not its title.' } };
  expect(readNamespaceForm(dialog)).toEqual(wrong);
  expect(readNamespaceForm(typed(dialog, 'alpha'))).toEqual(wrong);
  expect(readNamespaceForm(typed(dialog, 'al\\epha'))).toEqual({ command: { does: 'remove', namespace } });
});

test('names in the question, and afterwards, what is left behind', () => {
  const bindings = ['"K\u001bV" (id) at /x/edgectl.toml:5'];
  expect(removeForm(alpha, bindings).form.lines.slice(1)).toEqual([
    'The binding "K\\eV" (id) at /x/edgectl.toml:5 will be left behind.',
    'Type its title to delete it.',
  ]);
  expect(leftWords(alpha, bindings)).toBe(
    'Deleted alpha. Still bound, to be removed by you: "K\\eV" (id) at /x/edgectl.toml:5',
  );
  expect(leftWords(alpha, [])).toBeUndefined();
});

test('renames what the form was opened on', () => {
  expect(readNamespaceForm(typed(renameForm(alpha), 'omega'))).toEqual({
    command: { does: 'rename', namespace: alpha, title: 'omega' },
  });
});

test('begins a rename with the title, unless a field cannot show it', () => {
  const fieldOf = (title: string) => renameForm({ ...alpha, title }).form.fields[0]?.value;
  expect(fieldOf('back\\slash')).toBe('back\\slash');
  expect(fieldOf('bad\u202ename')).toBe('');
});

test('refuses an empty title where it stands', () => {
  const empty = { errors: { title: 'A title cannot be empty.' } };
  expect(readNamespaceForm(typed(createForm(), '  '))).toEqual(empty);
  expect(readNamespaceForm(typed(renameForm(alpha), ''))).toEqual(empty);
  expect(readNamespaceForm(typed(createForm(), 'new'))).toEqual({
    command: { does: 'create', title: 'new' },
  });
});
