import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import type { TaskWork } from '../../../src/model/tasks/task.ts';
import { createBucket, listBuckets } from '../../../src/services/objects/buckets.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import type { Call, Send } from '../../../src/v4/send.ts';
import { type ObjectTasks, openObjectTasks } from './object-tasks-platform.ts';
import { eventually } from './platform.ts';

const bucket = 'assets';

function upload(path: string, key: string, existing: 'skip' | 'replace' = 'replace'): TaskWork {
  return { does: 'upload', bucket, path, key, existing };
}

function download(path: string, prefix = '', existing: 'skip' | 'replace' = 'skip'): TaskWork {
  return { does: 'download', bucket, prefix, path, single: false, existing };
}

function copy(
  prefix: string,
  to: { bucket: string; key: string },
  existing: 'skip' | 'replace' = 'skip',
): TaskWork {
  return { does: 'copy-objects', bucket, prefix, to, single: false, existing };
}

const isWrite = ({ method, path }: Call) => method === 'PUT' && path.includes('/objects/');
const isRead = ({ method, path }: Call) => method === 'GET' && path.includes('/objects/');
const keyOf = ({ path }: Call) => decodeURIComponent(path.slice(path.indexOf('/objects/') + 9));

/** Wraps a Send to record the calls that `isMeant` selects, and to block these calls after the first `after`. */
function gated(isMeant: (call: Call) => boolean, after: number) {
  const gate = Promise.withResolvers<void>();
  const calls: string[] = [];
  const through =
    (send: Send): Send =>
    async (call) => {
      if (!isMeant(call)) return send(call);
      calls.push(keyOf(call));
      if (calls.length > after) await gate.promise;
      return send(call);
    };
  return { through, calls, open: () => gate.resolve() };
}

/** Wraps a Send to record the calls that `isMeant` selects, and to reject those for one key while `isBroken` is true. */
function broken(isMeant: (call: Call) => boolean, key: string) {
  const state = { isBroken: true, calls: [] as string[] };
  const through =
    (send: Send): Send =>
    async (call) => {
      if (!isMeant(call)) return send(call);
      state.calls.push(keyOf(call));
      if (!state.isBroken || keyOf(call) !== key) return send(call);
      const errors = [{ code: 10099, message: 'no room for it' }];
      const body = Buffer.from(JSON.stringify({ success: false, errors, messages: [], result: null }));
      return { status: 400, headers: { 'content-type': 'application/json' }, body };
    };
  return { through, state };
}

const files = ['a.css', 'b.json', 'deep/er/c.txt', 'd', 'e', 'f', 'g', 'h'];

function writeSite(tasks: ObjectTasks): string {
  for (const name of files) tasks.write(`site/${name}`, `of ${name}`);
  return tasks.path('site');
}

async function putSite(tasks: ObjectTasks): Promise<void> {
  for (const name of files) await tasks.put(`site/${name}`, `of ${name}`);
}

test('stores a file under its key with the given type, or with the type that matches its name', async () => {
  const tasks = await openObjectTasks();
  const path = tasks.write('page.html', '<p>');
  expect(await tasks.run(upload(path, 'web/page.html'))).toMatchObject({
    state: 'done',
    outcome: 'Uploaded 1 object (3 B) to assets.',
  });
  expect(await tasks.text('web/page.html')).toBe('<p>');
  await tasks.run({ ...upload(path, 'own'), contentType: 'text/x-own' } as TaskWork);
  const types = (await tasks.entries()).map(({ key, httpMetadata }) => [key, httpMetadata.contentType]);
  expect(types).toEqual([
    ['own', 'text/x-own'],
    ['web/page.html', 'text/html'],
  ]);
});

