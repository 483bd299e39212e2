import { expect, test, vi } from 'vitest';
import { Choice } from '../../../../components/ui/forms/Choice.tsx';
import { renderPart } from '../part.tsx';

const items = [
  { label: 'No, change nothing', value: 'no' },
  { label: 'Yes: delete it', value: 'yes' },
] as const;

test('starts a menu at its initial item, moves with arrows, and returns the selected item', async () => {
  const chosen: string[] = [];
  const { text, type } = renderPart(
    <Choice items={items} initial={0} active onChoose={(value) => chosen.push(value)} />,
  );
  expect(text()).toBe('> No, change nothing\n  Yes: delete it');
  await type('\u001b[B');
  await vi.waitFor(() => expect(text()).toContain('> Yes: delete it'));
  await type('\r');
  await vi.waitFor(() => expect(chosen).toEqual(['yes']));
});

test('ignores presses in an inactive menu', async () => {
  const chosen: string[] = [];
  const menu = <Choice items={items} initial={1} active={false} onChoose={(value) => chosen.push(value)} />;
  const { text, again, write } = renderPart(menu);
  write('\r');
  again(menu);
  expect(text()).toContain('> Yes: delete it');
  expect(chosen).toEqual([]);
});

test('keeps the selected item of a menu with few rows on the screen, and returns that item', async () => {
  const chosen: string[] = [];
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((value) => ({ label: value, value }));
  const limitedTo = (limit: number) => (
    <Choice items={many} initial={4} active limit={limit} onChoose={(value) => chosen.push(value)} />
  );
  const { text, type, again } = renderPart(limitedTo(6));
  await type('\u001b[B');
  await vi.waitFor(() => expect(text()).toContain('> f'));
  again(limitedTo(2));
  await vi.waitFor(() => expect(text()).toBe('  e\n> f'));
  await type('\r');
  await vi.waitFor(() => expect(chosen).toEqual(['f']));
});
