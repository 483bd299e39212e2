import { expect, test } from 'vitest';
import { typedPath } from '../../src/files/typed-path.ts';

const world = { cwd: '/project', env: { HOME: '/home/ada' } };

test.each([
  ['notes.txt', '/project/notes.txt'],
  ['~', '/home/ada'],
  ['~/notes.txt', '/home/ada/notes.txt'],
  ['~ada/x', '/project/~ada/x'],
  ['/etc/x', '/etc/x'],
])('takes %s for %s', (typed, path) => {
  expect(typedPath(world, typed)).toBe(path);
});

test('takes ~ for a name where there is no home', () => {
  expect(typedPath({ cwd: '/project', env: {} }, '~/x')).toBe('/project/~/x');
});
