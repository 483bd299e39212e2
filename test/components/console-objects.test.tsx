import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { columnsOf } from '../../src/text/width.ts';
import { hostileTexts } from '../terminal/hostile.ts';
import { openConsole, testNow } from './open-console.tsx';
import { type ObjectPlatform, openAssets, openBuckets, stockDemo } from './open-objects.tsx';

test('goes from buckets through folders to a preview, and back the same way', async () => {
  const app = await openAssets();
  expect(app.screen.lines()[1]).toBe('Buckets › assets · 5 entries');
  expect(app.screen.text()).toMatch(/folder +img\//);
  expect(app.screen.text()).toMatch(/23 B +0s {2}text\/plain +hello\.txt/);
  await app.go(['end', 'up', 'enter'], 'Buckets › assets › img/ · 2 entries');
  await app.go(['down', 'enter'], 'PNG image 640x480');
  expect(app.screen.lines()[1]).toBe('Buckets › assets › img/ › logo.png · 29 B, PNG image 640x480 · hex');
  expect(app.screen.text()).toContain('89 50 4e 47');
  await app.go(['esc', 'esc'], 'hello.txt');
  expect(app.screen.selected()).toContain('img/');
  await app.go(['esc'], 'backups');
  expect(app.screen.selected()).toContain('assets');
});

test('switches between the kinds of things by digits, and shows them where there are several', async () => {
  const app = await openBuckets();
  await app.screen.waitFor('1 Namespaces  2 Buckets  5 Tasks · 2 buckets');
  await app.go(['1'], '0 namespaces');
  await app.go(['2'], '2 buckets');
  await app.go(['enter'], 'hello.txt');
  await app.go(['1'], '1 Namespaces');
  app.resize({ columns: 40, rows: 12 });
  await app.screen.waitFor('1 Namespaces  2  5 · 0 namespaces');
});

test('says what kinds of things a session does not have', async () => {
  const app = openConsole({});
  await app.go(['2'], 'There are no buckets in local data.');
  expect(app.screen.lines()[1]).toBe('1 Namespaces  5 Tasks · 0 namespaces');
});

test('shows an object as text, JSON, bytes, and what is known about it', async () => {
  const app = await openAssets();
  await app.go(['enter'], '"roles": [');
  await app.go(['1'], '{"name":"Ada","roles":["admin"]}');
  await app.go(['3'], '7b 22 6e');
  await app.go(['4'], (screen) => /content-type +application\/json/.test(screen.text()));
  expect(app.screen.text()).toMatch(/etag +[0-9a-f]{32}/);
  expect(app.screen.text()).toContain('2026-11-21T10:00:00.000Z');
  await app.go(['1', '/', ...'admin', 'enter'], (screen) => screen.text().includes('admin'));
});

test('reads the first 64 KiB of a long object and no more, and says so', async () => {
  const lengths: number[] = [];
  const app = await openAssets({
    async stock(platform) {
      await stockDemo(platform);
      await platform.put('assets', 'a.bin', `${'first'.padEnd(200_000, '.')}last`);
    },
    change: (real) => ({
      async readHead(address, length, signal) {
        const head = await real.readHead(address, length, signal);
        lengths.push(head?.length ?? -1);
        return head;
      },
    }),
  });
  await app.go(['enter'], 'first 66 kB of 200 kB, text');
  expect(lengths).toEqual([65_536]);
  await app.go(['2'], 'Only the beginning was read');
  await app.go(['1', 'G'], '...');
  expect(app.screen.text()).not.toContain('last');
});

test('shows an empty object as one, and one that has gone meanwhile', async () => {
  const app = await openAssets();
  await app.go(['end', 'enter'], '(an empty object)');
  await app.go(['esc'], 'hello.txt');
  await app.platform.session.send({
    method: 'DELETE',
    path: `/accounts/${await app.platform.session.accountId()}/r2/buckets/assets/objects/zero`,
    headers: {},
    repeatable: true,
  });
  await app.go(['enter'], 'This object is gone');
  await app.go(['esc'], '4 entries');
});

test('filters what is loaded, and asks the platform for a prefix', async () => {
  const app = await openAssets();
  await app.go(['/', ...'oc'], '1 of 5 loaded');
  await app.go(['esc'], '5 entries');
  await app.go(['/', ...'he', 'enter'], 'prefix he · 1 entry');
  await app.go(['esc'], '5 entries');
});

test('loads further pages while one scrolls', async () => {
  let pages = 0;
  const app = await openBuckets({
    change: () => ({
      async *list(_bucket, { limit }) {
        for (let start = 0; start < 1200; start += limit) {
          pages++;
          yield { objects: manyObjects.slice(start, start + limit), prefixes: [] };
        }
      },
    }),
  });
  await app.go(['enter'], '1,000 loaded, more on the server');
  expect(pages).toBe(1);
  await app.go(['end'], '1,200 entries');
  await app.go(['end'], (screen) => screen.selected()?.includes('k1199') ?? false);
});

const manyObjects = Array.from({ length: 1200 }, (_, index) => ({
  key: `k${String(index).padStart(4, '0')}`,
  size: index,
  etag: '0'.repeat(32),
  uploaded: testNow,
  httpMetadata: {},
  customMetadata: {},
}));

test('creates a bucket, and says beside the field what cannot be its name', async () => {
  const app = await openBuckets();
  await app.go(['n', ...'As', 'enter'], 'Not a name:');
  await app.go(['ctrl+u', ...'archive', 'tab', ...'mars', 'enter'], 'There is no such location.');
  await app.go(['ctrl+u', ...'weur', 'enter'], '3 buckets');
  expect(app.screen.selected()).toMatch(/2026-11-21 {2}weur +archive/);
  await app.go(['n', ...'archive', 'enter'], 'already exists');
});

test('creates no bucket in local data, and says what makes one', async () => {
  const app = await openBuckets({ label: { target: 'local' }, stock: async () => undefined });
  await app.screen.waitFor('No buckets here: put an object with');
  await app.go(['n'], 'Local data have a bucket as soon as an object is put into it.');
});

test('deletes a bucket with all its objects only when its name is typed, and says how many those are', async () => {
  const app = await openBuckets();
  await app.go(['d'], 'It holds 6 objects (');
  await app.go([...'asset', 'enter'], 'This is not its name.');
  expect(await app.platform.keys('assets')).toHaveLength(6);
  await app.go([...'s', 'enter'], 'Deleted the bucket assets and 6 objects in it.');
  await app.screen.waitFor('1 bucket');
  expect(app.screen.lines().slice(2, -1).join()).not.toContain('assets');
});

test('uploads a file into a folder, under its own name and the type that this stands for', async () => {
  const app = await openAssets();
  app.platform.write('page.html', '<p>');
  await app.go(['u'], 'Upload into assets/');
  await app.go([...'page.html', 'enter'], 'Uploaded 1 object (3 B) to assets.');
  await app.screen.waitFor('6 entries');
  expect(app.screen.text()).toMatch(/3 B +0s {2}text\/html +page\.html/);
  expect(app.screen.selected()).toContain('data.json');
  expect(await app.platform.get('assets', 'page.html')).toBe('<p>');
});

test('uploads all files below a folder, and keeps what is there unless it is told to replace', async () => {
  const app = await openAssets();
  app.platform.write('site/hello.txt', 'mine');
  app.platform.write('site/deep/er.css', 'a{}');
  await app.go(['u', ...'site', 'enter'], 'Uploaded 1 object (3 B) to assets; there already: 1 object.');
  await app.screen.waitFor('deep/');
  expect(await app.platform.get('assets', 'deep/er.css')).toBe('a{}');
  expect(await app.platform.get('assets', 'hello.txt')).toContain('hello there');
  await app.go(['u', ...'site', 'tab', ...'new', 'shift+tab', 'shift+tab'], '> Existing');
  await app.go(['ctrl+u', ...'perhaps', 'enter'], 'Write skip or replace.');
  await app.go(['ctrl+u', ...'replace', 'enter'], 'Uploaded 2 objects (7 B) to assets.');
  expect(await app.platform.get('assets', 'new/hello.txt')).toBe('mine');
});

test('keeps the form when the file cannot be read, and asks before it replaces an object', async () => {
  const app = await openAssets();
  await app.go(['u', ...'nothing', 'enter'], 'Cannot read');
  app.platform.write('hello.txt', 'mine');
  await app.go(['ctrl+u', ...'hello.txt', 'enter'], 'object hello.txt exists already');
  await app.go(['enter'], 'Upload into assets/');
  expect(await app.platform.get('assets', 'hello.txt')).toContain('hello there');
  await app.go(['enter'], 'exists already');
  await app.go(['down', 'enter'], 'Uploaded 1 object (4 B) to assets.');
  expect(await app.platform.get('assets', 'hello.txt')).toBe('mine');
});

test('downloads to a file, asks before it replaces one, and refuses a folder in its place', async () => {
  const app = await openAssets();
  const file = join(app.platform.folder, 'data.json');
  await app.go(['s'], 'Download data.json');
  await app.go(['enter'], 'Downloaded 1 object (32 B) to');
  expect(readFileSync(file, 'utf8')).toBe('{"name":"Ada","roles":["admin"]}');
  writeFileSync(file, 'mine');
  await app.go(['s'], 'Download data.json');
  await app.go(['enter'], 'data.json exists already. Replace it?');
  await app.go(['enter'], 'Download data.json');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await app.go(['enter'], 'exists already');
  await app.go(['down', 'enter'], 'Downloaded 1 object');
  expect(readFileSync(file, 'utf8')).toContain('Ada');
  app.platform.write('folder/x', '');
  await app.go(['s', 'ctrl+u', ...'folder', 'enter'], 'This is a folder: name a file in it.');
});

test('copies an object with its type, to another bucket too, and never onto itself', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'up', 'c'], 'Copy hello.txt');
  await app.go(['enter'], 'This is the object itself.');
  await app.go(['ctrl+u', ...'img/again.txt', 'enter'], 'Copied 1 object (23 B) to assets.');
  expect(app.screen.selected()).toContain('hello.txt');
  await app.go(['c'], 'Copy hello.txt');
  await app.go(['shift+tab', 'ctrl+u', ...'backups', 'enter'], 'Copied 1 object (23 B) to backups.');
  expect(await app.platform.get('backups', 'hello.txt')).toContain('hello there');
  await app.go(['c'], 'Copy hello.txt');
  await app.go(['ctrl+u', ...'data.json', 'enter'], 'object data.json exists already');
  await app.go(['down', 'enter'], 'Copied 1 object (23 B) to assets.');
  expect(await app.platform.get('assets', 'data.json')).toContain('hello there');
});

