import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { inSoak } from '../../support/in-part.ts';
import { openAssets, openBuckets } from '../open-objects.tsx';

inSoak(() => {
  test('deletes a bucket with all its objects only after its name is typed, and shows their number', async () => {
    const app = await openBuckets();
    await app.go(['d'], '6 objects (');
    await app.go([...'asset', 'enter'], 'The name does not match.');
    expect(await app.platform.keys('assets')).toHaveLength(6);
    await app.go([...'s', 'enter'], 'Deleted the bucket assets and 6 objects in it.');
    await app.screen.waitFor('1 bucket');
    expect(app.screen.lines().slice(2, -2).join()).not.toContain('assets');
  });
});

test('uploads a file into a folder, under its own name and with the matching type', async () => {
  const app = await openAssets();
  app.platform.write('page.html', '<p>');
  await app.go(['u'], 'Upload into assets/');
  await app.go([...'page.html', 'enter'], 'Uploaded 1 object (3 B) to assets.');
  await app.screen.waitFor('6 entries');
  expect(app.screen.text()).toMatch(/^page\.html +text\/html +3 B +0s/m);
  expect(app.screen.selected()).toContain('data.json');
  expect(await app.platform.get('assets', 'page.html')).toBe('<p>');
});

test('uploads all files below a folder, and keeps existing objects unless the form requests replacing them', async () => {
  const app = await openAssets();
  app.platform.write('site/hello.txt', 'mine');
  app.platform.write('site/deep/er.css', 'a{}');
  await app.go(['u', ...'site/', 'enter'], 'Uploaded 1 object (3 B) to assets; already present: 1 object.');
  await app.screen.waitFor('deep/');
  expect(await app.platform.get('assets', 'deep/er.css')).toBe('a{}');
  expect(await app.platform.get('assets', 'hello.txt')).toContain('hello there');
  await app.go(['u', ...'site', 'tab', ...'new', 'shift+tab', 'shift+tab'], '> Existing');
  await app.screen.waitFor('‹ skip');
  await app.go(['down'], '‹ replace');
  await app.go(['enter'], 'Uploaded 2 objects (7 B) to assets.');
  expect(await app.platform.get('assets', 'new/hello.txt')).toBe('mine');
});

test('uploads a folder under its own name, or only its content if the source path ends with a slash', async () => {
  const app = await openAssets();
  app.platform.write('site/deep/er.css', 'a{}');
  await app.go(['u', ...'site', 'enter'], 'Uploaded 1 object (3 B) to assets.');
  expect(await app.platform.get('assets', 'site/deep/er.css')).toBe('a{}');
});

test('keeps the form when the file cannot be read, and asks before it replaces an object', async () => {
  const app = await openAssets();
  await app.go(['u', ...'nothing', 'enter'], 'File not found: nothing.');
  app.platform.write('hello.txt', 'mine');
  await app.go(['ctrl+u', ...'hello.txt', 'enter'], 'object hello.txt already exists');
  await app.go(['enter'], 'Upload into assets/');
  expect(await app.platform.get('assets', 'hello.txt')).toContain('hello there');
  await app.go(['enter'], 'already exists');
  await app.go(['down', 'enter'], 'Uploaded 1 object (4 B) to assets.');
  expect(await app.platform.get('assets', 'hello.txt')).toBe('mine');
});

test('downloads to a file, asks before it replaces a file, and rejects a folder at that path', async () => {
  const app = await openAssets();
  const file = join(app.platform.folder, 'data.json');
  await app.go(['w'], 'Download data.json');
  await app.go(['enter'], 'Downloaded 1 object (32 B) to');
  expect(readFileSync(file, 'utf8')).toBe('{"name":"Ada","roles":["admin"]}');
  writeFileSync(file, 'mine');
  await app.go(['w'], 'Download data.json');
  await app.go(['enter'], 'data.json already exists. Replace it?');
  await app.go(['enter'], 'Download data.json');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await app.go(['enter'], 'already exists');
  await app.go(['down', 'enter'], 'Downloaded 1 object');
  expect(readFileSync(file, 'utf8')).toContain('Ada');
  app.platform.write('folder/x', '');
  await app.go(['w', 'ctrl+u', ...'folder', 'enter'], 'This is a folder: enter a file in it.');
});