test('stores all files below a folder under their names, and names entries that are not files', async () => {
  const tasks = await openObjectTasks();
  const path = writeSite(tasks);
  symlinkSync('/etc/passwd', join(path, 'link'));
  const task = await tasks.run(upload(path, 'www/'));
  expect(task).toMatchObject({ state: 'done', outcome: 'Uploaded 8 objects (53 B) to assets.' });
  expect(task.warnings.join()).toContain('link');
  expect(await tasks.keys()).toEqual(files.map((name) => `www/${name}`).toSorted());
  expect(await tasks.text('www/deep/er/c.txt')).toBe('of deep/er/c.txt');
});

test('keeps or replaces existing objects, as requested', async () => {
  const tasks = await openObjectTasks();
  const path = writeSite(tasks);
  await tasks.put('www/d', 'theirs');
  expect(await tasks.run(upload(path, 'www/', 'skip'))).toMatchObject({
    state: 'done',
    outcome: 'Uploaded 7 objects (49 B) to assets; already present: 1 object.',
  });
  expect(await tasks.text('www/d')).toBe('theirs');
  await tasks.run(upload(path, 'www/', 'replace'));
  expect(await tasks.text('www/d')).toBe('of d');
});

test('fails with the reason if the file cannot be read, or the bucket does not exist', async () => {
  const tasks = await openObjectTasks();
  expect(await tasks.run(upload(tasks.path('none'), 'k'))).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('File not found') },
  });
  const path = tasks.write('a', 'a');
  const work = { ...upload(path, 'a', 'skip'), bucket: 'nowhere' } as TaskWork;
  expect(await tasks.run(work)).toMatchObject({ state: 'failed' });
});

test.each(['skip', 'replace'] as const)(
  'fails only the file whose key is too long (%s)',
  async (existing) => {
    const tasks = await openObjectTasks();
    tasks.write('site/a', 'a');
    const long = 'k'.repeat(200);
    tasks.write(`site/${long}`, 'long');
    expect(await tasks.run(upload(tasks.path('site'), `${'p'.repeat(900)}/`, existing))).toMatchObject({
      state: 'partly',
      failed: { count: 1, first: [{ reason: expect.stringContaining('1,024') }] },
    });
    expect(await tasks.keys()).toEqual([`${'p'.repeat(900)}/a`]);
  },
);

test('writes an object to a file, and creates its folders', async () => {
  const tasks = await openObjectTasks();
  await tasks.put('docs/a.txt', 'docs');
  const work = { ...download(tasks.path('new/b.txt'), 'docs/'), single: true } as TaskWork;
  expect(await tasks.run(work, [{ key: 'docs/a.txt', size: 4 }])).toMatchObject({
    state: 'done',
    outcome: `Downloaded 1 object (4 B) to ${tasks.path('new/b.txt')}.`,
  });
  expect(tasks.read('new/b.txt')).toBe('docs');
  tasks.write('new/b.txt', 'mine');
  await tasks.run(work, [{ key: 'docs/a.txt', size: 4 }]);
  expect(tasks.read('new/b.txt')).toBe('mine');
  await tasks.run({ ...work, existing: 'replace' } as TaskWork, [{ key: 'docs/a.txt', size: 4 }]);
  expect(tasks.read('new/b.txt')).toBe('docs');
});

test('writes marked objects, and all objects below marked folders, to paths from the part of their keys after the prefix', async () => {
  const tasks = await openObjectTasks();
  await putSite(tasks);
  // The task requests the size of an object that the console has not loaded.
  const marked = [{ key: 'site/a.css' }, { prefix: 'site/deep/' }];
  expect(await tasks.run(download(tasks.path('out'), 'site/'), marked)).toMatchObject({
    state: 'done',
    outcome: `Downloaded 2 objects (24 B) to ${tasks.path('out')}.`,
  });
  expect(readdirSync(tasks.path('out'), { recursive: true }).toSorted()).toEqual([
    'a.css',
    'deep',
    'deep/er',
    'deep/er/c.txt',
  ]);
  expect(tasks.read('out/deep/er/c.txt')).toBe('of deep/er/c.txt');
});

