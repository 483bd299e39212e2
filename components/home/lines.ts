import { nouns } from '../kit/nouns.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';

/** The target of a line: a pane that opens above Home, an area, or a link. */
export type Goal = { readonly opens: OpenPane } | { readonly turns: OpenPane } | { readonly link: string };

/** A heading, or a line about one item, which the line usually opens. */
export type HomeLine =
  | {
      readonly heading: string;
      readonly hint?: string;
      /** The heading of a column inside the descriptions of the lines below; `column` counts from the start of the descriptions. */
      readonly inner?: { readonly text: string; readonly column: number };
    }
  | {
      /** Identifies the subject, in the same way in every frame. */
      readonly id: string;
      /** A word in the first column. */
      readonly mark: string;
      readonly role?: Role;
      readonly subject: string;
      /** A description of the subject. */
      readonly about?: string;
      /** A shorter description, for lines without room for the full description. */
      readonly brief?: string;
      /** Whether a narrow screen omits the description. */
      readonly isExtra?: boolean;
      readonly goal?: Goal;
    };

export type HomeRow = Extract<HomeLine, { readonly id: string }>;

/** Returns whether a line can be selected. */
export function isSelectable(line: HomeLine | undefined): line is HomeRow & { readonly goal: Goal } {
  return line !== undefined && 'id' in line && line.goal !== undefined;
}

/** Returns the lines of a section: a heading and the rows; empty if the section has no rows. */
export function section(
  heading: string,
  rows: readonly HomeRow[],
  hint?: string,
  inner?: Extract<HomeLine, { readonly heading: string }>['inner'],
): readonly HomeLine[] {
  if (rows.length === 0) return [];
  return [{ heading, ...(hint !== undefined && { hint }), ...(inner && { inner }) }, ...rows];
}

/** Returns a line without a target. */
export function quietRow(id: string, subject: string, role: Role = 'dim'): HomeRow {
  return { id, mark: '', role, subject };
}

/** Returns at most `maxRows` rows; if some are omitted, the last row shows their number and opens `goal`. */
export function shorten(rows: readonly HomeRow[], maxRows: number, goal: Goal): readonly HomeRow[] {
  if (rows.length <= maxRows) return rows;
  const left = rows.length - maxRows + 1;
  const more: HomeRow = {
    id: `more ${rows[0]?.id}`,
    mark: '',
    role: 'dim',
    subject: `and ${left} more: press ${findPress(goal) ?? 'Enter'}`,
    goal,
  };
  return [...rows.slice(0, maxRows - 1), more];
}

/** Returns the digit that opens the area of a target; undefined if the target is not an area. */
function findPress(goal: Goal): string | undefined {
  return 'turns' in goal ? nouns.find(({ opens }) => opens.pane === goal.turns.pane)?.press : undefined;
}

/**
 * Returns the index of the selected line among the lines with a target: the line that the user selected or, if it no longer exists, the
 * line at the same position.
 */
export function cursorAt(
  stops: readonly string[],
  chosen: { readonly id: string; readonly stop: number } | undefined,
): number {
  if (chosen === undefined) return 0;
  const found = stops.indexOf(chosen.id);
  return found === -1 ? Math.max(0, Math.min(chosen.stop, stops.length - 1)) : found;
}
