import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { program, userEnvironment } from './support/program.ts';
import { closePtys, openPty } from './support/pty.ts';
import { scratchFolder } from './support/world.ts';

afterEach(closePtys);

/** Returns the command lines in the section "Use" of README.md. */
function linesOfUse(): string[] {
  const use = readFileSync('README.md', 'utf8')
    .split('\n## ')
    .find((part) => part.startsWith('Use\n'));
  const block = use?.split('```')[1]?.replace(/^sh\n/, '') ?? '';
  return block.split('\n').filter((line) => line.trim() !== '');
}

/** Input for command lines that wait for a user: text on the screen, then the keys to press. */
const atTerminal: readonly (readonly [RegExp, readonly (readonly [string, readonly string[]])[]])[] = [
  [/^edgectl --sandbox\b/, [['SESSIONS', ['q']]]],
  [/^edgectl profile login /, [['API token:', [...'0123456789abcdef0123456789abcdef01234567', 'enter']]]],
];

/** Changes a command line so that a test can run it without an account and without a browser. */
function withoutAccount(line: string): string {
  return line.replace(/^(edgectl profile login \S+)/, '$1 --no-browser --no-verify');
}

/** Returns the exit code in the comment of a command line (default: 0). */
function getCode(line: string): number {
  return Number(/# .*\bexit (\d+)/.exec(line)?.[1] ?? 0);
}

test('every command line of "Use" in README.md exits with the documented code, in order, in an empty folder, on the sandbox', async () => {
  const home = scratchFolder('home');
  const cwd = join(scratchFolder('use'), 'shop');
  mkdirSync(cwd);
  const bin = scratchFolder('bin');
  writeFileSync(join(bin, 'edgectl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(join(bin, 'edgectl'), 0o755);
  const plain = userEnvironment(home);
  const env = { ...plain, PATH: `${bin}${delimiter}${plain['PATH']}` };
  const lines = linesOfUse();
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    const person = atTerminal.find(([pattern]) => pattern.test(line))?.[1];
    const ran =
      person === undefined
        ? await piped(line, cwd, env)
        : await typed(withoutAccount(line), person, cwd, env);
    expect({ line, ...ran }).toMatchObject({ line, code: getCode(line) });
  }
  expect(JSON.parse(readFileSync(join(cwd, 'user.json'), 'utf8'))).toEqual({ plan: 'pro' });
}, 90_000);

type Env = Readonly<Record<string, string>>;

async function piped(line: string, cwd: string, env: Env): Promise<{ code: number; said: string }> {
  const child = spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  return { code, said: Buffer.concat(said).toString() };
}

async function typed(
  line: string,
  person: (typeof atTerminal)[number][1],
  cwd: string,
  env: Env,
): Promise<{ code: number; said: string }> {
  const pty = openPty('/bin/sh', ['-c', line], { cwd, env });
  for (const [shown, presses] of person) {
    await pty.screen.waitFor(shown);
    pty.press(...presses);
  }
  const { code } = await pty.ended;
  return { code, said: pty.screen.text() };
}
