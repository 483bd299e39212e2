import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import type { Screen } from '../../support/screen.ts';
import { openDemo } from '../open-platform.tsx';

const areas = '0 Home  1 Namespaces  2 Buckets  3 Hostnames  4 Workers  5 Tasks';

/** Returns the columns of the screen at which the descriptions of lines start. */
function descriptionStarts(screen: Screen): number[] {
  const starts = screen.lines().flatMap((line) => {
    const [head = ''] = /^│ {3}\S+(?: \S+)? {2,}\S+ {2,}(?=\S)(?!│)/.exec(line) ?? [];
    return head === '' ? [] : [head.length];
  });
  return [...new Set(starts)];
}

test('shows what needs attention, opens the target of each line, and sends few requests', async () => {
  const app = await openDemo();
  await app.screen.waitFor(
    (screen) => screen.lines()[1] === areas && /17 of 25 hostnames of/.test(screen.text()),
  );
  await app.screen.waitFor('The platform saw that DNS points');
  const text = app.screen.text();
  expect(text).toMatch(/^│ {3}moved {6}menu\.sushi-garden\.demo +deletion within 7d +you\/customer +││/m);
  expect(text).toMatch(/^│ {3}1 {10}Namespaces {2,}\d+ +│/m);
  expect(descriptionStarts(app.screen)).toHaveLength(1);
  expect(app.calls.length).toBeLessThanOrEqual(16);
  expect(app.screen.selected()).toContain('menu.sushi-garden.demo');
  await app.go(['enter'], 'Home › menu.sushi-garden.demo');
  await app.go(['esc'], areas);
  expect(app.screen.selected()).toContain('menu.sushi-garden.demo');
  await app.go(['end', 'enter'], 'no tasks');
  await app.go(['0'], areas);
  await app.go(['up', 'enter'], (screen) => / 1 worker( |$)/.test(screen.head()));
});

test('shows each section when its data arrives, and shows the other sections while a section loads or fails', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const app = await openDemo({
    through: (send) => async (call) => {
      if (call.path.includes('/custom_hostnames')) await gate;
      if (call.path.includes('/r2/buckets')) throw new Problem('unreachable', 'No answer.');
      return send(call);
    },
  });
  await app.screen.waitFor('waiting for hostnames of saas.sandbox…');
  await app.screen.waitFor((screen) => /Namespaces {2,}\d/.test(screen.text()));
  await app.screen.waitFor('Reading buckets failed: No');
  release();
  await app.screen.waitFor('menu.sushi-garden.demo');
});

test('reports missing permissions for hostnames as information, not as a warning', async () => {
  const app = await openDemo({
    through: (send) => async (call) => {
      if (call.path.includes('/zones')) throw new Problem('not-permitted', 'Authentication error.');
      return send(call);
    },
  });
  await app.screen.waitFor('The credentials do not allow reading hostnames.');
});

test('Home lists the changes since the last visit', async () => {
  const first = await openDemo();
  await first.screen.waitFor('hostnames of');
  await first.screen.waitFor((screen) => !screen.text().includes('waiting'));
  expect(first.screen.text()).not.toContain('Changed since');
  first.press('q');
  await first.ended;
  await createBucket(first.session, 'newcomer', {});
  await first.session.close();
  const second = await openDemo({ folders: first.folders });
  await second.screen.waitFor('Changed since your last visit');
  await second.screen.waitFor((screen) => /^│ {3}new {8}newcomer {2,}bucket +││/m.test(screen.text()));
});

