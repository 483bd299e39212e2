import { Box } from 'ink';
import { markText } from '../../../src/text/mark.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { Line } from '../lines/Line.tsx';
import type { LineMode } from './dialog.ts';
import { TextField } from './TextField.tsx';

interface FilterLineProps {
  readonly mode: LineMode;
  readonly text: string;
  readonly active: boolean;
  /** An error in the text, or a hint about what can be typed. */
  readonly note?: { readonly text: string; readonly role: Role } | undefined;
  onChange(text: string): void;
  onApply(): void;
  onClear(): void;
}

/** Minimum widths, in columns, of a note next to the field, and of the field itself. */
const minRoom = 30;
const minFieldWidth = 14;

/** The prompts before the field. */
const labels: Readonly<Record<LineMode, string>> = {
  filter: '/ ',
  search: '/ ',
  prefix: 'begins with: ',
  contains: 'contains: ',
};

/**
 * Draws the input line for a filter, a search or a server query. The line opens with the last string selected: typing replaces it, and a
 * cursor movement starts editing it.
 */
export function FilterLine({ mode, text, active, note, onChange, onApply, onClear }: FilterLineProps) {
  const { columns, redact, session } = useConsole();
  useShortcuts(mode, {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    runAction: (action) => (action === 'clear' ? onClear() : onApply()),
  });
  const label = labels[mode];
  const room = Math.max(1, columns - label.length);
  const noteText =
    note === undefined || room < minRoom
      ? ''
      : fitText(markText(redact(note.text)), room - minFieldWidth - 2);
  const noteColumns = noteText === '' ? 0 : measureCharacter(noteText) + 2;
  return (
    <Box height={1} flexShrink={0}>
      <Box width={label.length} flexShrink={0}>
        <Line parts={[{ text: label, role: 'title' }]} />
      </Box>
      <TextField value={text} width={room - noteColumns} focused={active} selectsAll onChange={onChange} />
      {note !== undefined && noteColumns > 0 && <Line parts={[{ text: `  ${noteText}`, role: note.role }]} />}
    </Box>
  );
}
