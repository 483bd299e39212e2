import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { program } from './program.ts';

/** A finished run of edgectl. */
export interface Ran {
  readonly code: number | null;
  /** The text of standard output and standard error. */
  readonly said: string;
  /** The highest resident set, in MB. The system records the peak, so reading it occasionally is enough. */
  readonly peak: number;
  readonly seconds: number;
}

/** A running edgectl process. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Returns the highest resident set of a process so far, in MB; 0 if it has exited. */
export function peakMemory(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Starts the built edgectl; standard input and output are files if given. */
export function startMeasured(
  cwd: string,
  env: Record<string, string>,
  argv: readonly string[],
  files: { readonly in?: string; readonly out?: string } = {},
): Running {
  const stdin = files.in === undefined ? 'ignore' : openSync(files.in, 'r');
  const stdout = files.out === undefined ? 'pipe' : openSync(files.out, 'w');
  const child = spawn(process.execPath, [program, ...argv], { cwd, env, stdio: [stdin, stdout, 'pipe'] });
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const began = performance.now();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMemory(child.pid));
  }, 20);
  const ended = new Promise<Ran>((resolve) => {
    child.once('close', (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - began) / 1000;
      resolve({ code, said: Buffer.concat(said).toString(), peak, seconds });
    });
  });
  return { child, ended };
}