test('copies an object with its type within a bucket or to another bucket, but never onto itself', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'up', 'c'], 'Copy hello.txt');
  await app.go(['enter'], 'Source and destination are the same.');
  await app.go(['ctrl+u', ...'img/again.txt', 'enter'], 'Copied 1 object (23 B) to assets.');
  expect(app.screen.selected()).toContain('hello.txt');
  await app.go(['c'], 'Copy hello.txt');
  await app.go(['shift+tab', 'ctrl+u', ...'backups', 'enter'], 'Copied 1 object (23 B) to backups.');
  expect(await app.platform.get('backups', 'hello.txt')).toContain('hello there');
  await app.go(['c'], 'Copy hello.txt');
  await app.go(['ctrl+u', ...'data.json', 'enter'], 'object data.json already exists');
  await app.go(['down', 'enter'], 'Copied 1 object (23 B) to assets.');
  expect(await app.platform.get('assets', 'data.json')).toContain('hello there');
});

test('deletes an object only after Yes is selected, which is not the default', async () => {
  const app = await openAssets();
  await app.go(['d'], 'Delete the object data.json?');
  await app.go(['enter'], 'Enter open');
  await app.go(['d'], 'No, change nothing');
  await app.go(['down', 'enter'], 'Deleted 1 object from assets.');
  expect(await app.platform.keys('assets')).not.toContain('data.json');
  await app.screen.waitFor('4 entries');
});

test('deletes a folder after its name is typed, and shows how much it contains', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'd'], '2 objects (');
  await app.go([...'im', 'enter'], 'The name does not match.');
  await app.go([...'g', 'enter'], 'Deleted 2 objects from assets.');
  expect(await app.platform.keys('assets')).toEqual(['data.json', 'docs/a.txt', 'hello.txt', 'zero']);
  await app.screen.waitFor('4 entries');
});

inSoak(() => {
  test('downloads a folder into another folder, with the unescaped keys as file names', async () => {
    const app = await openAssets();
    await app.go(['end', 'up', 'w'], 'Download img/');
    await app.go(['ctrl+u', ...'out', 'enter'], 'Downloaded 2 objects (35 B) to');
    const out = join(app.platform.folder, 'out');
    expect(readdirSync(out, { recursive: true }).toSorted()).toEqual([
      'img',
      'img/icons',
      'img/icons/a.svg',
      'img/logo.png',
    ]);
  });
});

test('downloads and deletes from the preview, which closes when its object is deleted', async () => {
  const app = await openAssets();
  await app.go(['enter'], 'Ada');
  await app.go(['w', 'enter'], 'Downloaded 1 object (32 B) to');
  expect(existsSync(join(app.platform.folder, 'data.json'))).toBe(true);
  await app.go(['d'], 'No, change nothing');
  await app.go(['down', 'enter'], 'Deleted 1 object from assets.');
  await app.screen.waitFor('4 entries');
});

test('keeps the console usable while a task runs, and continues the task when its pane is closed', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openAssets({
    through: (send) => async (call) => {
      if (call.method === 'PUT') await gate.promise;
      return send(call);
    },
  });
  app.platform.write('big.bin', 'big');
  await app.go(['u', ...'big.bin', 'enter'], 'Uploading big.bin. Press 5 to see the task.');
  await app.go(['end', 'up', 'enter'], 'logo.png');
  await app.go(['esc', 'esc'], 'backups');
  gate.resolve();
  await app.screen.waitFor('Uploaded 1 object (3 B) to assets.');
  expect(await app.platform.get('assets', 'big.bin')).toBe('big');
});

/** The screen is wide enough for a sentence that contains the path of a folder. */
const wide = { columns: 400 };

inSoak(() => {
  test('reports why a task failed, and for how many objects the task failed', async () => {
    let refuses = (path: string) => path.endsWith('/docs%2Fa.txt') || path.endsWith('/docs/a.txt');
    const app = await openAssets({
      ...wide,
      through: (send) => async (call) => {
        if (call.method === 'GET' && refuses(call.path)) throw new Problem('refused', 'Not this one.');
        return send(call);
      },
    });
    await app.go(['a', 'w', 'ctrl+u', ...'out', 'enter'], 'Downloaded 5 objects (');
    await app.screen.waitFor('1 failed.');
    refuses = () => true;
    await app.go(['end', 'up', 'd'], 'below this folder in assets will be lost');
    await app.go([...'img', 'enter'], 'The deletion failed: Not this one. Press 5 to see the task.');
  });
});

