import type { FleetStep, StepKind } from '../../model/hostnames/fleet/plan.ts';
import { groupDigits } from '../size.ts';
import type { TextColumn } from '../table.ts';

/** Columns of a table of steps. */
export const stepColumns: readonly TextColumn[] = [
  { heading: 'STEP' },
  { heading: 'HOSTNAME' },
  { heading: 'WHY' },
];

/** Returns the table cells of one step. */
export function stepCells({ does, hostname, line, reason }: FleetStep): readonly string[] {
  return [does, hostname, line === undefined ? reason : `${reason} (line ${line})`];
}

/** Converts a step to JSON. */
export function stepJson(step: FleetStep): Readonly<Record<string, unknown>> {
  const { does, hostname, line, reason } = step;
  const id = step.does === 'create' ? undefined : step.record.id;
  const differences = step.does === 'change' ? step.differences : undefined;
  return { does, hostname, id, line, reason, differences };
}

/** Formats the number of steps of each kind that occurs: `create 200, change 100, leave 9,500`. */
export function stepSummary(counts: Readonly<Record<StepKind, number>>): string {
  const kinds = ['create', 'change', 'refresh', 'delete', 'leave'] as const;
  const parts = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${kind} ${groupDigits(counts[kind])}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
