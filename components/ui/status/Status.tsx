import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { isScarce, type RequestsLeft } from '../../../src/model/budget.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { Connectivity, Pulse } from '../../kit/pulse.ts';
import type { Role } from '../../kit/theme.ts';
import { Line, type Part } from '../lines/Line.tsx';

/** The state of the connection, and the age of the displayed data. */
export interface StatusFacts {
  readonly connectivity: Connectivity;
  /** The requests left; undefined if requests are not limited. */
  readonly budget?: RequestsLeft | undefined;
  /** The age of the displayed data, as text. */
  readonly age?: string | undefined;
}

/** Returns the state of the connection; undefined if the session has no `pulse`. */
export function useStatus(pulse: Pulse | undefined, age: string | undefined): StatusFacts | undefined {
  const subscribe = pulse?.subscribe ?? never;
  const connectivity = useSyncExternalStore(subscribe, () => pulse?.connectivity);
  const budget = useSyncExternalStore(subscribe, () => pulse?.shownRequestsLeft);
  if (connectivity === undefined) return undefined;
  return { connectivity, budget, age };
}

function never(): () => void {
  return () => undefined;
}

/** Draws the status at the right end of the first line. */
export function Status({ parts }: { parts: readonly Part[] }) {
  const width = measureWidth(parts);
  if (width === 0) return null;
  return (
    <Box position="absolute" top={0} right={0} width={width}>
      <Line parts={parts} />
    </Box>
  );
}

const roles: Readonly<Record<Connectivity, Role>> = {
  ok: 'good',
  slow: 'warning',
  retrying: 'warning',
  refused: 'fault',
  offline: 'fault',
};

/** Minimum width, in columns, of a screen on which the age has priority over the account's name. */
const roomForAge = 60;

/** Returns the number of columns to reserve for the status: for a connection that is not OK, and on a wide screen also for the age. */
export function statusRoom({ connectivity, age }: StatusFacts, columns: number): number {
  const trouble = connectivity === 'ok' ? 0 : connectivity.length;
  const ageColumns =
    age === undefined || columns < roomForAge ? 0 : age.length + (trouble === 0 ? 0 : between.length);
  return trouble + ageColumns === 0 ? 0 : trouble + ageColumns + 2;
}

const between = ' · ';

/**
 * Returns the parts of the status: the age of the data, the state of the connection and the remaining requests, as far as they fit. Normal
 * values are omitted first, a failing connection and a scarce budget last.
 */
export function statusParts({ connectivity, budget, age }: StatusFacts, room: number): Part[] {
  const scarce = budget !== undefined && isScarce(budget);
  const all: { readonly part: Part; readonly importance: number }[] = [
    ...(age === undefined ? [] : [{ part: { text: age, role: 'dim' } as const, importance: 3 }]),
    { part: { text: connectivity, role: roles[connectivity] }, importance: connectivity === 'ok' ? 2 : 5 },
    ...(budget === undefined
      ? []
      : [
          {
            part: {
              text: `${groupDigits(budget.left)} ${budget.left === 1 ? 'request' : 'requests'} left`,
              role: scarce ? 'warning' : 'dim',
            } as const,
            importance: scarce ? 4 : 1,
          },
        ]),
  ];
  let fitting = all;
  while (fitting.length > 0 && measureWidth(joinParts(fitting.map(({ part }) => part))) + 2 > room) {
    const least = Math.min(...fitting.map(({ importance }) => importance));
    fitting = fitting.filter(({ importance }) => importance !== least);
  }
  return joinParts(fitting.map(({ part }) => part));
}

function joinParts(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index): Part[] =>
    index === 0 ? [part] : [{ text: between, role: 'dim' }, part],
  );
}

function measureWidth(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}
