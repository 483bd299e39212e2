import { expect, test, vi } from 'vitest';
import { Help } from '../../../components/app/Help.tsx';
import { fillDemo, openConsole, openKeys, sessions } from '../open-console.tsx';
import { openDemo } from '../open-platform.tsx';
import { renderPart } from '../ui/part.tsx';

const free = { readOnly: false, selected: true, marked: 0 };

function openHelp(size: { columns: number; rows: number }) {
  const performed: string[] = [];
  let closed = 0;
  const part = renderPart(
    <Help
      mode="keys"
      situation={free}
      perform={(press) => performed.push(press)}
      onClose={() => {
        closed++;
      }}
    />,
    size,
  );
  const shows = (wanted: string | RegExp) => vi.waitFor(() => expect(part.text()).toMatch(wanted));
  return { ...part, shows, performed, closed: () => closed };
}

test('lists the available actions on the first screen of the help', () => {
  const help = openHelp({ columns: 80, rows: 24 });
  expect(help.lines()[3]).toMatch(/^search: +lines 1-16 of \d+ {2}↓$/);
  expect(
    help
      .lines()
      .slice(4, 9)
      .map((line) => line.trimEnd()),
  ).toEqual([
    expect.stringMatching(/^Here: Keys ─+ {3}Lists ─+ {3}Everywhere ─+$/),
    expect.stringMatching(/^Enter +show the value +\/ +filter the rows +: +go to anything$/),
    expect.stringMatching(/^n +new key /),
    expect.stringMatching(/^e +edit the value /),
    expect.stringMatching(/^d +delete the key /),
  ]);
  expect(help.text()).toContain('Enter, →, l: Show the value of the key; in a tree, open the folder');
  expect(help.lines().at(-1)).toBe('Enter run  Tab next group  Esc close');
});

test('shows all keys of a wide screen in three columns, and the description of the selected key below them', async () => {
  const help = openHelp({ columns: 120, rows: 40 });
  const shown = help.lines().map((line) => line.trimEnd());
  expect(shown.slice(3, 7)).toEqual([
    'search:',
    '',
    expect.stringMatching(/^Here: Keys ─+ {3}Lists ─+ {3}Everywhere ─+$/),
    expect.stringMatching(/^Enter +show the value +\/ +filter the rows +: +go to anything$/),
  ]);
  expect(shown.join('\n')).toMatch(/ Ctrl-L +redraw the screen$/m);
  const place = shown.indexOf('Enter, →, l: Show the value of the key; in a tree, open the folder');
  expect(place).toBeGreaterThan(30);
  await help.type('\u001b[B');
  await vi.waitFor(() => expect(help.lines()[place]?.trimEnd()).toBe('n: Write a new key'));
  expect(help.lines().slice(5, 9)).toEqual(
    [...shown.slice(5, 9)].map((line) => expect.stringContaining(line)),
  );
});

test('draws all descriptions in two columns if they fit on a wide screen', () => {
  const help = openHelp({ columns: 120, rows: 80 });
  expect(help.text()).toMatch(/^Here: Keys ─+ {3}Everywhere ─+ *$/m);
  expect(help.text()).toContain('Go forward, after going back with [');
});

test('searches the help while the user types, and runs the selected line; Esc clears the search, then closes the help', async () => {
  const help = openHelp({ columns: 80, rows: 24 });
  await help.type('exp');
  await help.shows(/^w +Export the key, or all marked keys/m);
  expect(help.text()).not.toContain('Write a new key');
  expect(help.lines().at(-1)).toBe('Enter run  Tab next group  Esc clear');
  help.write('zz');
  await help.shows('No key matches. Press Esc to clear the search.');
  help.write('\u001b[27u');
  await help.shows(/^n +new /m);
  expect(help.closed()).toBe(0);
  help.write('new key');
  await help.shows(/search: new key/);
  help.write('\r');
  await vi.waitFor(() => expect(help.performed).toEqual(['n']));
  help.write('\u001b[27u');
  await help.shows(/search: +lines/);
  help.write('\u001b[27u');
  await vi.waitFor(() => expect(help.closed()).toBe(1));
});

