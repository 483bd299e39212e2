import { renameSync } from 'node:fs';
import { withBriefLock } from '../../../src/lock.ts';
import { openPaceFile } from '../../../src/services/pace/pace-file.ts';
import { openRequestPacer } from '../../../src/v4/budget.ts';
import { foldersIn, testWorld } from '../../support/world.ts';

// A process of a user. `take HOME COUNT` admits requests and prints the time of each; `hold LOCK` acquires a lock and never releases it;
// `stop HOME` increments `closedUntil`, and stops this process while it holds the lock; `busy LOCK` holds the lock with a new token each
// millisecond, as many processes would.
const [what = '', path = '', count = '0'] = process.argv.slice(2);
const world = testWorld({ folders: foldersIn(path), cwd: '/' });
if (what === 'hold') {
  withBriefLock(path, { world, timeoutMs: 0 }, () => {
    process.stdout.write('held\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  });
} else if (what === 'busy') {
  for (let turn = 0; ; turn++) {
    withBriefLock(`${path}.next`, { world, timeoutMs: 0 }, () => renameSync(`${path}.next`, path));
    if (turn === 0) process.stdout.write('held\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
} else if (what === 'stop') {
  let calls = 0;
  openPaceFile(world, 'a').change((state) => {
    calls++;
    // The first call only determines whether the state changes; the second call runs under the lock.
    if (calls === 2) process.kill(process.pid, 'SIGSTOP');
    return { ...state, closedUntil: state.closedUntil + 1 };
  });
} else {
  const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
  const pacer = openRequestPacer({
    budget: { requests: 20, seconds: 1 },
    store: openPaceFile(world, 'a-secret-1'),
    now: world.now,
    sleep,
  });
  for (let taken = 0; taken < Number(count); taken++) {
    const settle = await pacer.admit({ method: 'GET', path: '/zones' });
    process.stdout.write(`${Date.now()}\n`);
    settle({ status: 200, headers: {} });
  }
}
