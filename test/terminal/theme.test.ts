import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { sampleCases } from '../support/in-part.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

/** Opens the console on a terminal whose answers the test controls. */
function openProgram(env: Readonly<Record<string, string>> = {}): Pty {
  return openPty(process.execPath, [program, JSON.stringify({ titles: ['first', 'second', 'third'] })], {
    env: { ...programEnvironment, ...env },
  });
}

/** The style of the badge, which comes first on the screen: foreground and background. */
const darkBadge = 'bold fore-16 back-2';
const lightBadge = 'bold fore-231 back-22';
const readBadge = ({ screen }: Pty) => screen.stretches(0)[0]?.style;

const question = '\u001b]11;?\u0007';
const white = '\u001b]11;rgb:ffff/ffff/ffff\u0007';
const black = '\u001b]11;rgb:0000/0000/0000\u001b\\';

test('queries the background of the terminal without waiting, and accepts input before and after the response', async () => {
  const pty = openProgram();
  await pty.screen.waitFor((screen) => screen.raw.includes(question));
  await pty.screen.waitFor('sessions');
  expect(readBadge(pty)).toBe(darkBadge);
  pty.send(`j${white}j`);
  await pty.screen.waitFor((screen) => /sessions/.test(screen.selected() ?? ''));
  await pty.screen.waitFor(() => readBadge(pty) === lightBadge);
  pty.send(black);
  await pty.screen.waitFor(() => readBadge(pty) === darkBadge);
});

test('draws its first frame in the light theme if the response arrives in time, even in several pieces', async () => {
  const pty = openProgram();
  await pty.screen.waitFor((screen) => screen.raw.includes(question));
  pty.send(white.slice(0, 9));
  pty.send(white.slice(9));
  await pty.screen.waitFor('sessions');
  await pty.screen.waitFor(() => readBadge(pty) === lightBadge);
});

const themes: readonly [string, Readonly<Record<string, string>>, string][] = [
  ['COLORFGBG if the terminal does not report its background', { COLORFGBG: '0;default;15' }, lightBadge],
  ['a named theme, regardless of COLORFGBG', { COLORFGBG: '0;15', EDGECTL_THEME: 'dark' }, darkBadge],
  ['the high-contrast theme', { EDGECTL_THEME: 'high-contrast' }, 'bold fore-16 back-46'],
  ['NO_COLOR', { NO_COLOR: '1', COLORFGBG: '0;15' }, 'bold'],
  ['a named theme, despite NO_COLOR', { NO_COLOR: '1', EDGECTL_THEME: 'light' }, lightBadge],
];

test.each(sampleCases(themes, 2))('uses %s', async (_, env, badge) => {
  const pty = openProgram(env);
  await pty.screen.waitFor('sessions');
  expect(readBadge(pty)).toBe(badge);
  expect(pty.screen.selected()).toContain('first');
  const depends = ['auto', 'high-contrast'].includes(env['EDGECTL_THEME'] ?? 'auto');
  expect(pty.screen.raw.includes(question)).toBe(depends && !('NO_COLOR' in env));
});
