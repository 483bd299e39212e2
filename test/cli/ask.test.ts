import { expect, test } from 'vitest';
import { openAsk } from '../../src/cli/ask.ts';
import { testWorld } from '../support/world.ts';

test('a question has one line per item, and shows line breaks in its data escaped', async () => {
  const world = testWorld({ answers: ['', 'y'] });
  await openAsk(world, false).confirm(['Two records:', '  a\nb', 'Delete "c\nd"?'], 'lost');
  const asked = 'Two records:\n  a\\nb\nDelete "c\\nd"? (y/n) ';
  const shown = world
    .errText()
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .replaceAll('\r', '');
  expect(shown.split(asked)).toHaveLength(3);
});