test('scrolls the help on a small screen and shows the position; Tab moves from group to group', async () => {
  const help = openHelp({ columns: 40, rows: 12 });
  expect(help.lines().slice(1, 5)).toEqual([
    expect.stringMatching(/^search: +lines 1-6 of \d+ {2}↓$/),
    expect.stringMatching(/^Here: Keys ─+ {2}Everywhere ─+$/),
    expect.stringMatching(/^Enter +value +: +go to *$/),
    expect.stringMatching(/^n +new key +\[ +go back *$/),
  ]);
  expect(help.lines().slice(8)).toEqual([
    'Enter, →, l: Show the value of the key;',
    'in a tree, open the folder',
    '',
    'Enter run  Tab next group  Esc close',
  ]);
  await help.type('\u001b[6~');
  await help.shows(/lines \d+-\d+ of \d+ ↑↓/);
  help.write('\t');
  await help.shows(/^Lists ─+ /m);
  help.write('\t');
  await help.shows(/Everywhere ─+$/m);
});

test('compact help that fits on the screen does not scroll, whichever entry is selected', async () => {
  const isWhole = ({ lines }: Pick<ReturnType<typeof openHelp>, 'lines'>) => lines()[3]?.trim() === 'search:';
  const sizes = Array.from({ length: 40 }, (_, at) => ({ columns: 80, rows: 20 + at }));
  const smallest = sizes.find((size) => isWhole(openHelp(size)));
  if (smallest === undefined) throw new Error('no screen shows the whole help');
  const help = openHelp(smallest);
  const before = help.lines();
  await help.type('\u001b[6~'.repeat(20));
  await help.shows(/^Ctrl-L: Redraw the screen *\nSet your own keys/m);
  expect(isWhole(help)).toBe(true);
  const rowsOfKeys = (lines: readonly string[]) => lines.slice(4, -4).map((line) => line.trimEnd());
  expect(rowsOfKeys(help.lines())).toEqual(rowsOfKeys(before));
});

test('asks before the help runs a deleting action, like the key of the action', async () => {
  const app = await openKeys();
  await app.go(['?', ...'delete', 'enter'], 'Delete the key image?');
  await app.go(['enter'], 'Enter value');
  expect(app.kv.find(sessions, 'image')).toBeDefined();
});

test('runs a global action from the help, even if the action overtakes queued keys', async () => {
  const app = await openKeys();
  await app.go(['?', ...'messages', 'enter'], 'demo-sessions › Messages');
  await app.go(['esc'], 'Enter value');
  app.press('?', ...'immediately', 'enter');
  expect(await app.ended).toBe(130);
});

// Whether an action can be undone is declared twice: once for the footer and the help, and once for the question.
test('marks a deleting action in the help like the question of the action', async () => {
  const app = await openDemo();
  const panes = [
    [['1'], 'Enter keys', 'PERMANENT: cannot be undone'],
    [['enter'], 'Enter value', 'Press U'],
    [['2'], 'Enter objects', 'PERMANENT: cannot be undone'],
    [['3'], 'Enter detail', 'Press U'],
    [['Q'], 'e edit', 'Press U'],
    [['4'], 'Enter worker', 'PERMANENT: cannot be undone'],
  ] as const;
  for (const [presses, shown, cost] of panes) {
    await app.go([...presses], shown);
    await app.go(['?', 'd'], cost.startsWith('PERMANENT') ? 'permanent' : 'undo with U');
    await app.go(['enter'], (screen) => {
      // The dialog wraps its lines.
      const text = screen.text().replace(/[│\s]+/g, ' ');
      return text.includes(cost) && !text.includes('search:');
    });
    await app.go(['esc'], shown);
  }
});

test('runs an action from the help on the data that the pane loaded while the help was open', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('Enter keys');
  const release = app.kv.hold('listKeys');
  await app.go(['G', 'enter', '?', ...'delete the'], 'Wait: the list is loading');
  release();
  await app.go(['backspace'], (screen) => /search: delete th *$/m.test(screen.text()));
  await app.go(['enter'], 'Delete the key');
});
