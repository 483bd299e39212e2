import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { outcomeOf } from '../../model/hostnames/list.ts';
import { Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { readHostname } from './hostnames.ts';

export interface WatchOptions {
  /** Seconds after which it is given up; left out, never. */
  readonly timeout?: number | undefined;
}

/**
 * A custom hostname as it changes, the present state first, until it is in service or has failed: the last record
 * tells which (`outcomeOf`). Refuses with not-found when it is deleted meanwhile, with check-failed when time is up.
 */
export async function* watchHostname(
  session: Session,
  zoneId: string,
  id: string,
  { timeout }: WatchOptions = {},
): AsyncGenerator<CustomHostname> {
  const { world } = session;
  const begun = world.now();
  let shown = '';
  for (;;) {
    const record = await readHostname(session, zoneId, id);
    const state = JSON.stringify(record);
    if (state !== shown) yield record;
    shown = state;
    if (outcomeOf(record) !== 'waiting') return;
    const waited = world.now() - begun;
    if (timeout !== undefined && waited >= timeout * 1000) throw stillWaiting(record, timeout);
    await world.sleep(pause(waited), world.interrupted);
  }
}

/** Milliseconds between two looks: short at first, because most become active within minutes. */
function pause(waited: number): number {
  if (waited < 60_000) return 2000;
  return waited < 10 * 60_000 ? 5000 : 30_000;
}

function stillWaiting({ hostname, status, ssl }: CustomHostname, timeout: number): Problem {
  return new Problem(
    'check-failed',
    `${hostname} is not in service after ${timeout} seconds (status ${status ?? 'not told'}, certificate ${ssl?.status ?? 'none'}).`,
    { hint: `edgectl hostname diagnose ${hostname}` },
  );
}