test('deletes an object only after a yes that is not the first answer', async () => {
  const app = await openAssets();
  await app.go(['d'], 'Delete the object data.json?');
  await app.go(['enter'], 'Enter open');
  await app.go(['d', 'down', 'enter'], 'Deleted 1 object of assets.');
  expect(await app.platform.keys('assets')).not.toContain('data.json');
  await app.screen.waitFor('4 entries');
});

test('deletes a folder when its name is typed, and says how much is below it', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'd'], '2 objects (');
  await app.go([...'im', 'enter'], 'This is not its name.');
  await app.go([...'g', 'enter'], 'Deleted 2 objects of assets.');
  expect(await app.platform.keys('assets')).toEqual(['data.json', 'docs/a.txt', 'hello.txt', 'zero']);
  await app.screen.waitFor('4 entries');
});

test('downloads a folder below another, by the keys behind what is on the screen', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 's'], 'Download img/');
  await app.go(['ctrl+u', ...'out', 'enter'], 'Downloaded 2 objects (35 B) to');
  const out = join(app.platform.folder, 'out');
  expect(readdirSync(out, { recursive: true }).toSorted()).toEqual([
    'img',
    'img/icons',
    'img/icons/a.svg',
    'img/logo.png',
  ]);
});

test('downloads and deletes from the preview, which goes back when its object is gone', async () => {
  const app = await openAssets();
  await app.go(['enter'], 'Ada');
  await app.go(['s', 'enter'], 'Downloaded 1 object (32 B) to');
  expect(existsSync(join(app.platform.folder, 'data.json'))).toBe(true);
  await app.go(['d', 'down', 'enter'], 'Deleted 1 object of assets.');
  await app.screen.waitFor('4 entries');
});

