import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { PaneChanges } from '../../../../components/kit/changes.ts';
import { deleting, starting } from '../../../../components/kit/keys/busy.ts';
import { LiveSwitch } from '../../../../components/kit/live-switch.ts';
import { Messages } from '../../../../components/kit/messages.ts';
import { Notes } from '../../../../components/kit/notes.ts';
import { ListController } from '../../../../components/ui/lists/list-controller.ts';
import type { ListSource } from '../../../../components/ui/lists/list-source.ts';
import { shownLength } from '../../../../components/ui/lists/paged-list.ts';
import { byName, nameColumn } from '../../../../components/ui/lists/row-kind.ts';
import { listCapabilities } from '../../../../src/model/capability.ts';
import { findView, withView } from '../../../../src/model/places/memory.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { openMemory } from '../../open-memory.ts';

type Keys = { readonly name: string };

type Parts = ConstructorParameters<typeof ListController<Keys>>[0];

const memory = await openMemory();
const opened = new Set<ListController<Keys>>();

afterEach(() => {
  for (const list of opened) list.close();
  opened.clear();
});

const refuse = (): never => {
  throw new Error('this list does not use the function');
};

const buildPage = (at: number) =>
  Array.from({ length: 1000 }, (_, index) => ({ name: `k${String(at * 1000 + index).padStart(7, '0')}` }));

/** Opens a list with this number of pages. Records the requested pages, and the prefixes of aborted listings. */
function open(pages: number, source: Partial<ListSource<Keys>> = {}) {
  const asked: number[] = [];
  const aborted: string[] = [];
  const told = { notices: [] as Array<string | undefined>, back: 0 };
  const changes = new PaneChanges();
  const parts: Parts = {
    world: { env: {}, now: () => 0, sleep: refuse, cwd: '/', folders: { config: '', state: '', data: '' } },
    live: new LiveSwitch(false),
    held: new Proxy({} as Parts['held'], { get: refuse }),
    services: new Proxy({} as Parts['services'], { get: refuse }),
    tasks: new Proxy({} as Parts['tasks'], { get: refuse }),
    session: {
      target: 'local',
      where: { kind: 'local', folder: '/' },
      can: listCapabilities({ kind: 'local' }),
      accountLabel: 'local',
      readOnly: false,
    },
    notes: new Notes(new Messages(() => 0)),
    memory,
    changes,
    notify: (notice) => void told.notices.push(notice),
    open: refuse,
    become: refuse,
    back: () => void told.back++,
    copy: refuse,
    drafts: new Map(),
    reportWrites: () => undefined,
    editOutside: refuse,
  };
  const list = new ListController<Keys>(parts, {
    kind: byName,
    whole: false,
    serverFilter: 'prefix',
    async *pages(prefix, signal) {
      signal.addEventListener('abort', () => aborted.push(prefix));
      for (let at = 0; at < pages; at++) {
        asked.push(at);
        yield buildPage(at);
      }
    },
    rowChange: (change) => (change.changed === 'key' ? { id: change.name, row: change.entry } : undefined),
    ...source,
  });
  opened.add(list);
  list.open();
  list.show({ height: 10, visible: true });
  return { list, asked, aborted, told, changes };
}

const rows = (list: ListController<Keys>) => list.list.rows.length;

test('reads a page, and the next page when the cursor is near the end, even if nothing is drawn', async () => {
  const { list, asked } = open(3);
  await expect.poll(() => rows(list)).toBe(1000);
  list.runAction('last');
  await expect.poll(() => rows(list)).toBe(2000);
  expect(asked).toEqual([0, 1]);
});

test('reads all pages on request, batches notifications, and runs presses between two pages', async () => {
  const { list } = open(300);
  await expect.poll(() => rows(list)).toBe(1000);
  let told = 0;
  list.subscribe(() => told++);
  const start = performance.now();
  list.runAction('all');
  let presses = 0;
  while (!list.list.complete) {
    list.runAction('down');
    presses++;
    await sleep(1);
  }
  const frames = (performance.now() - start) / 16;
  expect(rows(list)).toBe(300_000);
  expect(presses).toBeGreaterThan(5);
  expect(told - presses).toBeLessThan(frames + 10);
});

test('reports that more rows exist when the cursor is on the last loaded row, and after all rows are marked', async () => {
  const { list, told } = open(3);
  await expect.poll(() => rows(list)).toBe(1000);
  list.runAction('mark-shown');
  expect(list.list.marks.names.size).toBe(1000);
  list.runAction('last');
  expect(told.notices).toEqual([
    'Marked all loaded rows. More on the server: press m for a page, L for all.',
    'The last loaded line. More on the server: press m for a page, L for all.',
  ]);
  list.runAction('all');
  await expect.poll(() => list.list.complete).toBe(true);
  list.runAction('last');
  expect(told.notices).toHaveLength(2);
});

