import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { presignObject } from '../../../src/services/objects/presign.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { inSoak } from '../../support/in-part.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { openConsole, testNow } from '../open-console.tsx';
import { type ObjectPlatform, openAssets, openBuckets, openPlatform, stockDemo } from '../open-objects.tsx';

test('opens buckets, folders and a preview, and goes back in reverse order', async () => {
  const app = await openAssets();
  expect(app.screen.lines()[1]).toBe('Buckets › assets · 5 entries');
  expect(app.screen.text()).toMatch(/^img\/ +folder +- +-$/m);
  expect(app.screen.text()).toMatch(/^hello\.txt +text\/plain +23 B +0s$/m);
  await app.go(['end', 'up', 'enter'], 'Buckets › assets › img/ · 2 entries');
  await app.go(['down', 'enter'], 'PNG image 640x480');
  expect(app.screen.lines()[1]).toBe('Buckets › assets › img/ › logo.png · 29 B, PNG image 640x480 as hex');
  expect(app.screen.text()).toContain('89 50 4e 47');
  await app.go(['esc', 'esc'], 'hello.txt');
  expect(app.screen.selected()).toContain('img/');
  await app.go(['esc'], 'backups');
  expect(app.screen.selected()).toContain('assets');
});

test('switches areas with digits, and shows the areas if several exist', async () => {
  const app = await openBuckets();
  await app.screen.waitFor('1 Namespaces  2 Buckets  5 Tasks │ 2 buckets');
  await app.go(['1'], '0 namespaces');
  await app.go(['2'], '2 buckets');
  await app.go(['enter'], 'hello.txt');
  await app.go(['1'], '1 Namespaces');
  app.resize({ columns: 40, rows: 12 });
  await app.screen.waitFor('1 Namespaces  2  5 │ 0 namespaces');
});

test('reports which areas are unavailable in the current session', async () => {
  const app = openConsole({});
  await app.go(['3'], 'Local data has no hostnames.');
  await app.go([], (screen) => screen.lines()[1] === '0 Home  1 Namespaces  5 Tasks │ 0 namespaces');
});

test('shows an object as text, JSON or bytes, and shows its metadata', async () => {
  const app = await openAssets();
  await app.go(['enter'], '"roles": [');
  await app.go(['tab'], '7b 22 6e');
  await app.go(['tab'], (screen) => /content-type +application\/json/.test(screen.text()));
  expect(app.screen.text()).toMatch(/etag +[0-9a-f]{32}/);
  expect(app.screen.text()).toContain('2026-11-21T10:00:00.000Z');
  await app.go(['tab'], '{"name":"Ada","roles":["admin"]}');
  await app.go(['/', ...'admin', 'enter'], (screen) => screen.text().includes('admin'));
});

test('reads only the first 64 KiB of a long object, and reports this', async () => {
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
  await app.go(['enter'], 'first 64 KiB of 195 KiB, text');
  // The preview below the list has read the beginning of the first objects.
  expect(lengths.filter((length) => length > 16_384)).toEqual([65_536]);
  await app.go(['tab'], 'Only the beginning of the object was read');
  await app.go(['tab', 'tab', 'tab', 'G'], '...');
  expect(app.screen.text()).not.toContain('last');
});

// Side by side, the two titles in one rule would be hard to tell apart at this width.
test('shows the details and the beginning of the selected object below a short list', async () => {
  const app = await openAssets({ columns: 80, rows: 24 });
  await app.go(['down', 'down'], 'second line');
  const lines = app.screen.lines();
  const at = lines.findIndex((line) => line.startsWith('── hello.txt ─'));
  expect(lines[at]).toMatch(/^── hello.txt ─+ 23 B, text\/plain ──$/);
  expect(lines[at + 1]).toMatch(/^size +23 B$/);
  expect(app.screen.text()).toMatch(/^size .*(?:\n.*)*\n\nhello there\n/m);
  await app.go(['home'], '"name"');
  await app.go(['|'], (screen) => !screen.text().includes('"name"'));
});

