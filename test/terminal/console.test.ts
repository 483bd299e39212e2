import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { markText } from '../../src/text/mark.ts';
import { drawn } from '../components/drawn.ts';
import { inSoak, sampleCases } from '../support/in-part.ts';
import { closePtys, openPty, type Pty, type PtyOptions } from '../support/pty.ts';
import { scratchFolder } from '../support/world.ts';
import { buildProgram, programEnvironment } from './build-program.ts';
import type { ProgramOptions } from './console-program.tsx';
import { hostileTexts } from './hostile.ts';

let program = '';

beforeAll(async () => {
  program = await buildProgram();
});

afterEach(closePtys);

const untouched = { alternate: false, wrap: true, paste: false, mouse: 'none', cursor: true };

/** Opens the console on a real terminal. */
function openProgram(options: ProgramOptions = {}, pty: PtyOptions = {}): Pty {
  const size = { columns: 80, rows: 24 };
  return openPty(process.execPath, [program, JSON.stringify(options)], {
    ...size,
    env: programEnvironment,
    ...pty,
  });
}

test('opens on the alternate screen, opens panes, goes back and restores the terminal', async () => {
  const { screen, press, ended } = openProgram({ keys: 5000, entries: [['greeting', 'hello']] });
  await screen.waitFor('sessions');
  expect(screen.modes()).toEqual({ alternate: true, wrap: false, paste: true, mouse: 'none', cursor: false });
  press('enter');
  await screen.waitFor('greeting');
  press('enter');
  await screen.waitFor('hello');
  press('esc');
  await screen.waitFor('session:0000001');
  press('q');
  expect(await ended).toEqual({ code: 0, signal: 0 });
  expect(screen.modes()).toEqual(untouched);
});

const leaves = [
  ['Ctrl-C', (pty: Pty) => pty.press('ctrl+c'), 130],
  ['SIGINT', (pty: Pty) => pty.kill('SIGINT'), 130],
  ['SIGTERM', (pty: Pty) => pty.kill('SIGTERM'), 130],
] as const;

test.each(leaves)('restores the terminal after %s', async (_, leave, code) => {
  const pty = openProgram({ keys: 10 });
  await pty.screen.waitFor('sessions');
  leave(pty);
  expect((await pty.ended).code).toBe(code);
  expect(pty.screen.modes()).toEqual(untouched);
});

inSoak(() => {
  test('restores the terminal after a hang-up', async () => {
    const pty = openProgram({ keys: 10 });
    await pty.screen.waitFor('sessions');
    pty.kill('SIGHUP');
    expect((await pty.ended).signal).toBe(1);
    expect(pty.screen.modes()).toEqual(untouched);
  });
});

test.each(sampleCases(['thrown', 'unhandled', 'drawing'] as const, 3))(
  'restores the terminal after an error (%s), and shows the error',
  async (fault) => {
    const pty = openProgram({ keys: 10, fault });
    await pty.screen.waitFor('sessions');
    pty.send('§');
    expect((await pty.ended).code).toBe(1);
    expect(pty.screen.modes()).toEqual(untouched);
    expect(pty.screen.text()).toContain('this was a test');
  },
);

test('rejects a dumb terminal and a pipe in one sentence, and draws nothing', async () => {
  const dumb = openProgram({}, { term: 'dumb' });
  expect((await dumb.ended).code).toBe(1);
  expect(dumb.screen.lines()[0]).toBe('error: The console cannot draw on a terminal with TERM=dumb.');
  const piped = spawnSync(process.execPath, [program, '{}'], { encoding: 'utf8', input: '' });
  expect(piped).toMatchObject({ status: 1, stdout: '' });
  expect(piped.stderr).toContain('The console requires a terminal');
});

inSoak(() => {
  test('draws even if CI is set, and runs every key press of a burst', async () => {
    const env = { ...programEnvironment, CI: 'true' };
    const { screen, send, press } = openProgram({ keys: 500 }, { env });
    await screen.waitFor('sessions');
    press('enter');
    await screen.waitFor('session:0000000');
    for (let burst = 0; burst < 30; burst++) send('\u001b[B'.repeat(10));
    await screen.waitFor((drawn) => drawn.selected()?.includes('session:0000300') ?? false);
  });
});

test('leaves no old characters on the screen when the window size changes', async () => {
  const { screen, resize, press } = openProgram({ keys: 500 }, { columns: 100, rows: 30 });
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor('session:0000020');
  for (const [columns, rows] of [
    [60, 15],
    [130, 30],
    [10, 3],
    [100, 24],
  ] as const) {
    resize({ columns, rows });
    await screen.waitFor(columns < 40 ? '40x10' : (drawn) => /\? more$/.test(drawn.lines()[rows - 1] ?? ''));
  }
  // Ink draws one frame over the content of the smaller window before the full screen is redrawn.
  const rows = Array.from({ length: 18 }, (_, index) => `│ session:${String(index).padStart(7, '0')}`);
  await screen.waitFor((drawn) => {
    const lines = drawn.lines();
    const listed = lines.filter((line) => line.startsWith('│ session:'));
    return (
      lines[0] === 'LOCAL  demo · Demo account' &&
      listed.length === rows.length &&
      rows.every((row, index) => listed[index]?.startsWith(row))
    );
  });
});

/** Creates an editor that waits for a line from the terminal and appends the line to the file. */
function lineEditor(): string {
  const file = join(scratchFolder('editor'), 'edit.sh');
  writeFileSync(
    file,
    '#!/bin/sh\nprintf "EDITING %s\\n" "$(cat "$1")"\nIFS= read -r line\nprintf "%s" "$line" >> "$1"\n',
  );
  chmodSync(file, 0o755);
  return file;
}

