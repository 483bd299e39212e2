import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../src/world.ts';

/** Returns the World of this process as main.ts builds it, with only the parts that the console needs. */
export function processWorld(): World {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  return {
    argv: process.argv.slice(3),
    env: process.env,
    cwd: process.cwd(),
    pid: process.pid,
    folders: {
      config: '/nonexistent',
      state: process.env['XDG_STATE_HOME'] ?? '/nonexistent',
      data: '/nonexistent',
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: () => Date.now(),
    random: (bytes) => randomBytes(bytes),
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
    interrupted: interruption.signal,
  };
}
