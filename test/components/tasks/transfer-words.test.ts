import { expect, test } from 'vitest';
import { progressTeller, progressWords } from '../../../components/tasks/transfer-words.ts';
import type { Progress } from '../../../src/model/progress.ts';

test.each([
  [{ phase: 'uploading', unit: 'bytes', done: 1, total: 3 }, 'uploading 33%'],
  [{ phase: 'downloading', unit: 'bytes', done: 2_500_000 }, 'downloading 2.5 MB'],
  [{ phase: 'deleting', unit: 'objects', done: 2000 }, 'deleting 2,000 objects'],
  [{ phase: 'copying', unit: 'bytes', done: 0, total: 0 }, 'copying 0 B'],
  [{ phase: 'copying', unit: 'bytes', done: 9, total: 3 }, 'copying 100%'],
] as const)('says how far something is: %j', (progress, words) => {
  expect(progressWords({ retries: 0, failed: 0, ...progress })).toBe(words);
});

test('tells progress only when its words change, and nothing once it is stopped', () => {
  const told: string[] = [];
  const stop = new AbortController();
  const tell = progressTeller(stop.signal, (words) => told.push(words));
  const at = (done: number): Progress => ({
    phase: 'uploading',
    unit: 'bytes',
    done,
    total: 1000,
    retries: 0,
    failed: 0,
  });
  for (const done of [1, 2, 10, 11]) tell(at(done));
  stop.abort();
  tell(at(500));
  expect(told).toEqual(['uploading 0%', 'uploading 1%']);
});
