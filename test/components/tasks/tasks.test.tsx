import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remedyWords } from '../../../components/kit/remedy-words.ts';
import { targetColumn } from '../../../components/tasks/TasksPane.tsx';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { listKeys, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { TaskList } from '../../../src/services/tasks/tasks.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { type ConsoleOptions, type OpenConsole, openConsole } from '../open-console.tsx';
import { type ObjectPlatform, openPlatform } from '../open-objects.tsx';

interface TasksConsole extends OpenConsole {
  readonly platform: ObjectPlatform;
  keys(): Promise<string[]>;
}

interface Setting extends ConsoleOptions {
  /** Tasks that an earlier console left unfinished. */
  readonly left?: (
    platform: ObjectPlatform,
    id: string,
  ) => readonly (readonly [TaskWork, readonly unknown[]])[];
  /** Changes to the records of the unfinished tasks. */
  readonly change?: Partial<Task>;
  wrap?(send: Session['send']): Session['send'];
}

const place = {
  target: 'local',
  where: { kind: 'remote', profile: 'demo', baseUrl: 'https://api.demo.invalid/client/v4' },
  accountLabel: 'Demo account',
} as const;

/** Opens the console on its tasks, with a namespace of three keys on a platform in this process. */
async function openTasks(setting: Setting = {}): Promise<TasksConsole> {
  const platform = await openPlatform();
  const { session } = platform;
  const { world } = session;
  const { id } = await createNamespace(session, 'sessions');
  for (const name of ['a', 'b', 'c']) await writeValue(session, id, name, { value: Buffer.from(name) });
  const noNetwork = () => Promise.reject(new Error('not yet'));
  const before = await TaskList.open(
    { ...world, sleep: async () => undefined },
    { open: noNetwork, words: remedyWords },
  );
  for (const [work, marked] of setting.left?.(platform, id) ?? []) {
    const task = await before.start({ work, marked, ...place });
    await ended(before, task.id);
    const file = join(world.folders.state, 'tasks', task.id, 'task.json');
    const left = { ...task, state: 'interrupted', owner: undefined, ...setting.change };
    writeFileSync(file, JSON.stringify(left));
  }
  const app = openConsole({
    folders: world.folders,
    ...setting,
    openSession: async () => {
      const open = { ...session, close: async () => undefined };
      return setting.wrap === undefined ? open : { ...open, send: setting.wrap(session.send) };
    },
  });
  await app.screen.waitFor('5 Tasks');
  await app.go(['5'], 'STATE');
  return {
    ...app,
    platform,
    async keys() {
      const names: string[] = [];
      for await (const page of listKeys(session, id)) names.push(...page.map(({ name }) => name));
      return names;
    },
  };
}

function ended(list: TaskList, id: string): Promise<void> {
  return new Promise((resolve) => {
    const view = () => list.tasks.find((task) => task.id === id)?.state === 'failed' && resolve();
    list.subscribe(view);
    view();
  });
}

/** Returns a task that deletes keys of the namespace. */
const deletion =
  (...names: string[]): NonNullable<Setting['left']> =>
  (_, id) => [[{ does: 'delete-keys', namespace: { id, title: 'sessions' } }, names]];

/** Blocks calls until a promise is resolved. */
const held =
  (gate: Promise<void>): NonNullable<Setting['wrap']> =>
  (send) =>
  async (call) => {
    await gate;
    return send(call);
  };

test('fills the width below a short list of tasks with the details of the selected task', async () => {
  const app = await openTasks({ columns: 120, rows: 30, left: deletion('a') });
  await app.screen.waitFor((screen) => /^│ ── Details ─+ interrupted ── │$/m.test(screen.text()));
  await app.go(['|'], (screen) => !screen.text().includes('── Details'));
});

test('does not repeat the row of a completed task in its details, and shows both ends of the task', async () => {
  const app = await openTasks({ columns: 120, rows: 30, left: deletion('a', 'b') });
  await app.go(['R'], 'Deleted 2 keys from sessions.');
  const text = app.screen.text();
  expect(text.split('Deleted 2 keys from sessions.')).toHaveLength(2);
  expect(text).toMatch(/namespace +sessions/);
  expect(text).toMatch(/started +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
  expect(app.screen.lines().at(-1)).not.toContain('Enter details');
  expect(app.screen.lines()[3]).toMatch(/ENDED │$/);
});

test('shows the whole title of a task below a short list on the smallest screen', async () => {
  const title = 'a-namespace-with-a-long-title-of-shop';
  const app = await openTasks({
    columns: 40,
    rows: 12,
    left: (_, id) => [[{ does: 'delete-keys', namespace: { id, title } }, ['a']]],
  });
  await app.screen.waitFor('── Details');
  const lines = app.screen.lines();
  const below = lines.slice(lines.findIndex((line) => line.startsWith('── Details')) + 1);
  expect(below.join('').replaceAll(' ', '')).toContain(title);
});

test('the preview shows that a task is interrupted, and not that it is writing', async () => {
  const progress = {
    phase: 'writing',
    unit: 'entries',
    done: 41,
    total: 100,
    retries: 0,
    failed: 0,
  } as const;
  const app = await openTasks({
    columns: 100,
    left: (_, id) => [[{ does: 'delete-keys', namespace: { id, title: 'sessions' } }, ['a']]],
    change: { progress },
  });
  await app.screen.waitFor((screen) =>
    screen.lines().some((line) => /^│ Delete .*interrupted/.test(line.slice(0, 80))),
  );
});

test('resumes a task of an earlier console that exited while the task ran', async () => {
  const app = await openTasks({ left: deletion('a', 'b') });
  expect(app.screen.text()).toMatch(/Delete 2 keys from sessions .*interrupted/);
  expect(app.screen.lines()[1]).toBe('0 Home  1 Namespaces  5 Tasks │ 1 to resume');
  await app.go(['R'], 'Deleted 2 keys from sessions.');
  expect(app.screen.lines()[1]).toBe('0 Home  1 Namespaces  5 Tasks │ 1 done');
  expect(await app.keys()).toEqual(['c']);
  await app.go(['R'], 'The task is complete.');
});

test('shows a running task in every pane, and stops it', async () => {
  const gate = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const app = await openTasks({
    left: deletion('a'),
    wrap: (send) => (call) => {
      called.resolve();
      return held(gate.promise)(send)(call);
    },
  });
  await app.go(['R'], 'running');
  await called.promise;
  await app.go(['1'], 'Local data has no list');
  expect(app.screen.lines()[0]).toContain('LOCAL 1 task');
  await app.go(['5', 'x'], 'stopping');
  gate.resolve();
  await app.go([], 'stopped');
  expect(app.screen.lines()[0]).not.toContain('1 task');
});

test('shows failures and reasons, and retries only the failed items', async () => {
  let broken = true;
  const app = await openTasks({
    left: deletion('a', 'b'),
    wrap: (send) => async (call) => {
      if (!broken || !call.path.endsWith('/bulk/delete')) return send(call);
      const result = { successful_key_count: 1, unsuccessful_keys: ['b'] };
      const answer = await send({ ...call, body: Buffer.from('["a"]') });
      return {
        ...answer,
        body: Buffer.from(JSON.stringify({ success: true, errors: [], messages: [], result })),
      };
    },
  });
  await app.go(['R'], 'R retry');
  expect(app.screen.text()).toContain('1 failed');
  // On a small screen, the details of the selected task are below a short list, and | hides them.
  await app.go([], 'b: the platform did not accept it');
  await app.go(['|'], (screen) => !screen.text().includes('b: the platform'));
  await app.go(['|'], 'b: the platform did not accept it');
  await app.go(['enter'], 'Tasks › Details');
  expect(app.screen.text()).toMatch(/where +demo · Demo account · local/);
  broken = false;
  await app.go(['R'], 'Deleted 2 keys from sessions.');
  expect(await app.keys()).toEqual(['c']);
  await app.go(['d'], 'no tasks');
});

test('asks before an unfinished task is removed', async () => {
  const app = await openTasks({ left: deletion('a') });
  await app.go(['d'], 'The remaining work cannot be resumed');
  await app.go(
    ['enter'],
    (screen) => screen.text().includes('interrupted') && !screen.text().includes('The remaining'),
  );
  await app.go(['d'], 'No, change nothing');
  await app.go(['down', 'enter'], 'no tasks');
  expect(await app.keys()).toEqual(['a', 'b', 'c']);
});

test('removes all completed tasks, and no other tasks, from the list', async () => {
  const app = await openTasks({
    left: (platform, id) => [...deletion('a')(platform, id), ...deletion('b')(platform, id)],
  });
  await app.go(['R'], '1 to resume, 1 done');
  await app.go(['ctrl+x'], (screen) => /Tasks │ 1 to resume$/.test(screen.lines()[1] ?? ''));
});

test('resumes nothing in a read-only session', async () => {
  const app = await openTasks({ left: deletion('a'), label: { readOnly: true } });
  await app.go(['R'], 'This session is read-only.');
  expect(await app.keys()).toEqual(['a', 'b', 'c']);
});

test('does not change tasks of another console', async () => {
  const app = await openTasks({
    left: deletion('a'),
    change: { state: 'running', owner: { pid: process.ppid } },
  });
  await app.go(['x'], `The task runs in another console (process ${process.ppid}): stop it there.`);
  await app.go(['enter'], 'in another console');
});

test('reports errors without mentioning command-line flags', async () => {
  const missing = join('/no', 'such', 'file.ndjson');
  const app = await openTasks({
    left: (_, id) => [
      [{ does: 'import-keys', namespace: { id, title: 'sessions' }, path: missing, skipInvalid: false }, []],
    ],
  });
  await app.go(['R'], `File not found: ${missing}.`);
  expect(app.screen.text()).toContain('failed');
});

test('asks before quitting while tasks run, and explains that they can be resumed', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openTasks({
    left: deletion('a'),
    wrap: held(gate.promise),
  });
  await app.go(['R'], 'running');
  await app.go(['q'], '1 task is running. Press q again to stop it; it can be resumed in Tasks.');
  await app.go(['j'], (screen) => !screen.text().includes('q again'));
  await app.go(['q'], 'q again');
  gate.resolve();
  app.press('q');
  expect(await app.ended).toBe(0);
});

test('escapes names from the platform, even on a small screen', async () => {
  const hostile = hostileTexts.map(([, text]) => text).join(' ');
  const app = await openTasks({
    columns: 40,
    rows: 12,
    left: (_, id) => [[{ does: 'delete-keys', namespace: { id, title: hostile } }, ['a']]],
  });
  expect(app.screen.text()).not.toContain('\u001b');
  expect(app.screen.lines().every((line) => line.length <= 40)).toBe(true);
  await app.go(['enter'], 'interrupted');
});

test('shows the target of each task only if the targets differ', () => {
  const task = (target: Task['target']) => ({ target }) as Task;
  expect(targetColumn([])).toBeUndefined();
  expect(targetColumn([task('local'), task('local')])).toBeUndefined();
  const tasks = [task('production'), task('preview')];
  expect(tasks.map((one) => targetColumn(tasks)?.cell(one))).toEqual(['production', 'preview']);
});