test('stops loading all on Esc, and keeps the loaded rows', async () => {
  const { list, told, asked } = open(300);
  await expect.poll(() => rows(list)).toBe(1000);
  list.runAction('all');
  await expect.poll(() => rows(list)).toBeGreaterThan(2000);
  list.runAction('back');
  await expect.poll(() => list.list.loading).toBe(false);
  expect(rows(list)).toBe(asked.length * 1000);
  expect(list.list.complete).toBe(false);
  expect(told.back).toBe(0);
});

test('restores the saved view of a list, without columns that no longer exist, and saves the view again', async () => {
  const kind = { ...byName, sorts: [nameColumn('NAME')] };
  const place = { kind: 'namespaces' } as const;
  memory.change((before) => withView(before, 'kv', { contains: '!5', sort: '-NAME' }));
  const { list } = open(1, { kind, whole: true, place });
  await expect.poll(() => list.list.complete).toBe(true);
  expect([shownLength(list.list), list.selected?.name]).toEqual([729, 'k0000999']);
  list.close();
  expect(findView(memory.current, 'kv')).toEqual({ contains: '!5', sort: '-NAME' });
  memory.change((before) => withView(before, 'kv', { sort: 'GONE' }));
  expect(open(1, { kind, whole: true, place }).list.list.sort).toBeUndefined();
  memory.change((before) => withView(before, 'kv', {}));
});

test('aborts requests when the list is restarted and when the pane closes', async () => {
  const { list, aborted } = open(3);
  await expect.poll(() => rows(list)).toBe(1000);
  list.dispatch({ type: 'asking', text: 'k1' });
  list.dispatch({ type: 'entered' });
  await expect.poll(() => rows(list)).toBe(1000);
  expect(aborted).toEqual(['']);
  list.close();
  expect(aborted).toEqual(['', 'k1']);
});

test('drops results that arrive after the list was destroyed', async () => {
  const gate = Promise.withResolvers<void>();
  const { list } = open(1, {
    async *pages() {
      await gate.promise;
      yield buildPage(0);
    },
  });
  list.close();
  gate.resolve();
  await sleep(5);
  expect(rows(list)).toBe(0);
});

test('stops after a failure, and rereads on request', async () => {
  let fails = true;
  const { list } = open(1, {
    async *pages() {
      if (fails) throw new Problem('unreachable', 'no answer');
      yield buildPage(0);
    },
  });
  await expect.poll(() => list.state.dialog?.kind).toBe('problem');
  expect(list.list.stopped).toBe(true);
  fails = false;
  list.perform({ does: 'list' });
  await expect.poll(() => rows(list)).toBe(1000);
});

test('applies changes that other panes announce, and announces the changes of this list', async () => {
  const { list, changes, told } = open(1, { whole: true });
  await expect.poll(() => list.list.complete).toBe(true);
  changes.announce({ changed: 'bucket', name: 'k0000000', bucket: undefined });
  expect(rows(list)).toBe(1000);
  changes.announce({ changed: 'key', namespaceId: 'n', name: 'k0000000', entry: undefined });
  expect(rows(list)).toBe(999);
  list.take({
    busy: deleting,
    run: async () => ({
      change: { changed: 'key', namespaceId: 'n', name: 'k0000001', entry: undefined },
      notice: 'Deleted k0000001.',
    }),
  });
  expect(list.state.writes).toMatchObject([{ busy: deleting }]);
  await expect.poll(() => rows(list)).toBe(998);
  expect(list.state.writes).toBeUndefined();
  expect(told.notices).toEqual(['Deleted k0000001.']);
  list.close();
  changes.announce({ changed: 'key', namespaceId: 'n', name: 'k0000002', entry: undefined });
  expect(rows(list)).toBe(998);
});

test.each([
  { begins: 'other work', busy: starting },
  { begins: 'another write of the same words', busy: deleting },
])('does not abort a write when $begins begins', async ({ busy }) => {
  const { list, told } = open(1);
  const answer = Promise.withResolvers<void>();
  const remove = async (signal: AbortSignal) => {
    await answer.promise;
    return { notice: signal.aborted ? 'Aborted.' : 'Deleted.' };
  };
  list.take({ busy: deleting, run: remove });
  list.take({ busy, run: async () => ({ notice: 'The other.' }) });
  await expect.poll(() => told.notices).toEqual(['The other.']);
  answer.resolve();
  await expect.poll(() => told.notices).toEqual(['The other.', 'Deleted.']);
});