test('shows that an object is empty, or was deleted after the list was read', async () => {
  const app = await openAssets();
  await app.go(['end', 'enter'], '(an empty object)');
  await app.go(['esc'], 'hello.txt');
  await app.platform.session.send({
    method: 'DELETE',
    path: `/accounts/${await app.platform.session.accountId()}/r2/buckets/assets/objects/zero`,
    headers: {},
    repeatable: true,
  });
  await app.go(['enter'], 'This object was deleted');
  await app.go(['esc'], '4 entries');
});

test('filters loaded rows, and filters by prefix on the platform', async () => {
  const app = await openAssets();
  await app.go(['/', ...'oc'], '1 of 5 loaded');
  await app.go(['esc'], '5 entries');
  await app.go(['p', ...'he', 'enter'], 'prefix he on the server · 1 entry');
  await app.go(['esc'], '5 entries');
});

test('loads more pages while the user scrolls', async () => {
  let pages = 0;
  const app = await openBuckets({
    change: () => ({
      async *list(_bucket, { limit }) {
        for (let start = 0; start < 1200; start += limit) {
          // The preview of the bucket reads fewer rows.
          if (limit === 1000) pages++;
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

test('creates a bucket, and reports an invalid name at the field', async () => {
  const app = await openBuckets();
  await app.go(['n', ...'As', 'enter'], 'Not a valid name:');
  await app.go(['ctrl+u', ...'archive', 'tab'], '‹ chosen by the platform');
  await app.go([...'weur', 'enter'], 'Created archive.');
  await app.go([], '3 buckets');
  expect(app.screen.selected()).toMatch(/^archive +2026-11-21 {2}weur/);
  await app.go(['n', ...'archive', 'enter'], 'already exists');
});

test('creates no bucket in local data, and explains how a bucket is created there', async () => {
  const app = await openBuckets({ label: { target: 'local' }, stock: async () => undefined });
  await app.screen.waitFor('No buckets here: put an object with');
  await app.go(['n'], 'In local data, a bucket exists as soon as an object is put into it.');
});

test('shows why a list could not be read, and rereads it on request', async () => {
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

async function stockHostile({ createBucket, put }: ObjectPlatform): Promise<void> {
  await createBucket('assets');
  await put('assets', '!.txt', 'x');
  for (const [, text] of hostileTexts) {
    await put('assets', `${text}seen`, text, { contentType: 'text/plain' }).catch(() => undefined);
  }
}

/** Keys to press on an object, each with text of the screen that the key opens and Esc closes. */
const questions = [
  ['d', 'Delete the object'],
  ['c', '> Key'],
  ['w', '> File'],
] as const;

/** The forms for marked entries. */
const markedQuestions = [
  ['d', '> Name'],
  ['c', '> Prefix'],
  ['w', '> Folder'],
] as const;

inSoak(() => {
  test('shows hostile keys and objects escaped', async () => {
    const app = await openAssets({ columns: 120, rows: 40, stock: stockHostile });
    for (let index = 0; index < 10; index++) {
      await app.go(['down', 'enter'], (screen) => / (?:text|hex|json)$/.test(screen.head()));
      for (const [press, shown] of questions) {
        await app.go([press], shown);
        await app.go(['esc'], (screen) => !screen.text().includes(shown));
      }
      while (!app.screen.text().includes('storage class')) {
        const before = app.screen.head();
        await app.go(['tab'], (screen) => screen.head() !== before);
      }
      await app.go(['esc'], 'Enter open');
    }
    await app.go(['a'], ' marked');
    for (const [press, shown] of [['d', 'Delete '], ...markedQuestions.slice(1)] as const) {
      await app.go([press], shown);
      await app.go(['esc'], (screen) => !screen.text().includes(shown));
    }
    const { titles, clipboards, links, bells } = app.screen;
    expect({ titles, clipboards, links, bells }).toEqual({ titles: [], clipboards: [], links: [], bells: 0 });
    expect(app.screen.modes().mouse).toBe('none');
  }, 120_000);
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
    expect(lines).toHaveLength(rows);
    expect(lines.at(-1)).toMatch(/(?:\? more|Esc cancel)$/);
    expect(lines.every((line) => measureCharacter(line) <= columns)).toBe(true);
  };
  whole();
  await app.go(['enter'], 'c copy');
  whole();
  await app.go(['esc'], 'hello.txt');
  for (const [press, shown] of [...questions, ['u', '> File']] as const) {
    await app.go([press], shown);
    whole();
    await app.go(['esc'], (screen) => !screen.text().includes(shown));
  }
  await app.go(['a'], '5 marked');
  for (const [press, shown] of markedQuestions) {
    await app.go([press], shown);
    whole();
    await app.go(['esc'], (screen) => !screen.text().includes(shown));
  }
  await app.go(['A'], (screen) => !screen.text().includes('marked'));
  await app.go(['esc'], 'backups');
  whole();
});

test('creates a link to an object, shows the complete link, and copies it', async () => {
  const { session } = await openPlatform();
  const signing = {
    ...session,
    s3Access: async () => ({ endpoint: 'http://127.0.0.1:9', key: { id: 'AKID', secret: 'secret' } }),
  };
  const app = await openAssets({
    change: () => ({
      checkLinks: async () => {},
      link: (address, options) => presignObject(signing, address, options),
    }),
  });
  await app.go(['end', 'up', 'J'], 'A link points to one object, not to a folder.');
  await app.go(['home', 'J'], 'A link to an object in assets');
  await app.go(['ctrl+u', ...'8d', 'enter'], 'A link must be valid for 1 second');
  await app.go(['ctrl+u', ...'soon', 'enter'], 'Not a duration');
  await app.go(['ctrl+u', ...'15m', 'enter'], (screen) =>
    /GET .*until 2026-11-21 10:15 UTC/.test(screen.text()),
  );
  const shown = app.screen.lines().join('');
  expect(shown).toContain('http://127.0.0.1:9/assets/');
  expect(shown).toContain('X-Amz-Expires=900');
  await app.go(['enter'], 'Copied the link');
  const copied = Buffer.from(app.screen.clipboards.at(-1)?.slice(2) ?? '', 'base64').toString();
  expect(copied).toContain('&X-Amz-Signature=');
});

test('explains why there is no link if no server is running', async () => {
  const app = await openAssets();
  // The refusal appears before the user fills in a form that cannot succeed.
  await app.go(['J'], 'A link requires a server, and no server is running here.');
  // The advice names the folder, because a server for other data does not have the object. The advice also tells the user to reopen the
  // console, because a console searches for a server only once.
  const said = app.screen.text().replaceAll(/\s+/g, ' ');
  expect(said).toMatch(
    /for \/\S+\/sandbox in a shell \(edgectl sandbox start\), then open the console again\./,
  );
});

test('shows the facts about an object above its content, and next to its content and its bytes on a wide screen', async () => {
  const app = await openAssets({ columns: 120, rows: 40 });
  await app.screen.waitFor((screen) => / etag +[0-9a-f]{32} /.test(screen.text()));
  expect(app.screen.text()).toMatch(
    /││ size +32 B +│\n(.*\n)*.*││ type +application\/json +│\n(.*\n)*.*││ {3}"name": "Ada"/,
  );
  app.resize({ columns: 200, rows: 50 });
  await app.screen.waitFor('Stored bytes');
  expect(app.screen.text()).toMatch(/││ \{ +││ size +32 B +│/);
  expect(app.screen.text()).toMatch(/││ 00000000 {2}7b 22 6e 61 6d 65 22 3a {2}\{"name":/);
});

test('lists a folder in its preview if the newest object cannot be read', async () => {
  const app = await openBuckets({
    columns: 120,
    rows: 40,
    change: (real) => ({
      ...real,
      readHead: () => Promise.reject(new Problem('not-permitted', 'You may not read objects.')),
    }),
  });
  await app.go([], 'You may not read objects.');
  expect(app.screen.text()).toMatch(/│ +23 B {2}hello\.txt/);
  expect(app.screen.text()).toContain('2 folders · 3 objects');
});
