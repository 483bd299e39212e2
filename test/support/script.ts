import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { visitEdge } from '../sandbox/workers/test-sandbox.ts';
import { program, userEnvironment } from './program.ts';
import { openPty, type Pty } from './pty.ts';
import { checkText, exitCode, parseKeep, quotedTexts, readStdin } from './script-checks.ts';
import { filled, type Line, parseScript, type Step } from './script-lines.ts';
import { type Result, runHere, runProcess, startSandboxHere } from './script-programs.ts';
import { splitWords } from './shell-words.ts';
import { scratchFolder } from './world.ts';

/**
 * Declares a test for each script of a folder, at the first or the last place in the script's `at` line, alternating from script to script.
 * Commands run in this process, except commands with `exec`, which run in a separate process. With `inProcesses`, as in the soak test, each
 * script runs at each of its places, and all commands run in separate processes. With `every`, only one in `every` scripts runs.
 */
export function playScripts(folder: string, { inProcesses = false, every = 1 } = {}): void {
  describe.concurrent('a script of commands and keys', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    for (const [index, name] of names.sort().entries()) {
      if (index % every !== 0) continue;
      const text = readFileSync(join(folder, name), 'utf8');
      const places = listPlaces(text);
      for (const place of inProcesses ? places : [places.at(index % 2 === 0 ? 0 : -1)]) {
        const title = place === undefined ? name : `${name} on ${place}`;
        const processes = inProcesses ? 'all' : 'wanted';
        test(title, { timeout: 120_000 }, () => runScript(join(folder, name), text, place, processes));
      }
    }
  });
}

/**
 * Runs a script of commands, keys and expectations (see test/scripts/README.md) in an empty folder with an empty home. Errors contain the
 * path and line number of the script.
 */
export async function runScript(
  path: string,
  text: string,
  place?: string,
  processes: Processes = 'wanted',
): Promise<void> {
  const stage: Stage = {
    folder: scratchFolder('script'),
    env: userEnvironment(scratchFolder('home')),
    variables: new Map([['UNKNOWN', 'f'.repeat(32)]]),
    leave: [],
    processes,
    screen: undefined,
    before: undefined,
  };
  try {
    const steps = parseScript(text);
    if (place !== undefined) await enterPlace(stage, place);
    for (const step of steps) await atLine(step, () => runStep(stage, step));
  } catch (error) {
    throw new Error(`${path}:${(error as Error).message}`, { cause: error });
  } finally {
    for (const leave of stage.leave.reverse()) await leave();
  }
}

/** Adds the line number to the errors of `run`, unless they already have one. */
async function atLine(line: Line, run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof LineError) throw error;
    throw new LineError(`${line.number}: ${line.text}\n${(error as Error).message}`, { cause: error });
  }
}

class LineError extends Error {}

/** The commands of a script that run in separate processes: those with `exec`, or all commands. */
type Processes = 'wanted' | 'all';

interface Stage {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly variables: Map<string, string>;
  readonly leave: (() => Promise<void>)[];
  readonly processes: Processes;
  screen: Pty | undefined;
  /** The screen when keys were last pressed, until the next `screen` line. */
  before: string | undefined;
}

/** Returns the places in a script's `at` line; the script runs once for each place. */
function listPlaces(text: string): (string | undefined)[] {
  return /^at (.*)$/m.exec(text)?.[1]?.split(' ') ?? [undefined];
}

/**
 * Sets the variables of a place: `{PLACE}` contains the flags that select the place, `{NS}` a namespace id, and `{AT}` both, with the flag
 * for the namespace id.
 */
