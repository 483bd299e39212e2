import { expect, test } from 'vitest';
import { inSoak } from '../../support/in-part.ts';
import { fillDemo, openConsole, openKeys } from '../open-console.tsx';
import { openDemo } from '../open-platform.tsx';

test.each([
  ['kv/shop-CATALOGUE/index.json', 'Namespaces › shop-CATALOGUE › index.json'],
  ['kv/shop-CATALOGUE/products/*', 'prefix products/'],
  ['objects/shop-assets/', 'Buckets › shop-assets'],
  ['diff/shop-CATALOGUE/shop-SESSIONS/index.json', '+ the namespace shop-SESSIONS'],
  ['hostnames/menu.sushi-garden.demo/diagnosis', 'Hostnames › menu.sushi-garden.demo › Diagnosis'],
])('opens the console on %s', async (link, shown) => {
  const app = await openDemo({ opens: link });
  await app.screen.waitFor(shown);
});

test('rejects an invalid link before the screen opens', async () => {
  const app = await openDemo({ opens: 'kv/NO_SUCH' });
  await expect(app.ended).rejects.toMatchObject({ code: 'not-found' });
  expect(app.screen.raw).not.toContain('\u001b[?1049h');
});

inSoak(() => {
  test('goes back and forward through views, and reports the end of the history', async () => {
    const app = await openDemo({ opens: 'kv/shop-SESSIONS' });
    await app.screen.waitFor('Namespaces › shop-SESSIONS');
    await app.go(['['], 'No earlier view.');
    await app.go(['2'], '3 buckets');
    await app.go(['enter'], 'Buckets › shop-assets');
    await app.go(['['], '3 buckets');
    await app.go(['['], 'Namespaces › shop-SESSIONS');
    await app.go([']', ']'], 'Buckets › shop-assets');
    await app.go([']'], 'No later view.');
  });
});

test('on a wide screen, the palette shows facts about the selected place or action next to the list', async () => {
  const app = await openDemo({ columns: 200, rows: 50 });
  await app.screen.waitFor('menu.sushi-garden.demo');
  await app.go([':', ...'old-mill'], 'link         hostnames/shop.old-mill.demo');
  expect(app.screen.text()).toContain('critical: moved');
  // The actions of the pane of a hostname, as in docs/keys.md.
  expect(app.screen.text()).toMatch(/After Enter, on the.*\n(?:.*\n)*.*│ D {12}\S/);
  await app.go(['esc'], (screen) => !screen.text().includes('go to:'));
  await app.go([':', ...'quit'], 'key          q');
});

test('on a narrow screen, the palette shows the note and the link of the selected place below the list', async () => {
  const app = await openDemo({ columns: 40, rows: 20 });
  await app.screen.waitFor('menu.sushi');
  await app.go([':', ...'assets'], 'weur');
  expect(app.screen.text()).toMatch(/created 2026-[\d-]+ · weur\nlink objects\/shop-assets$/m);
});

// Headings and notes would leave room for three or four places.
test('on the smallest screen, the palette uses all rows below the search for places', async () => {
  const app = await openDemo({ columns: 40, rows: 12 });
  await app.screen.waitFor('menu.sushi');
  await app.go([':', ...'shop'], (screen) => / found ↓$/m.test(screen.text()));
  const rows = app.screen.lines().slice(3, 11);
  expect(
    rows.filter((row) => /^shop\S* {2,}(?:Workers|Buckets|Namespaces|Hostnames)$/.test(row)),
  ).toHaveLength(8);
});

test('finds places and actions by a few letters, including places that require a request', async () => {
  const app = await openDemo();
  await app.screen.waitFor('menu.sushi-garden.demo');
  await app.go([':', ...'sushi'], (screen) => screen.selected()?.includes('menu.sushi') ?? false);
  await app.go(['enter'], 'Hostnames › menu.sushi-garden.demo');
  await app.go([':', ...'assets', 'enter'], 'Buckets › shop-assets');
  await app.go([':', ...'kv/shop-CATALOGUE/index.json', 'enter'], 'shop-CATALOGUE › index.json');
  await app.go([':', ...'kv/NO_SUCH', 'enter'], 'error: Namespace "NO_SUCH" not found.');
  await app.go(['esc'], (screen) => !screen.text().includes('error:'));
  await app.go([':', ...'quit'], 'Leave the console');
  await app.go(['esc'], (screen) => !screen.text().includes('go to:'));
  await app.go([':', ...'show it as text', 'enter'], 'as hex');
  await app.go([':', ...'diagnose', 'enter'], '25 hostnames');
  await app.screen.waitFor('Choose a hostname, then press D (diagnose).');
});