test('suspends for $EDITOR, and continues with the saved text', async () => {
  const env = { ...programEnvironment, EDITOR: lineEditor() };
  const { screen, press, send } = openProgram({ entries: [['greeting', 'hello']] }, { env });
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor('greeting');
  press('E');
  await screen.waitFor('EDITING hello');
  expect(screen.modes()).toMatchObject({ alternate: false, wrap: true, paste: false, cursor: true });
  send(' world\r');
  await screen.waitFor('Stored greeting.');
  expect(screen.modes()).toMatchObject({ alternate: true, wrap: false, paste: true, cursor: false });
  press('enter');
  await screen.waitFor('hello world');
});

/** Returns a text as the console shows it: with marks, and cut at the end of the line. */
function shownAs(text: string, index: number): string {
  return `${String(index).padStart(2, '0')} ${drawn(markText(text))} seen`;
}

test('escapes hostile key names, each on its own line, and writes none of their control characters', async () => {
  const entries = hostileTexts.map(
    ([, text], index) => [`${String(index).padStart(2, '0')} ${text} seen`, 'x'] as const,
  );
  const { screen, press } = openProgram({ entries }, { columns: 400, rows: 70 });
  await screen.waitFor('sessions');
  press('enter');
  await screen.waitFor('56 ');
  await screen.waitFor('Enter value');
  const lines = screen.lines().slice(4);
  for (const [index, [about, text]] of hostileTexts.entries()) {
    // The column is set after characters of uncertain width, so cells that the terminal leaves free are spaces.
    const line = lines[index]?.replaceAll(' ', '');
    expect(line, about).toContain(`│${shownAs(text, index).slice(0, 100).replaceAll(' ', '')}`);
    expect(lines[index]?.match(/│/g), about).toHaveLength(4);
  }
  expect(screen.lines().slice(0, 3).join()).toContain('LOCAL  demo');
  expect({
    titles: screen.titles,
    clipboards: screen.clipboards,
    links: screen.links,
    bells: screen.bells,
  }).toEqual({
    titles: [],
    clipboards: [],
    links: [],
    bells: 0,
  });
  expect(screen.modes()).toEqual({ alternate: true, wrap: false, paste: true, mouse: 'none', cursor: false });
});

// `npm test` covers escaping with the test of hostile key names above, and resuming after a stop with test/terminal/redraw.test.ts.
inSoak(() => {
  test('stops on Ctrl-Z and resumes with fg', async () => {
    const shell = openPty('/bin/bash', ['--norc', '--noprofile', '-i'], {
      columns: 80,
      rows: 24,
      env: { ...programEnvironment, PS1: 'shell> ' },
    });
    await shell.screen.waitFor('shell>');
    shell.send(`${process.execPath} ${program} '{"keys":50}'\r`);
    await shell.screen.waitFor('sessions');
    shell.press('ctrl+z');
    await shell.screen.waitFor('Stopped');
    expect(shell.screen.modes()).toMatchObject({ alternate: false, wrap: true, cursor: true });
    shell.send('fg\r');
    await shell.screen.waitFor('LOCAL  demo');
    expect(shell.screen.modes()).toMatchObject({ alternate: true, wrap: false, cursor: false });
    shell.press('q');
    await shell.screen.waitFor((screen) => !screen.modes().alternate);
    shell.send('exit\r');
    await shell.ended;
  });

  test('escapes hostile values in every view', async () => {
    const value = hostileTexts.map(([, text]) => text).join('|');
    const json = JSON.stringify({ value, list: hostileTexts.map(([, text]) => text) });
    const entries = [
      ['a', value],
      ['b', json],
    ] as const;
    const { screen, press } = openProgram({ entries }, { columns: 120, rows: 40 });
    await screen.waitFor('sessions');
    press('enter');
    await screen.waitFor('Enter value');
    for (const key of ['a', 'b']) {
      press('enter');
      await screen.waitFor(`› ${key}`);
      for (const view of ['binary as hex', 'size  ', 'binary as text', 'binary as JSON']) {
        await screen.waitFor(view);
        press('G');
        press('g');
        press('tab');
      }
      press('esc');
      await screen.waitFor('Enter value');
      press('down');
    }
    expect(screen.titles.concat(screen.clipboards, screen.links)).toEqual([]);
    expect(screen.bells).toBe(0);
    expect(screen.modes()).toEqual({
      alternate: true,
      wrap: false,
      paste: true,
      mouse: 'none',
      cursor: false,
    });
  });

  test('escapes hostile titles, and a hostile name in a question', async () => {
    const titles = hostileTexts.map(([, text], index) => `t${String(index).padStart(2, '0')}${text}`);
    const { screen, press } = openProgram(
      { titles, entries: [['\u001b]0;owned\u0007\u001b[8mkey', 'x']] },
      { columns: 120, rows: 70 },
    );
    await screen.waitFor('t55');
    press('d');
    await screen.waitFor('Type the title of the namespace');
    press('esc');
    await screen.waitFor('Enter keys');
    press('enter');
    await screen.waitFor('Enter value');
    await screen.waitFor((drawn) => drawn.selected()?.startsWith('␛]0;owned') ?? false);
    press('d');
    await screen.waitFor('Delete the key ␛]0;owned␇␛[8mkey?');
    expect(screen.titles.concat(screen.clipboards, screen.links)).toEqual([]);
  });
});
