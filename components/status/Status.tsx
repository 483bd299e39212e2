import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { isScarce, type RequestsLeft } from '../../src/model/budget.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Role } from '../console/theme.ts';
import { Line, type Part } from '../widgets/Line.tsx';
import type { Connectivity, Pulse } from './pulse.ts';

/** The right end of the first line: how it stands with the platform. */
export function Status({ pulse, room }: { pulse: Pulse; room: number }) {
  const connectivity = useSyncExternalStore(pulse.subscribe, () => pulse.connectivity);
  const left = useSyncExternalStore(pulse.subscribe, () => pulse.requestsLeft()?.left);
  const of = pulse.requestsLeft()?.of;
  const budget = left === undefined || of === undefined ? undefined : { left, of };
  const parts = statusParts(connectivity, budget, room);
  const width = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (width === 0) return null;
  return (
    <Box position="absolute" top={0} right={0} width={width}>
      <Line parts={parts} />
    </Box>
  );
}

const roles: Readonly<Record<Connectivity, Role>> = { ok: 'good', retrying: 'warning', offline: 'fault' };

/** The state of the connection, and the requests that are left, as far as there is room for both. */
export function statusParts(
  connectivity: Connectivity,
  budget: RequestsLeft | undefined,
  room: number,
): Part[] {
  const state: Part = { text: connectivity, role: roles[connectivity] };
  if (connectivity.length + 2 > room) return [];
  if (budget === undefined) return [state];
  const words = ` · ${groupDigits(budget.left)} requests left`;
  if (connectivity.length + words.length + 2 > room) return [state];
  return [state, { text: words, role: isScarce(budget) ? 'warning' : 'dim' }];
}
