import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program, userEnvironment } from './program.ts';
import { openPty, type Pty } from './pty.ts';
import { runHere, runProcess, startSandboxHere } from './script-programs.ts';
import { scratchFolder } from './world.ts';

/**
 * Declares a test for each script of a folder, and for each place that it names. Commands run in this process, but for
 * those that a script wants in a process of their own; or every one of them runs so.
 */
export function playScripts(folder: string, inProcesses = false): void {
  describe.concurrent('a script of commands and keys behaves as written', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    for (const name of names.sort()) {
      for (const place of placesOf(join(folder, name))) {
        const title = place === undefined ? name : `${name} on ${place}`;
        test(title, { timeout: 120_000 }, () => runScript(join(folder, name), place, inProcesses));
      }
    }
  });
}

/**
 * Runs a script: commands and keys with what is expected of them, as test/scripts/README.md describes, in an empty
 * folder and with an empty home.
 */
async function runScript(path: string, place: Place | undefined, inProcesses: boolean): Promise<void> {
  const stage: Stage = {
    folder: scratchFolder('script'),
    env: userEnvironment(scratchFolder('home')),
    variables: new Map([['UNKNOWN', 'f'.repeat(32)]]),
    leave: [],
    inProcesses,
    screen: undefined,
  };
  try {
    if (place !== undefined) await enterPlace(stage, place);
    for (const step of parseScript(readFileSync(path, 'utf8'))) {
      try {
        await runStep(stage, step);
      } catch (error) {
        throw new Error(`${path}:${step.line}: ${step.text}\n${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    for (const leave of stage.leave.reverse()) await leave();
  }
}

/** Where a script acts: on a sandbox that is started for it, or on local data. */
type Place = 'sandbox' | 'local';

/** The places that a script names in its `at` line; one run for each. */
function placesOf(path: string): (Place | undefined)[] {
  const line = /^at (.*)$/m.exec(readFileSync(path, 'utf8'));
  return line === null ? [undefined] : ((line[1] ?? '').split(' ') as Place[]);
}

/** `{PLACE}` is what a command needs to act there, `{NS}` a namespace's id, `{AT}` both with the flag's name. */
async function enterPlace(stage: Stage, place: Place): Promise<void> {
  stage.variables.set('PLACE', place === 'local' ? '--local' : '');
  stage.variables.set('NS', place === 'local' ? '7' : '');
  if (place === 'sandbox') {
    await enterSandbox(stage, '');
    const made = await runHere(stage, ['kv', 'namespace', 'create', 'SCRIPT', '--json']);
    stage.variables.set('NS', (JSON.parse(made.stdout) as { id: string }).id);
  }
  const flags = ['--namespace-id', stage.variables.get('NS'), stage.variables.get('PLACE')];
  stage.variables.set('AT', flags.join(' ').trim());
}

interface Stage {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly variables: Map<string, string>;
  readonly leave: (() => Promise<void>)[];
  readonly inProcesses: boolean;
  screen: Pty | undefined;
}

/** A line that does something, and the lines below it that say what with and what is expected. */
interface Step {
  readonly line: number;
  readonly text: string;
  readonly under: readonly string[];
}

function parseScript(text: string): Step[] {
  const steps: (Step & { under: string[] })[] = [];
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    if (/^[>~!?<|=-]/.test(line)) steps.at(-1)?.under.push(line);
    else steps.push({ line: at + 1, text: line, under: [] });
  });
  return steps;
}

async function runStep(stage: Stage, step: Step): Promise<void> {
  const text = fill(stage, step.text);
  const [verb = '', ...rest] = text.split(' ');
  const argument = rest.join(' ');
  switch (verb) {
    case '$':
      return runCommand(stage, argument, step);
    case 'at':
      return;
    case 'sandbox':
      return enterSandbox(stage, argument);
    case 'write':
      return writeInto(stage, argument, contents(stage, step));
    case 'file':
      expect(readFileSync(join(stage.folder, argument), 'utf8')).toBe(contents(stage, step));
      return;
    case 'set':
      return set(stage, argument);
    case 'console':
      stage.screen = openPty(process.execPath, [program, ...words(argument)], {
        cwd: stage.folder,
        env: stage.env,
      });
      stage.leave.push(async () => stage.screen?.kill('SIGKILL'));
      return;
    case 'keys':
      return screenOf(stage).press(...words(argument).map((word) => word.replace(/^<(.+)>$/, '$1')));
    case 'screen':
      return checkScreen(screenOf(stage), argument);
    case 'exit':
      expect((await screenOf(stage).ended).code).toBe(Number(argument));
      return;
    default:
      throw new Error(`no such verb: ${verb}`);
  }
}

/** `set NAME=value` sets an environment variable; `set NAME=` unsets it. */
function set(stage: Stage, argument: string): void {
  const [name = '', ...value] = argument.split('=');
  if (value.join('=') === '') delete stage.env[name];
  else stage.env[name] = value.join('=');
}

async function enterSandbox(stage: Stage, argument: string): Promise<void> {
  const served = await startSandboxHere(words(argument));
  stage.leave.push(served.stop);
  stage.env['EDGECTL_API_BASE_URL'] = served.ready.apiBaseUrl;
  stage.env['EDGECTL_ACCOUNT_ID'] = served.ready.accountId;
  stage.env['EDGECTL_API_TOKEN'] = served.ready.apiToken;
  for (const [name, value] of Object.entries(served.ready)) stage.variables.set(name, String(value));
}

function writeInto(stage: Stage, name: string, text: string): void {
  const path = resolve(stage.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function screenOf(stage: Stage): Pty {
  if (stage.screen === undefined) throw new Error('no console is open');
  return stage.screen;
}

async function checkScreen({ screen }: Pty, argument: string): Promise<void> {
  const match = /^(has|lacks) (.*)$/.exec(argument);
  if (match === null) throw new Error('say: screen has "text" or screen lacks "text"');
  for (const text of words(match[2] ?? '')) {
    await screen.waitFor(match[1] === 'has' ? text : (shown) => !shown.text().includes(text));
  }
}

async function runCommand(stage: Stage, line: string, step: Step): Promise<void> {
  const typed = words(line);
  const isProcess = typed[0] === 'exec';
  const [name, ...argv] = isProcess ? typed.slice(1) : typed;
  if (name !== 'edgectl') throw new Error('a command begins with edgectl');
  const under = step.under.map((text) => fill(stage, text));
  const run = isProcess || stage.inProcesses ? runProcess : runHere;
  const result = await run(stage, argv, section(under, '<'));
  const told = `\nexit ${result.code}\nstdout:\n${result.stdout}\nstderr:\n${result.stderr}`;
  expect(result.code, told).toBe(Number(section(under, '?')?.trim() ?? 0));
  checkStdout(result.stdout, under, told);
  for (const wanted of lines(under, '!')) expect(result.stderr, told).toContain(wanted);
  for (const pattern of lines(under, '=')) capture(stage, pattern, result.stdout, told);
}

function checkStdout(stdout: string, under: readonly string[], told: string): void {
  const exact = section(under, '>');
  if (exact !== undefined) expect(stdout, told).toBe(exact);
  for (const part of lines(under, '~')) expect(stdout, told).toContain(part);
  for (const part of lines(under, '-')) {
    if (part === '') expect(stdout, told).toBe('');
    else expect(stdout, told).not.toContain(part);
  }
}

/** `= NAME pattern`: the first group of the pattern in stdout becomes the variable `{NAME}`. */
function capture(stage: Stage, text: string, stdout: string, told: string): void {
  const [name = '', ...pattern] = text.split(' ');
  const match = new RegExp(pattern.join(' ')).exec(stdout);
  expect(match, told).not.toBeNull();
  stage.variables.set(name, match?.[1] ?? '');
}

function lines(under: readonly string[], mark: string): string[] {
  return under.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
}

/** Lines under one mark as a text; a last line `\` leaves its line feed out. */
function section(under: readonly string[], mark: string): string | undefined {
  const found = lines(under, mark);
  if (found.length === 0) return undefined;
  return found.at(-1) === '\\' ? found.slice(0, -1).join('\n') : `${found.join('\n')}\n`;
}

function contents(stage: Stage, step: Step): string {
  return (
    section(
      step.under.map((line) => fill(stage, line)),
      '|',
    ) ?? ''
  );
}

function fill(stage: Stage, text: string): string {
  return text.replace(/\{([A-Za-z]\w*)\}/g, (whole, name: string) => stage.variables.get(name) ?? whole);
}

/** Words as a shell has them: quotes, backslash, and $'…' with escapes. */
export function words(line: string): string[] {
  const found: string[] = [];
  const pattern = /\s*((?:\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/gy;
  for (const match of line.matchAll(pattern)) found.push(unquote(match[1] ?? ''));
  return found;
}

function unquote(word: string): string {
  return word.replace(
    /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, ansi?: string, single?: string, double?: string, escaped?: string) => {
      if (ansi !== undefined) return unescapeAnsi(ansi);
      return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
    },
  );
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  e: '\u001b',
  '\\': '\\',
  "'": "'",
};

function unescapeAnsi(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi,
    (_, byte?: string, unit?: string, one?: string) => {
      const code = byte ?? unit;
      return code === undefined
        ? (ansiEscapes[one ?? ''] ?? one ?? '')
        : String.fromCharCode(parseInt(code, 16));
    },
  );
}
