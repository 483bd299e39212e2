import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommandLine } from '../../src/cli/run.ts';
import { checkJson } from '../answers/check.ts';
import { listSteps, type RanCommand } from './document-steps.ts';
import { program, userEnvironment } from './program.ts';
import { splitWords } from './shell-words.ts';
import { scratchFolder, testWorld } from './world.ts';

/**
 * Runs the lines of a document in order, in an empty folder and with an empty home. A plain edgectl line, possibly with file redirections,
 * runs in this process; all other lines run in a shell with the built program.
 */
export async function runDocument(path: string): Promise<RanCommand[]> {
  const home = scratchFolder('home');
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const env: Record<string, string> = userEnvironment(home);
  const ran: RanCommand[] = [];
  for (const step of listSteps(path)) {
    if (step.kind === 'file') {
      writeFileSync(join(cwd, step.name), step.text);
      continue;
    }
    const { text: line } = step;
    const [, name, value = ''] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    if (name !== undefined) env[name] = value;
    else {
      const [, left = line, filter] = /^(edgectl .*?) \| (jq .*)$/.exec(line) ?? [];
      const plain = left.startsWith('edgectl ') && !/ [|&;]/.test(left);
      const { code, said } = plain
        ? await runHere(left, { home, cwd, env }, filter)
        : runInShell(line, { home, cwd, env });
      ran.push({ ...step, code, said });
    }
  }
  return ran;
}

interface Place {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a plain edgectl line. If `filter` is given, the output is piped through it. */
async function runHere(line: string, { home, cwd, env }: Place, filter?: string) {
  const [, command = '', from, to] = /^edgectl (.*?)(?: < (\S+))?(?: > (\S+))?(?: +# .*)?$/.exec(line) ?? [];
  const below = (folder: string) => join(home, folder, 'edgectl');
  const world = testWorld({
    argv: splitWords(command),
    cwd,
    env,
    folders: { config: below('.config'), state: below('.local/state'), data: below('.local/share') },
    ...(from !== undefined && { stdin: readFileSync(join(cwd, from)) }),
  });
  const code = await runCommandLine(world, async () => 1);
  checkJson(splitWords(command), { code, out: world.outText(), err: world.errText() });
  if (to !== undefined) writeFileSync(join(cwd, to), world.out());
  if (filter !== undefined) {
    const [program = '', ...rest] = splitWords(filter);
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
