import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePtys, openPty } from '../support/pty.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

const line = Array.from({ length: 60 }, (_, index) => `part${String(index).padStart(2, '0')}`).join(' ');
const log = Array.from({ length: 5000 }, (_, index) =>
  index % 1000 === 999 ? `ERROR ${index}` : `fine ${index}`,
);

test('searches a value, unwraps long lines, and pauses refreshing, on a real terminal', async () => {
  const options = { entries: [['a', [line, ...log].join('\n')]] };
  const pty = openPty(process.execPath, [program, JSON.stringify(options)], {
    columns: 80,
    rows: 24,
    env: programEnvironment,
  });
  const { screen, press } = pty;
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor('1 key');
  press('enter');
  await screen.waitFor('part00');
  press('W');
  await screen.waitFor('not wrapped');
  expect(screen.lines()[3]?.at(-1)).toBe('›');
  press('>');
  await screen.waitFor('from column 41');
  press('/', ...'/^error [0-9]+$/');
  await screen.waitFor('5 matches');
  press('enter');
  await screen.waitFor('match 1 of 5');
  expect(screen.lines()[3]).toBe('ERROR 999');
  press('N');
  await screen.waitFor('match 5 of 5');
  press('F');
  await screen.waitFor('paused · match 5 of 5');
  press('q');
  expect((await pty.ended).code).toBe(0);
});

test('continues after a search expression that takes too long', async () => {
  const options = { entries: [['a', `${'a'.repeat(78)}!`]] };
  const pty = openPty(process.execPath, [program, JSON.stringify(options)], {
    columns: 80,
    rows: 24,
    env: programEnvironment,
  });
  const { screen, press } = pty;
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor('1 key');
  press('enter');
  await screen.waitFor('aaaa');
  press('/', ...'/(a+)+$/');
  await screen.waitFor('takes too long');
  press('esc');
  await screen.waitFor((shown) => !shown.text().includes('takes too long'));
  press('q');
  expect((await pty.ended).code).toBe(0);
});
