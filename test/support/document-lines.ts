import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommandLine } from '../../src/cli/run.ts';
import { checkJson } from '../answers/check.ts';
import { program, userEnvironment } from './program.ts';
import { words } from './shell-words.ts';
import { scratchFolder, testWorld } from './world.ts';

/** A line of a document, and what became of it. */
export interface RanLine {
  readonly line: string;
  readonly code: number;
  /** The exit code that its remark names, else 0. */
  readonly wanted: number;
  readonly said: string;
}

/** The lines of all blocks of a document that are for a shell. */
export function shellLines(path: string): string[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = '']) => block.split('\n')).filter((line) => line.trim() !== '');
}

/**
 * Runs the lines of a document one after the other, in an empty folder and with an empty home. A plain line of edgectl runs in
 * this process, with what it reads from a file and writes to one; all others are a shell's, for which edgectl is the program
 * that was built.
 */
export async function runDocument(path: string): Promise<RanLine[]> {
  const home = scratchFolder('home');
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const env: Record<string, string> = userEnvironment(home);
  const ran: RanLine[] = [];
  for (const line of shellLines(path)) {
    const [, remark = ''] = /# .*\bexit (\d+)/.exec(line) ?? [];
    const [, name, value = ''] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    if (name !== undefined) env[name] = value;
    else {
      const [, left = line, filter] = /^(edgectl .*?) \| (jq .*)$/.exec(line) ?? [];
      const plain = left.startsWith('edgectl ') && !/ [|&;]/.test(left);
      const { code, said } = plain
        ? await runHere(left, { home, cwd, env }, filter)
        : runInShell(line, { home, cwd, env });
      ran.push({ line, code, wanted: Number(remark), said });
    }
  }
  return ran;
}

interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a plain line of edgectl; what it answers goes through `filter`, where there is one. */
async function runHere(line: string, { home, cwd, env }: Place, filter?: string) {
  const [, command = '', from, to] = /^edgectl (.*?)(?: < (\S+))?(?: > (\S+))?(?: +# .*)?$/.exec(line) ?? [];
  const below = (folder: string) => join(home, folder, 'edgectl');
  const world = testWorld({
    argv: words(command),
    cwd,
    env,
    folders: { config: below('.config'), state: below('.local/state'), data: below('.local/share') },
    ...(from !== undefined && { stdin: readFileSync(join(cwd, from)) }),
  });
  const code = await runCommandLine(world, async () => 1);
  checkJson(words(command), { code, out: world.outText(), err: world.errText() });
  if (to !== undefined) writeFileSync(join(cwd, to), world.out());
  if (filter !== undefined) {
    const [program = '', ...rest] = words(filter);
    const { status, stdout, stderr } = spawnSync(program, rest, { input: world.out(), encoding: 'utf8' });
    return { code: status ?? 1, said: stdout + stderr };
  }
  return { code, said: world.outText().slice(0, 2000) + world.errText() };
}

function runInShell(line: string, { home, cwd, env }: Place) {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'edgectl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'edgectl'), 0o755);
  const path = `${bin}${delimiter}${env['PATH']}`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd, env: { ...env, PATH: path } });
  return { code: status ?? 1, said: `${stdout}${stderr}` };
}
