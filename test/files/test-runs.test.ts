import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { firstFiles } from '../support/longest-first.ts';
import { canHoldTests, removeLeftOver } from '../support/scratch.ts';
import { scratchFolder } from '../support/world.ts';

test('keeps all temporary files of a run under one folder', () => {
  expect(basename(tmpdir())).toMatch(/^edgectl-tests-\d+$/);
});

test('deletes the leftovers of a killed run, and nothing that other runs use', () => {
  const folder = scratchFolder('parent');
  const { pid: ended } = spawnSync('true');
  const saved = [`edgectl-tests-${process.pid}`, 'edgectl-tests-', 'else'];
  for (const name of [`edgectl-tests-${ended}`, ...saved]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file'), 'x');
  }
  removeLeftOver(folder);
  expect(readdirSync(folder).toSorted()).toEqual(saved.toSorted());
  expect(() => removeLeftOver(join(folder, 'not there'))).not.toThrow();
});

test('does not choose a folder for tests that is missing or read-only', () => {
  expect(canHoldTests('/proc')).toBe(false);
  expect(canHoldTests(join(scratchFolder(), 'not there'))).toBe(false);
});

test('the list of test files that must run first contains only existing files', () => {
  expect(firstFiles.filter((name) => !existsSync(join('test', name)))).toEqual([]);
});
