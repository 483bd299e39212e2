import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import type { Screen } from '../support/screen.ts';
import { buildProgram, programEnvironment } from './build-program.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

const entries = Array.from({ length: 30 }, (_, index) => [`key-${index + 100}`, 'x'] as const);

async function openKeys(size: { columns: number; rows: number }): Promise<Pty> {
  const pty = openPty(process.execPath, [program, JSON.stringify({ entries })], {
    ...size,
    env: programEnvironment,
  });
  await pty.screen.waitFor('sessions');
  pty.press('enter');
  await pty.screen.waitFor('30 keys');
  return pty;
}

const onKey = (name: string) => (screen: Screen) => screen.selected()?.includes(name) ?? false;

inSoak(() => {
  test('redraws everything after each change of the window size, even if the change is reverted quickly', async () => {
    const { screen, press, resize } = await openKeys({ columns: 80, rows: 24 });
    await screen.waitFor(onKey('key-100'));
    const whole = screen.text();
    for (let attempt = 0; attempt < 24; attempt++) {
      resize({ columns: attempt % 2 === 0 ? 60 : 80, rows: 10 + (attempt % 5) });
      await sleep((attempt % 8) * 5);
      resize({ columns: 80, rows: 24 });
      press('j');
      await screen.waitFor(onKey('key-101'));
      press('k');
      await screen.waitFor((drawn) => drawn.text() === whole);
    }
    resize({ columns: 10, rows: 3 });
    await screen.waitFor((drawn) => drawn.lines().join('|') === 'Needs|40x10; has|10x3');
    resize({ columns: 80, rows: 24 });
    await screen.waitFor((drawn) => drawn.text() === whole);
    screen.raw = '';
    resize({ columns: 80, rows: 12 });
    await screen.waitFor((drawn) => drawn.raw.includes('more') && /\? more$/.test(drawn.lines()[11] ?? ''));
    expect(screen.raw).toContain('key-105');
    expect(screen.raw, 'text that does not fit is not drawn, and therefore scrolls nothing').not.toContain(
      'key-112',
    );
  });
});

test('redraws everything on Ctrl-L', async () => {
  const { screen, press } = await openKeys({ columns: 80, rows: 24 });
  await screen.waitFor(onKey('key-100'));
  const whole = screen.text();
  screen.write('\u001b[5;5Hwritten by somebody else\u001b[10;1H\u001b[2K');
  await screen.waitFor('somebody else');
  press('ctrl+l');
  await screen.waitFor((drawn) => drawn.text() === whole);
});

/** Opens the console in a shell, on the keys of a namespace. */
async function openInShell(): Promise<Pty> {
  const shell = openPty('/bin/bash', ['--norc', '--noprofile', '-i'], {
    columns: 80,
    rows: 24,
    env: { ...programEnvironment, PS1: 'shell> ' },
  });
  await shell.screen.waitFor('shell>');
  shell.send(`${process.execPath} ${program} '${JSON.stringify({ entries })}'\r`);
  await shell.screen.waitFor('sessions');
  shell.press('enter');
  await shell.screen.waitFor('30 keys');
  return shell;
}

/** Returns the screen of a console that has had this size from the start, with the preview if there is room. */
async function wholeScreen(size: { columns: number; rows: number }): Promise<string> {
  const { screen } = await openKeys(size);
  await screen.waitFor(
    (drawn) => onKey('key-100')(drawn) && (size.columns < 100 || /1 B, text/.test(drawn.text())),
  );
  return screen.text();
}

test('resumes after a stop with the current window size, without further input', async () => {
  const shell = await openInShell();
  const { screen } = shell;
  shell.press('n');
  await screen.waitFor('New key');
  shell.press('ctrl+z');
  await screen.waitFor('Stopped');
  shell.resize({ columns: 100, rows: 20 });
  shell.send('fg\r');
  // The program redraws several times while it resumes and receives the new size; at the new size, the field has a border.
  const fields = () => screen.lines().map((line) => line.replace(/^│ /, '').replace(/ *│.*$/, ''));
  const isEmpty = () => fields().some((field) => field.trimEnd() === '> Key');
  await screen.waitFor(() => /^Enter next .*cancel$/.test(screen.lines()[19] ?? '') && isEmpty());
  shell.press('esc');
  const whole = await wholeScreen({ columns: 100, rows: 20 });
  await screen.waitFor((drawn) => drawn.text() === whole);
});

test.runIf(process.platform === 'linux')(
  'sets up the terminal again after a stop by another process',
  async () => {
    const shell = await openInShell();
    const [child] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').split(' ');
    process.kill(Number(child), 'SIGSTOP');
    await shell.screen.waitFor('Stopped');
    shell.resize({ columns: 90, rows: 20 });
    shell.send('fg\r');
    const whole = await wholeScreen({ columns: 90, rows: 20 });
    await shell.screen.waitFor((drawn) => drawn.text() === whole);
    expect(shell.screen.modes()).toMatchObject({ alternate: true, wrap: false, paste: true, cursor: false });
    shell.press('j');
    await shell.screen.waitFor(onKey('key-101'));
  },
);
