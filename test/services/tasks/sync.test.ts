import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { TaskWork } from '../../../src/model/tasks/task.ts';
import { openSync } from '../../../src/services/objects/sync.ts';
import { stepsToDo, syncMetadata } from '../../../src/services/tasks/sync.ts';
import { type ObjectTasks, openObjectTasks } from './object-tasks-platform.ts';

const reporter = { progress: () => undefined, warn: () => undefined };

type Work = Extract<TaskWork, { does: 'sync-objects' }>;

/** Returns the work of a sync between the folder `site` and `assets/www/`, and the steps that the user would see. */
async function plan(tasks: ObjectTasks, options: Pick<Work, 'direction' | 'remove'>) {
  const work: Work = {
    does: 'sync-objects',
    bucket: 'assets',
    prefix: 'www/',
    path: tasks.path('site'),
    ...options,
  };
  const sides = { folder: work.path, folderName: 'site', bucket: work.bucket, prefix: work.prefix };
  const sync = await openSync(tasks.session, sides, work.direction, syncMetadata, reporter);
  return { work, steps: stepsToDo(sync, work.remove) };
}

test('uploads new and changed files, keeps or deletes other objects, and plans no steps in a second run', async () => {
  const tasks = await openObjectTasks();
  tasks.write('site/a.html', 'new');
  tasks.write('site/b.css', 'the same');
  tasks.write('site/deep/c.txt', 'longer');
  await tasks.put('www/b.css', 'the same');
  await tasks.put('www/deep/c.txt', 'old');
  await tasks.put('www/gone.txt', 'gone');
  await tasks.put('other.txt', 'not below the prefix');
  const saved = await plan(tasks, { direction: 'upload', remove: false });
  expect(saved.steps.map(({ action, name, why }) => [action, name, why])).toEqual([
    ['upload', 'a.html', 'new'],
    ['upload', 'deep/c.txt', 'changed'],
  ]);
  expect(await tasks.run(saved.work, saved.steps)).toMatchObject({
    state: 'done',
    outcome: 'Uploaded 2 objects (9 B) to assets; 1 the same.',
  });
  expect(await tasks.text('www/deep/c.txt')).toBe('longer');
  const [{ httpMetadata } = { httpMetadata: undefined }] = (await tasks.entries()).filter(
    ({ key }) => key === 'www/a.html',
  );
  expect(httpMetadata).toMatchObject({ contentType: 'text/html' });
  const { work, steps } = await plan(tasks, { direction: 'upload', remove: true });
  expect(steps.map(({ action, name }) => [action, name])).toEqual([['delete', 'gone.txt']]);
  expect(await tasks.run(work, steps)).toMatchObject({
    outcome: 'Uploaded 0 objects (0 B) to assets; deleted 1; 3 the same.',
  });
  expect(await tasks.keys()).toEqual(['other.txt', 'www/a.html', 'www/b.css', 'www/deep/c.txt']);
  expect((await plan(tasks, { direction: 'upload', remove: true })).steps).toEqual([]);
});

test('does nothing if a new step was not among the shown steps', async () => {
  const tasks = await openObjectTasks();
  tasks.write('site/a.txt', 'a');
  await tasks.put('www/seen.txt', '1');
  const { work, steps } = await plan(tasks, { direction: 'upload', remove: true });
  await tasks.put('www/unseen.txt', '2');
  expect(await tasks.run(work, steps)).toMatchObject({
    state: 'failed',
    problem: { message: '"unseen.txt" has changed since the steps were shown; nothing was changed.' },
  });
  expect(await tasks.keys()).toEqual(['www/seen.txt', 'www/unseen.txt']);
});

test('downloads, deletes files that only the folder has, and resumes with the remaining steps', async () => {
  let isCut = true;
  const tasks = await openObjectTasks((send) => async (call) => {
    if (isCut && call.method === 'GET' && call.path.includes('two.txt')) {
      return { status: 404, headers: {}, body: Buffer.from('{"success":false,"errors":[],"messages":[]}') };
    }
    return send(call);
  });
  await tasks.put('www/one.txt', '1');
  await tasks.put('www/two.txt', '2');
  tasks.write('site/extra.txt', 'x');
  const { work, steps } = await plan(tasks, { direction: 'download', remove: true });
  const partly = await tasks.run(work, steps);
  expect(partly).toMatchObject({ state: 'partly', failed: { count: 1 } });
  expect(existsSync(tasks.path('site/extra.txt')), 'kept after a failure').toBe(true);
  isCut = false;
  expect(await tasks.again(partly.id)).toMatchObject({ state: 'done', failed: { count: 0 } });
  expect([tasks.read('site/one.txt'), tasks.read('site/two.txt')]).toEqual(['1', '2']);
  expect(existsSync(tasks.path('site/extra.txt'))).toBe(false);
});