const hostileKeys = ['../x', '/etc/x', 'a/', 'a/../../x', 'e\u001b', 'folder', 'x//y'];

test('reports why keys cannot be paths, and writes nothing outside the folder, even on a retry', async () => {
  const tasks = await openObjectTasks();
  for (const key of [...hostileKeys, 'c\\d', 'folder/in', 'good']) await tasks.put(key, 'x');
  const before = readdirSync(join(tasks.world.cwd, '..')).toSorted();
  const task = await tasks.run(download(tasks.path('out')), [{ prefix: '' }]);
  const names = ({ failed }: typeof task) => failed.first.map(({ name }) => name).toSorted();
  expect(task).toMatchObject({ state: 'partly', failed: { count: hostileKeys.length } });
  expect(names(task)).toEqual(hostileKeys.toSorted());
  expect(task.failed.first.every(({ reason }) => reason.startsWith('The key cannot be a path: '))).toBe(true);
  expect(readdirSync(tasks.path('out'), { recursive: true }).toSorted()).toEqual([
    'c\\d',
    'folder',
    'folder/in',
    'good',
  ]);
  const again = await tasks.again(task.id);
  expect(again).toMatchObject({ state: 'partly', failed: { count: hostileKeys.length } });
  expect(names(again)).toEqual(hostileKeys.toSorted());
  expect(readdirSync(tasks.world.cwd)).toEqual(['out']);
  expect(readdirSync(join(tasks.world.cwd, '..')).toSorted()).toEqual(before);
});

test.each(['skip', 'replace'] as const)(
  'does not write to a folder or a link that replaced a file, and writes all other files (%s)',
  async (existing) => {
    const tasks = await openObjectTasks();
    for (const key of ['a', 'b', 'c']) await tasks.put(key, key);
    mkdirSync(tasks.path('out/a'), { recursive: true });
    symlinkSync(tasks.write('outside', 'mine'), tasks.path('out/b'));
    const task = await tasks.run(download(tasks.path('out'), '', existing), [{ prefix: '' }]);
    expect(tasks.read('outside')).toBe('mine');
    expect(tasks.read('out/c')).toBe('c');
    expect(task.state).toBe('partly');
    expect(task.failed.first).toContainEqual({ name: 'a', reason: expect.stringContaining('folder') });
  },
);

test('copies marked objects to another prefix and bucket, with their metadata', async () => {
  const tasks = await openObjectTasks();
  await createBucket(tasks.session, 'backups');
  const metadata = { httpMetadata: { contentType: 'text/css' }, customMetadata: { owner: 'web' } };
  await tasks.put('site/a.css', 'a{}', metadata);
  await tasks.put('site/deep/b', 'b');
  await tasks.put('site/other', 'c');
  const marked = [{ key: 'site/a.css', size: 3 }, { prefix: 'site/deep/' }];
  expect(await tasks.run(copy('site/', { bucket: 'backups', key: 'old/' }), marked)).toMatchObject({
    state: 'done',
    outcome: 'Copied 2 objects (4 B) to backups.',
  });
  const [first, second, ...more] = await tasks.entries('backups');
  expect(first).toMatchObject({ key: 'old/a.css', ...metadata });
  expect([second?.key, more]).toEqual(['old/deep/b', []]);
  await tasks.run(copy('site/', { bucket, key: 'site/deep/' }), [{ prefix: 'site/' }]);
  expect(await tasks.keys()).toEqual(
    ['a.css', 'deep/a.css', 'deep/b', 'deep/deep/b', 'deep/other', 'other'].map((key) => `site/${key}`),
  );
});

