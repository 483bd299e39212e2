import { expect, test } from 'vitest';
import { topBorder } from '../../../../components/ui/layout/Panel.tsx';
import { fitCounts } from '../../../../components/ui/lines/counts.ts';
import { measureCharacter } from '../../../../src/text/width.ts';

const difference = 'shop-CATALOGUE and the namespace shop-FEATURE_FLAGS · 37 differences';

test.each([
  [difference, 80, difference],
  [difference, 50, 'shop-CATALOGUE and the namespace… · 37 differences'],
  [difference, 20, '37 differences'],
  [difference, 8, '37 diff…'],
  ['saas.sandbox · only moved · 2 marked · 3 of 24 loaded', 42, 'only moved · 2 marked · 3 of 24 loaded'],
  ['saas.sandbox · 2 marked · loading… · 24 loaded', 32, '2 marked · loading… · 24 loaded'],
  ['filter: fla · 1 of 2 loaded', 22, 'filter: fla · 1 of 2 …'],
  ['1,000 marked · 1,000 loaded, more on the server', 30, '1,000 marked · 1,000 loaded, …'],
  ['3 keys', 0, ''],
])('fits %j into %i columns as %j', (counts, columns, shown) => {
  expect(fitCounts(counts, columns)).toBe(shown);
});

const renderTitle = (width: number, title: string, counts: string) =>
  topBorder(width, title, counts, { isFocused: true, role: 'focus' })
    .map(({ text }) => text)
    .join('');

test('a border shows the complete number of rows, and both ends of a long title', () => {
  const line = renderTitle(50, 'worker-production-SESSIONS_preview', 'tree by : · 1,204 keys');
  expect(line).toBe('╭─ worker-producti…SSIONS_preview ── 1,204 keys ─╮');
});

test('draws a border as wide as its region, regardless of the content', () => {
  for (let width = 20; width < 120; width++) {
    const line = renderTitle(width, 'worker-production-SESSIONS_preview', difference);
    expect(measureCharacter(line)).toBe(width);
    if (width >= 44) expect(line).toMatch(/worker.*preview .*37 differences/);
  }
});
