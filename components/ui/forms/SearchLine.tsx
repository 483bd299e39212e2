import { Box } from 'ink';
import { measureParts } from '../lines/found-parts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { TextField } from './TextField.tsx';

interface SearchLineProps {
  readonly prompt: string;
  readonly search: string;
  /** The parts after the field: a number of matches, or a position. */
  readonly end: readonly Part[];
  readonly columns: number;
  onChange(text: string): void;
}

/** Draws an input line for a search of the content below the line. */
export function SearchLine({ prompt, search, end, columns, onChange }: SearchLineProps) {
  return (
    <Box height={1} flexShrink={0}>
      <Box width={prompt.length} flexShrink={0}>
        <Line parts={[{ text: prompt, role: 'press' }]} />
      </Box>
      <TextField
        value={search}
        width={Math.max(1, columns - prompt.length - measureParts(end))}
        focused
        onChange={onChange}
      />
      <Line parts={end} />
    </Box>
  );
}