test('overwrites existing objects in a copy only if requested', async () => {
  const tasks = await openObjectTasks();
  await tasks.put('a/x', 'new');
  await tasks.put('b/x', 'old');
  const to = { bucket, key: 'b/' };
  expect(await tasks.run(copy('a/', to), [{ prefix: 'a/' }])).toMatchObject({
    outcome: 'Copied 0 objects (0 B) to assets; already present: 1 object.',
  });
  expect(await tasks.text('b/x')).toBe('old');
  await tasks.run(copy('a/', to, 'replace'), [{ prefix: 'a/' }]);
  expect(await tasks.text('b/x')).toBe('new');
});

test('deletes exactly the marked entries in several requests, and resumes after the completed requests', async () => {
  const tasks = await openObjectTasks();
  const requests: number[] = [];
  const cut = await openObjectTasks(
    (send) => async (call) => {
      if (call.method !== 'DELETE') return send(call);
      requests.push(JSON.parse(Buffer.from(call.body as Uint8Array).toString()).length);
      if (requests.length === 2) throw new Error('the line is cut');
      return send(call);
    },
    tasks.world,
  );
  const names = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(4, '0')}`);
  const [first = '', last = ''] = [names[0], names[1099]];
  for (const key of [first, last, 'keep', 'many', 'manyother', 'one', '../x', 'below/a'])
    await tasks.put(key, key);
  // Objects that were deleted in the meantime are not failures.
  const marked = [
    ...names.map((key) => ({ key, size: 0 })),
    { key: 'one', size: 3 },
    { key: '../x', size: 4 },
    { prefix: 'below/' },
  ];
  const task = await cut.run({ does: 'delete-objects', bucket }, marked);
  expect(task).toMatchObject({
    state: 'failed',
    confirmed: [[0, 1000]],
    outcome: 'Done so far: 1,000.',
    progress: { done: 1000 },
  });
  await tasks.put('many/0000', 'stored since');
  expect(await cut.again(task.id)).toMatchObject({
    state: 'done',
    outcome: 'Deleted 1,103 objects from assets.',
    progress: { phase: 'deleting', done: 1103, total: 1103 },
  });
  expect(requests).toEqual([1000, 103, 103]);
  expect(await tasks.keys()).toEqual(['keep', 'many', 'many/0000', 'manyother']);
});

test('deletes a bucket with all its objects, and counts a deleted bucket as done on a retry', async () => {
  const tasks = await openObjectTasks();
  await putSite(tasks);
  let isCut = true;
  const cut = await openObjectTasks(
    (send) => async (call) => {
      const answer = await send(call);
      if (isCut && call.method === 'DELETE' && call.path.endsWith('/assets'))
        throw new Error('the line is cut');
      return answer;
    },
    tasks.world,
  );
  const task = await cut.run({ does: 'delete-bucket', bucket });
  expect(task.state).toBe('failed');
  isCut = false;
  expect(await cut.again(task.id)).toMatchObject({ state: 'done' });
  const left: string[] = [];
  for await (const page of listBuckets(tasks.session)) left.push(...page.map(({ name }) => name));
  expect(left).toEqual([]);
  await createBucket(tasks.session, 'other');
  expect(await tasks.run({ does: 'delete-bucket', bucket: 'other' })).toMatchObject({
    outcome: 'Deleted the bucket other and 0 objects in it.',
  });
});

test('completes all other objects if one object fails, and retries only the failed object', async () => {
  const { through, state } = broken(isWrite, 'www/d');
  const tasks = await openObjectTasks(through);
  const task = await tasks.run(upload(writeSite(tasks), 'www/'));
  expect(task).toMatchObject({
    state: 'partly',
    failed: { count: 1, first: [{ name: 'www/d', reason: expect.stringContaining('no room for it') }] },
  });
  expect(await tasks.keys()).toHaveLength(7);
  state.isBroken = false;
  state.calls.length = 0;
  expect(await tasks.again(task.id)).toMatchObject({
    state: 'done',
    failed: { count: 0 },
    outcome: 'Uploaded 1 object (4 B) to assets in this run.',
  });
  expect(state.calls).toEqual(['www/d']);
  expect(await tasks.text('www/d')).toBe('of d');
});

test.each([
  ['upload', isWrite, (tasks: ObjectTasks) => upload(tasks.path('site'), 'www/')],
  ['download', isRead, (tasks: ObjectTasks) => download(tasks.path('out'), 'site/', 'replace')],
  ['copy', isWrite, () => copy('site/', { bucket, key: 'www/' }, 'replace')],
] as const)(
  'resumes a stopped %s of four parallel objects with the remaining objects',
  async (what, isMeant, workOf) => {
    const gate = gated(isMeant, 3);
    const tasks = await openObjectTasks(gate.through);
    writeSite(tasks);
    await putSite(tasks);
    const { id } = await tasks.start(workOf(tasks), what === 'upload' ? [] : [{ prefix: 'site/' }]);
    await eventually(() => expect(gate.calls).toHaveLength(7));
    await tasks.list.stop(id);
    gate.open();
    const stopped = await tasks.until(id, ({ state }) => state === 'stopped');
    expect(gate.calls).toHaveLength(7);
    const done = stopped.confirmed.reduce((sum, [from, to]) => sum + to - from, 0);
    expect(done).toBeGreaterThan(0);
    gate.calls.length = 0;
    expect(await tasks.again(id)).toMatchObject({ state: 'done' });
    expect(gate.calls).toHaveLength(files.length - done);
    const text = (name: string) =>
      what === 'download' ? tasks.read(`out/${name}`) : tasks.text(`www/${name}`);
    for (const name of files) expect(await text(name)).toBe(`of ${name}`);
    if (what === 'download')
      expect(readdirSync(tasks.path('out')).filter((name) => name.includes('.part'))).toEqual([]);
  },
);

test('resumes a download with the same list after the console was killed', async () => {
  const gate = gated(isRead, 3);
  const tasks = await openObjectTasks(gate.through);
  await putSite(tasks);
  const { id } = await tasks.start(download(tasks.path('out'), 'site/'), [{ prefix: 'site/' }]);
  await eventually(() => expect(gate.calls).toHaveLength(7));
  const closed = tasks.list.close();
  gate.open();
  await closed;
  await tasks.put('site/later', 'not of the list');
  const next = await openObjectTasks((send) => send, tasks.world);
  expect(next.list.tasks).toMatchObject([{ id, state: 'interrupted' }]);
  expect(await next.again(id)).toMatchObject({ state: 'done' });
  for (const name of files) expect(tasks.read(`out/${name}`)).toBe(`of ${name}`);
  expect(existsSync(tasks.path('out/later'))).toBe(false);
});

test('leaves no partial file after an interrupted download, and does not change the existing file', async () => {
  let isCut = true;
  const tasks = await openObjectTasks((send) => async (call) => {
    const answer = await send(call);
    if (!isCut || !isRead(call)) return answer;
    return { ...answer, body: Buffer.from('hal') };
  });
  await tasks.put('site/a', 'a whole one');
  await tasks.put('site/b', 'another one');
  tasks.write('out/b', 'mine');
  const task = await tasks.run(download(tasks.path('out'), 'site/', 'replace'), [{ prefix: 'site/' }]);
  expect(task).toMatchObject({
    state: 'partly',
    failed: { count: 2, first: [{ reason: expect.stringContaining('was interrupted') }, {}] },
  });
  expect(readdirSync(tasks.path('out'))).toEqual(['b']);
  expect(tasks.read('out/b')).toBe('mine');
  isCut = false;
  expect(await tasks.again(task.id)).toMatchObject({ state: 'done' });
  expect(tasks.read('out/b')).toBe('another one');
});

/** Returns what undo can restore: the change and the key of each entry, newest first. */
async function undoable({ world }: ObjectTasks): Promise<(readonly [string, string, string])[]> {
  const journal = openJournal(world);
  const { entries } = await journal.list();
  const found: (readonly [string, string, string])[] = [];
  for (const entry of entries) {
    const { did, thing } = entry;
    const bytes = Buffer.from(await journal.read(entry));
    found.push([did, thing.kind === 'object' ? thing.key : thing.kind, bytes.toString()]);
  }
  return found;
}

test('saves a single deleted object for undo; does not delete it again after it was restored', async () => {
  const tasks = await openObjectTasks();
  await tasks.put('a', 'first');
  const work = { does: 'delete-objects', bucket, undo: true } as const;
  const marked = [{ key: 'a', size: 5 }];
  const task = await tasks.run(work, marked);
  expect(task).toMatchObject({
    state: 'done',
    outcome: 'Deleted 1 object from assets. Press U to restore it.',
    failed: { count: 0, first: [] },
    confirmed: [[0, 1]],
  });
  expect(await tasks.keys()).toEqual([]);
  expect(await undoable(tasks)).toEqual([['deleted', 'a', 'first']]);
  await tasks.put('a', 'second');
  // The task has the state that a console leaves if it is killed before it records the end.
  const file = join(tasks.world.folders.state, 'tasks', task.id, 'task.json');
  writeFileSync(file, JSON.stringify({ ...task, state: 'interrupted' }));
  await tasks.list.reload();
  expect(await tasks.again(task.id)).toMatchObject({ outcome: 'Deleted 1 object from assets.' });
  expect(await tasks.text('a')).toBe('second');
  await tasks.run(work, [{ key: 'none', size: 0 }]);
  await tasks.put('b', 'b');
  expect((await tasks.run(work, [...marked, { key: 'b', size: 1 }])).outcome).toBe(
    'Deleted 2 objects from assets.',
  );
  expect((await tasks.run({ ...work, undo: false }, marked)).outcome).toBe('Deleted 1 object from assets.');
  expect(await undoable(tasks)).toHaveLength(1);
});

test('keeps the object that an upload replaces, so undo can restore it, even on a retry', async () => {
  const { through, state } = broken(isWrite, 'k');
  const tasks = await openObjectTasks(through);
  await tasks.put('k', 'theirs');
  const path = tasks.write('file', 'mine');
  const work = { ...upload(path, 'k'), undo: true } as TaskWork;
  const task = await tasks.run(work);
  expect(task).toMatchObject({
    state: 'failed',
    problem: { code: 'refused', message: expect.stringContaining('no room for it') },
    failed: { count: 1 },
  });
  await openJournal(tasks.world).purge();
  await tasks.put('k', 'changed since');
  state.isBroken = false;
  expect(await tasks.again(task.id)).toMatchObject({ state: 'done', failed: { count: 0 } });
  expect(await tasks.text('k')).toBe('mine');
  expect(await undoable(tasks)).toEqual([['replaced', 'k', 'changed since']]);
  expect((await tasks.run({ ...work, existing: 'skip' } as TaskWork)).outcome).toBe(
    'Uploaded 0 objects (0 B) to assets; already present: 1 object.',
  );
  await tasks.run(upload(path, 'k'));
  // A folder may now exist at the path of the file.
  for (const name of ['k', 'l']) tasks.write(`folder/${name}`, 'mine');
  await tasks.run({ ...upload(tasks.path('folder'), ''), undo: true } as TaskWork);
  mkdirSync(tasks.path('empty'));
  expect(await tasks.run({ ...upload(tasks.path('empty'), ''), undo: true } as TaskWork)).toMatchObject({
    outcome: 'Uploaded 0 objects (0 B) to assets.',
  });
  expect(await undoable(tasks)).toHaveLength(1);
});

test('lists at most twenty of the failed objects, and counts all failed objects', async () => {
  const tasks = await openObjectTasks();
  const marked = Array.from({ length: 25 }, (_, at) => ({ key: `../${at}`, size: 1 }));
  const { state, failed } = await tasks.run(download(tasks.path('out')), marked);
  expect([state, failed.count, failed.first.length]).toEqual(['partly', 25, 20]);
  const gone = await tasks.run(copy('', { bucket, key: 'to/' }), [
    { key: 'gone', size: 3 },
    { key: 'too', size: 4 },
  ]);
  expect(gone).toMatchObject({
    state: 'partly',
    outcome: 'Copied 0 objects (0 B) to assets.',
    failed: {
      count: 2,
      first: [{ name: 'gone', reason: 'The object was deleted meanwhile' }, { name: 'too' }],
    },
  });
  const single = { ...copy('', { bucket, key: 'to' }), single: true } as TaskWork;
  expect(await tasks.run(single, [{ key: 'gone' }])).toMatchObject({
    state: 'failed',
    problem: { code: 'not-found', message: 'The object was deleted meanwhile.' },
  });
});

test('lists three of the entries that are not files, and counts the other entries', async () => {
  const tasks = await openObjectTasks();
  tasks.write('site/a', 'a');
  for (const name of ['l1', 'l2', 'l3']) symlinkSync('/etc/passwd', tasks.path(`site/${name}`));
  const three = await tasks.run(upload(tasks.path('site'), ''));
  expect(three.warnings).toEqual(['Skipped: l1 (it is a link), l2 (it is a link), l3 (it is a link).']);
  for (const name of ['l4', 'l5']) symlinkSync('/etc/passwd', tasks.path(`site/${name}`));
  const five = await tasks.run(upload(tasks.path('site'), ''));
  expect(five.warnings).toEqual([
    'Skipped: l1 (it is a link), l2 (it is a link), l3 (it is a link) and 2 more.',
  ]);
  tasks.write('plain/a', 'a');
  expect((await tasks.run(upload(tasks.path('plain'), ''))).warnings).toEqual([]);
});

test('copies an object to another key, and skips an existing object on request', async () => {
  const tasks = await openObjectTasks();
  await tasks.put('a/b', 'bytes');
  const work = { ...copy('a/', { bucket, key: 'c' }), single: true } as TaskWork;
  const phases = watchPhases(tasks);
  expect(await tasks.run(work, [{ key: 'a/b' }])).toMatchObject({
    state: 'done',
    outcome: 'Copied 1 object (5 B) to assets.',
  });
  expect(await tasks.text('c')).toBe('bytes');
  expect(phases()).not.toContain('copying 1 of 1 objects');
  await tasks.put('a/b', 'others');
  expect((await tasks.run(work, [{ key: 'a/b' }])).outcome).toBe(
    'Copied 0 objects (0 B) to assets; already present: 1 object.',
  );
  expect(await tasks.text('c')).toBe('bytes');
});

/** Records the progress that the tasks report to listeners. */
function watchPhases({ list }: ObjectTasks): () => string[] {
  const seen = new Set<string>();
  list.subscribe(() => {
    const { progress } = list.tasks[0] ?? {};
    if (progress === undefined) return;
    const { phase, done, total, unit } = progress;
    seen.add(`${phase} ${done}${total === undefined ? '' : ` of ${total}`} ${unit}`);
  });
  return () => [...seen];
}

test('compares many objects, a few in parallel, and reports the progress', async () => {
  const tasks = await openObjectTasks();
  const names = Array.from({ length: 11 }, (_, at) => `f${at + 10}`);
  for (const name of names) tasks.write(`site/${name}`, 'mine');
  for (const name of ['f10', 'f18', 'f20']) await tasks.put(`www/${name}`, 'theirs');
  const phases = watchPhases(tasks);
  expect(await tasks.run(upload(tasks.path('site'), 'www/', 'skip'))).toMatchObject({
    outcome: 'Uploaded 8 objects (32 B) to assets; already present: 3 objects.',
    progress: { phase: 'uploading', unit: 'bytes', done: 32, total: 32 },
  });
  expect(phases()).toContain('listing 0 objects');
  expect(phases()).toContain('comparing 8 of 11 objects');
  for (const name of names)
    expect(await tasks.text(`www/${name}`)).toBe(['f10', 'f18', 'f20'].includes(name) ? 'theirs' : 'mine');
  await tasks.run(copy('www/', { bucket, key: 'copy/' }, 'replace'), [{ prefix: 'www/' }]);
  expect(phases()).toContain('listing 11 objects');
  expect(phases().some((phase) => /^copying \d+ of 11 objects$/.test(phase))).toBe(true);
  expect(phases().filter((phase) => phase.startsWith('comparing'))).toHaveLength(2);
});

test('writes an object through a link that the user named, and replaces a broken link', async () => {
  const tasks = await openObjectTasks();
  await tasks.put('k', 'new');
  tasks.write('real/file', 'old');
  symlinkSync(tasks.path('real/file'), tasks.path('link'));
  const work = { ...download(tasks.path('link'), '', 'replace'), single: true } as TaskWork;
  expect(await tasks.run(work, [{ key: 'k' }])).toMatchObject({ state: 'done' });
  expect(tasks.read('real/file')).toBe('new');
  expect(lstatSync(tasks.path('link')).isSymbolicLink()).toBe(true);
});

test('does not report a missing bucket as deleted at the first attempt, and reports any other failure', async () => {
  let isCut = false;
  const tasks = await openObjectTasks((send) => async (call) => {
    if (isCut && call.method === 'DELETE') throw new Problem('unreachable', 'The line is cut.');
    return send(call);
  });
  expect(await tasks.run({ does: 'delete-bucket', bucket: 'none' })).toMatchObject({
    state: 'failed',
    problem: { code: 'not-found' },
  });
  await putSite(tasks);
  isCut = true;
  const task = await tasks.run({ does: 'delete-bucket', bucket });
  expect(task).toMatchObject({ state: 'failed', problem: { message: 'The line is cut.' } });
  expect(await tasks.again(task.id)).toMatchObject({
    state: 'failed',
    problem: { message: 'The line is cut.' },
  });
  isCut = false;
  expect(await tasks.again(task.id)).toMatchObject({
    state: 'done',
    outcome: 'Deleted the bucket assets and 8 objects in it in this run.',
    progress: { phase: 'deleting', done: 8, total: 8 },
  });
});

test('starts no further request after a deletion is stopped', async () => {
  const gate = Promise.withResolvers<void>();
  const requests: Call[] = [];
  const tasks = await openObjectTasks((send) => async (call) => {
    if (call.method !== 'DELETE') return send(call);
    requests.push(call);
    const answer = await send(call);
    await gate.promise;
    return answer;
  });
  const marked = Array.from({ length: 1001 }, (_, at) => ({ key: `k${at}`, size: 0 }));
  const { id } = await tasks.start({ does: 'delete-objects', bucket }, marked);
  await eventually(() => expect(requests).toHaveLength(1));
  await tasks.list.stop(id);
  gate.resolve();
  expect(await tasks.until(id, ({ state }) => state === 'stopped')).toMatchObject({ confirmed: [[0, 1000]] });
  expect(requests).toHaveLength(1);
});

test('stops comparing when a download is stopped', async () => {
  const tasks = await openObjectTasks();
  const marked = Array.from({ length: 80 }, (_, at) => ({ key: `k${at}`, size: 0 }));
  tasks.list.subscribe(() => {
    const [task] = tasks.list.tasks;
    if (task?.state === 'running' && task.progress?.phase === 'comparing') void tasks.list.stop(task.id);
  });
  expect(await tasks.run(download(tasks.path('out')), marked)).toMatchObject({
    state: 'stopped',
    progress: { phase: 'comparing', total: 80, done: expect.toSatisfy((done: number) => done < 80) },
  });
});
