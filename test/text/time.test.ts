import { describe, expect, test } from 'vitest';
import {
  closeDuration,
  compactDuration,
  parseDuration,
  parseUnitDuration,
  relativeTime,
} from '../../src/text/time.ts';

describe('a duration', () => {
  test.each([
    ['90', 90],
    ['0', 0],
    ['90s', 90],
    ['90m', 5400],
    ['7d', 604_800],
    ['2w', 1_209_600],
    ['1h30m', 5400],
    ['1d2h3m4s', 93_784],
  ])('parses %s as %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each([
    '',
    ' 90',
    '-1',
    '1.5h',
    'abc',
    '1h30',
    '30m1h',
    '1h1h',
    '90 s',
    '1e3',
    '0x10',
    '٣',
    '9007199254740992',
    '9'.repeat(41),
  ])('rejects %j with the correct format', (text) => {
    expect(() => parseDuration(text)).toThrow(
      expect.objectContaining({ code: 'invalid-input', hint: expect.stringContaining('1h30m') }),
    );
  });

  test('requires a unit if it is the time until an expiry', () => {
    expect(parseUnitDuration('30d', '--within')).toBe(2_592_000);
    expect(() => parseUnitDuration('30', '--within')).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        message: '--within: "30" has no unit.',
        hint: expect.stringContaining('For days: --within 30d.'),
      }),
    );
  });

  test.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m'],
    [7199, '1h'],
    [172_800, '2d'],
    [-45, '45s'],
  ])('formats %i seconds as %s', (seconds, shown) => {
    expect(compactDuration(seconds)).toBe(shown);
  });

  test.each([
    [0, '0s'],
    [59, '59s'],
    [61, '1m1s'],
    [3600, '1h'],
    [7199, '1h59m'],
    [36_000, '10h'],
    [39_599, '10h'],
    [183_600, '2d3h'],
    [-5400, '1h30m'],
  ])('formats %i seconds as %s if a coarser unit would mislead', (seconds, shown) => {
    expect(closeDuration(seconds)).toBe(shown);
  });
});

test.each([
  [0, 'now'],
  [0.4, 'now'],
  [259_200, 'in 3 days'],
  [86_400, 'in 1 day'],
  [-7300, '2 h ago'],
  [-90, '1 min ago'],
  [5, 'in 5 s'],
])('formats the time %d seconds from now as "%s"', (seconds, shown) => {
  expect(relativeTime(seconds)).toBe(shown);
});
