import { expect, test } from 'vitest';
import {
  type NamespacesEvent,
  type NamespacesState,
  namespaceCounts,
  namespaceDialog,
  noNamespaces,
  readNamespaceForm,
  reduceNamespaces,
  selectedNamespace,
  shownNamespaces,
} from '../../../components/kv/namespaces-state.ts';
import { Problem } from '../../../src/model/problem.ts';

const alpha = { id: 'a'.repeat(32), title: 'alpha' };
const beta = { id: 'b'.repeat(32), title: 'beta' };
const gamma = { id: 'c'.repeat(32), title: 'gamma' };

function after(...events: NamespacesEvent[]): NamespacesState {
  return events.reduce(reduceNamespaces, noNamespaces);
}

const listed: NamespacesEvent = { type: 'listed', namespaces: [alpha, beta, gamma], complete: true };
const down: NamespacesEvent = { type: 'moved', move: 'down', height: 10 };

function typed(value: string): NamespacesEvent {
  return { type: 'form', event: { type: 'typed', value } };
}

test('counts what has come, and says when the list is whole', () => {
  expect(namespaceCounts(after())).toBe('loading… · 0 namespaces so far');
  expect(namespaceCounts(after({ type: 'listed', namespaces: [alpha], complete: false }))).toBe(
    'loading… · 1 namespace so far',
  );
  expect(namespaceCounts(after(listed))).toBe('3 namespaces');
});

test('keeps the selected namespace while the list is read again, and the old rows until the new ones reach as far', () => {
  const again = after(
    listed,
    down,
    { type: 'listing' },
    { type: 'listed', namespaces: [alpha], complete: false },
  );
  expect(shownNamespaces(again)).toEqual([alpha, beta, gamma]);
  const fresh = { id: 'd', title: 'aaa' };
  const done = reduceNamespaces(again, { type: 'listed', namespaces: [fresh, alpha, beta], complete: true });
  expect(selectedNamespace(done)).toEqual(beta);
});

test('filters by title and id in any case, keeps the selection where it can, and Esc clears', () => {
  const filtered = after(listed, down, { type: 'filtered', text: 'B' });
  expect(shownNamespaces(filtered)).toEqual([beta]);
  expect(namespaceCounts(filtered)).toBe('1 of 3');
  expect(namespaceCounts(reduceNamespaces(filtered, { type: 'kept' }))).toBe('filter: B · 1 of 3');
  expect(shownNamespaces(after(listed, { type: 'filtered', text: 'ccc' }))).toEqual([gamma]);
  const closed = reduceNamespaces(filtered, { type: 'closed' });
  expect(closed).toMatchObject({ contains: '', dialog: undefined });
  expect(selectedNamespace(closed)).toEqual(beta);
});

test('keeps the filter when the reader goes on to the list', () => {
  const kept = after(listed, { type: 'filtered', text: 'a' }, { type: 'kept' });
  expect(kept).toMatchObject({ contains: 'a', dialog: undefined });
  expect(reduceNamespaces(kept, { type: 'unfiltered' }).contains).toBe('');
});

test('puts a new namespace in its place and selects it', () => {
  const fresh = { id: 'd', title: 'azur' };
  const state = after(listed, { type: 'created', namespace: fresh });
  expect(state.namespaces.map(({ title }) => title)).toEqual(['alpha', 'azur', 'beta', 'gamma']);
  expect(selectedNamespace(state)).toEqual(fresh);
});

test('follows a renamed namespace, and stays in place where one was removed', () => {
  const renamed = after(listed, { type: 'renamed', namespace: { ...alpha, title: 'zeta' } });
  expect(renamed.namespaces.map(({ title }) => title)).toEqual(['beta', 'gamma', 'zeta']);
  expect(selectedNamespace(renamed)?.id).toBe(alpha.id);
  const removed = after(listed, down, { type: 'removed', namespace: beta, left: [] });
  expect(selectedNamespace(removed)).toEqual(gamma);
  expect(
    selectedNamespace(
      after(
        listed,
        { type: 'moved', move: 'last', height: 9 },
        { type: 'removed', namespace: gamma, left: [] },
      ),
    ),
  ).toEqual(beta);
});

