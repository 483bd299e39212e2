import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Returns the size of the young generation after work that creates much garbage, some of which lives for a while. */
function roomAfter(keep: 'keepHeapSmall' | 'limitYoungHeap'): number {
  const module = JSON.stringify(resolve(import.meta.dirname, '../src/heap.ts'));
  const work = `import{getHeapSpaceStatistics}from'node:v8';import{${keep}}from${module};
    const look=${keep}()??(()=>undefined);let alive=[];
    for(let at=0;at<3e5;at+=1){alive.push({at});if(at%20000===0)alive=[];if(at%100===0)look()}
    process.stdout.write(String(getHeapSpaceStatistics().find((one)=>one.space_name==='new_space').space_size))`;
  return Number(execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', work]));
}

test('an export has a larger limit for the young generation than other commands', () => {
  const [small, bounded] = [roomAfter('keepHeapSmall'), roomAfter('limitYoungHeap')];
  expect(small).toBeLessThan(3_000_000);
  expect(bounded).toBeGreaterThan(2 * small);
  expect(bounded).toBeLessThan(20_000_000);
});
