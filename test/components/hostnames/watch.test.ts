import { expect, onTestFinished, test } from 'vitest';
import { idsToRead, isNews, Watch } from '../../../components/hostnames/watch.ts';
import { LiveSwitch } from '../../../components/kit/live-switch.ts';
import { asProblem, Problem } from '../../../src/model/problem.ts';
import { hostname, memoryHostnames, saas } from '../memory-hostnames.ts';

/** Opens a watch of one hostname. `pauses` contains, for each wait, how many consecutive reads found no change. */
function watched() {
  const memory = memoryHostnames([hostname('p.com', 'pending')], Date.UTC(2026, 10, 21));
  const pauses: number[] = [];
  const notices: Array<string | undefined> = [];
  let seen = memory.records[0];
  const pause = (quiet: number) => {
    pauses.push(quiet);
    return 1;
  };
  const parts = {
    services: { hostnames: { ...memory.service, pause } },
    notify: (notice: string | undefined) => void notices.push(notice),
    live: new LiveSwitch(true),
  };
  const watch = new Watch(parts, {
    zone: saas,
    rows: () => (seen === undefined ? [] : [{ record: seen }]),
    found([change]) {
      const before = seen;
      seen = change?.row?.record;
      return isNews(before && { record: before }, seen && { record: seen });
    },
    run: ({ work, done, failed }) =>
      void work(new AbortController().signal).then(done, (error: unknown) => failed(asProblem(error))),
    way: 'Press r to reload.',
  });
  onTestFinished(() => watch.stop());
  watch.follow();
  return { memory, pauses, notices, watch };
}

test('reads pending hostnames in turn, a few at a time', () => {
  const waiting = Array.from({ length: 6 }, (_, at) => ({ record: hostname(`p${at}`, 'pending') }));
  const rows = [{ record: hostname('a.com') }, { record: hostname('m.com', 'moved') }, ...waiting];
  expect(idsToRead(rows, 0)).toEqual(['id-p0', 'id-p1', 'id-p2', 'id-p3']);
  expect(idsToRead(rows, 1)).toEqual(['id-p4', 'id-p5', 'id-p0', 'id-p1']);
  expect(idsToRead([rows[0], rows[1], undefined], 0)).toEqual([]);
});

test('waits longer after each reading without changes, resets the interval after a change, and stops if no hostname is pending', async () => {
  const { memory, pauses } = watched();
  await expect.poll(() => pauses.length).toBeGreaterThan(3);
  expect(pauses.slice(0, 4)).toEqual([0, 1, 2, 3]);
  memory.change('p.com', { verification_errors: ['not yet'] });
  await expect.poll(() => pauses.lastIndexOf(0)).toBeGreaterThan(0);
  memory.change('p.com', { status: 'active', ssl: { status: 'active' } });
  await expect.poll(() => memory.calls.length).toBe(pauses.length);
});

test('reports a failed reading, and reads nothing until the watch is restarted', async () => {
  const { memory, pauses, notices, watch } = watched();
  memory.failNext('readAgain', new Problem('unreachable', 'No answer\u001b.'));
  await expect.poll(() => notices).toEqual(['No longer live: No answer\u001b. Press r to reload.']);
  const { length } = pauses;
  watch.follow();
  expect(pauses.length).toBe(length);
  watch.restart();
  await expect.poll(() => pauses.length).toBeGreaterThan(length + 1);
});
