import { expect, test } from 'vitest';
import { formDialog } from '../../../../components/ui/forms/dialog.ts';
import { openForm } from '../../../../components/ui/forms/form-state.ts';
import {
  emptyListState,
  type ListEvent,
  type ListState,
  reduceList,
} from '../../../../components/ui/lists/list-state.ts';
import { emptyText, listHeader } from '../../../../components/ui/lists/list-words.ts';
import { narrow } from '../../../../components/ui/lists/narrowing.ts';
import { selectedRow, shownLength, shownRow } from '../../../../components/ui/lists/paged-list.ts';
import { byName } from '../../../../components/ui/lists/row-kind.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { redact } from '../../plain-surface.ts';

type Colours = { readonly name: string };

type Event = ListEvent<Colours>;

const rowNames = { one: 'colour', many: 'colours' };
const first = emptyListState<Colours>(byName, { whole: true, serverFilter: 'contains' });
const after = (...events: Event[]) => events.reduce<ListState<Colours>>(reduceList, first);
const page = (names: readonly string[], { complete = true, generation = 0 } = {}): Event => ({
  type: 'page',
  generation,
  items: names.map((name) => ({ name })),
  complete,
});
const listed = page(['blue', 'green', 'red']);
const down: Event = { type: 'moved', move: 'down', height: 10 };
const paint = { busy: { kind: 'writing', words: 'painting' }, run: async () => ({}) } as const;
const form: Event = {
  type: 'asked',
  dialog: formDialog(openForm('New', [{ name: 'name', label: 'Name', value: '' }]), () => ({ work: paint })),
};
const typed: Event = { type: 'form', event: { type: 'typed', value: 'pink' } };
const painting = { kind: 'writing', words: 'painting' } as const;
const begun: Event = { type: 'begun', busy: painting };
const problem = new Problem('unreachable', 'no answer');
const names = ({ list }: ListState<Colours>) =>
  Array.from({ length: shownLength(list) }, (_, index) => shownRow(list, index)?.name);

test('counts loaded rows, and explains an empty list', () => {
  expect(listHeader(after(), rowNames, 10, redact)).toBe('loading…');
  expect(emptyText(after(), rowNames)).toBe('Loading…');
  expect(listHeader(after(listed), rowNames, 10, redact)).toBe('3 colours');
  const filtered = after(listed, { type: 'filtered', text: 'x' }, { type: 'entered' });
  expect(listHeader(filtered, rowNames, 10, redact)).toBe('filter: x · 0 of 3 loaded');
  expect(emptyText(filtered, rowNames)).toBe('No colour matches the filter. Press Esc to show all.');
  expect(emptyText(after(page([])), rowNames)).toBeUndefined();
  const failed = after({ type: 'failed', problem, command: { does: 'list' } });
  expect(listHeader(failed, rowNames, 10, redact)).toContain('stopped');
  expect(emptyText(failed, rowNames)).toContain('Press r to retry');
});

test('ignores case in filters, keeps the selection, and clears the filter on Esc', () => {
  const filtered = after(listed, down, { type: 'filtered', text: 're' });
  expect(names(filtered)).toEqual(['green', 'red']);
  expect(names(after(listed, { type: 'filtered', text: 'Re' }))).toEqual([]);
  const cleared = reduceList<Colours>(filtered, { type: 'closed' });
  expect(selectedRow(cleared.list)?.name).toBe('green');
  expect(cleared.dialog).toBeUndefined();
});

test('keeps the selection when the list is reread, or the position if the selected row was deleted', () => {
  const again = (...rows: string[]): Event[] => [{ type: 'outdated' }, page(rows, { generation: 1 })];
  const selected = (...events: Event[]) => selectedRow(after(listed, down, ...events).list)?.name;
  expect(selected(...again('azure', 'blue', 'green', 'red'))).toBe('green');
  expect(selected(...again('blue', 'red'))).toBe('red');
});

test('applies a change to a row even if the row was read before the change', () => {
  const half: Event[] = [
    { type: 'outdated' },
    page(['blue', 'cyan', 'green'], { generation: 1, complete: false }),
  ];
  const rest = page(['red'], { generation: 1 });
  const changed = (id: string, row?: { name: string }): Event => ({ type: 'changed', id, row });
  expect(names(after(listed, ...half, changed('blue'), rest))).toEqual(['cyan', 'green', 'red']);
  const added = after(listed, ...half, changed('azure', { name: 'azure' }), rest);
  expect(names(added)).toEqual(['azure', 'blue', 'cyan', 'green', 'red']);
  expect(selectedRow(added.list)?.name).toBe('azure');
  // The row is after the loaded rows, on the next page.
  const behind = after(
    listed,
    ...half,
    changed('pink', { name: 'pink' }),
    page(['pink', 'red'], { generation: 1 }),
  );
  expect(names(behind)).toEqual(['blue', 'cyan', 'green', 'pink', 'red']);
});

test('applies a change to a row while any dialog is open', () => {
  const changed = after(listed, form, { type: 'changed', id: 'cyan', row: { name: 'cyan' } });
  expect(names(changed)).toEqual(['blue', 'cyan', 'green', 'red']);
  expect(changed.dialog).toMatchObject({ kind: 'form' });
  expect(names(after(listed, { type: 'changed', id: 'blue', row: undefined }))).toEqual(['green', 'red']);
});

