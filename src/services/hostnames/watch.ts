import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { toOutcome } from '../../model/hostnames/list.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { readHostname } from './hostnames.ts';
import { type HostnameRow, toHostnameRow } from './rows.ts';

export interface WatchOptions {
  /** Timeout in seconds (default: none). */
  readonly timeout?: number | undefined;
}

/**
 * Yields the current record of a custom hostname, and the new record after each change, until the hostname is active or has failed; pass
 * the last record to `toOutcome` for the outcome. Throws not-found if the hostname is deleted meanwhile, and check-failed after the timeout.
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
  for (let quiet = 0; ; quiet += 1) {
    const record = await readHostname(session, zoneId, id);
    const state = JSON.stringify(record);
    if (state !== shown) {
      yield record;
      quiet = 0;
    }
    shown = state;
    if (toOutcome(record) !== 'waiting') return;
    if (timeout !== undefined && world.now() - begun >= timeout * 1000) throw stillWaiting(record, timeout);
    await world.sleep(pauseAfter(quiet), world.interrupted);
  }
}

/**
 * Returns the milliseconds until the next reading, after this number of readings without a change. The first pauses are short, because most
 * hostnames become active soon.
 */
export function pauseAfter(quietReadings: number): number {
  if (quietReadings < 30) return 2000;
  return quietReadings < 140 ? 5000 : 30_000;
}

/** The current state of a hostname. `row` is undefined if the hostname was deleted. */
export interface HostnameReading {
  readonly id: string;
  readonly row: HostnameRow | undefined;
}

/** Reads the current state of custom hostnames. A deleted hostname does not cause an error. */
export async function readAgain(
  session: Session,
  zoneId: string,
  ids: readonly string[],
): Promise<HostnameReading[]> {
  return Promise.all(
    ids.map(async (id) => {
      try {
        return { id, row: await toHostnameRow(session, zoneId, await readHostname(session, zoneId, id)) };
      } catch (error) {
        if (isProblem(error) && error.code === 'not-found') return { id, row: undefined };
        throw error;
      }
    }),
  );
}

function stillWaiting({ hostname, status, ssl }: CustomHostname, timeout: number): Problem {
  return new Problem(
    'check-failed',
    `${hostname} is not active after ${timeout === 1 ? '1 second' : `${timeout} seconds`} (status ${status ?? 'unknown'}, certificate ${ssl?.status ?? 'none'}).`,
    { remedy: { kind: 'diagnose', hostname } },
  );
}
