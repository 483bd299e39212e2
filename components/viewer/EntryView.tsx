import { pad } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { type Cursor, topOf } from '../lists/cursor.ts';
import { escapedParts, Line } from '../widgets/Line.tsx';
import type { EntryRow } from './entries.ts';

interface EntryViewProps {
  readonly rows: readonly EntryRow[];
  readonly cursor: Cursor;
  readonly height: number;
  /** What stands there when there is nothing. */
  readonly empty: string;
}

/** A text whose lines can be marked, one window of it. */
export function EntryView({ rows, cursor, height, empty }: EntryViewProps) {
  const { columns, redact } = useConsole();
  if (rows.length === 0) return <Line parts={[{ text: redact(empty), role: 'dim' }]} />;
  const top = topOf(cursor, rows.length, height);
  return rows.slice(top, top + height).map(({ text, entry }, line) => {
    const selected = top + line === cursor.index;
    const parts = escapedParts(selected ? pad(text, columns) : text, entry.role);
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while rows move through it
    return <Line key={line} parts={parts} selected={selected} />;
  });
}