test('keeps the input of a form while the list below the form is reloaded', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openAssets({
    through: (send) => async (call) => {
      if (call.method === 'PUT') await gate.promise;
      return send(call);
    },
  });
  app.platform.write('a.txt', 'a');
  await app.go(['u', ...'a.txt', 'enter'], 'Press 5 to see the task.');
  await app.go(['u', ...'b.tx'], 'b.tx');
  gate.resolve();
  await app.screen.waitFor('6 entries');
  await app.go(['t', 'enter'], 'b.txt');
});

test('downloads, copies and deletes the marked objects, and then removes the marks', async () => {
  const app = await openAssets();
  await app.go(['space', 'end', 'up', 'space'], '2 marked');
  await app.go(['w'], 'Download 1 object and 1 folder');
  await app.go(['ctrl+u', ...'out', 'enter'], 'Downloaded 3 objects (');
  expect(app.screen.lines()[1]).not.toContain('marked');
  const out = join(app.platform.folder, 'out');
  expect(readFileSync(join(out, 'data.json'), 'utf8')).toContain('Ada');
  expect(readFileSync(join(out, 'img/icons/a.svg'), 'utf8')).toBe('<svg/>');

  await app.go(['home', 'space', 'down', 'space'], '2 marked');
  await app.go(
    ['c', ...'old', 'shift+tab', 'ctrl+u', ...'backups', 'enter'],
    'Copied 2 objects (55 B) to backups.',
  );
  expect(await app.platform.keys('backups')).toEqual(['old/data.json', 'old/hello.txt']);

  await app.go(['home', 'space', 'down', 'space', 'd'], 'Delete 2 objects from assets?');
  await app.go(['down', 'enter'], 'Deleted 2 objects from assets.');
  await app.screen.waitFor('3 entries');
  await app.go(['a', 'd'], '4 objects (39 B) in assets will be lost');
  await app.go([...'asset', 'enter'], 'The name does not match.');
  expect(await app.platform.keys('assets')).toHaveLength(4);
  await app.go(['s', 'enter'], 'Deleted 4 objects from assets.');
  expect(await app.platform.keys('assets')).toEqual([]);
});

test('copies marked objects into another folder and never onto themselves', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'c'], 'Copy img/');
  await app.go(['enter'], 'The objects are already in this folder.');
  await app.go([...'again', 'enter'], 'Copied 2 objects (35 B) to assets.');
  await app.screen.waitFor('again/');
  expect(await app.platform.keys('assets')).toContain('again/img/icons/a.svg');
});

test('writes nothing in a read-only session, but can download', async () => {
  const app = await openAssets({ label: { readOnly: true } });
  for (const press of ['u', 'c', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter open');
  }
  await app.go(['w', 'enter'], 'Downloaded 1 object (32 B) to');
  await app.go(['a'], '5 marked');
  for (const press of ['c', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter open');
  }
  await app.go(['w', 'ctrl+u', ...'out', 'enter'], 'Downloaded 6 objects');
  expect(existsSync(join(app.platform.folder, 'out/img/icons/a.svg'))).toBe(true);
  await app.go(['esc'], 'backups');
  await app.go(['n'], 'This session is read-only.');
});

test('writes nothing outside the chosen folder, regardless of the keys', async () => {
  const app = await openAssets({
    ...wide,
    async stock({ createBucket, put }) {
      await createBucket('assets');
      for (const key of ['../x', '/x', 'a/../../x', 'a\\x', 'b/', 'ok.txt']) await put('assets', key, key);
    },
  });
  await app.go(['a', 'w', 'ctrl+u', ...'out', 'enter'], '4 failed.');
  expect(readdirSync(join(app.platform.folder, 'out'))).toEqual(['a\\x', 'ok.txt']);
  expect(readdirSync(app.platform.folder)).toEqual(['out']);
  await app.go(['a', 'd'], '6 objects (');
  await app.go([...'assets', 'enter'], 'Deleted 6 objects from assets.');
  expect(await app.platform.keys('assets')).toEqual([]);
});