test('finds places in a list that is read while the palette is open', async () => {
  const app = await openDemo();
  await app.go([':', ...'sushi'], (screen) => screen.selected()?.includes('menu.sushi') ?? false);
});

test('runs an action of another pane after reading the list of that pane, and then lists the action first among the palette’s recent actions', async () => {
  const app = await openDemo({ opens: 'kv/shop-SESSIONS' });
  await app.screen.waitFor('Namespaces › shop-SESSIONS');
  await app.go([':', ...'renewals', 'enter'], '24 certificates');
  await app.go([':', ...'new bucket', 'enter'], 'New bucket');
  await app.go(['esc'], 'Enter objects');
  await app.go([':'], 'Recent');
  const lines = app.screen.lines();
  const heading = lines.findIndex((line) => line.startsWith('│ Recent'));
  const recent = lines.slice(heading + 1, heading + 5).map((line) => /^│ +(\S+)/.exec(line)?.[1]);
  expect(recent).toEqual(['Renewals', 'shop-SESSIONS', 'new', 'renewals']);
  await app.go([...'xyzzy'], 'Nothing matches "xyzzy".');
});

test('runs the selected action of the help', async () => {
  const app = await openDemo({ opens: 'kv/shop-SESSIONS' });
  await app.screen.waitFor('Namespaces › shop-SESSIONS');
  await app.go(['?', ...'write a new key', 'enter'], 'New key');
});

test('saves bookmarks and recent places, and copies the link of a view', async () => {
  const first = await openDemo({ opens: 'objects/shop-assets/' });
  await first.screen.waitFor('Buckets › shop-assets');
  await first.go(['b'], 'Bookmarked objects/shop-assets. To open bookmarks, go to Home or press :.');
  await first.go(['1'], 'shop-SESSIONS');
  await first.go(['end', 'enter', 'p', ...'session:', 'enter'], 'prefix session:');
  await first.go(['@'], 'Copied the link kv/shop-SESSIONS/session:*');
  expect(first.screen.clipboards).toEqual([
    `c;${Buffer.from('kv/shop-SESSIONS/session:*').toString('base64')}`,
  ]);
  first.press('q');
  await first.ended;
  await first.session.close();
  const second = await openDemo({ folders: first.folders });
  await second.screen.waitFor('Bookmarks');
  await second.screen.waitFor((screen) => /^.* {2}\* +objects\/shop-assets .*$/m.test(screen.text()));
  expect(second.screen.text()).toMatch(/Recent [^\n]*\n[^\n]* kv\/shop-SESSIONS /);
});

test('restores the filter and sort of a list, even in another console', async () => {
  const first = await openDemo({ opens: 'kv' });
  await first.screen.waitFor('5 namespaces');
  await first.go(['o', '/', ...'shop-S', 'enter'], 'filter: shop-S');
  first.press('q');
  await first.ended;
  await first.session.close();
  const second = await openDemo({ opens: 'kv', folders: first.folders });
  await second.screen.waitFor((screen) =>
    /sorted by .*filter: shop-S|sor[a-z ]*… · filter: shop-S/.test(screen.text()),
  );
});

test('restores the cursor, the tree and the selected row of a list on [', async () => {
  const app = await openKeys();
  await app.go(['end'], (screen) => screen.selected()?.startsWith('user:2') ?? false);
  await app.go(['esc'], 'Enter keys');
  await app.go(['['], (screen) => screen.selected()?.startsWith('user:2') ?? false);
  await app.go(['T'], '+ user:');
  await app.go(['enter', 'down'], (screen) => screen.selected()?.trim().startsWith('1') ?? false);
  await app.go(['esc'], 'Enter keys');
  await app.go(['enter'], '- user:');
  await app.screen.waitFor((screen) => screen.selected()?.trim().startsWith('1') ?? false);
});

inSoak(() => {
  test('restores the view of a list after a switch to another account and back', async () => {
    const app = openConsole({
      fill: fillDemo,
      labelOf: ({ target }) => ({ accountLabel: target === 'preview' ? 'Other' : 'First' }),
    });
    await app.screen.waitFor('demo-sessions');
    await app.go(['O'], 'sorted by title ↓');
    await app.go(['t', 'up', 'enter'], (screen) => screen.text().includes('PREVIEW'));
    await app.screen.waitFor((screen) => !screen.text().includes('sorted by'));
    await app.go(['t', 'down', 'enter'], 'sorted by title ↓');
  });
});
