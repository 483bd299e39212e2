import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Chosen } from '../../../components/objects/chosen.ts';
import { askToRemove } from '../../../components/objects/removal.ts';
import {
  type CopyInput,
  copying,
  type DownloadInput,
  downloading,
  type UploadInput,
  uploading,
} from '../../../components/objects/transfers.ts';
import {
  type ActionResult,
  isWork,
  type PaneOutcome,
  type Work,
} from '../../../components/ui/forms/dialog.ts';
import { isAboutBucket, taskEndNotice } from '../../../components/ui/tasks/ends.ts';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { objectService } from '../../../src/services/console/objects.ts';
import type { MarkedObject } from '../../../src/services/tasks/objects.ts';
import { openPlatform, stockDemo } from '../open-objects.tsx';

async function openCommands() {
  const platform = await openPlatform();
  await stockDemo(platform);
  const started: { work: TaskWork; marked: readonly MarkedObject[] }[] = [];
  const means = {
    services: { objects: objectService(platform.session) },
    world: { cwd: platform.folder, env: {} },
    copy: (_: Uint8Array, what: string) => `Copied ${what}.`,
    tasks: {
      async start(work: TaskWork, marked: readonly MarkedObject[]) {
        started.push({ work, marked });
        return { id: 'id' };
      },
    },
  };
  return {
    platform,
    started,
    upload: (wanted: UploadInput) => readOutcome(uploading(wanted, means)),
    download: (wanted: DownloadInput) => readOutcome(downloading(wanted, means)),
    copy: (wanted: CopyInput) => readOutcome(copying(wanted, means)),
    remove: (from: Chosen) => readOutcome(askToRemove(from, means)),
  };
}

async function readOutcome(effect: ActionResult): Promise<PaneOutcome> {
  if (effect === undefined) throw new Error('no effect');
  return isWork<PaneOutcome>(effect) ? effect.run(new AbortController().signal) : effect;
}

/** Returns the work that starts when the user answers Yes to a question. */
function confirmed({ dialog }: PaneOutcome): Work {
  if (dialog?.kind !== 'confirm') throw new Error('no question');
  return dialog.command as Work;
}

const bucket = 'assets';
const hello: Chosen = { bucket, folder: '', marked: [{ key: 'hello.txt', size: 23 }], hidden: 0 };
const images: Chosen = { bucket, folder: '', marked: [{ prefix: 'img/' }], hidden: 0 };
const toUpload = {
  bucket,
  folder: '',
  name: '',
  contentType: undefined,
  existing: 'skip',
} as const;

test('starts tasks with absolute paths, with the key of a file and the prefix of a folder', async () => {
  const { platform, started, upload } = await openCommands();
  platform.write('site/new.css', '');
  await upload({ ...toUpload, folder: 'docs/', path: 'site/new.css' });
  await upload({ ...toUpload, folder: 'docs/', path: 'site', name: 'www' });
  await upload({ ...toUpload, folder: 'docs/', path: './site/' });
  const work = { does: 'upload', bucket, contentType: undefined, existing: 'skip' };
  const site = join(platform.folder, 'site');
  expect(started.map((one) => one.work)).toEqual([
    { ...work, path: join(site, 'new.css'), key: 'docs/new.css' },
    { ...work, path: site, key: 'docs/www/' },
    { ...work, path: site, key: 'docs/' },
  ]);
});

test('asks only before replacing a single object or file', async () => {
  const { platform, started, upload, download, copy } = await openCommands();
  platform.write('hello.txt', 'mine');
  const asking = [
    [await upload({ ...toUpload, path: 'hello.txt' }), 'object hello.txt', { key: 'hello.txt' }],
    [
      await download({ from: hello, path: 'hello.txt', existing: 'skip' }),
      'file hello.txt',
      { path: join(platform.folder, 'hello.txt') },
    ],
    [
      await copy({ from: hello, to: { bucket, key: 'data.json' }, existing: 'skip' }),
      'object data.json',
      { to: { bucket, key: 'data.json' } },
    ],
  ] as const;
  expect(started).toEqual([]);
  for (const [outcome, name, work] of asking) {
    expect(outcome.dialog).toMatchObject({
      question: { question: `The ${name} already exists. Replace it?` },
    });
    expect(await readOutcome(confirmed(outcome))).toMatchObject({
      notice: expect.stringContaining('Press 5 to see the task.'),
    });
    expect(started.pop()?.work).toMatchObject({ ...work, existing: 'replace' });
  }
  await copy({ from: images, to: { bucket, key: 'docs/' }, existing: 'skip' });
  expect(started).toMatchObject([
    {
      work: { single: false, prefix: '', to: { bucket, key: 'docs/' }, existing: 'skip' },
      marked: [{ prefix: 'img/' }],
    },
  ]);
});

test('rejects a folder where a file is required, a file where a folder is required, and an invalid key', async () => {
  const { platform, started, upload, download } = await openCommands();
  platform.write('folder/x', '');
  const fields = async (outcome: Promise<PaneOutcome>) => Object.keys((await outcome).errors ?? {});
  expect(await fields(download({ from: hello, path: 'folder', existing: 'replace' }))).toEqual(['path']);
  expect(await fields(download({ from: images, path: 'folder/x', existing: 'skip' }))).toEqual(['path']);
  expect(await fields(upload({ ...toUpload, folder: `${'k'.repeat(1023)}/`, path: 'folder/x' }))).toEqual([
    'name',
  ]);
  expect(started).toEqual([]);
});

test('counts the objects and the content of the marked folders', async () => {
  const { started, remove } = await openCommands();
  const from = { ...images, marked: [...images.marked, ...hello.marked] };
  const { dialog } = await remove(from);
  if (dialog?.kind !== 'form') throw new Error('no form');
  expect(dialog.form.lines.join()).toContain('3 objects (58 B) in assets will be lost');
  const submitted = dialog.submit?.({ name: bucket });
  if (submitted === undefined || !('work' in submitted)) throw new Error('no work');
  await readOutcome(submitted.work);
  expect(started).toEqual([{ work: { does: 'delete-objects', bucket }, marked: from.marked }]);
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
  [{ outcome: 'Copied \u001b[2J.' }, 'Copied \u001b[2J.'],
  [
    { state: 'partly', failed: { count: 1200, first: [] } },
    'Copied 1 object (3 B) to backups. 1,200 failed. Press 5 to see the task.',
  ],
  [
    { state: 'failed', problem: { code: 'refused', message: 'No such bucket \u0007.' } },
    'The copy failed: No such bucket \u0007. Press 5 to see the task.',
  ],
  [{ state: 'stopped' }, 'The copy was stopped. Press 5 to see the task.'],
  [
    { state: 'stopped', work: { does: 'delete-bucket', bucket } },
    'The deletion was stopped. Press 5 to see the task.',
  ],
] as const)('summarizes the result of a task: %j', (change, words) => {
  expect(taskEndNotice({ ...task, ...change })).toBe(words);
});

test('finds the tasks of a bucket', () => {
  const keys = { work: { does: 'delete-keys', namespace: { id: 'a', title: 'assets' } } } as const;
  expect(['assets', 'backups', 'other'].map((name) => isAboutBucket(task, name))).toEqual([
    true,
    true,
    false,
  ]);
  expect([isAboutBucket(task, undefined), isAboutBucket(keys, undefined)]).toEqual([true, false]);
});
