import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of this test folder's `processes.ts`, doing one named thing to a root. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** Resolves at the next line of its output. */
  line(): Promise<string>;
  kill(): Promise<void>;
  /** Resolves when it has ended by itself; rejects with what it said when it failed. */
  ended(): Promise<void>;
}

/** Starts `node processes.ts <task> <root> ...`. */
export function start(task: string, ...args: readonly string[]): Child {
  const script = fileURLToPath(new URL('processes.ts', import.meta.url));
  const child = spawn(process.execPath, [script, task, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
