import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePtys, openPty, type Pty, type PtyOptions } from '../support/pty.ts';
import { buildProgram } from './build-program.ts';
import type { ProgramOptions } from './console-program.tsx';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

/** The console on a real terminal. */
function openProgram(options: ProgramOptions = {}, pty: PtyOptions = {}): Pty {
  return openPty(process.execPath, [program, JSON.stringify(options)], { columns: 80, rows: 24, ...pty });
}

test('opens on the alternate screen, drills down, goes back and leaves the terminal as it was', async () => {
  const { screen, press, ended } = openProgram({ keys: 5000, entries: [['greeting', 'hello']] });
  await screen.waitFor('sessions');
  expect(screen.modes()).toMatchObject({ alternate: true, wrap: false, paste: true, cursor: false });
  press('enter');
  await screen.waitFor('greeting');
  press('enter');
  await screen.waitFor('hello');
  press('esc');
  await screen.waitFor('session:0000001');
  press('q');
  expect(await ended).toEqual({ code: 0, signal: 0 });
  expect(screen.modes()).toEqual({ alternate: false, wrap: true, paste: false, mouse: 'none', cursor: true });
});
