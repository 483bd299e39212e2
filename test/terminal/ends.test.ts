import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sampleCases } from '../support/in-part.ts';
import { program, userEnvironment } from '../support/program.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';

afterEach(closePtys);

const untouched = { alternate: false, wrap: true, paste: false, mouse: 'none', cursor: true };
const here = ['--local', '--persist-to', 'data', '--namespace-id', 'kv1'];

/** Starts the built console on a local namespace with one key. The console's editor waits, and handles Ctrl-C itself. */
async function startConsole(): Promise<{ person: Person; pty: Pty }> {
  const person = newPerson();
  await runCommand(person, ['kv', 'key', 'put', 'greeting', 'hello', ...here]);
  const editor = join(person.cwd, 'editor.sh');
  const script = [
    '#!/bin/sh',
    'trap "echo CAUGHT" INT',
    'echo EDITING',
    'while ! read -r line; do :; done',
    'echo "$line" > "$1"',
  ];
  writeFileSync(editor, script.join('\n'));
  chmodSync(editor, 0o755);
  const env = { ...userEnvironment(person.cwd), EDITOR: editor };
  const args = [program, 'console', 'kv', '--local', '--persist-to', 'data'];
  return { person, pty: openPty(process.execPath, args, { cwd: person.cwd, env }) };
}

async function openEditor(): Promise<Pty> {
  const { pty } = await startConsole();
  await pty.screen.waitFor('1 Namespaces');
  pty.press('1');
  await pty.screen.waitFor('kv1');
  pty.press('enter');
  await pty.screen.waitFor('greeting');
  pty.press('E');
  await pty.screen.waitFor('EDITING');
  return pty;
}

const ends = [
  ['SIGHUP', 129],
  ['SIGTERM', 143],
] as const;

test.each(sampleCases(ends, 2))(
  'restores the terminal on %s while $EDITOR is open, and exits with %i',
  async (signal, code) => {
    const pty = await openEditor();
    pty.kill(signal);
    expect(await pty.ended).toEqual({ code, signal: 0 });
    expect(pty.screen.modes()).toEqual(untouched);
  },
);

test('leaves Ctrl-C to $EDITOR, and stores the text saved after it', async () => {
  const pty = await openEditor();
  pty.press('ctrl+c');
  await pty.screen.waitFor('CAUGHT');
  pty.send('edited\r');
  await pty.screen.waitFor('Stored greeting.');
  pty.press('q');
  expect(await pty.ended).toEqual({ code: 0, signal: 0 });
});

test('exits with the code of the signal that ended the console', async () => {
  const { pty } = await startConsole();
  await pty.screen.waitFor('1 Namespaces');
  pty.kill('SIGTERM');
  expect(await pty.ended).toEqual({ code: 143, signal: 0 });
  expect(pty.screen.modes()).toEqual(untouched);
});

test('queues input typed during startup, without echo', async () => {
  const { pty } = await startConsole();
  const typing = setInterval(() => pty.send('j'), 10);
  await pty.screen.waitFor('1 Namespaces').finally(() => clearInterval(typing));
  expect(pty.screen.lines()[0]).toMatch(/^LOCAL/);
  pty.press('q');
  await pty.ended;
  expect(pty.screen.text()).not.toContain('j');
});
