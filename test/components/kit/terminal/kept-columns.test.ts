import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ColumnAligner } from '../../../../components/kit/terminal/column-aligner.ts';

/** Returns the output for some strings, written one after the other. */
function written(...texts: string[]): string {
  const columns = new ColumnAligner();
  return texts
    .map((text) => columns.write(text))
    .join('|')
    .replaceAll('\u001b', 'ESC');
}

test.each([
  ['letters of one column stay as they are', ['│ é → ─ “x” │'], '│ é → ─ “x” │'],
  ['behind a flag the column is set', ['a🇩🇪b'], 'a🇩🇪ESC[4Gb'],
  ['and behind half of one', ['🇩b'], '🇩ESC[2Gb'],
  ['and behind a colour of skin, which some draw apart', ['👍🏽│'], '👍🏽ESC[3G│'],
  ['and behind marks', ['e\u0301x'], 'e\u0301ESC[2Gx'],
  ['styles take no column', ['\u001b[1m日\u001b[22mx'], 'ESC[1m日ESC[3GESC[22mx'],
  ['each line begins anew', ['ab\n日x'], 'ab\n日ESC[3Gx'],
  ['a jump is followed', ['\u001b[10G日x'], 'ESC[10G日ESC[12Gx'],
  ['and one from where it is', ['\u001b[1G\u001b[4C日x'], 'ESC[1GESC[4C日ESC[7Gx'],
  ['and the corner', ['\u001b[5;8H日x\u001b[H日'], 'ESC[5;8H日ESC[10GxESC[H日ESC[3G'],
  ['where nobody knows the column none is set', ['abc', '日x\r日x'], 'abc|日x\r日ESC[3Gx'],
])('%s', (_, texts, wanted) => {
  expect(written(...texts)).toBe(wanted);
});

test('uses the same string-width as Ink, so that widths are equal', () => {
  const others = ['ink', 'slice-ansi', 'wrap-ansi', 'widest-line', 'cli-truncate'];
  expect(others.filter((name) => existsSync(`node_modules/${name}/node_modules/string-width`))).toEqual([]);
});
