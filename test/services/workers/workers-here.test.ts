import { expect, test } from 'vitest';
import { shareWorkers } from '../../../src/services/workers/shared-workers.ts';

/** Records what was opened and closed, in order; closing waits for `gate`. */
function counted(gate: Promise<void> = Promise.resolve()) {
  const log: string[] = [];
  let serial = 0;
  const here = shareWorkers(async () => {
    const edgeUrl = `http://localhost:${++serial}`;
    log.push(`open ${serial}`);
    const mine = serial;
    const close = async () => {
      await gate;
      log.push(`close ${mine}`);
    };
    return { edgeUrl, close };
  });
  return { log, here };
}

test('serves all callers with one runtime, and stops it when the last caller leaves', async () => {
  const { log, here } = counted();
  const [one, other] = [new AbortController(), new AbortController()];
  expect(await here.run(one.signal)).toBe('http://localhost:1');
  expect(await here.run(other.signal)).toBe('http://localhost:1');
  one.abort();
  expect(log).toEqual(['open 1']);
  other.abort();
  await here.close();
  expect(log).toEqual(['open 1', 'close 1']);
});

test('starts a runtime only after the previous runtime has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { log, here } = counted(promise);
  const one = new AbortController();
  await here.run(one.signal);
  one.abort();
  const again = here.run(new AbortController().signal);
  resolve();
  expect(await again).toBe('http://localhost:2');
  expect(log).toEqual(['open 1', 'close 1', 'open 2']);
  await here.close();
  expect(log.at(-1)).toBe('close 2');
});

test('retries after a failure, and stops a runtime whose callers have left before it started', async () => {
  let fails = true;
  const log: string[] = [];
  const here = shareWorkers(async () => {
    if (fails) throw new Error('not now');
    log.push('open');
    return { edgeUrl: 'http://localhost:1', close: async () => void log.push('close') };
  });
  await expect(here.run(new AbortController().signal)).rejects.toThrow('not now');
  fails = false;
  await here.run(new AbortController().signal);
  await here.close();
  expect(log).toEqual(['open', 'close']);
});

test('starts nothing for a caller that leaves before the start', async () => {
  const { log, here } = counted();
  await expect(here.run(AbortSignal.abort())).rejects.toThrow();
  expect(log).toEqual([]);
});
