import { Box } from 'ink';
import { useConsole } from '../console/use-console.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { Frame } from '../widgets/Frame.tsx';
import { Line } from '../widgets/Line.tsx';
import { Choice, type ChoiceItem } from './Choice.tsx';

interface MenuProps<T> {
  readonly title: string;
  readonly items: readonly ChoiceItem<T>[];
  readonly initial: number;
  onChoose(value: T): void;
  onCancel(): void;
}

/** A short menu in place of the pane. */
export function Menu<T>(menu: MenuProps<T>) {
  const { session, rows } = useConsole();
  return (
    <Frame mode="menu" situation={{ readOnly: session.readOnly, selected: true }} title={menu.title}>
      <MenuBox {...menu} active height={bodyHeight(rows)} />
    </Frame>
  );
}

interface MenuBoxProps<T> extends MenuProps<T> {
  readonly active: boolean;
  /** Rows of the screen, the title among them. */
  readonly height: number;
}

/** A menu in a frame that stands already. */
export function MenuBox<T>({ title, items, initial, active, height, onChoose, onCancel }: MenuBoxProps<T>) {
  const { session, redact } = useConsole();
  const room = Math.max(1, height - 1);
  const shown = items.map((item, index) => ({ label: redact(item.label), value: String(index) }));
  const choose = (index: string) => {
    const item = items[Number(index)];
    if (item !== undefined) onChoose(item.value);
  };
  const situation = { readOnly: session.readOnly, selected: true };
  useShortcuts('menu', { active, situation, act: (action) => action === 'cancel' && onCancel() });
  return (
    <>
      <Line parts={[{ text: redact(title), role: 'title' }]} />
      <Box height={Math.min(items.length, room)} flexShrink={0}>
        <Choice items={shown} initial={initial} active={active} limit={room} onChoose={choose} />
      </Box>
    </>
  );
}
