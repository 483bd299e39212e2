import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { program, userEnvironment } from '../support/program.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { runHere } from '../support/script-programs.ts';
import { scratchFolder } from '../support/world.ts';

afterEach(closePtys);

/** Creates a namespace in the sandbox of a separate home. */
async function stage(): Promise<{
  open(...argv: string[]): Pty;
  /** Returns the output of a command that asks no questions, run in this process. */
  run(...argv: string[]): Promise<string>;
  id: string;
}> {
  const home = scratchFolder('home');
  const env = userEnvironment(home);
  const open = (...argv: string[]): Pty =>
    openPty(process.execPath, [program, ...argv], { env, cwd: home, columns: 160 });
  const run = async (...argv: string[]): Promise<string> =>
    (await runHere({ folder: home, env }, argv)).stdout;
  const created = await run('kv', 'namespace', 'create', 'DOOMED', '--sandbox', '--json', '-q');
  return { open, run, id: /"id": "([0-9a-f]{32})"/.exec(created)?.[1] ?? '' };
}

test('namespace delete asks (y/n), Enter asks again, and yes deletes', async () => {
  const { open, run, id } = await stage();
  const pty = open('kv', 'namespace', 'delete', '--namespace-id', id, '--sandbox');
  await pty.screen.waitFor('(y/n)');
  expect(pty.screen.text()).toContain(`Delete namespace "worker-DOOMED" (${id}) and no keys in account`);
  pty.press('enter');
  await pty.screen.waitFor((screen) => screen.text().split('(y/n)').length === 3);
  pty.press('y', 'enter');
  expect((await pty.ended).code).toBe(0);
  expect(pty.screen.text()).toContain(`Deleted namespace ${id}.`);
  expect(await run('kv', 'namespace', 'list', '--sandbox')).toContain('[]');
});

test.each([
  ['n', 5, 'nothing was changed'],
  ['ctrl+d', 5, 'nothing was changed'],
  ['ctrl+c', 130, 'Interrupted'],
])('namespace delete with %s exits with %i and changes nothing', async (press, code, said) => {
  const { open, run, id } = await stage();
  const pty = open('kv', 'namespace', 'delete', '--namespace-id', id, '--sandbox');
  await pty.screen.waitFor('(y/n)');
  pty.press(press, ...(press === 'n' ? ['enter'] : []));
  expect((await pty.ended).code).toBe(code);
  expect(pty.screen.text()).toContain(said);
  expect(await run('kv', 'namespace', 'list', '--sandbox')).toContain('worker-DOOMED');
});

test('profile add asks for the token without showing it, and saves it in a file that only its owner can read', async () => {
  const { open, run } = await stage();
  const pty = open('profile', 'add', 'acme', '--use', '--no-verify');
  await pty.screen.waitFor('API token:');
  pty.press('s3cr3t-token', 'enter');
  expect((await pty.ended).code).toBe(0);
  expect(pty.screen.raw).not.toContain('s3cr3t');
  const list = await run('profile', 'list');
  expect(list).toContain('* acme');
  expect(list).not.toContain('s3cr3t');
});

test('shows a value with escape sequences escaped on a terminal', async () => {
  const { run, open, id } = await stage();
  await run(
    'kv',
    'key',
    'put',
    'evil',
    '\u001b]0;owned\u0007\u001b[2Jgone',
    '--namespace-id',
    id,
    '--sandbox',
  );
  const pty = open('kv', 'key', 'get', 'evil', '--namespace-id', id, '--sandbox');
  await pty.ended;
  expect(pty.screen.text()).toContain('\\e]0;owned\\x07\\e[2Jgone');
  expect(pty.screen.titles).toEqual([]);
});

test.each([
  [['kv', 'key', 'put', 'k', '--path', '-', '--namespace-id', 'n', '--local']],
  [['profile', 'add', 'acme']],
])('ends a command that waits for standard input on Ctrl-C: %j', async (argv) => {
  const home = scratchFolder('home');
  const child = spawn(process.execPath, [program, ...argv], { cwd: home, env: userEnvironment(home) });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.write('half');
  await waitingForInput(child.pid ?? 0);
  child.kill('SIGINT');
  expect(await exit).toBe(130);
});

/** Resolves when a process is idle and has read its standard input. */
async function waitingForInput(pid: number): Promise<void> {
  for (let calm = 0; calm < 10; await sleep(20)) {
    const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
    calm = state === 'S' ? calm + 1 : 0;
  }
}
