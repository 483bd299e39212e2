// Requirements: a region fills any size that it gets, and its border contains the title.
import { Text } from 'ink';
import { expect, test } from 'vitest';
import { framedRegion } from '../../../../components/ui/layout/layout.ts';
import { Panel } from '../../../../components/ui/layout/Panel.tsx';
import { TooSmall } from '../../../../components/ui/layout/TooSmall.tsx';
import { measureCharacter } from '../../../../src/text/width.ts';
import { renderPart } from '../part.tsx';

test('draws a region over its width and height, with its title and counts in the upper border', () => {
  const screen = { columns: 120, rows: 24 };
  const region = framedRegion(0, 60);
  const { lines } = renderPart(
    <Panel region={region} title="Keys" counts="12 keys">
      <Text>inside</Text>
    </Panel>,
    screen,
  );
  expect(lines()[0]).toMatch(/^╭─ Keys ─+ 12 keys ─╮$/);
  expect(lines().at(-1)).toMatch(/^╰─+╯$/);
  expect(lines().every((line) => measureCharacter(line) === region.width)).toBe(true);
  expect(lines()[1]).toMatch(/^│ inside +│$/);
});

test('truncates a title and counts if the border is too narrow for both', () => {
  const region = { left: 0, width: 30, columns: 26, isFramed: true };
  const { lines } = renderPart(<Panel region={region} title={'long '.repeat(10)} counts="1,234 keys" />, {
    columns: 30,
  });
  expect(measureCharacter(lines()[0] ?? '')).toBe(30);
  expect(lines()[0]).toMatch(/^╭─ long .*1,234.*─╮$/);
});

test('shows the required size and how to exit if the screen is too small', () => {
  const { text } = renderPart(<TooSmall columns={39} rows={12} />, { columns: 39, rows: 12 });
  expect(text()).toContain('The console needs 40x10; this is 39x12.');
  expect(text()).toContain('Ctrl-C to quit.');
});
