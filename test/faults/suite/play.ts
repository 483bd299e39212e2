import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CommandLine, commandLines, titleOf } from './command-lines.ts';
import { isEnvelope } from './fault.ts';
import { type FaultRunner, type FaultyRun, openFaultRunner } from './fault-runner.ts';
import { placeOf } from './faulty-server.ts';
import { faultsOf } from './judge.ts';
import type { FaultCase, FaultSpot, Script } from './scripts.ts';

export interface PlayOptions {
  readonly lines?: readonly CommandLine[];
  /** Maximum milliseconds of real time per run. */
  readonly deadline?: number;
  /** Whether timers use a simulated clock, so that waiting takes no time. */
  readonly isClocked?: boolean;
  /** Returns additional errors in a run, as sentences. */
  readonly alsoWrong?: (seen: FaultyRun) => readonly string[];
}

/**
 * Optional requests whose result has a default: information that the embedded platform reports about itself, and whether the server in a
 * lease holds the folder.
 */
const trials = new Set(['GET /client/v4/sandbox/info', 'GET /client/v4/sandbox/lease']);

function isOptional({ optional }: CommandLine, place: string): boolean {
  return (
    trials.has(place) ||
    (optional ?? []).some((one) => (typeof one === 'string' ? place.endsWith(one) : one.test(place)))
  );
}

/** Answers that contain stored values in an envelope. */
const holdsValues = /\/bulk\/get$/;

/** The timers that the simulated clock replaces: those of the suite and of the HTTP client. */
const clocked: ('setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval')[] = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
];

/** Maximum milliseconds for all scenes of a command line, of which the soak tests play thousands; each scene has its own deadline. */
const timeoutMs = 60 * 60_000;

/** Returns a runner for all tests of a file, which records each command line once. */
export function sharedFaultRunner(): () => FaultRunner {
  let runner: FaultRunner | undefined;
  beforeAll(async () => {
    runner = await openFaultRunner();
  });
  afterAll(() => runner?.close());
  return () => {
    if (runner === undefined) throw new Error('the runner is open only while tests run');
    return runner;
  };
}

/** Declares a test for each command line: the test runs the scenes of the line with a faulty server, and expects no error. */
export function playEvery(runner: () => FaultRunner, script: Script, options: PlayOptions = {}): void {
  let count = 0;
  const commands = new Set<string>();
  beforeAll(() => {
    if (options.isClocked) vi.useFakeTimers({ toFake: clocked });
  });
  afterAll(() => {
    vi.useRealTimers();
    if (process.env['EDGECTL_SUITE_COUNTS']) console.log(`${count} cases, ${commands.size} commands`);
  });
  const lines = (options.lines ?? commandLines).map((line, index) => ({ line, index, title: titleOf(line) }));
  it.each(lines)(
    '$title',
    async ({ line, index }) => {
      const scenes = script(await readPlaces(runner(), line), index, line);
      const wrong: string[] = [];
      for (const scene of scenes) wrong.push(...(await playCase(runner(), line, scene, options)));
      count += scenes.length;
      if (scenes.length > 0) commands.add(line.words);
      expect(wrong).toEqual([]);
    },
    timeoutMs,
  );
}

async function readPlaces(runner: FaultRunner, line: CommandLine): Promise<FaultSpot[]> {
  const { exchanges } = await runner.record(line);
  const places = new Map(exchanges.map(({ passing, right }) => [placeOf(passing), right]));
  return [...places].map(([place, right]) => ({ place, right }));
}

async function playCase(
  runner: FaultRunner,
  line: CommandLine,
  { fault, place, right, json }: FaultCase,
  { alsoWrong, isClocked = false, deadline }: PlayOptions,
): Promise<string[]> {
  const plot = { misbehave: fault.begin(), place, deadline };
  const performing = runner.perform(line, plot, json ? ['--json'] : []);
  const seen = await (isClocked ? passing(runner, performing) : performing);
  const asked = seen.requests.filter((one) => placeOf(one) === place);
  const law = {
    mayPass: fault.mayPass(right, asked) || isOptional(line, place) || asked.length === 0,
    secrets: [runner.stage.access.apiToken],
    json,
    isRaw: !isEnvelope(right) || holdsValues.test(place),
  };
  const printed = json ? undefined : fault.body?.(right);
  const wrong = [...faultsOf(seen, law), ...wrongBytes(line, seen, printed), ...(alsoWrong?.(seen) ?? [])];
  return wrong.map((sentence) => `${place}${json ? ' --json' : ''}: ${fault.name}: ${sentence}`);
}

/** Reports missing output: all received bytes must be printed, and a failed command must leave no file. */
function wrongBytes({ printsBody, output }: CommandLine, { ran, cwd }: FaultyRun, body?: Buffer): string[] {
  const isOther = printsBody && ran.code === 0 && body !== undefined && ran.out !== body.toString();
  const isLeft = output !== undefined && ran.code !== 0 && existsSync(join(cwd, output));
  return [
    isOther && 'the printed bytes differ from the received bytes',
    isLeft && `${output} exists after a failure`,
  ].filter((fault) => typeof fault === 'string');
}

const realTimeout = setTimeout;

/**
 * Advances the simulated clock until a command has ended, but only while the command waits for the server. After twenty minutes, which is
 * the longest allowed wait, the function waits in real time, because the command must be using a timer that cannot be simulated.
 */
async function passing<T>(runner: FaultRunner, performing: Promise<T>): Promise<T> {
  let ended = false;
  const done = performing.finally(() => {
    ended = true;
  });
  for (let seconds = 0; !ended; ) {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((settle) => setImmediate(settle));
    if (!runner.isHeld()) continue;
    if (seconds > 1200) await new Promise((settle) => realTimeout(settle, 20));
    seconds += 1;
    runner.elapse(1000);
    vi.advanceTimersByTime(1000);
  }
  return done;
}
