import { Box } from 'ink';
import { useConsole } from '../console/use-console.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { Line } from '../widgets/Line.tsx';
import { Choice, type ChoiceItem } from './Choice.tsx';

interface MenuProps<T extends string> {
  readonly title: string;
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  onChoose(value: T): void;
  onCancel(): void;
}

/** A short menu in place of the pane. */
export function Menu<T extends string>({ title, items, initial, onChoose, onCancel }: MenuProps<T>) {
  const { session, rows, redact } = useConsole();
  const shown = items.map((item) => ({ ...item, label: redact(item.label) }));
  const room = Math.max(1, bodyHeight(rows) - 1);
  const situation = { readOnly: session.readOnly, selected: true };
  useShortcuts('menu', { active: true, situation, act: (action) => action === 'cancel' && onCancel() });
  return (
    <Frame mode="menu" situation={situation}>
      <Line parts={[{ text: redact(title), role: 'title' }]} />
      <Box height={Math.min(items.length, room)} flexShrink={0}>
        <Choice items={shown} initial={initial} active limit={room} onChoose={onChoose} />
      </Box>
    </Frame>
  );
}
