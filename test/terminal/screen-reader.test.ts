import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

const entries = [
  ['alpha', 'first line\nsecond line'],
  ['beta', '{"on":true}'],
] as const;

function openReader(): Pty {
  return openPty(process.execPath, [program, JSON.stringify({ entries })], {
    columns: 60,
    rows: 24,
    env: { ...programEnvironment, EDGECTL_SCREEN_READER: '1' },
  });
}

/** Presses a key, waits until the output contains a string, and returns the lines of the new output without escape sequences. */
async function readUntil(pty: Pty, press: () => void, until: string): Promise<string[]> {
  const from = pty.screen.raw.length;
  press();
  await pty.screen.waitFor(({ raw }) => raw.slice(from).includes(until));
  return pty.screen.raw
    .slice(from)
    .replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '')
    .split(/[\r\n]+/)
    .filter((line) => line !== '');
}

test('writes changes line by line on the main screen, and redraws nothing', async () => {
  const pty = openReader();
  await pty.screen.waitFor('1 of 1: sessions');
  expect(pty.screen.text()).toContain('Screen-reader mode');
  expect(pty.screen.text()).not.toMatch(/[─│╭]/);
  expect(await readUntil(pty, () => pty.press('enter'), '1 of 2: alpha')).toContain('1 of 2: alpha');
  expect((await readUntil(pty, () => pty.press('j'), '2 of 2: beta')).at(-1)).toBe('2 of 2: beta');
  expect((await readUntil(pty, () => pty.press('k'), '1 of 2: alpha')).at(-1)).toBe('1 of 2: alpha');
  const value = await readUntil(pty, () => pty.press('enter'), 'second line');
  expect(value).toEqual(expect.arrayContaining(['first line', 'second line']));
  expect(await readUntil(pty, () => pty.press('esc'), '1 of 2')).toContain('1 of 2: alpha');
  const question = await readUntil(pty, () => pty.press('d'), 'No, change nothing');
  expect(question.join('\n')).toMatch(/Delete .*alpha/);
  expect(question.join('\n')).toContain('y yes');
  const answered = await readUntil(pty, () => pty.press('y'), 'Deleted');
  expect(answered.join('\n')).toContain('beta');
  expect(await readUntil(pty, () => pty.press('n', 'x'), 'Key x')).toContain('New key');
  expect((await readUntil(pty, () => pty.press('esc'), '1 of 1: beta')).at(-1)).toBe('1 of 1: beta');
  const refused = await readUntil(pty, () => pty.press('|'), 'previews');
  expect(refused.join('\n')).toContain('For a screen reader, the console shows no previews');
  const again = await readUntil(pty, () => pty.press('ctrl+l'), '1 of 1: beta');
  expect(again.join('\n')).toContain('sessions · 1 key');
  pty.press('q');
  expect((await pty.ended).code).toBe(0);
  // The output has no alternate screen, no erased text and no cursor movement, and leaves wrapping unchanged.
  expect(pty.screen.raw).not.toMatch(/\u001b\[(?:\?1049|\?7l|[\d;]*[ABGHJKfsu])/);
  expect(pty.screen.modes()).toEqual({
    alternate: false,
    wrap: true,
    paste: false,
    mouse: 'none',
    cursor: true,
  });
});