async function enterPlace(stage: Stage, place: string): Promise<void> {
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

async function runStep(stage: Stage, unfilled: Step): Promise<void> {
  const step = filled(unfilled, stage.variables);
  const { argument } = step;
  switch (step.word) {
    case 'edgectl':
    case 'exec':
      return runCommand(stage, step);
    case 'at':
      return;
    case 'sandbox':
      return enterSandbox(stage, argument);
    case 'env':
      return setVariable(stage, argument);
    case 'write':
      return writeInto(stage, argument, step.block ?? '');
    case 'file':
      return checkFile(stage, step);
    case 'visit':
      return visitWorker(stage, splitWords(argument));
    case 'console':
      return openConsole(stage, argument);
    case 'keys':
      return pressKeys(stage, argument);
    case 'screen':
      return checkScreen(stage, step);
    case 'exit':
      expect((await requireScreen(stage).ended).code).toBe(exitCode(argument));
  }
}

/** Sets an environment variable for `NAME=value`, and unsets it for `NAME=`. */
function setVariable(stage: Stage, argument: string): void {
  const [, name, value = ''] = /^(\w+)=(.*)$/.exec(argument) ?? [];
  if (name === undefined) throw new Error('expected: env NAME=value');
  if (value === '') delete stage.env[name];
  else stage.env[name] = value;
}

async function enterSandbox(stage: Stage, argument: string): Promise<void> {
  const served = await startSandboxHere(splitWords(argument));
  stage.leave.push(served.stop);
  stage.variables.set('sandboxDir', served.folder);
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

/** Sends a request to a worker as a browser does: the worker's hostname resolves to the edge of the sandbox. */
async function visitWorker({ variables }: Stage, [name, path = '/']: readonly string[]): Promise<void> {
  const { port } = new URL(variables.get('edgeUrl') ?? '');
  await visitEdge(Number(port), `${name}.localhost`, path);
}

function openConsole(stage: Stage, argument: string): void {
  const options = { cwd: stage.folder, env: stage.env };
  const typed = splitWords(argument);
  const command = typed[0]?.startsWith('-') === false ? ['console'] : [];
  stage.screen = openPty(process.execPath, [program, ...command, ...typed], options);
  stage.before = undefined;
  stage.leave.push(async () => stage.screen?.kill('SIGKILL'));
}

function requireScreen(stage: Stage): Pty {
  if (stage.screen === undefined) throw new Error('no console is open');
  return stage.screen;
}

function pressKeys(stage: Stage, argument: string): void {
  const { screen, press } = requireScreen(stage);
  stage.before ??= screen.text();
  press(...splitWords(argument).map((word) => word.replace(/^<(.+)>$/, '$1')));
}

/**
 * Checks the screen. Rejects an expected string that was on the screen before the keys were pressed, because on a busy machine the next
 * keys would be sent too early.
 */
async function checkScreen(stage: Stage, { negated, argument }: Line): Promise<void> {
  const { screen } = requireScreen(stage);
  const texts = quotedTexts(argument);
  const { before } = stage;
  stage.before = undefined;
  if (before !== undefined && texts.every((text) => before.includes(text) !== negated))
    throw new Error('this was already true before the keys: name something that they change');
  for (const text of texts) {
    await screen.waitFor(negated ? (shown) => !shown.text().includes(text) : text);
  }
}

async function runCommand(stage: Stage, step: Step): Promise<void> {
  const isWanted = step.word === 'exec';
  const [name, ...argv] = splitWords(isWanted ? step.argument : `edgectl ${step.argument}`);
  if (name !== 'edgectl') throw new Error('expected: exec edgectl …');
  const stdin = readStdin(step.below.map((line) => filled(line, stage.variables)));
  const isProcess = stage.processes === 'all' || (isWanted && stage.processes === 'wanted');
  const result = await (isProcess ? runProcess : runHere)(stage, argv, stdin);
  const output = `\nexit ${result.code}\nstdout:\n${result.stdout}\nstderr:\n${result.stderr}`;
  if (!step.below.some(({ word }) => word === 'exit')) expect(result.code, output).toBe(0);
  for (const line of step.below) await atLine(line, () => checkResult(stage, line, result, output));
}

function checkResult(stage: Stage, unfilled: Line, result: Result, output: string): void {
  const line = filled(unfilled, stage.variables);
  const { argument } = line;
  if (line.word === 'exit') expect(result.code, output).toBe(exitCode(argument));
  else if (line.word === 'stdout') checkText(line, argument, result.stdout, output);
  else if (line.word === 'stderr') checkText(line, argument, result.stderr, output);
  else if (line.word === 'keep') stage.variables.set(...parseKeep(argument, result.stdout, output));
}

/** Checks the content of a file (`file PATH …`, with the arguments of `stdout`), or that the file does not exist (`! file PATH`). */
function checkFile(stage: Stage, line: Line): void {
  const [, name = '', rest = ''] = /^(\S+) ?(.*)$/.exec(line.argument) ?? [];
  const path = join(stage.folder, name);
  if (line.negated && rest === '') expect(existsSync(path), 'the file exists').toBe(false);
  else checkText(line, rest, readFileSync(path, 'utf8'), '');
}