test('is free while a task runs, which goes on when the pane is left', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openAssets({
    through: (send) => async (call) => {
      if (call.method === 'PUT') await gate.promise;
      return send(call);
    },
  });
  app.platform.write('big.bin', 'big');
  await app.go(['u', ...'big.bin', 'enter'], 'Uploading big.bin: 5 shows the task.');
  await app.go(['end', 'up', 'enter'], 'logo.png');
  await app.go(['esc', 'esc'], 'backups');
  gate.resolve();
  await app.screen.waitFor('Uploaded 1 object (3 B) to assets.');
  expect(await app.platform.get('assets', 'big.bin')).toBe('big');
});

test('says why a task has failed, and how many of its objects', async () => {
  let refuses = (path: string) => path.endsWith('/docs%2Fa.txt') || path.endsWith('/docs/a.txt');
  const app = await openAssets({
    through: (send) => async (call) => {
      if (call.method === 'GET' && refuses(call.path)) throw new Problem('refused', 'Not this one.');
      return send(call);
    },
  });
  await app.go(['a', 's', 'ctrl+u', ...'out', 'enter'], 'Downloaded 5 objects (');
  await app.screen.waitFor('1 failed. 5 shows the task.');
  refuses = () => true;
  await app.go(['end', 'up', 'd'], 'below it in assets will be lost');
  await app.go([...'img', 'enter'], 'The deletion failed: Not this one. 5 shows the task.');
});

