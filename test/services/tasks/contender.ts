import { randomBytes } from 'node:crypto';
import { unlinkSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProblem } from '../../../src/model/problem.ts';
import { openTaskFiles } from '../../../src/services/tasks/files.ts';

/**
 * A process that receives task ids, one per line, and enters a section that only one process at a time may enter for a task. For each id,
 * prints `in` if the process entered the section, `busy` if it was refused, or the error if another process was inside.
 */
const [, , state = ''] = process.argv;
const files = openTaskFiles({
  argv: [],
  env: {},
  cwd: state,
  pid: process.pid,
  folders: { config: state, state, data: state },
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  now: () => Date.now(),
  random: (bytes) => randomBytes(bytes),
  sleep: async (milliseconds) => sleep(milliseconds),
  interrupted: new AbortController().signal,
});

async function attempt(id: string): Promise<string> {
  const inside = `${state}/inside-${id}`;
  try {
    await files.exclusively(id, async () => {
      writeFileSync(inside, '', { flag: 'wx' });
      await sleep(2);
      unlinkSync(inside);
    });
    return 'in';
  } catch (error) {
    return isProblem(error) ? 'busy' : String(error);
  }
}

process.stdout.write('ready\n');
for await (const id of createInterface(process.stdin)) process.stdout.write(`${await attempt(id)}\n`);
