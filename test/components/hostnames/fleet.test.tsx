import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Pulse } from '../../../components/kit/pulse.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { demoFolders } from '../../support/demo.ts';
import { inSoak } from '../../support/in-part.ts';
import { type TestWorld, testWorld } from '../../support/world.ts';
import { testNow } from '../open-console.tsx';
import { type OpenDemo, openDemo } from '../open-platform.tsx';

let folders: TestWorld['folders'];

beforeAll(async () => {
  folders = await demoFolders(testNow);
});

/** Opens the console on the demo's hostnames. Tasks act on the same platform. */
async function openFleet(now = () => testNow): Promise<OpenDemo> {
  const world = testWorld({ now: () => testNow, folders });
  const app = await openDemo({
    folders,
    now,
    pulse: new Pulse({ retries: () => 0 }),
    columns: 96,
    rows: 30,
    openSession: () => openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined }),
  });
  await app.go(['3'], (screen) => /\d\d hostnames/.test(screen.text()));
  return app;
}

const shown = (app: OpenDemo): string[] =>
  app.screen.lines().filter((line) => /^[ *]*[a-z-]+\.[a-z-]+\.demo /.test(line));

test('filters by fault, marks rows, diagnoses them in a list, and opens a diagnosis', async () => {
  const app = await openFleet();
  await app.go(['s'], '> all');
  await app.go(['down', 'down', 'enter'], 'only moved · 2 of 25 loaded');
  await app.go(['a', 'Y'], 'Diagnose the 2 marked hostnames');
  expect(app.screen.text()).toContain('edgectl hostname delete');
  await app.go(['esc'], 'SEVERITY');
  await app.go(['D'], 'Hostnames › Diagnoses');
  await app.go([], 'Diagnosed 2 hostnames in saas.sandbox: 2 with a fault.');
  await app.screen.waitFor((screen) => screen.text().includes('shop.old-mill.demo'));
  expect(shown(app)).toHaveLength(2);
  expect(app.screen.selected()).toMatch(/critical +(you|customer) +The hostname has the status Moved/);
  await app.go(['Y'], '> Diagnose the hostnames');
  await app.go(['esc'], 'FINDING');
  await app.go(['enter'], 'must act');
  await app.go(['esc'], 'FINDING');
  await app.go(['esc'], 'only moved');
  await app.go(['esc'], '25 hostnames');
  await app.go(['5'], '2 faults');
  await app.go(['enter'], 'Tasks › Details · 2 faults');
  await app.go(['enter'], 'Details › Diagnoses');
  await app.go(['esc'], 'Tasks › Details · 2 faults');
  await app.go(['down', 'enter'], 'must act');
});

test('changes, restarts and deletes marked hostnames in tasks after the user confirms the number of hostnames and the changes', async () => {
  const app = await openFleet();
  await app.go(['/', ...'paper', 'enter', 'space'], '1 marked');
  await app.go(['esc'], '1 marked · 25 hostnames');
  await app.go(['/', ...'tea', 'enter', 'space'], '2 marked');
  await app.go(['esc'], '2 marked · 25 hostnames');
  await app.go(['e', 'tab', ...'sni.tea.demo', 'enter'], 'Change 2 hostnames in saas.sandbox?');
  expect(app.screen.text()).toContain('landing.paperplane.demo: origin_sni - -> sni.tea.demo');
  await app.go(['y'], 'Changed 2 hostnames in saas.sandbox.');
  await app.go(['R'], 'Restart the validation of 2 hostnames in saas.sandbox?');
  await app.go(['y'], 'Restarted validation of 2 hostnames in saas.sandbox.');
  await app.go(['d'], 'Type 2 to delete them.');
  await app.go([...'3', 'enter'], 'Wrong number: type 2.');
  await app.go(['backspace', ...'2', 'enter'], 'Deleted 2 hostnames in saas.sandbox.');
  await app.go([], '23 hostnames');
  expect(app.screen.text()).not.toContain('marked');
});

inSoak(() => {
  test('shows the reopened list of renewals with its age, and rereads the list on r or after a change', async () => {
    const clock = { now: testNow };
    const app = await openFleet(() => clock.now);
    const isRead = (screen: OpenDemo['screen']) => /Renewals.* \d\d certificates/.test(screen.text());
    const views = () => app.calls.filter(({ path }) => path.includes('/dns/answer')).length;
    await app.go(['V'], isRead);
    const [first = ''] = shown(app);
    await app.go(['esc'], (screen) => /\d\d hostnames/.test(screen.text()));
    const before = views();
    expect(before).toBeGreaterThan(0);
    clock.now += 5 * 60_000;
    await app.go(['V'], (screen) => isRead(screen) && screen.text().includes('5 min ago'));
    expect(shown(app)[0]).toBe(first);
    expect(views()).toBe(before);
    await app.go(['r'], (screen) => isRead(screen) && screen.text().includes('just now'));
    const again = views();
    expect(again).toBeGreaterThan(before);
    await app.go(['esc'], (screen) => /\d\d hostnames/.test(screen.text()));
    await app.go(['d'], 'Delete the custom hostname');
    await app.go(['y'], 'Press U to create it again.');
    await app.go(['V'], isRead);
    expect(views()).toBeGreaterThan(again);
    await app.go(['esc'], '22 hostnames');
    await app.go(['U'], 'Restore the');
    await app.go(['y'], '23 hostnames');
  });
});

