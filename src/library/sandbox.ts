import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../cli/version.ts';
import { environmentOf } from '../model/sandbox/ready.ts';
import { advanceSandboxClock } from '../services/sandbox/clock.ts';
import { temporaryFolder } from '../services/sandbox/exec.ts';
import { type RunningSandbox, resetServed, startSandbox as start } from '../services/sandbox/sandbox.ts';
import {
  addFault,
  clearFaults,
  clearRequests,
  listFaults,
  listRequests,
} from '../services/sandbox/traffic.ts';
import type { World } from '../world.ts';
import type { startSandbox as declared, StartOptions, TestSandbox } from './sandbox-types.ts';

/** See `sandbox-types.ts`, which users of the package read. */
export const startSandbox: typeof declared = async (options = {}) => {
  const own = options.dir === undefined ? temporaryFolder() : undefined;
  const removeOwn = () => own !== undefined && rmSync(own, { recursive: true, force: true });
  // A test that is killed by its runner does not close what it has opened.
  process.once('exit', removeOwn);
  const leave = () => {
    process.off('exit', removeOwn);
    removeOwn();
  };
  try {
    return sandboxOver(await startIn(options.dir ?? own ?? '', options), leave);
  } catch (error) {
    leave();
    throw error;
  }
};

function startIn(dir: string, options: StartOptions): Promise<RunningSandbox> {
  return start(worldOf(dir), {
    dir,
    port: options.port ?? 0,
    edgePort: 0,
    edgeTlsPort: 0,
    dnsPort: 0,
    issuanceLimit: options.issuanceLimit,
    onWorkerLog: options.onWorkerLog ?? (() => undefined),
    demo: options.demo ?? false,
    readyFile: undefined,
    warn: (message) => process.emitWarning(message),
    version,
  });
}

function sandboxOver({ ready, folder, send, close }: RunningSandbox, leave: () => void): TestSandbox {
  let closing: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closing ??= close().finally(leave);
    return closing;
  };
  const set = Object.entries(environmentOf(ready, folder)).filter(([, value]) => value !== undefined);
  return {
    ...ready,
    folder,
    env: Object.fromEntries(set) as Readonly<Record<string, string>>,
    requests: (filter) => listRequests(send, filter),
    clearRequests: () => clearRequests(send),
    addFault: (fault) => addFault(send, fault),
    faults: () => listFaults(send),
    clearFaults: (id) => clearFaults(send, id),
    advanceClock: async (seconds) => void (await advanceSandboxClock(send, seconds)),
    reset: () => resetServed(send),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** The World of a sandbox in somebody else's process: nothing of their environment has a say. */
function worldOf(dir: string): World {
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
