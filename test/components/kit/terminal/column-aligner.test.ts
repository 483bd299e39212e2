import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ColumnAligner } from '../../../../components/kit/terminal/column-aligner.ts';

/** Returns the output for strings that are written one after another. */
function writeAll(...texts: string[]): string {
  const columns = new ColumnAligner();
  return texts
    .map((text) => columns.write(text))
    .join('|')
    .replaceAll('\u001b', 'ESC');
}

test.each([
  ['characters of one column stay unchanged', ['│ é → ─ “x” │'], '│ é → ─ “x” │'],
  ['the column is set after a flag', ['a🇩🇪b'], 'a🇩🇪ESC[4Gb'],
  ['the column is set after half a flag', ['🇩b'], '🇩ESC[2Gb'],
  ['the column is set after a skin tone, which some terminals draw separately', ['👍🏽│'], '👍🏽ESC[3G│'],
  ['the column is set after combining marks', ['e\u0301x'], 'e\u0301ESC[2Gx'],
  ['styles take no column', ['\u001b[1m日\u001b[22mx'], 'ESC[1m日ESC[3GESC[22mx'],
  ['each line starts at column 0', ['ab\n日x'], 'ab\n日ESC[3Gx'],
  ['a cursor jump is tracked', ['\u001b[10G日x'], 'ESC[10G日ESC[12Gx'],
  ['a relative cursor jump is tracked', ['\u001b[1G\u001b[4C日x'], 'ESC[1GESC[4C日ESC[7Gx'],
  ['a jump to the corner is tracked', ['\u001b[5;8H日x\u001b[H日'], 'ESC[5;8H日ESC[10GxESC[H日ESC[3G'],
  ['no column is set if it is unknown', ['abc', '日x\r日x'], 'abc|日x\r日ESC[3Gx'],
])('%s', (_, texts, wanted) => {
  expect(writeAll(...texts)).toBe(wanted);
});

test('resolves the same copy of string-width as Ink', () => {
  const others = ['ink', 'slice-ansi', 'wrap-ansi', 'widest-line', 'cli-truncate'];
  expect(others.filter((name) => existsSync(`node_modules/${name}/node_modules/string-width`))).toEqual([]);
});
