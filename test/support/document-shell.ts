import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { type CommandStep, type DocumentStep, listSteps, type RanCommand } from './document-steps.ts';
import { program, userEnvironment } from './program.ts';
import { scratchFolder } from './world.ts';

/** Separates the outputs of two commands. */
const mark = 'edgectl-document-step';

/**
 * Runs all commands of a document as a user who has installed edgectl: in one shell, in order, in an empty folder (for an example, in a
 * copy of its folder), with a home (default: an empty home) and without a terminal. Processes that the document leaves running are killed.
 */
export async function runInOneShell(path: string, home = scratchFolder('home')): Promise<RanCommand[]> {
  const steps = listSteps(path);
  const cwd = join(mkdtempSync(join(home, 'reading-')), 'work');
  const script = join(home, 'document.sh');
  if (path.startsWith('examples/')) cpSync(dirname(path), cwd, { recursive: true });
  else mkdirSync(cwd);
  writeFileSync(script, ['exec 2>&1', ...steps.map(toScript)].join('\n'));
  const shell = spawn('sh', [script], {
    cwd,
    env: installedIn(home),
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const said: Buffer[] = [];
  shell.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const closed = once(shell, 'close');
  await once(shell, 'exit');
  endGroup(shell.pid);
  await closed;
  return parseResults(
    Buffer.concat(said).toString(),
    steps.filter((step) => step.kind === 'command'),
  );
}

function toScript(step: DocumentStep): string {
  if (step.kind === 'command') return `${step.text}\nprintf '\\n${mark} %s\\n' "$?"`;
  return `mkdir -p '${dirname(step.name)}'\ncat > '${step.name}' <<'${mark}'\n${step.text}${mark}`;
}

/** Returns an environment in which edgectl is a command and an importable package. */
function installedIn(home: string): Record<string, string> {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'edgectl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'edgectl'), 0o755);
  mkdirSync(join(home, 'node_modules'), { recursive: true });
  rmSync(join(home, 'node_modules', 'edgectl'), { force: true });
  symlinkSync(resolve(import.meta.dirname, '../..'), join(home, 'node_modules', 'edgectl'));
  const env = userEnvironment(home);
  return { ...env, PATH: [bin, dirname(process.execPath), env['PATH']].join(delimiter) };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The document has left no process running.
  }
}

/** Splits the output into the results of the commands. The output of each command is before the command's mark. */
function parseResults(said: string, commands: readonly CommandStep[]): RanCommand[] {
  const ends = [...said.matchAll(new RegExp(`\\n${mark} (\\d+)\\n`, 'g'))];
  return commands.map((command, at) => {
    const [end, before] = [ends[at], ends[at - 1]];
    const from = before === undefined ? 0 : before.index + before[0].length;
    const code = end === undefined ? undefined : Number(end[1]);
    return { ...command, code, said: said.slice(from, end?.index) };
  });
}