test('shows what has changed since the last visit to the same target', async () => {
  const isRead = (screen: Screen) =>
    /Namespaces {2,}\d/.test(screen.text()) &&
    /17 of 25 hostnames of/.test(screen.text()) &&
    !/reading…|waiting/.test(screen.text());
  const visit = async (options: Parameters<typeof openDemo>[0]) => {
    const app = await openDemo(options);
    await app.screen.waitFor(isRead);
    const text = app.screen.text();
    app.press('q');
    await app.ended;
    return { ...app, text };
  };
  const { session, folders, text } = await visit({});
  await createNamespace(session, 'shop-API_preview');
  await createNamespace(session, 'shop-API');
  await session.close();
  // Items that exist only in production were not deleted, and items that exist only in preview are not new.
  const preview = await visit({ folders, preview: true });
  expect([text, preview.text].join()).not.toContain('Changed since');
  await createNamespace(preview.session, 'shop-PAGES_preview');
  await preview.session.close();
  const changed = /^│ {3}(?:new|gone) .*namespace +││/gm;
  const again = await visit({ folders, preview: true });
  await again.session.close();
  expect(again.text.match(changed)).toEqual([expect.stringMatching(/new +shop-PAGES_preview +namespace/)]);
  const production = await visit({ folders });
  await production.session.close();
  expect(production.text.match(changed)).toEqual([
    expect.stringMatching(/new +shop-API +namespace/),
    expect.stringMatching(/new +shop-API_preview +namespace/),
    expect.stringMatching(/new +shop-PAGES_preview +namespace/),
  ]);
});

test.each([
  [80, 24],
  [60, 24],
  [40, 12],
])('fits Home into a screen of %ix%i', async (columns, rows) => {
  const app = await openDemo({ columns, rows });
  await app.screen.waitFor('menu.sushi');
  if (columns >= 60) expect(app.screen.text()).toMatch(/menu\.sushi.* deletion within 7d/);
  expect(app.screen.lines()).toHaveLength(rows);
  expect(app.screen.lines().at(-1)).toMatch(/\? more$/);
  await app.go(['end'], (screen) => screen.selected()?.includes('Tasks') ?? false);
  await app.go(['home'], 'Needs attention');
});

test.each([60, 80])(
  'shows no heading without a line below it, and how many lines are below the screen: %i columns',
  async (columns) => {
    const headings = /^(?:Needs attention|Expires soon|Go to|Recent|Bookmarks)\b/;
    for (let rows = 12; rows <= 24; rows++) {
      const app = await openDemo({ columns, rows });
      await app.screen.waitFor('Expires soon');
      const lines = app.screen.lines().slice(2, -1);
      const last = lines.filter((line) => line !== '' && !line.startsWith('─')).at(-1);
      expect(last).not.toMatch(headings);
      const isCut = !lines.some((line) => /^ {2}5 /.test(line));
      expect(/↓/.test(app.screen.text())).toBe(isCut);
    }
  },
);

test('updates Home after a diagnosis and a deletion in other panes', async () => {
  const app = await openDemo();
  const shows = (wanted: RegExp) => (screen: Screen) => wanted.test(screen.text());
  await app.screen.waitFor(shows(/moved +menu\.sushi-garden\.demo .*deletion within 7d/));
  expect(app.screen.selected()).toContain('menu.sushi');
  await app.go(['enter'], 'a guess from the record alone');
  await app.go(['D'], 'critical: ');
  await app.go(['esc'], shows(/You must act \(diagnosed/));
  await app.go(['esc'], shows(/moved +menu\.sushi-garden\.demo .*deletion within 7d +you +│/));
  await app.go(['3'], '25 hostnames');
  await app.go(['/', ...'menu.sushi', 'enter'], '1 of 25');
  expect(app.screen.text()).toMatch(/menu\.sushi-garden\.demo +critical +\d+d +you +deletion in ≤7d +│/);
  await app.go(['d'], 'Delete the custom hostname');
  await app.go(['y'], '✓ Deleted menu.sushi-garden.demo');
  await app.go(
    ['0'],
    (screen) => /moved +shop\.old-mill/.test(screen.text()) && !/moved +menu/.test(screen.text()),
  );
});

test('restarts the validation of a hostname from its line, as its preview advises', async () => {
  const app = await openDemo();
  await app.screen.waitFor((screen) => screen.selected()?.includes('menu.sushi-garden.demo') ?? false);
  await app.screen.waitFor('press R to');
  await app.go(['R'], 'Restart the validation of menu.sushi-garden.demo?');
  await app.go(['n'], 'Home › menu.sushi-garden.demo');
  await app.go(['esc'], areas);
  await app.go(['R'], 'Restart the validation of menu.sushi-garden.demo?');
  await app.go(['y'], 'Restarted the validation of menu.sushi-garden.demo.');
  await app.go(['0'], areas);
  await app.go(['end', 'R'], 'The line is not about a hostname.');
});
