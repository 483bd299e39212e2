import { expect, test } from 'vitest';
import { changedLines, type SpokenLine } from '../../../../components/kit/terminal/changed-lines.ts';

/** Returns lines of a screen; `>` marks the selected line. */
function lines(...texts: string[]): SpokenLine[] {
  return texts.map((text) => ({ text: text.replace(/^>/, ''), isMarked: text.startsWith('>') }));
}

test.each([
  ['the entire first screen', [], ['a', '', '>b'], ['a', 'b']],
  ['nothing if the screen is unchanged', ['a', '>b'], ['a', '>b'], []],
  ['only the newly selected line', ['>a', 'b', 'c'], ['a', '>b', 'c'], ['b']],
  ['only the new lines of a scrolled text', ['a', 'b', 'c'], ['b', 'c', 'd'], ['d']],
  ['a repeated line', ['a'], ['a', 'a'], ['a']],
  ['the selected line if something disappeared', ['>a', 'question'], ['>a'], ['a']],
  ['a number that has changed', ['3 keys'], ['2 keys'], ['2 keys']],
])('reads aloud %s', (_, before, now, messages) => {
  expect(changedLines(lines(...before), lines(...now), { countsNumbers: true })).toEqual(messages);
});

test('does not read aloud a clock or text that changes with a clock', () => {
  const report = (now: string[]) =>
    changedLines(lines('ends in 00:10', 'a'), lines(...now), { countsNumbers: false });
  expect(report(['ends in 00:09', 'a'])).toBeUndefined();
  expect(report(['ends in 00:09', 'gone'])).toEqual(['ends in 00:09', 'gone']);
});
