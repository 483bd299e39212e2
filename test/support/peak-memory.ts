import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { program, userEnvironment } from './program.ts';
import type { Person } from './run-command.ts';

/** The result of running the built program, and the peak resident memory of its process in bytes. */
export interface Measured {
  readonly code: number | null;
  readonly peakBytes: number;
  readonly err: string;
}

const reporter = `process.on('exit', () => {
  require('node:fs').writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS * 1024));
});`;

/** Runs the built program in a separate process, with its stdout in a file in the person's folder. */
export async function runMeasured(
  person: Person,
  argv: readonly string[],
  stdout: string,
): Promise<Measured> {
  const peakFile = join(person.home, 'peak');
  const preload = join(person.home, 'report-peak.cjs');
  writeFileSync(preload, reporter);
  const child = spawn(process.execPath, ['--require', preload, program, ...argv], {
    cwd: person.cwd,
    env: { ...userEnvironment(person.home), ...person.env, PEAK_FILE: peakFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const err: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const written = pipeline(child.stdout, createWriteStream(join(person.cwd, stdout)));
  const [code] = await once(child, 'close');
  await written;
  return { code, peakBytes: Number(readFileSync(peakFile, 'utf8')), err: Buffer.concat(err).toString() };
}
