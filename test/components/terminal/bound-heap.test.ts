import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Draws frames of which each lives as long as the next twenty, and says what V8 made of that, in a process of its own. */
const frames = `
import { cachedDataVersionTag, getHeapSpaceStatistics } from 'node:v8';
import { HeapBound } from './components/terminal/bound-heap.ts';
const heap = new HeapBound();
const known = cachedDataVersionTag();
const kept = [];
let young = 0;
for (let frame = 0; frame < 400; frame++) {
  kept.push(Array.from({ length: 4000 }, (_, cell) => ({ cell, frame })));
  if (kept.length > 20) kept.shift();
  heap.look();
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  young = Math.max(young, space_size);
}
heap.release();
console.log(JSON.stringify({ young, isReleased: cachedDataVersionTag() === known }));
`;

it('bounds what is young, and leaves V8 as it was', () => {
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', frames], {
    encoding: 'utf8',
  });
  const { young, isReleased } = JSON.parse(out);
  expect(isReleased).toBe(true);
  expect(young).toBeLessThan(20_000_000);
});
