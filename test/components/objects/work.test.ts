import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../components/objects/chosen.ts';
import type { ObjectCommand } from '../../../components/objects/commands.ts';
import { carryOutObject } from '../../../components/objects/work.ts';
import { endWords, isAbout } from '../../../components/ui/tasks/ends.ts';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { objectsOver } from '../../../src/services/console/objects.ts';
import type { MarkedObject } from '../../../src/services/tasks/objects.ts';
import { openPlatform, stockDemo } from '../open-objects.tsx';

async function openCommands() {
  const platform = await openPlatform();
  await stockDemo(platform);
  const started: { work: TaskWork; marked: readonly MarkedObject[] }[] = [];
  const means = {
    services: { objects: objectsOver(platform.session) },
    world: { cwd: platform.folder, env: {} },
    copy: (_: Uint8Array, what: string) => `Copied ${what}.`,
    tasks: {
      async start(work: TaskWork, marked: readonly MarkedObject[]) {
        started.push({ work, marked });
        return { id: 'id' };
      },
    },
  };
  const { signal } = new AbortController();
  return { platform, started, carryOut: (command: ObjectCommand) => carryOutObject(command, means, signal) };
}

const bucket = 'assets';
const hello: Chosen = { bucket, folder: '', marked: [{ key: 'hello.txt', size: 23 }], hidden: 0 };
const images: Chosen = { bucket, folder: '', marked: [{ prefix: 'img/' }], hidden: 0 };
const upload = {
  does: 'upload',
  bucket,
  folder: '',
  name: '',
  contentType: undefined,
  existing: 'skip',
} as const;

test('starts tasks on absolute paths, with the key of a file and the prefix of a folder', async () => {
  const { platform, started, carryOut } = await openCommands();
  platform.write('site/new.css', '');
  await carryOut({ ...upload, folder: 'docs/', path: 'site/new.css' });
  await carryOut({ ...upload, folder: 'docs/', path: 'site', name: 'www' });
  await carryOut({ ...upload, folder: 'docs/', path: './site/' });
  const work = { does: 'upload', bucket, contentType: undefined, existing: 'skip' };
  const site = join(platform.folder, 'site');
  expect(started.map((one) => one.work)).toEqual([
    { ...work, path: join(site, 'new.css'), key: 'docs/new.css' },
    { ...work, path: site, key: 'docs/www/' },
    { ...work, path: site, key: 'docs/' },
  ]);
});

test('holds back what would replace one object or file, and only then', async () => {
  const { platform, started, carryOut } = await openCommands();
  platform.write('hello.txt', 'mine');
  const commands = [
    { ...upload, path: 'hello.txt' },
    { does: 'download', from: hello, path: 'hello.txt', existing: 'skip' },
    { does: 'copy', from: hello, to: { bucket, key: 'data.json' }, existing: 'skip' },
  ] as const;
  for (const command of commands) {
    const again = { kind: 'confirm', command: { ...command, existing: 'replace' } };
    expect(await carryOut(command)).toMatchObject({ dialog: again });
    expect(started).toEqual([]);
  }
  for (const command of commands) {
    expect(await carryOut({ ...command, existing: 'replace' })).toMatchObject({
      taskId: 'id',
      notice: expect.stringContaining('5 shows the task.'),
    });
    expect(started.pop()?.work).toMatchObject({ existing: 'replace' });
  }
  await carryOut({ does: 'copy', from: images, to: { bucket, key: 'docs/' }, existing: 'skip' });
  expect(started).toMatchObject([
    {
      work: { single: false, prefix: '', to: { bucket, key: 'docs/' }, existing: 'skip' },
      marked: [{ prefix: 'img/' }],
    },
  ]);
});

test('refuses what cannot be: a folder in the place of a file, a file in that of a folder, a name that is no key', async () => {
  const { platform, started, carryOut } = await openCommands();
  platform.write('folder/x', '');
  const fields = async (command: ObjectCommand) => {
    const { errors } = await carryOut(command);
    return errors && Object.keys(errors);
  };
  expect(await fields({ does: 'download', from: hello, path: 'folder', existing: 'replace' })).toEqual([
    'path',
  ]);
  expect(await fields({ does: 'download', from: images, path: 'folder/x', existing: 'skip' })).toEqual([
    'path',
  ]);
  expect(await fields({ ...upload, folder: `${'k'.repeat(1023)}/`, path: 'folder/x' })).toEqual(['name']);
  expect(started).toEqual([]);
});

test('counts the objects and what is below the folders', async () => {
  const { carryOut } = await openCommands();
  const from = { ...images, marked: [...images.marked, ...hello.marked] };
  const { dialog } = await carryOut({ does: 'count', from });
  expect(dialog).toMatchObject({ purpose: 'remove', subject: from });
  expect(dialog?.kind === 'form' && dialog.form.lines.join()).toContain(
    '3 objects (58 B) of assets will be lost',
  );
});

const task: Task = {
  version: 1,
  id: '0'.repeat(16),
  work: {
    does: 'copy-objects',
    bucket,
    prefix: '',
    to: { bucket: 'backups', key: '' },
    single: false,
    existing: 'skip',
  },
  marked: 1,
  target: 'production',
  profileName: 'demo',
  accountLabel: 'Demo',
  state: 'done',
  runs: 1,
  started: 0,
  outcome: 'Copied 1 object (3 B) to backups.',
  failed: { count: 0, first: [] },
  warnings: [],
  confirmed: [],
};

test.each([
  [{}, 'Copied 1 object (3 B) to backups.'],
  [{ outcome: 'Copied \u001b[2J.' }, 'Copied \\e[2J.'],
  [
    { state: 'partly', failed: { count: 1200, first: [] } },
    'Copied 1 object (3 B) to backups. 1,200 failed. 5 shows the task.',
  ],
  [
    { state: 'failed', problem: { code: 'refused', message: 'No such bucket \u0007.' } },
    'The copy failed: No such bucket \\x07. 5 shows the task.',
  ],
  [{ state: 'stopped' }, 'The copy was stopped. 5 shows the task.'],
  [
    { state: 'stopped', work: { does: 'delete-bucket', bucket } },
    'The deletion was stopped. 5 shows the task.',
  ],
] as const)('says how a task has ended: %j', (change, words) => {
  expect(endWords({ ...task, ...change })).toBe(words);
});

test('tells the tasks that are about a bucket', () => {
  const keys = { work: { does: 'delete-keys', namespace: { id: 'a', title: 'assets' } } } as const;
  expect(['assets', 'backups', 'other'].map((name) => isAbout(task, name))).toEqual([true, true, false]);
  expect([isAbout(task, undefined), isAbout(keys, undefined)]).toEqual([true, false]);
});
