import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { slowestFiles } from '../support/longest-first.ts';
import { canHoldTests, removeLeftOver } from '../support/scratch.ts';
import { scratchFolder } from '../support/world.ts';

test('all temporary files of a run lie below one folder', () => {
  expect(basename(tmpdir())).toMatch(/^edgectl-tests-\d+$/);
});

test('what a killed run has left behind goes; what others use stays', () => {
  const folder = scratchFolder('parent');
  const { pid: ended } = spawnSync('true');
  const kept = [`edgectl-tests-${process.pid}`, 'edgectl-tests-', 'else'];
  for (const name of [`edgectl-tests-${ended}`, ...kept]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), 'x');
  }
  removeLeftOver(folder);
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  expect(() => removeLeftOver(join(folder, 'not there'))).not.toThrow();
});

test('tests are not sent to a folder that is not there, or takes no files', () => {
  expect(canHoldTests('/proc')).toBe(false);
  expect(canHoldTests(join(scratchFolder(), 'not there'))).toBe(false);
});

test('the files that are to run first are there', () => {
  expect(slowestFiles.filter((name) => !existsSync(join('test', name)))).toEqual([]);
});
