import { expect, test } from 'vitest';
import { type OpenConsole, openConsole, openKeys, sessions, withKey } from '../../open-console.tsx';
import { openDemo } from '../../open-platform.tsx';

/** Clicks on the first letter of a string on the screen, and waits for the result. */
async function click(
  app: Pick<OpenConsole, 'screen' | 'send'>,
  text: string,
  wanted: Parameters<OpenConsole['go']>[1],
): Promise<void> {
  const row = app.screen.lines().findLastIndex((line) => line.includes(text));
  const column = app.screen.lines()[row]?.indexOf(text) ?? -1;
  expect(row, `${text} on the screen:\n${app.screen.text()}`).toBeGreaterThanOrEqual(0);
  app.send(`\u001b[<0;${column + 1};${row + 1}M\u001b[<0;${column + 1};${row + 1}m`);
  await app.screen.waitFor(wanted);
}

const isThere = ({ kv }: OpenConsole) => kv.find(sessions, 'image') !== undefined;
const onRow = (text: string) => (screen: OpenConsole['screen']) => screen.selected()?.includes(text) ?? false;

test('runs the action of a hint in the footer on a click, and goes back on a click on the path', async () => {
  const app = await openKeys();
  await click(app, 'Enter value', 'PNG image');
  await click(app, 'demo-sessions', '3 keys');
  await click(app, '/ filter', 'text  /regex/');
  await click(app, 'Esc clear', 'Enter value');
  await click(app, '? more', 'search:');
  await click(app, 'Esc', 'Enter value');
  await click(app, 'Namespaces ›', '2 namespaces');
});

test('opens on a click the area, the targets of the badge, or the target of a line of Home', async () => {
  const app = await openDemo({ columns: 90 });
  await app.screen.waitFor('shop.old-mill');
  await click(app, '2 Buckets', (screen) => screen.lines()[1]?.endsWith('buckets') ?? false);
  await click(app, 'SANDBOX', '> ✓ production');
  await click(app, 'Esc', 'Enter objects');
  await click(app, '0 Home', 'shop.old-mill');
  await click(app, 'shop.old-mill', onRow('shop.old-mill'));
  await click(app, 'Namespaces  ', onRow('Namespaces'));
  await click(app, 'Namespaces  ', 'Enter keys');
});

test('selects a line of JSON on a click, and folds the line on a second click', async () => {
  const app = await openKeys({ fill: withKey('a', '{"list":[1,2],"b":true}') });
  await app.go(['g', 'enter'], '"list"');
  await click(app, '"list"', onRow('"list"'));
  await click(app, '"list"', '"list": […]');
});

test('selects an answer on a click, and confirms the answer on a second click; a click in the footer does not answer', async () => {
  const app = await openKeys();
  await app.go(['d'], 'Yes: delete it');
  await click(app, 'y yes', 'Yes: delete it');
  await click(app, 'Yes: delete it', '> Yes: delete it');
  expect(isThere(app)).toBe(true);
  await click(app, 'No, change nothing', '> No, change nothing');
  await click(app, 'No, change nothing', 'Enter value');
  expect(isThere(app)).toBe(true);
  await app.go(['d'], 'Yes: delete it');
  await click(app, 'Yes: delete it', '> Yes: delete it');
  await click(app, 'Yes: delete it', '2 keys');
  expect(isThere(app)).toBe(false);
});

test('focuses a field, highlights a value, or chooses a line of the palette on a click', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  await click(app, 'Value', '> Value');
  await app.go([...'abc'], (screen) => /> Value +abc/.test(screen.text()));
  await app.go(['esc'], 'Enter value');
  await app.go([':', ...'co'], 'copy link');
  await click(app, 'copy link', onRow('copy link'));
  await app.go(['ctrl+u', ...'target'], onRow('target '));
  await click(app, 'target ', '> ✓ local');
});

test('ignores clicks while the terminal handles the mouse, and on a screen that is too small', async () => {
  const app = openConsole({ columns: 30, rows: 8 });
  await app.screen.waitFor('needs');
  await click(app, 'needs', 'needs');
  expect(app.screen.text()).toContain('needs 40x10');
});
