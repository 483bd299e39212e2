import { expect, test } from 'vitest';
import { resolveTypedPath } from '../../src/files/typed-path.ts';

const world = { cwd: '/project', env: { HOME: '/home/ada' } };

test.each([
  ['notes.txt', '/project/notes.txt'],
  ['~', '/home/ada'],
  ['~/notes.txt', '/home/ada/notes.txt'],
  ['~ada/x', '/project/~ada/x'],
  ['/etc/x', '/etc/x'],
])('takes %s for %s', (typed, path) => {
  expect(resolveTypedPath(world, typed)).toBe(path);
});

test('takes ~ for a name where there is no home', () => {
  expect(resolveTypedPath({ cwd: '/project', env: {} }, '~/x')).toBe('/project/~/x');
});
