import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/**
 * A script for a separate process. Draws frames, each of which stays alive during the next twenty frames, and prints the heap statistics.
 */
const frames = `
import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8';
import { HeapBound } from './components/kit/terminal/bound-heap.ts';
const heap = new HeapBound();
const known = cachedDataVersionTag();
const kept = [];
let young = 0;
for (let frame = 0; frame < 400; frame++) {
  kept.push(Array.from({ length: 4000 }, (_, cell) => ({ cell, frame })));
  if (kept.length > 20) kept.shift();
  heap.check();
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  young = Math.max(young, space_size);
}
heap.release();
console.log(JSON.stringify({ young, isReleased: cachedDataVersionTag() === known }));
`;

it('limits the young generation, and restores the V8 flags', () => {
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', frames], {
    encoding: 'utf8',
  });
  const { young, isReleased } = JSON.parse(out);
  expect(isReleased).toBe(true);
  expect(young).toBeLessThan(20_000_000);
});

/** A script that creates as much garbage as a console does in a few minutes; each object is old before it becomes garbage. */
const growing = `
import { getHeapSpaceStatistics } from 'node:v8';
import { setImmediate as turn } from 'node:timers/promises';
import { HeapBound } from './components/kit/terminal/bound-heap.ts';
const heap = new HeapBound();
const kept = [];
let old = 0;
for (let frame = 0; frame < 1200; frame++) {
  kept.push(Array.from({ length: 600 }, (_, cell) => ({ cell, frame, text: [cell] })));
  if (kept.length > 100) kept.shift();
  heap.check();
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  old = Math.max(old, space_size);
  await turn();
}
console.log(String(old));
`;

it('limits the old generation before the first collection by V8', () => {
  const argv = ['--no-warnings', '--input-type=module', '-e', growing];
  expect(Number(execFileSync(process.execPath, argv, { encoding: 'utf8' }))).toBeLessThan(35_000_000);
});