test('keeps a form that is being filled while the list is read again beneath it', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openAssets({
    through: (send) => async (call) => {
      if (call.method === 'PUT') await gate.promise;
      return send(call);
    },
  });
  app.platform.write('a.txt', 'a');
  await app.go(['u', ...'a.txt', 'enter'], '5 shows the task.');
  await app.go(['u', ...'b.tx'], 'b.tx');
  gate.resolve();
  await app.screen.waitFor('6 entries');
  await app.go(['t', 'enter'], 'b.txt: ENOENT');
});

test('downloads, copies and deletes what is marked, and takes the marks away', async () => {
  const app = await openAssets();
  await app.go(['space', 'end', 'up', 'space'], '2 marked');
  await app.go(['s'], 'Download 1 object and 1 folder');
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

  await app.go(['home', 'space', 'down', 'space', 'd'], 'Delete 2 objects of assets?');
  await app.go(['down', 'enter'], 'Deleted 2 objects of assets.');
  await app.screen.waitFor('3 entries');
  await app.go(['a', 'd'], '4 objects (39 B) of assets will be lost');
  await app.go([...'asset', 'enter'], 'This is not its name.');
  expect(await app.platform.keys('assets')).toHaveLength(4);
  await app.go(['s', 'enter'], 'Deleted 4 objects of assets.');
  expect(await app.platform.keys('assets')).toEqual([]);
});

test('copies marked ones into another folder and never onto themselves', async () => {
  const app = await openAssets();
  await app.go(['end', 'up', 'c'], 'Copy img/');
  await app.go(['enter'], 'They are there already.');
  await app.go([...'again', 'enter'], 'Copied 2 objects (35 B) to assets.');
  await app.screen.waitFor('again/');
  expect(await app.platform.keys('assets')).toContain('again/img/icons/a.svg');
});

test('shows why a list could not be read, and reads it again', async () => {
  let broken = true;
  const app = await openBuckets({
    change: (real) => ({
      async *list(bucket, options) {
        if (broken) throw new Problem('unreachable', 'The platform does not answer.');
        yield* real.list(bucket, options);
      },
    }),
  });
  await app.go(['enter'], 'error: The platform does not answer.');
  broken = false;
  await app.go(['r'], 'hello.txt');
});

test('writes nothing in a read-only session, and still downloads', async () => {
  const app = await openAssets({ label: { readOnly: true } });
  for (const press of ['u', 'c', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter open');
  }
  await app.go(['s', 'enter'], 'Downloaded 1 object (32 B) to');
  await app.go(['a'], '5 marked');
  for (const press of ['c', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter open');
  }
  await app.go(['s', 'ctrl+u', ...'out', 'enter'], 'Downloaded 6 objects');
  expect(existsSync(join(app.platform.folder, 'out/img/icons/a.svg'))).toBe(true);
  await app.go(['esc'], 'backups');
  await app.go(['n'], 'This session is read-only.');
});

async function stockHostile({ createBucket, put }: ObjectPlatform): Promise<void> {
  await createBucket('assets');
  await put('assets', '!.txt', 'x');
  for (const [, text] of hostileTexts) {
    await put('assets', `${text}seen`, text, { contentType: 'text/plain' }).catch(() => undefined);
  }
}

/** What stands on the screen after a press on an object, until Esc. */
const questions = [
  ['d', 'Delete the object'],
  ['c', '> Key'],
  ['s', '> File'],
  ['4', 'storage class'],
] as const;

test('shows hostile keys and objects inert', async () => {
  const app = await openAssets({ columns: 120, rows: 40, stock: stockHostile });
  for (let index = 0; index < 10; index++) {
    await app.go(['down', 'enter'], (screen) => / (?:text|hex|json)$/.test(screen.lines()[1] ?? ''));
    for (const [press, shown] of questions) {
      await app.go([press], shown);
      await app.go(['esc'], (screen) => !screen.text().includes(shown));
    }
    await app.screen.waitFor('Buckets › assets ·');
  }
  const { titles, clipboards, links, bells } = app.screen;
  expect({ titles, clipboards, links, bells }).toEqual({ titles: [], clipboards: [], links: [], bells: 0 });
  expect(app.screen.modes().mouse).toBe('none');
});

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
])('draws buckets, objects, preview and forms on %ix%i', async (columns, rows) => {
  const app = await openAssets({ columns, rows });
  const whole = () => {
    const lines = app.screen.lines();
    expect(lines[0]).toMatch(/^PRODUCTION {2}demo/);
    expect(lines.at(-1)).toMatch(/\? help {2}q quit$/);
    expect(lines.every((line) => columnsOf(line) <= columns)).toBe(true);
  };
  whole();
  await app.go(['enter'], '"Ada"');
  whole();
  await app.go(['esc'], 'hello.txt');
  await app.go(['u'], '> File');
  expect(app.screen.lines()).toHaveLength(rows);
  await app.go(['esc'], 'Enter open');
  await app.go(['esc'], 'backups');
  whole();
});
