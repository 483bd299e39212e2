import { expect, test } from 'vitest';
import { resolveTypedPath } from '../../src/files/typed-path.ts';

const world = { cwd: '/project', env: { HOME: '/home/ada' } };

test.each([
  ['notes.txt', '/project/notes.txt'],
  ['~', '/home/ada'],
  ['~/notes.txt', '/home/ada/notes.txt'],
  ['~ada/x', '/project/~ada/x'],
  ['/etc/x', '/etc/x'],
])('resolves %s to %s', (typed, path) => {
  expect(resolveTypedPath(world, typed)).toBe(path);
});

test('treats ~ as a name if there is no home folder', () => {
  expect(resolveTypedPath({ cwd: '/project', env: {} }, '~/x')).toBe('/project/~/x');
});
