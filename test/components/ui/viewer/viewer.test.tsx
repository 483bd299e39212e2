// Requirements: the viewer draws only the visible lines of a text, and shows control characters as visible symbols.
import { expect, test } from 'vitest';
import { atTop, textSource } from '../../../../components/ui/viewer/source.ts';
import { Viewer } from '../../../../components/ui/viewer/Viewer.tsx';
import { renderPart } from '../part.tsx';

const text = (content: string, width: number) => textSource(Buffer.from(content), width);
const hundred = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

test('draws as many lines from the position of a viewer as it has rows', () => {
  const lines = text(hundred, 40);
  const screen = { columns: 40 };
  const { lines: shown, again } = renderPart(
    <Viewer lines={lines} position={{ top: atTop }} height={3} empty="empty" />,
    screen,
  );
  expect(shown()).toEqual(['line 0', 'line 1', 'line 2']);
  again(<Viewer lines={lines} position={{ top: { segment: 98, line: 0 } }} height={3} empty="empty" />);
  expect(shown()).toEqual(['line 98', 'line 99']);
});

test('wraps a long line, and labels an empty text', () => {
  const { lines: shown } = renderPart(
    <Viewer lines={text('abcdefghij', 4)} position={{ top: atTop }} height={4} empty="" />,
    { columns: 4 },
  );
  expect(shown()).toEqual(['abcd', 'efgh', 'ij']);
  const empty = renderPart(
    <Viewer lines={text('', 40)} position={{ top: atTop }} height={4} empty="It is empty." />,
  );
  expect(empty.text()).toBe('It is empty.');
});

test('does not write an escape sequence of a value to the terminal', () => {
  const { text: shown } = renderPart(
    <Viewer lines={text('a\u001b[2Jb\u009bc', 40)} position={{ top: atTop }} height={2} empty="" />,
    { columns: 40 },
  );
  expect(shown()).not.toMatch(/[\u001b\u0080-\u009f]/);
  expect(shown()).toMatch(/^a.+b.+c$/);
});
