import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { common } from '../../build/options.mjs';

/** A process that performs one task of `processes.ts` on a root. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the next line of the process's output. */
  line(): Promise<string>;
  kill(): Promise<void>;
  /** Resolves when the process has ended; rejects with the output if the process failed. */
  ended(): Promise<void>;
}

let bundle: string | undefined;

/**
 * Bundles `processes.ts` into one JavaScript file, because Node takes four times as long to start if it strips the types of each module.
 */
function bundled(): string {
  if (bundle !== undefined) return bundle;
  const outfile = join(mkdtempSync(join(tmpdir(), 'processes-')), 'processes.mjs');
  const entryPoints = [fileURLToPath(new URL('processes.ts', import.meta.url))];
  buildSync({ ...common, minify: false, format: 'esm', entryPoints, outfile });
  bundle = outfile;
  return outfile;
}

/** Starts `processes.ts <task> <root> ...`. */
export function start(task: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, [bundled(), task, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'close');
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  const lines = child.stdout.setEncoding('utf8');
  return {
    pid: child.pid ?? 0,
    line: async () => String((await Promise.race([once(lines, 'data'), exit.then(() => fail(said))]))[0]),
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    ended: async () => {
      const [code] = await exit;
      if (code !== 0) fail(said);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function fail(said: string): never {
  throw new Error(`the process ended: ${said}`);
}
