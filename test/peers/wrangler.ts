import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Run {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Standard output and error, for messages. */
  readonly said: string;
}

export interface Wrangler {
  /** Runs the real wrangler in the given folder; its configuration and logs lie below it. */
  (...args: string[]): Promise<Run>;
  /** The same under other environment variables; an undefined one is unset. */
  with(env: Record<string, string | undefined>): Wrangler;
}

const program = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);

/** As many at a time as two cores can bear. */
let free = 3;
const waiting: (() => void)[] = [];

/** Does one after another where more than that are asked for, in the order of asking. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

/** The real wrangler as a client of `apiBaseUrl`, which is the only host it can reach. */
export function wranglerIn(folder: string, env: Record<string, string | undefined>): Wrangler {
  const run = (...args: string[]) => inTurn(() => spawn(folder, env, args));
  return Object.assign(run, {
    with: (other: Record<string, string | undefined>) => wranglerIn(folder, { ...env, ...other }),
  });
}

function spawn(folder: string, env: Record<string, string | undefined>, args: string[]): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const options = {
    cwd: folder,
    encoding: 'buffer' as const,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      ...env,
    },
  };
  const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
    const code = error === null ? 0 : Number(error.code);
    resolve({ code, stdout, stderr: stderr.toString(), said: `${stdout}\n${stderr}` });
  });
  child.stdin?.end();
  return promise;
}
