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
  onApply(how: 'apply' | 'keep'): void;
  onClear(): void;
}

/** The line in which a filter or a search is typed. */
export function FilterLine({ mode, text, active, onChange, onApply, onClear }: FilterLineProps) {
  const { columns, session } = useConsole();
  useShortcuts<LineMode>(mode, {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    act: (action) => (action === 'clear' ? onClear() : onApply(action)),
  });
  return (
    <Box height={1} flexShrink={0}>
      <Box width={2} flexShrink={0}>
        <Line parts={[{ text: '/', role: 'title' }]} />
      </Box>
      <TextField value={text} width={Math.max(1, columns - 2)} focused={active} onChange={onChange} />
    </Box>
  );
}
