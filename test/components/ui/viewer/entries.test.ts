import { expect, test } from 'vitest';
import { entriesContent } from '../../../../components/ui/preview/entries-content.ts';
import { entryLines, factEntries } from '../../../../components/ui/viewer/entries.ts';
import { hexSource } from '../../../../components/ui/viewer/source.ts';

const surface = { columns: 30, redact: (text: string) => text };

test('draws the label of a fact dimmer than its value, on its first line only', () => {
  const entries = factEntries('error', 'the name does not point to this zone', { indent: 2, role: 'fault' });
  const lines = entryLines(entries, surface);
  const [first = '', second = ''] = lines.lines(0);
  expect(lines.stretches?.({ segment: 0, line: 0, text: first })).toEqual([
    { text: '  error        ', role: 'dim' },
    { text: 'the name does', role: 'fault' },
  ]);
  expect(second.trim()).not.toBe('');
  expect(lines.stretches?.({ segment: 0, line: 1, text: second })).toBeUndefined();
  expect(lines.segmentRole?.(0)).toBe('fault');
});

test('cuts a name in its middle without wrapping it', () => {
  const text = `54d  ${'customer-success-portal.'.repeat(3)}demo`;
  const lines = entryLines([{ text, labelLength: 5, indent: 2, isCut: true }], surface).lines(0);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^ {2}54d {2}customer-s\S*…\S*demo$/);
  expect(lines[0]).toHaveLength(30);
});

test('wraps a value without spaces next to its label, after the separators of names', () => {
  const wide = { ...surface, columns: 38 };
  const linesOf = (value: string) => entryLines(factEntries('name', value), wide).lines(0);
  const indent = ' '.repeat(13);
  expect(linesOf('_acme-challenge.shop.example')).toEqual([
    'name         _acme-challenge.shop.',
    `${indent}example`,
  ]);
  expect(linesOf('a'.repeat(28))).toEqual([`name         ${'a'.repeat(25)}`, `${indent}aaa`]);
});

test('in a narrow region, puts a value below its label if it needs fewer lines there', () => {
  const linesOf = (value: string) => entryLines(factEntries('name', value), surface).lines(0);
  expect(linesOf('_acme-challenge.shop.example')).toEqual(['name', '  _acme-challenge.shop.example']);
  expect(linesOf('the fallback origin here')).toEqual([
    'name         the fallback',
    `${' '.repeat(13)}origin here`,
  ]);
});

test('shortens an id in the middle in a preview, but not in a document', () => {
  const id = '0583e2ae-1b13-4312-aa73-f2a771a93f3d';
  const entries = factEntries('id', id, { width: 12, isId: true });
  const preview = entriesContent({ entries })
    .lines({ ...surface, columns: 30 }, false)
    .lines(0);
  expect(preview).toHaveLength(1);
  expect(preview[0]).toMatch(/^id {10}0583e2ae\S*…\S*a93f3d$/);
  expect(
    entryLines(entries, surface)
      .lines(0)
      .map((line) => line.trim())
      .slice(1)
      .join(''),
  ).toBe(id);
});

test('draws the styled parts of an entry only if together they equal the complete line', () => {
  const parts = () => [
    { text: '- ', role: 'removed' } as const,
    { text: 'old', role: 'removedWord' } as const,
  ];
  const lines = entryLines([{ text: '- old', parts, role: 'removed' }], surface);
  expect(lines.stretches?.({ segment: 0, line: 0, text: '- old' })).toEqual(parts());
  expect(lines.stretches?.({ segment: 0, line: 0, text: '- ***' })).toBeUndefined();
});

test('draws the offsets of a hex dump dimmer than its bytes', () => {
  const source = hexSource(Buffer.from('some bytes'), 80);
  const [text = ''] = source.lines(0);
  const stretches = source.stretches?.({ segment: 0, line: 0, text });
  expect(stretches?.[0]).toEqual({ text: '00000000', role: 'dim' });
  expect(stretches?.map((stretch) => stretch.text).join('')).toBe(text);
});

test('aligns the label of a line that begins with spaces with the beginning of the value', () => {
  const [text, labelLength] = ['    49 B  print.css', 10];
  for (const indent of [0, 2]) {
    const { stretches } = entryLines([{ text, labelLength, labelRole: 'dim', indent }], surface);
    const line = ' '.repeat(indent) + text;
    expect(stretches?.({ segment: 0, line: 0, text: line })?.map((part) => part.text)).toEqual([
      line.slice(0, indent + labelLength),
      'print.css',
    ]);
  }
});
