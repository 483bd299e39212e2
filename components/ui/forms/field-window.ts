import { markedRuns, markText } from '../../../src/text/mark.ts';
import { graphemeLength, graphemeLengthBefore, measureCharacter } from '../../../src/text/width.ts';
import type { Part } from '../lines/Line.tsx';
import type { Editing } from './field-editing.ts';

/** The visible part of a field: the text before the cursor, under the cursor, and after the cursor. */
export interface FieldWindow {
  readonly before: readonly Part[];
  readonly under: Part;
  readonly after: readonly Part[];
}

interface Cell {
  readonly part: Part;
  readonly columns: number;
}

/**
 * Returns the visible part of a field, without processing the rest of the text, which can have any length. Invisible characters and line
 * ends are shown as marks in a separate style. `hidden`: whether each character is shown as a star.
 */
export function fieldWindow({ text, cursor }: Editing, width: number, hidden: boolean): FieldWindow {
  const cellAt = (from: number, to: number) => toCell(text.slice(from, to), hidden);
  const length = cursor < text.length ? graphemeLength(text, cursor) : 0;
  const under = length === 0 ? blank : cellAt(cursor, cursor + length);
  let room = width - under.columns;
  const before: Part[] = [];
  for (let at = cursor; at > 0; ) {
    const start = at - Math.max(1, graphemeLengthBefore(text, at));
    const cell = cellAt(start, at);
    if (cell.columns > room) break;
    room -= cell.columns;
    before.unshift(cell.part);
    at = start;
  }
  const behind: Part[] = [];
  for (let at = cursor + length; at < text.length && length > 0; ) {
    const end = at + graphemeLength(text, at);
    const cell = cellAt(at, end);
    if (cell.columns > room) break;
    room -= cell.columns;
    behind.push(cell.part);
    at = end;
  }
  return { before: mergeParts(before), under: under.part, after: mergeParts(behind) };
}

const blank: Cell = { part: { text: ' ' }, columns: 1 };

function toCell(grapheme: string, hidden: boolean): Cell {
  if (hidden) return { part: { text: '*' }, columns: 1 };
  const runs = markedRuns(markText(grapheme));
  const text = runs.map((run) => run.text).join('');
  const role = runs.some(({ marked }) => marked) ? 'escaped' : 'plain';
  return { part: { text, role }, columns: measureCharacter(text) };
}

/** Merges adjacent parts with the same style. */
function mergeParts(parts: readonly Part[]): Part[] {
  const runs: Part[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last !== undefined && (last.role ?? 'plain') === (part.role ?? 'plain'))
      runs.splice(-1, 1, { ...last, text: last.text + part.text });
    else runs.push(part);
  }
  return runs;
}
