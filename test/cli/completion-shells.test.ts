import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { program } from '../support/program.ts';
import { openPty } from '../support/pty.ts';
import { scratchFolder } from '../support/world.ts';

/** Shells that ignore this machine's configuration, and the command with which each loads the completion script. */
const shells = [
  ['bash', ['--norc', '--noprofile', '-i'], 'source <(edgectl completion bash)'],
  ['zsh', ['-f', '-i'], 'autoload -U compinit; compinit -u; source <(edgectl completion zsh)'],
  ['fish', ['--no-config', '-i'], 'edgectl completion fish | source'],
] as const;

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

function openShell(shell: string, args: readonly string[]) {
  const cwd = scratchFolder('completion');
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'edgectl'));
  writeFileSync(join(cwd, 'edgectl.toml'), '[[kv_namespaces]]\nbinding = "CATALOGUE"\n');
  writeFileSync(join(cwd, 'entries.json'), '[]');
  const path = [bin, ...(process.env['PATH'] ?? '').split(':')].join(':');
  const pty = openPty(shell, args, { cwd, env: { PATH: path, HOME: cwd, PS1: '$ ' } });
  onTestFinished(() => pty.kill('SIGKILL'));
  return pty;
}

test.for(shells)('%s completes words with the completion script', async ([shell, args, script], { skip }) => {
  skip(!isInstalled(shell), `${shell} is not installed here`);
  const { screen, send } = openShell(shell, args);
  send(`${script}; echo re''ady\r`);
  await screen.waitFor('ready', 20_000);
  for (const [typed, completed] of [
    ['edgectl kv na', 'edgectl kv namespace'],
    ['edgectl sandbox fault add --cut be', '--cut before'],
    ['edgectl kv key get --binding CA', '--binding CATALOGUE'],
    ['edgectl kv key get --binding=CA', '--binding=CATALOGUE'],
    ['edgectl profile use sa', 'profile use sandbox'],
    ['edgectl kv bulk put ent', 'bulk put entries.json'],
    ['edgectl kv key put "a b" v --binding CA', '"a b" v --binding CATALOGUE'],
    ['edgectl kv key get --binding "CA', '--binding "CATALOGUE"'],
    // zsh omits unnecessary quotes.
    ["edgectl kv key get k:1 --binding='CA", 'CATALOGUE'],
  ] as const) {
    send(`${typed}\t`);
    await screen.waitFor(completed, 20_000);
    send('\x15');
    await screen.waitFor((shown) => !shown.text().includes(completed), 20_000);
  }
});
