import { Box } from 'ink';
import { useConsole } from '../console/use-console.ts';
import type { LineMode } from '../forms/dialog.ts';
import { TextField } from '../forms/TextField.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { Line } from '../widgets/Line.tsx';

interface FilterLineProps {
  readonly mode: LineMode;
  readonly text: string;
  readonly active: boolean;
  onChange(text: string): void;
  onApply(): void;
  onClear(): void;
}

/** The words before what is typed. */
const labels: Readonly<Record<LineMode, string>> = {
  filter: '/ ',
  search: '/ ',
  prefix: 'begins with: ',
  contains: 'contains: ',
};

/** The line in which a filter, a search or a question to the server is typed. */
export function FilterLine({ mode, text, active, onChange, onApply, onClear }: FilterLineProps) {
  const { columns, session } = useConsole();
  useShortcuts<LineMode>(mode, {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    act: (action) => (action === 'clear' ? onClear() : onApply()),
  });
  const label = labels[mode];
  return (
    <Box height={1} flexShrink={0}>
      <Box width={label.length} flexShrink={0}>
        <Line parts={[{ text: label, role: 'title' }]} />
      </Box>
      <TextField
        value={text}
        width={Math.max(1, columns - label.length)}
        focused={active}
        onChange={onChange}
      />
    </Box>
  );
}
