import { expect, test } from 'vitest';
import { abbreviateHome, resolveTypedPath } from '../../src/files/typed-path.ts';

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

test.each([
  ['Wrote 2 keys to /home/ada/a.ndjson.', 'Wrote 2 keys to ~/a.ndjson.'],
  ['/home/ada/a b to /home/ada/c', '~/a b to ~/c'],
  [
    'Wrote 2 keys to /home/adam/a, /x/home/ada/a and /home/ada.',
    'Wrote 2 keys to /home/adam/a, /x/home/ada/a and /home/ada.',
  ],
])('abbreviates the home folder in "%s"', (text, shown) => {
  expect(abbreviateHome(world, text)).toBe(shown);
});

test('abbreviates no path if there is no home folder, or if it is the root folder', () => {
  expect(abbreviateHome({ env: {} }, 'to /home/ada/a')).toBe('to /home/ada/a');
  expect(abbreviateHome({ env: { HOME: '/' } }, 'to /home/ada/a')).toBe('to /home/ada/a');
});
