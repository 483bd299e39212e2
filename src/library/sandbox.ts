import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../model/json-object.ts';
import { shortText } from '../model/long-text.ts';
import { Problem } from '../model/problem.ts';
import type { Seed } from '../model/sandbox/seed.ts';
import { version } from '../model/version.ts';
import { advanceSandboxClock } from '../services/sandbox/clock.ts';
import { resetThrough, startSandboxServer as start } from '../services/sandbox/sandbox.ts';
import { loadSeed, type NamedSeed, readSeedFile, readSnapshot } from '../services/sandbox/seed.ts';
import type { RunningSandbox } from '../services/sandbox/start-options.ts';
import { openTemporaryFolder } from '../services/sandbox/temporary.ts';
import {
  addFault,
  clearFaults,
  clearRequests,
  listFaults,
  listRequests,
} from '../services/sandbox/traffic.ts';
import { nearest } from '../text/nearest.ts';
import type { Send } from '../v4/send.ts';
import type { World } from '../world.ts';
import type { startSandbox as declared, StartOptions, TestSandbox } from './sandbox-types.ts';

/** Starts a sandbox. `sandbox-types.ts`, which is part of the package, contains the documentation. */
export const startSandbox: typeof declared = async (options = {}) => {
  checkOptions(options);
  const own = options.dir === undefined ? openTemporaryFolder(process) : undefined;
  const removeOwn = () => own?.remove();
  // Also deletes the folder on exit, because the sandbox may still be open if a test runner stops the test.
  process.once('exit', removeOwn);
  const leave = () => {
    process.off('exit', removeOwn);
    removeOwn();
  };
  try {
    return createTestSandbox(await startIn(options.dir ?? own?.folder ?? '', options), leave);
  } catch (error) {
    leave();
    throw error;
  }
};

async function startIn(dir: string, options: StartOptions): Promise<RunningSandbox> {
  const world = createWorld(dir);
  return start(world, {
    dir,
    port: options.port ?? 0,
    edgePort: 0,
    edgeTlsPort: 0,
    dnsPort: 0,
    s3Port: 0,
    proxyPort: options.proxy === true ? 0 : undefined,
    issuanceLimit: options.issuanceLimit,
    onWorkerLog: options.onWorkerLog ?? (() => undefined),
    demo: options.demo ?? false,
    strict: options.strict,
    ephemeral: options.dir === undefined,
    seed: await readSeed(world, options.seed),
    readyFile: undefined,
    warn: (message) => process.emitWarning(message),
    version,
  });
}

async function readSeed(world: World, seed: StartOptions['seed']): Promise<NamedSeed | undefined> {
  if (seed === undefined) return undefined;
  return typeof seed === 'string' ? readSeedFile(world, seed) : { name: 'seed', value: seed };
}

function createTestSandbox(running: RunningSandbox, leave: () => void): TestSandbox {
  const { ready, folder, variables, close } = running;
  let closing: Promise<void> | undefined;
  const send: Send = async (call) => {
    if (closing === undefined) return running.send(call);
    throw new Problem('refused', 'This sandbox is closed. Start another sandbox with startSandbox().');
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close().finally(leave);
    return closing;
  };
  const set = Object.entries(variables).filter(([, value]) => value !== undefined);
  return {
    ...ready,
    env: Object.fromEntries(set) as Readonly<Record<string, string>>,
    requests: (filter) => listRequests(send, filter),
    clearRequests: () => clearRequests(send),
    addFault: (fault) => addFault(send, fault),
    faults: () => listFaults(send),
    clearFaults: (id) => clearFaults(send, id),
    advanceClock: async (seconds) => void (await advanceSandboxClock(send, seconds)),
    load: async (seed) => {
      const named = await readSeed(createWorld(folder), seed);
      if (named !== undefined) await loadSeed(send, named);
    },
    snapshot: async () => (await readSnapshot(send)) as Seed,
    reset: () => resetThrough(send),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** Creates the World of a sandbox in the process of another program, without that program's environment variables. */
function createWorld(dir: string): World {
  return {
    argv: [],
    env: {},
    cwd: process.cwd(),
    pid: process.pid,
    folders: { config: dir, state: dir, data: dir },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    random: (bytes) => randomBytes(bytes),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    },
    interrupted: new AbortController().signal,
  };
}

/** The valid values of an option: a description, and a function that checks a value. */
interface Expected {
  readonly words: string;
  fits(value: unknown): boolean;
}

const booleanOption: Expected = { words: 'true or false', fits: (value) => typeof value === 'boolean' };

/** The valid values of each option. The type requires an entry for each option. */
const expected: Readonly<Record<keyof StartOptions, Expected>> = {
  dir: { words: 'the path of a folder', fits: isPath },
  demo: booleanOption,
  seed: { words: 'a seed, or the path of a seed file', fits: (value) => isPath(value) || isObject(value) },
  strict: booleanOption,
  proxy: booleanOption,
  port: { words: 'a whole number from 0 to 65535', fits: (value) => isWhole(value, 0, 65_535) },
  issuanceLimit: { words: 'a whole number of at least 1', fits: (value) => isWhole(value, 1) },
  onWorkerLog: { words: 'a function', fits: (value) => typeof value === 'function' },
};

/**
 * Throws a `usage` Problem for unknown options and invalid values, because untyped programs could start the wrong sandbox. An undefined value
 * counts as omitted.
 */
function checkOptions(options: unknown): asserts options is StartOptions {
  if (!isObject(options)) throw invalidOption(`options: ${formatValue(options)} is not an object.`);
  const names = Object.keys(expected);
  for (const [name, value] of Object.entries(options)) {
    const one = new Map<string, Expected>(Object.entries(expected)).get(name);
    if (one === undefined) throw unknownOption(name, names);
    if (value !== undefined && !one.fits(value))
      throw invalidOption(`${name}: ${formatValue(value)} is invalid: it must be ${one.words}.`);
  }
}

function unknownOption(name: string, known: readonly string[]): Problem {
  const meant = nearest(name, known);
  const advice = meant === undefined ? `Valid options: ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return new Problem('usage', `startSandbox has no option ${shortText(name, 60)}. ${advice}`);
}

function invalidOption(words: string): Problem {
  return new Problem('usage', `startSandbox, ${words}`);
}

function formatValue(value: unknown): string {
  return shortText(typeof value === 'string' ? JSON.stringify(value) : String(value), 60);
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isWhole(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
