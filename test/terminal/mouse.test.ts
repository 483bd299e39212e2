import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import type { Screen } from '../support/screen.ts';
import { scratchFolder } from '../support/world.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

const entries = Array.from({ length: 40 }, (_, index) => [`key-${index + 100}`, 'x'] as const);

async function openKeys(env: Readonly<Record<string, string>>, columns = 80): Promise<Pty> {
  const pty = openPty(process.execPath, [program, JSON.stringify({ entries })], {
    columns,
    rows: 24,
    // The next console with the same state folder restores the selected row.
    env: { ...programEnvironment, XDG_STATE_HOME: scratchFolder('mouse'), ...env },
  });
  await pty.screen.waitFor('sessions');
  pty.press('enter');
  await pty.screen.waitFor('40 keys');
  await pty.screen.waitFor(onKey('key-100'));
  return pty;
}

const button = {
  press: [0, 'M'],
  release: [0, 'm'],
  drag: [32, 'M'],
  up: [64, 'M'],
  down: [65, 'M'],
} as const;

/** Sends the terminal's mouse report for a cell, counted from 0. */
function mouse(pty: Pty, kind: keyof typeof button, column: number, row: number): void {
  const [code, end] = button[kind];
  pty.send(`\u001b[<${code};${column + 1};${row + 1}${end}`);
}

const findScreenRow = ({ screen }: Pty, text: string) =>
  screen.lines().findIndex((line) => line.includes(text));
const onKey = (name: string) => (screen: Screen) => screen.selected()?.includes(name) ?? false;

inSoak(() => {
  test('selects a row on a click, opens the selected row on a click, and moves with the wheel', async () => {
    const pty = await openKeys({ EDGECTL_MOUSE: '1' });
    expect(pty.screen.modes().mouse).toBe('drag');
    mouse(pty, 'press', 5, findScreenRow(pty, 'key-107'));
    mouse(pty, 'release', 5, findScreenRow(pty, 'key-107'));
    await pty.screen.waitFor(onKey('key-107'));
    mouse(pty, 'down', 5, 8);
    await pty.screen.waitFor(onKey('key-110'));
    mouse(pty, 'up', 5, 8);
    await pty.screen.waitFor(onKey('key-107'));
    mouse(pty, 'press', 5, findScreenRow(pty, 'key-107'));
    await pty.screen.waitFor('1 B, text');
    pty.press('ctrl+c');
    await pty.ended;
    expect(pty.screen.modes()).toMatchObject({ mouse: 'none', alternate: false });
  });
});

test('runs the action of a hint on a click; answers no question on a single click, a click on a hint, or the wheel', async () => {
  const pty = await openKeys({ EDGECTL_MOUSE: '1' });
  const footer = pty.screen.lines().length - 1;
  const columnOf = (text: string) => pty.screen.lines()[footer]?.indexOf(text) ?? -1;
  mouse(pty, 'press', columnOf('/ filter'), footer);
  await pty.screen.waitFor('Esc clear');
  mouse(pty, 'press', columnOf('Esc clear'), footer);
  await pty.screen.waitFor('Enter value');
  pty.press('d');
  await pty.screen.waitFor('y yes');
  mouse(pty, 'down', 5, 8);
  mouse(pty, 'press', columnOf('y yes'), footer);
  mouse(pty, 'press', 5, findScreenRow(pty, 'Yes: '));
  await pty.screen.waitFor('> Yes: ');
  mouse(pty, 'press', 5, findScreenRow(pty, 'No, change'));
  await pty.screen.waitFor('> No, change');
  pty.press('enter');
  await pty.screen.waitFor('Enter value');
  expect(pty.screen.text()).toContain('40 keys');
});

inSoak(() => {
  test('moves the line between a list and its preview when the user drags it', async () => {
    const pty = await openKeys({ EDGECTL_MOUSE: '1' }, 120);
    await pty.screen.waitFor('1 B, text');
    const cornerAt = () => pty.screen.lines()[2]?.indexOf('╮') ?? -1;
    const corner = cornerAt();
    expect(corner).toBeGreaterThan(30);
    mouse(pty, 'press', corner, 10);
    mouse(pty, 'drag', 40, 10);
    await pty.screen.waitFor(() => cornerAt() === 39);
    mouse(pty, 'drag', 2, 10);
    await pty.screen.waitFor(() => cornerAt() === 23);
    mouse(pty, 'release', 2, 10);
    mouse(pty, 'drag', 60, 10);
    mouse(pty, 'down', 5, 8);
    await pty.screen.waitFor(onKey('key-103'));
    expect(cornerAt()).toBe(23);
  });
});

test('switches the mouse on and off with one key; the mouse is off at first', async () => {
  const pty = await openKeys({});
  expect(pty.screen.modes().mouse).toBe('none');
  pty.press('&');
  await pty.screen.waitFor((screen) => screen.modes().mouse === 'drag');
  pty.press('&');
  await pty.screen.waitFor((screen) => screen.modes().mouse === 'none');
});