test('keeps a form while the list below it is reread, even if rereading fails', () => {
  const failed = after(
    listed,
    form,
    typed,
    { type: 'outdated' },
    {
      type: 'failed',
      problem,
      command: { does: 'list' },
    },
  );
  expect(failed.list.stopped).toBe(true);
  expect(failed.dialog).toMatchObject({ kind: 'form', form: { fields: [{ value: 'pink' }] } });
});

test('keeps a question, typed text and a running write if the list cannot be read', () => {
  const unread: Event = { type: 'failed', problem, command: { does: 'list' } };
  const question = { question: 'Paint it?', lost: [], danger: 'permanent' as const, yes: 'paint it' };
  const asked: Event = { type: 'asked', dialog: { kind: 'confirm', question, command: paint } };
  expect(after(listed, asked, { type: 'outdated' }, unread)).toMatchObject({
    list: { stopped: true },
    dialog: { kind: 'confirm' },
  });
  const asking: Event = { type: 'asking', text: 'pi' };
  expect(after(listed, { type: 'outdated' }, asking, unread).dialog).toEqual({
    kind: 'contains',
    text: 'pi',
  });
  const writing = after(listed, { type: 'outdated' }, begun, unread);
  expect(writing).toMatchObject({ list: { stopped: true }, busy: painting });
  expect(writing.dialog).toBeUndefined();
});

test('a form shows the failure of its write; a failure without a form can be retried', () => {
  const failed = after(listed, form, typed, begun, { type: 'failed', problem, command: paint });
  expect(failed).toMatchObject({
    busy: undefined,
    dialog: { kind: 'form', form: { problem, saving: false, fields: [{ value: 'pink' }] } },
  });
  expect(after(listed, begun, { type: 'failed', problem, command: paint }).dialog).toEqual({
    kind: 'problem',
    problem,
    command: paint,
  });
});

test('returns from a question to its form on No, and keeps the form open while Yes runs', () => {
  const question = { question: 'Replace it?', lost: [], danger: 'permanent' as const, yes: 'replace it' };
  const asked: Event = { type: 'asked', dialog: { kind: 'confirm', question, command: paint } };
  const raised = [listed, form, typed, begun, asked];
  expect(after(...raised, { type: 'closed' }).dialog).toMatchObject({
    kind: 'form',
    form: { saving: false, fields: [{ value: 'pink' }] },
  });
  expect(after(...raised, begun, { type: 'failed', problem, command: paint }).dialog).toMatchObject({
    kind: 'form',
    form: { problem, fields: [{ value: 'pink' }] },
  });
  expect(after(listed, asked, { type: 'closed' }).dialog).toBeUndefined();
});

test('marks a form as busy until its write has ended', () => {
  expect(after(listed, form, begun).busy).toBe(painting);
  expect(after(listed, form, begun, { type: 'settled' })).toMatchObject({
    busy: undefined,
    dialog: undefined,
  });
});

test('shows only rows with a tag, and keeps the prefix; Esc clears one filter at a time', () => {
  const asked = after(
    listed,
    { type: 'asking', text: 're' },
    { type: 'entered' },
    { type: 'narrowed', only: ['new'] },
  );
  expect(asked.list).toMatchObject({ prefix: 're', only: ['new'], generation: 1 });
  expect(listHeader(asked, rowNames, 10, redact, ['paint'])).toBe(
    'paint · only new · contains re on the server · loading…',
  );
  const steps: Event[] = [{ type: 'stepped-back' }, { type: 'stepped-back' }];
  let state: typeof asked = { ...asked, list: narrow(asked.list, 'red') };
  const seen = [{ type: 'stepped-back' } as const, ...steps].map((step) => {
    state = reduceList<Colours>(state, step);
    return [state.list.contains, state.list.prefix, ...state.list.only];
  });
  expect(seen).toEqual([
    ['', 're', 'new'],
    ['', '', 'new'],
    ['', ''],
  ]);
});

test('explains why a list filtered by tags is empty, and how to search on the platform', () => {
  const none = after({ type: 'narrowed', only: ['new'] });
  const come = reduceList<Colours>(none, { type: 'page', generation: 0, items: [], complete: true });
  expect(emptyText(come, rowNames)).toBe('No colour matches the filter. Press Esc to show all.');
  const typed = { ...none, list: narrow({ ...none.list, whole: false }, 'x') };
  expect(emptyText({ ...typed, dialog: undefined }, rowNames)).toContain('p to ask the server for a string.');
});

test('replaces live rows immediately, and keeps the selection and the marks of rows that still exist', () => {
  const replaced = (...rows: string[]): Event => ({ type: 'replaced', rows: rows.map((name) => ({ name })) });
  const mark: Event = { type: 'marked', how: 'mark', height: 10 };
  const some = after(replaced('blue', 'green', 'red'), mark, mark, replaced('amber', 'blue', 'red'));
  expect(names(some)).toEqual(['amber', 'blue', 'red']);
  expect(selectedRow(some.list)?.name).toBe('red');
  expect(listHeader(some, rowNames, 10, redact)).toBe('1 marked · 3 colours');
  expect(selectedRow(after(replaced('blue', 'red'), down, replaced('blue', 'violet')).list)?.name).toBe(
    'violet',
  );
  expect(emptyText(after(replaced('blue'), replaced()), rowNames)).toBeUndefined();
});
