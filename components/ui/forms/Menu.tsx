import type { Surface } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { Frame } from '../frame/Frame.tsx';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { titleFits } from '../layout/Panel.tsx';
import { Line } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import { type DialogLine, differenceGap, foldLines } from './dialog-lines.ts';
import { hasQueryLine, type PickerItem, PickerList, QueryLine, usePicker } from './Picker.tsx';
import { useDifferenceScroll } from './use-difference-scroll.ts';
import { useDrawnFirst } from './use-drawn-first.ts';

/** An item of a menu. */
export interface MenuItem<T> extends PickerItem {
  readonly value: T;
}

interface MenuProps<T> {
  readonly title: string;
  /** Lines below the title, folded to the width of the screen. A small screen omits the last lines. */
  readonly lines?: readonly DialogLine[];
  readonly items: readonly MenuItem<T>[];
  readonly initial: number;
  /** Whether a choice changes something; if so, input typed before the menu was on the screen is dropped. */
  readonly asks?: boolean | undefined;
  /** A notice after Esc. */
  readonly afterCancel?: string | undefined;
  onChoose(value: T): void;
  onCancel(): void;
}

/** Draws a menu that replaces the pane. */
export function Menu<T>(menu: MenuProps<T>) {
  const { session, rows, region } = useConsole();
  const isAbove = region.isFramed && titleFits(region.width, menu.title);
  return (
    <Frame mode="menu" situation={{ readOnly: session.readOnly, selected: true }} title={menu.title}>
      <MenuBox {...menu} active isTitled={isAbove} height={bodyHeight(rows)} />
    </Frame>
  );
}

/**
 * Returns the number of rows that a menu needs for all of its lines and items. All unchanged lines in a diff are counted only if the total
 * does not exceed `room`.
 */
export function menuHeight(
  {
    title,
    lines = [],
    items,
  }: Pick<MenuProps<unknown>, 'title' | 'lines'> & { readonly items: readonly unknown[] },
  surface: Surface,
  isTitled: boolean,
  room: number,
): number {
  const below = (hasQueryLine(items) ? 1 : 0) + items.length;
  const rows = foldLines(isTitled ? lines : [title, ...lines], surface, room - below).length + below;
  return rows + differenceGap(lines, room - rows);
}

interface MenuBoxProps<T> extends MenuProps<T> {
  readonly active: boolean;
  /** Whether the border around the content contains the title. */
  readonly isTitled?: boolean;
  /** Rows of the screen, including the title if there is no border. */
  readonly height: number;
}

/** Draws a menu in an existing frame. Typed letters filter the menu's items. */
export function MenuBox<T>(menu: MenuBoxProps<T>) {
  const { title, isTitled = false, items, initial, active, height, onChoose, onCancel } = menu;
  const { session, redact, columns, notify } = useConsole();
  const lines = menu.lines ?? [];
  const queryRows = hasQueryLine(items) && height > 2 ? 1 : 0;
  const headRoom = Math.max(isTitled ? 0 : 1, height - queryRows - items.length);
  const shownLines = isTitled ? lines : [title, ...lines];
  const [head, scroll] = useDifferenceScroll(shownLines, { columns, redact }, headRoom);
  const gap = differenceGap(lines, height - queryRows - items.length - head.length);
  const room = Math.max(1, height - queryRows - head.length - gap);
  const [state, shown] = usePicker(items, { initial, active, height: room });
  const choose = (index: number) => {
    const item = items[index];
    if (item?.refusal !== undefined) notify(`${item.refusal}.`, 'refused');
    else if (item !== undefined) onChoose(item.value);
  };
  const situation = { readOnly: session.readOnly, selected: true };
  const cancel = () => {
    onCancel();
    if (menu.afterCancel !== undefined) notify(menu.afterCancel);
  };
  useDrawnFirst(title, active && menu.asks === true);
  useShortcuts('menu', {
    active,
    situation,
    runAction: (action) => (action === 'cancel' ? cancel() : scroll(action)),
  });
  return (
    <>
      <TextLines lines={head} first={isTitled ? 'plain' : 'title'} />
      {gap > 0 && <Line parts={[]} />}
      {queryRows > 0 && <QueryLine shown={shown} count={items.length} height={room} columns={columns} />}
      <PickerList
        items={items}
        state={state}
        shown={shown}
        active={active}
        height={room}
        columns={columns}
        onChoose={choose}
      />
    </>
  );
}
