import type { OpenPane } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';

/** Where a line leads: to a pane above Home, to an area, or to a place by its link. */
export type Goal = { readonly opens: OpenPane } | { readonly turns: OpenPane } | { readonly link: string };

/** A heading, or a line that says one thing and mostly leads to it. */
export type HomeLine =
  | { readonly heading: string; readonly hint?: string }
  | {
      /** Stays the same while the thing is the same. */
      readonly id: string;
      /** A word before it, in a separate column. */
      readonly mark: string;
      readonly role?: Role;
      /** Not escaped. */
      readonly subject: string;
      /** What is said of the subject, escaped. */
      readonly about?: string;
      readonly goal?: Goal;
    };

export type HomeRow = Extract<HomeLine, { readonly id: string }>;

/** Whether a line can be selected. */
export function leads(line: HomeLine | undefined): line is HomeRow & { readonly goal: Goal } {
  return line !== undefined && 'id' in line && line.goal !== undefined;
}

/** A section; none where it has no line. */
export function section(heading: string, rows: readonly HomeRow[], hint?: string): readonly HomeLine[] {
  return rows.length === 0 ? [] : [{ heading, ...(hint !== undefined && { hint }) }, ...rows];
}

/** A line without a target, only to be read. */
export function quietRow(id: string, subject: string, role: Role = 'dim'): HomeRow {
  return { id, mark: '', role, subject };
}

/** The first rows, and one that says how many more there are and leads to them. */
export function shortened(rows: readonly HomeRow[], most: number, goal: Goal): readonly HomeRow[] {
  if (rows.length <= most) return rows;
  const left = rows.length - most + 1;
  const more: HomeRow = {
    id: `more ${rows[0]?.id}`,
    mark: '',
    role: 'dim',
    subject: `and ${left} more`,
    goal,
  };
  return [...rows.slice(0, most - 1), more];
}

/** The line under the cursor among those with a target: the chosen one, or the one at its place. */
export function cursorAt(
  stops: readonly string[],
  chosen: { readonly id: string; readonly stop: number } | undefined,
): number {
  if (chosen === undefined) return 0;
  const found = stops.indexOf(chosen.id);
  return found === -1 ? Math.max(0, Math.min(chosen.stop, stops.length - 1)) : found;
}