test('asks for the title before it deletes, and takes nothing else', () => {
  const dialog = namespaceDialog('remove', { ...alpha, title: 'al\u001bpha' });
  const asked = after(listed, { type: 'asked', dialog });
  expect(dialog).toMatchObject({
    form: { lines: [expect.stringContaining('al\\epha'), 'Type its title to delete it.'] },
  });
  expect(readNamespaceForm(asked.dialog)).toEqual({ errors: { title: 'This is not its title.' } });
  const wrong = reduceNamespaces(asked, typed('alpha'));
  expect(readNamespaceForm(wrong.dialog)).toHaveProperty('errors');
  const right = reduceNamespaces(asked, typed('al\\epha'));
  expect(readNamespaceForm(right.dialog)).toEqual({
    command: { does: 'remove', namespace: { ...alpha, title: 'al\u001bpha' } },
  });
});

test('deletes and renames what the form was opened on, whatever is selected meanwhile', () => {
  const open = after(listed, { type: 'asked', dialog: namespaceDialog('rename', alpha) }, typed('omega'));
  const moved = reduceNamespaces(open, { type: 'listed', namespaces: [beta, gamma], complete: true });
  expect(readNamespaceForm(moved.dialog)).toEqual({
    command: { does: 'rename', namespace: alpha, title: 'omega' },
  });
});

test('begins a rename with the title, unless a field cannot show it', () => {
  const fieldOf = (title: string) => {
    const dialog = namespaceDialog('rename', { ...alpha, title });
    return dialog.kind === 'form' ? dialog.form.fields[0]?.value : undefined;
  };
  expect(fieldOf('back\\slash')).toBe('back\\slash');
  expect(fieldOf('bad\u202ename')).toBe('');
});

test('refuses an empty title where it stands', () => {
  const open = after(listed, { type: 'asked', dialog: namespaceDialog('create', undefined) }, typed('  '));
  expect(readNamespaceForm(open.dialog)).toEqual({ errors: { title: 'A title cannot be empty.' } });
});

test('shows a failure of the form in the form, and any other in a box that knows how to try again', () => {
  const problem = new Problem('refused', 'taken');
  const command = { does: 'create', title: 'x' } as const;
  const open = after(listed, { type: 'asked', dialog: namespaceDialog('create', undefined) }, typed('x'));
  const failed = reduceNamespaces(open, { type: 'failed', problem, command });
  expect(failed.dialog).toMatchObject({ kind: 'form', form: { problem, fields: [{ value: 'x' }] } });
  const unread = after({ type: 'failed', problem, command: { does: 'list' } });
  expect(unread.dialog).toEqual({ kind: 'problem', problem, command: { does: 'list' } });
  expect(namespaceCounts(unread)).toContain('stopped');
});

test('names in the open question what will be left behind, and in no other', () => {
  const asked = after(listed, { type: 'asked', dialog: namespaceDialog('remove', alpha) });
  const bindings = ['"K\u001bV" (id) at /x/edgectl.toml:5'];
  expect(reduceNamespaces(asked, { type: 'bound', namespace: beta, bindings })).toEqual(asked);
  const { dialog } = reduceNamespaces(asked, { type: 'bound', namespace: alpha, bindings });
  expect(dialog?.kind === 'form' && dialog.form.lines.slice(1)).toEqual([
    'The binding "K\\eV" (id) at /x/edgectl.toml:5 will be left behind.',
    'Type its title to delete it.',
  ]);
  const closed = reduceNamespaces(asked, { type: 'closed' });
  expect(reduceNamespaces(closed, { type: 'bound', namespace: alpha, bindings })).toEqual(closed);
});
