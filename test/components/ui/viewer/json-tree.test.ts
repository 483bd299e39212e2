import { expect, test } from 'vitest';
import { isJsonSource, jsonSource, jsonStretches } from '../../../../components/ui/viewer/json-source.ts';
import {
  type Folded,
  foldAll,
  jsonTree,
  pathOfLine,
  shownLines,
  toggleFold,
} from '../../../../components/ui/viewer/json-tree.ts';
import { anchorAt, linesFrom } from '../../../../components/ui/viewer/scroll.ts';
import { atTop, type Source } from '../../../../components/ui/viewer/source.ts';
import { prettyJson } from '../../../../src/text/json.ts';

const document = Buffer.from(
  JSON.stringify({ name: 'Ada', roles: ['admin', { 'a b': [] }], nested: { deep: { x: '}{' } }, last: null }),
);

function visibleText(folded?: Folded): string[] {
  return linesFrom(jsonSource(document, folded, 60, 'no JSON'), atTop, 50);
}

function tree() {
  const made = jsonTree(prettyJson(document) ?? Buffer.of());
  if (made === undefined) throw new Error('there is no tree');
  return made;
}

test('shows JSON line by line, and a fold in one line with the number of hidden lines', () => {
  expect(visibleText()).toHaveLength(15);
  expect(visibleText(foldAll(tree()))).toEqual([
    '{',
    '  "name": "Ada",',
    '  "roles": […],  4 lines',
    '  "nested": {…},  3 lines',
    '  "last": null',
    '}',
  ]);
});

test('folds and unfolds the container that a line opens, or that contains the line', () => {
  const made = tree();
  const once = toggleFold(made, undefined, 3);
  expect(once?.line).toBe(2);
  expect(visibleText(once?.folded).slice(1, 4)).toEqual([
    '  "name": "Ada",',
    '  "roles": […],  4 lines',
    '  "nested": {',
  ]);
  const twice = toggleFold(made, once?.folded, 2);
  expect(visibleText(twice?.folded)).toEqual(visibleText());
  expect(toggleFold(made, undefined, 1)?.line).toBe(0);
});

test('returns the path of each line', () => {
  const made = tree();
  expect(Array.from(made.starts, (_, line) => pathOfLine(made, line))).toEqual([
    '$',
    '$.name',
    '$.roles',
    '$.roles[0]',
    '$.roles[1]',
    '$.roles[1]["a b"]',
    '$.roles[1]',
    '$.roles',
    '$.nested',
    '$.nested.deep',
    '$.nested.deep.x',
    '$.nested.deep',
    '$.nested',
    '$.last',
    '$',
  ]);
});

test('finds text in folded lines, and returns the line that is folded', () => {
  const source = jsonSource(document, foldAll(tree()), 60, 'no JSON');
  const anchor = anchorAt(source, Buffer.from(source.bytes).indexOf('deep'));
  expect(linesFrom(source, anchor, 1)).toEqual(['  "nested": {…},  3 lines']);
  expect(source.shows(anchor.segment, [[0, source.bytes.length]])).toEqual([[[0, 13]]]);
});

test('styles names, strings and numbers differently, and shows a sentence for a value that is not JSON', () => {
  const roles = (text: string) => jsonStretches(text, true).map((one) => [one.text, one.role]);
  expect(roles('  "a\\"b": "c: d",')).toEqual([
    ['  ', 'plain'],
    ['"a\\"b"', 'name'],
    [': ', 'dim'],
    ['"c: d"', 'string'],
    [',', 'dim'],
  ]);
  expect(roles('-1,')).toEqual([
    ['-1', 'number'],
    [',', 'dim'],
  ]);
  expect(roles('false,').at(-1)).toEqual([',', 'dim']);
  // The first line of a wrapped string can end with a comma that belongs to the string.
  expect(roles('"a": "one,').at(-1)).toEqual(['"one,', 'string']);
  expect(roles('"x: y"')).toEqual([['"x: y"', 'string']]);
  const none = jsonSource(Buffer.from('{'), undefined, 60, 'no JSON');
  expect(linesFrom(none, atTop, 5)).toEqual(['no JSON']);
});

test('folds a document of many lines, and processes only the visible part of a long line', () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => ({ index, text: 'x'.repeat(10) }));
  const bytes = Buffer.from(JSON.stringify([...rows, 'y'.repeat(1_000_000)]));
  const whole = jsonSource(bytes, undefined, 80, '');
  if (!isJsonSource(whole)) throw new Error('there is no tree');
  const folded: Source = jsonSource(bytes, foldAll(whole.tree), 80, '');
  expect(linesFrom(folded, atTop, 3)).toEqual(['[', '  {…},  2 lines', '  {…},  2 lines']);
  expect(shownLines(whole.tree, undefined).length).toBe(whole.segments);
  const last = whole.segmentAt(whole.bytes.length - 10);
  expect(pathOfLine(whole.tree, whole.lineAt(last))).toBe('$[40000]');
  expect(whole.lines(last).length).toBeLessThan(60);
});

test('indents the rest of a wrapped line below it, and finds matches there', () => {
  const value = 'one two three four five six seven';
  const source = jsonSource(Buffer.from(JSON.stringify({ a: { b: value } })), undefined, 24, '');
  const lines = source.lines(2);
  expect(lines).toEqual(['    "b": "one two three ', '      four five six seve', '      n"']);
  // A match in a wrapped line is highlighted at the position where it is drawn.
  const start = Buffer.from(source.bytes).indexOf('seven');
  const [first, second = [], third = []] = source.shows(2, [[start, start + 5]]);
  expect(first).toEqual([]);
  expect(second.map(([from, to]) => lines[1]?.slice(from, to))).toEqual(['seve']);
  expect(third.map(([from, to]) => lines[2]?.slice(from, to))).toEqual(['n']);
  expect(source.stretches?.({ segment: 2, line: 1, text: lines[1] ?? '' })).toEqual([
    { text: '      ', role: 'plain' },
    { text: 'four five six seve', role: 'string' },
  ]);
});

test('never draws wider than the screen, however deep the nesting', () => {
  for (const width of [16, 24, 40]) {
    const deep = Buffer.from(`${'['.repeat(30)}${JSON.stringify('x'.repeat(100))}${']'.repeat(30)}`);
    const source = jsonSource(deep, undefined, width, '');
    for (let segment = 0; segment < source.segments; segment++)
      for (const line of source.lines(segment)) expect(line.length).toBeLessThanOrEqual(width);
  }
});