test('shows the renewals on an axis of days, and opens the selected hostname', async () => {
  const app = await openFleet();
  await app.go(['V'], (screen) => /Renewals.*\d+ certificates/.test(screen.text()));
  expect(app.screen.text()).toMatch(/WHEN +WHAT +0 +30d +60d +90d/);
  const bars = shown(app).map((line) => line.trimEnd().replace(/ {2,}/g, ' '));
  expect(bars[0]).toMatch(/ (?:now|expired) (fails|deleted) X : : :/);
  expect(bars.some((bar) => / renews -+o/.test(bar))).toBe(true);
  await app.go(['s'], 'within 30 days');
  await app.go(['down', 'down', 'enter'], 'only fails');
  await app.go(['enter'], 'authority');
  await app.go(['esc'], 'WHAT');
  await app.go(['@'], 'hostnames/forecast');
});

inSoak(() => {
  test('sets the fallback origin, sets a zone hold, and releases the hold', async () => {
    const app = await openFleet();
    await app.go(['H'], 'Hold: not held.');
    await app.go(['down', 'down', 'down', 'enter'], 'saas.sandbox: held, with its subdomains.');
    await app.go(['H'], 'Hold: held, with its subdomains.');
    await app.go(['down', 'down', 'down', 'enter'], 'Release the hold on saas.sandbox?');
    await app.go(['y'], 'saas.sandbox: not held.');
    await app.go(['H'], 'Hold: not held.');
    // The question shows the same number as `edgectl hostname fallback-origin set`.
    await app.go(['enter'], (screen) =>
      /Fallback origin of saas\.sandbox[\s\S]*Requests for \d+ custom hostnames without/.test(screen.text()),
    );
    await app.go(['ctrl+u', ...'10.0.0.1', 'enter'], 'Fallback origin of saas.sandbox');
    await app.go(['ctrl+u', ...'images.saas.sandbox', 'enter'], (screen) =>
      /Send requests for \d+ custom hostnames to images\.saas\.sandbox\?/.test(screen.text()),
    );
    await app.go(['n'], 'Fallback origin of saas.sandbox');
    await app.go(
      ['ctrl+u', ...'origin.saas.sandbox', 'enter'],
      'Set the fallback origin origin.saas.sandbox.',
    );
  });
});

test('changes and deletes a single marked hostname like the selected hostname, and saves its old state for undo', async () => {
  const app = await openFleet();
  await app.go(['/', ...'lantern', 'enter', 'space'], '1 marked');
  const name =
    app.screen
      .lines()
      .find((line) => line.startsWith('*'))
      ?.split(/\s+/)[1] ?? '';
  await app.go(['/', 'ctrl+u', ...'copper', 'enter'], '1 marked, 1 not shown');
  await app.go(['d'], `Delete the custom hostname ${name}?`);
  expect(app.screen.text()).toContain('The hostname is marked, but hidden by the filter.');
  expect(app.screen.text()).toContain('again with its settings.');
  await app.go(['y'], `Deleted ${name}. Press U to create it again.`);
  expect(app.screen.text()).not.toContain('marked');
  await app.go(['esc'], '22 hostnames');
  await app.go(['U'], 'Restore the');
  await app.go(['y'], '23 hostnames');
});

test('exports hostnames, plans the changes of a file, and applies exactly these changes after their number is confirmed', async () => {
  const app = await openFleet();
  const path = join(folders.data, 'wanted.csv');
  await app.go(['w'], 'Export all hostnames from saas.sandbox');
  await app.go(['ctrl+u', ...path, 'enter'], 'Wrote 23 hostnames from saas.sandbox');
  const [heading, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const wanted = lines.filter(
    (line) => !line.startsWith('shop.tea-house') && !line.startsWith('shop.old-mill'),
  );
  writeFileSync(path, [heading, ...wanted, 'new.plan.demo'].join('\n'));
  await app.go(['i'], 'with a file');
  await app.go([...path, 'shift+tab', ...'x', 'enter'], 'Must be 0 or more, or empty.');
  await app.go(['backspace', ...'0', 'shift+tab'], '‹ keep hostnames');
  await app.go(['down'], '‹ delete hostnames');
  const isPlanned = (screen: typeof app.screen) =>
    /create 1, .*delete 1, leave \d+ · \d+ steps/.test(screen.text());
  await app.go(['enter'], isPlanned);
  await app.go(['i'], 'The plan deletes 1 hostname, more than the limit of 0.');
  // A plan is a task: opening the task shows the plan again.
  await app.go(['5'], 'Planned for saas.sandbox: create 1');
  await app.go(['enter'], 'state ');
  await app.go(['enter'], 'Details › Plan');
  await app.go([], isPlanned);
  await app.go(['3'], 'Hostnames › Plan');
  await app.go(['esc'], 'SEVERITY');
  await app.go(['i'], 'with a file');
  await app.go([...path, 'tab'], '‹ keep hostnames');
  await app.go(['down'], '‹ delete hostnames');
  await app.go(['enter'], isPlanned);
  expect(app.screen.lines().find((line) => line.startsWith('new.plan.demo'))).toMatch(
    /create +not in the zone/,
  );
  await app.go(['i'], 'Type 1, the number');
  await app.go([...'7', 'enter'], 'Wrong number: type 1.');
  await app.go(['backspace', ...'1', 'enter'], ' steps in saas.sandbox.');
  await app.go(['/', ...'plan', 'enter'], 'new.plan.demo');
});
