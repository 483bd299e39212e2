import { outcomeOf } from '../../src/model/hostnames/list.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** How what is in progress is looked at. */
export interface Looks {
  /** Looks so far: each begins another wait for the next. */
  readonly count: number;
  /** Looks in a row that found nothing new: the more, the longer the wait. */
  readonly quiet: number;
  /** Whether one failed: none follows until the list is read again. */
  readonly ended: boolean;
}

export const noLooks: Looks = { count: 0, quiet: 0, ended: false };

/** After one more look. */
export function looked(looks: Looks, news: boolean): Looks {
  return { ...looks, count: looks.count + 1, quiet: news ? 0 : looks.quiet + 1 };
}

/** Rows that one look asks for: with the shortest wait, half of what the platform allows in five minutes. */
const rowsInLook = 4;

/** Ids of those of these rows that are in progress, as many as one look asks for; the others have their turn later. */
export function idsToLookAt(rows: readonly (HostnameRow | undefined)[], { count }: Looks): readonly string[] {
  const waiting = rows.flatMap((row) =>
    row === undefined || outcomeOf(row.record) !== 'waiting' ? [] : row.record.id,
  );
  if (waiting.length <= rowsInLook) return waiting;
  const first = (count * rowsInLook) % waiting.length;
  return [...waiting, ...waiting].slice(first, first + rowsInLook);
}
