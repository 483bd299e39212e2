import { expect, test } from 'vitest';
import { typedPath } from '../../src/files/typed-path.ts';

const world = { cwd: '/work', env: { HOME: '/home/ada' } };

test.each([
  ['notes.txt', '/work/notes.txt'],
  ['~', '/home/ada'],
  ['~/notes.txt', '/home/ada/notes.txt'],
  ['~ada/x', '/work/~ada/x'],
  ['/etc/x', '/etc/x'],
])('takes %s for %s', (typed, path) => {
  expect(typedPath(world, typed)).toBe(path);
});

test('takes ~ for a name where there is no home', () => {
  expect(typedPath({ cwd: '/work', env: {} }, '~/x')).toBe('/work/~/x');
});