test('announces only the change of a write that ends after its pane was closed', async () => {
  const { list, changes, told } = open(1, { whole: true });
  const heard: unknown[] = [];
  changes.listen((change) => heard.push(change));
  const answer = Promise.withResolvers<void>();
  const change = { changed: 'zone', zoneId: 'z' } as const;
  const run = async () => {
    await answer.promise;
    return { change, notice: 'Restored.', closesPane: true };
  };
  list.take({ busy: deleting, run });
  list.close();
  answer.resolve();
  await expect.poll(() => heard).toEqual([change]);
  expect(told.notices).not.toContain('Restored.');
  expect(told.back).toBe(0);
});

test('keeps the dialogs of two failed equal writes separate until the user recalls each', async () => {
  const { list, told } = open(1, { whole: true });
  await expect.poll(() => list.list.complete).toBe(true);
  const gates = ['a', 'b', 'c'].map((row) => {
    const gate = Promise.withResolvers<object>();
    list.take({ busy: deleting, row, run: () => gate.promise });
    return gate;
  });
  list.ask({ kind: 'menu', title: 'Show only', items: [], initial: 0 });
  gates[1]?.reject(new Problem('unreachable', 'No answer.'));
  gates[0]?.resolve({ notice: 'Deleted a.' });
  gates[2]?.reject(new Problem('refused', 'Not allowed.'));
  await vi.waitFor(() => expect(list.state.writes).toBeUndefined());
  expect(told.notices).toContain("Deleting failed: No answer. Press ' to return to the change.");
  expect(list.state.dialog).toMatchObject({ kind: 'menu' });
  list.recall();
  expect(list.state.dialog).toMatchObject({ kind: 'menu' });
  list.stopWaiting();
  list.recall();
  expect(list.state.dialog).toMatchObject({ kind: 'problem', problem: { message: 'No answer.' } });
  list.stopWaiting();
  list.recall();
  expect(list.state.dialog).toMatchObject({ kind: 'problem', problem: { message: 'Not allowed.' } });
  expect(list.state.unsettled).toBeUndefined();
});

test('Esc clears the filter first, then leaves the pane', async () => {
  const { list, told } = open(1, { whole: true });
  await expect.poll(() => list.list.complete).toBe(true);
  list.dispatch({ type: 'filtered', text: '1' });
  list.dispatch({ type: 'entered' });
  list.runAction('back');
  expect(shownLength(list.list)).toBe(1000);
  expect(told.back).toBe(0);
  list.runAction('back');
  expect(told.back).toBe(1);
});

test('shows live rows without a request, and updates them until the list is closed', () => {
  const known = new Set(['k1', 'k2']);
  const listeners = new Set<() => void>();
  const { list, asked } = open(1, {
    whole: true,
    live: {
      rows: () => [...known].map((name) => ({ name })),
      subscribe(changed) {
        listeners.add(changed);
        return () => void listeners.delete(changed);
      },
    },
  });
  expect(list.list).toMatchObject({ complete: true, loading: false });
  known.add('k3');
  for (const changed of listeners) changed();
  expect(rows(list)).toBe(3);
  list.close();
  expect([listeners.size, asked]).toEqual([0, []]);
});

test('keeps a menu open that was opened during a write when the write ends', async () => {
  const { list, told } = open(1);
  const write = Promise.withResolvers<{ readonly notice: string }>();
  list.take({ busy: deleting, run: () => write.promise });
  list.ask({ kind: 'menu', title: 'Show only', items: [], initial: 0 });
  expect(list.state.writes).toMatchObject([{ busy: deleting }]);
  expect(list.state.dialog).toMatchObject({ kind: 'menu' });
  write.resolve({ notice: 'Deleted a.' });
  await vi.waitFor(() => expect(told.notices).toContain('Deleted a.'));
  expect(list.state.writes).toBeUndefined();
  expect(list.state.dialog).toMatchObject({ kind: 'menu' });
});

test('replaces an open dialog with the dialog at the end of a write', async () => {
  const { list } = open(1);
  const write = Promise.withResolvers<{
    readonly dialog: { kind: 'menu'; title: string; items: []; initial: 0 };
  }>();
  list.take({ busy: deleting, run: () => write.promise });
  write.resolve({ dialog: { kind: 'menu', title: 'Next', items: [], initial: 0 } });
  await vi.waitFor(() => expect(list.state.dialog).toMatchObject({ title: 'Next' }));
  expect(list.state.busy).toBeUndefined();
});
