import type { Equivalent, Line as ShellLine } from '../../src/services/equivalents/equivalents.ts';
import { useConsole } from '../kit/use-console.ts';
import { Menu } from '../ui/forms/Menu.tsx';

interface EquivalentsProps {
  readonly found: readonly Equivalent[];
  onClose(): void;
}

/** Draws a menu of a pane's actions as shell commands and curl requests. Enter copies the selected line. */
export function Equivalents({ found, onClose }: EquivalentsProps) {
  const { copy, notify } = useConsole();
  const choose = (line: ShellLine) => {
    onClose();
    // Runs after the press that chooses a line has been handled, because each press clears the notice.
    queueMicrotask(() => {
      if ('reason' in line) notify(line.reason, 'refused');
      else notify(copy(Buffer.from(line.text), 'the line'));
    });
  };
  return (
    <Menu
      title="Copy as a shell command or a curl request"
      items={menuItems(found)}
      initial={0}
      onChoose={choose}
      onCancel={onClose}
    />
  );
}

/** Returns the menu items: all commands, followed by all curl requests, in the order of the actions. */
export function menuItems(
  found: readonly Equivalent[],
): Array<{ readonly label: string; readonly value: ShellLine }> {
  const width = Math.max(...found.map(({ about }) => about.length), 0);
  const rows = [
    ...found.map(({ about, command }) => ({ about, line: command })),
    ...found.map(({ about, curl }) => ({ about, line: curl })),
  ];
  return rows.map(({ about, line }) => {
    const shown = 'text' in line ? line.text : `(${line.reason})`;
    return { label: `${about.padEnd(width)}  ${shown}`, value: line };
  });
}
