import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { checkReplaceable } from '../../files/stored.ts';
import { type LockHolder, withLock } from '../../lock.ts';
import type { Facts } from '../../model/diagnosis/facts.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import { platformClock, platformName } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { isLeftAlone } from '../session/state-file.ts';
import { type SavedFacts, SavedRunFile } from './saved-run-file.ts';

/** Maximum age of saved facts, in milliseconds. A resumed run reports each hostname's state at the time when the facts were gathered. */
export const factsLifeMs = 60 * 60 * 1000;

/** The identity of a diagnosis of many hostnames. Runs with different zones, lists of hostnames or options have different keys. */
export interface RunKey {
  /** The command, for example "hostname diagnose". */
  readonly operation: string;
  readonly zoneId: string;
  /** All other inputs, as JSON. */
  readonly how: unknown;
}

/** A diagnosis of many hostnames that is saved during the run, so that a later run can resume it. */
export interface SavedRun {
  /** Number of hostnames that an earlier run diagnosed and whose facts can be reused. */
  readonly earlier: number;
  /** Time of the oldest facts that can be reused, in milliseconds on the platform's clock; undefined if there are none. */
  readonly since: number | undefined;
  /** The saved hostnames from the start of the list, up to the first hostname that is not saved. */
  readonly first: readonly Pick<SavedFacts, 'hostname' | 'id'>[];
  /**
   * Returns the facts about a hostname from an earlier run; undefined if none can be reused. `place` is the hostname's current position in
   * the list.
   */
  findFacts(hostname: string, place: number): Promise<Facts | undefined>;
  /** Saves the facts about a hostname. If `isPassing` is set, a later run uses only the hostname's position, not the facts. */
  keep(place: number, facts: Facts, isPassing?: boolean): Promise<void>;
  /** Number of hostnames in this run whose facts must not be reused, because a server could not be reached. */
  readonly passing: number;
  /** Why facts are no longer saved; undefined while they are. */
  readonly fault: string | undefined;
  /** Deletes the saved run, because it is complete. */
  end(): Promise<void>;
}

/**
 * Runs a diagnosis of many hostnames, and saves the gathered facts in the state folder, so that the run can be resumed for an hour. With
 * `resume`, the run continues an earlier run, or throws store-busy if the earlier run is still in progress. Without `resume`, `work` receives
 * undefined if a run with the same key is in progress, or if the file cannot be written.
 */
export async function withSavedRun<T>(
  session: Session,
  key: RunKey,
  resume: boolean,
  work: (savedRun: SavedRun | undefined) => Promise<T>,
): Promise<T> {
  const { world } = session;
  const folder = join(world.folders.state, 'looks');
  const name = createHash('sha256')
    .update(JSON.stringify([platformName(session), key.zoneId, key.operation, key.how]))
    .digest('hex')
    .slice(0, 40);
  const path = join(folder, `${name}.ndjson`);
  if (resume) checkReplaceable('diagnosis', path);
  else if (isLeftAlone(session, 'diagnosis', path)) return work(undefined);
  let isIn = false;
  const enter = async (): Promise<T> => {
    const file = new SavedRunFile(path);
    try {
      const savedRun = await openSavedRun(session, file, resume);
      isIn = true;
      return await work(savedRun);
    } finally {
      await file.close();
    }
  };
  try {
    makePrivateFolder(folder);
    return await withLock(join(folder, `${name}.held`), { world, timeoutMs: 0, toProblem: busy }, enter);
  } catch (error) {
    if (isIn || resume || !['store-busy', 'system'].includes(asProblem(error).code)) throw error;
    return work(undefined);
  }
}

function busy({ pid }: LockHolder): Problem {
  const who = pid === undefined ? 'Another command' : `Another command (process ${pid})`;
  return new Problem(
    'store-busy',
    `${who} is still diagnosing these hostnames, so the saved run cannot be resumed.`,
    {
      hint: 'Wait until that command has finished, or start a new diagnosis of all hostnames.',
    },
  );
}

async function openSavedRun(session: Session, file: SavedRunFile, resume: boolean): Promise<SavedRun> {
  const { world } = session;
  if (!resume) await file.clear(world);
  const now = resume ? (await platformClock(session))() : 0;
  const recent = resume ? recentFacts(await file.read(), now) : new Map<string, SavedFacts>();
  const counting = [...recent.values()].filter(({ isPassing }) => !isPassing);
  const times = counting.map((one) => one.now);
  let fault: string | undefined;
  let passing = 0;
  const unlessFull = async (adding: Promise<boolean>): Promise<void> => {
    try {
      if (!(await adding)) fault = 'too many';
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
  };
  return {
    earlier: counting.length,
    since: times.length === 0 ? undefined : times.reduce((first, time) => Math.min(first, time)),
    first: withoutGap(recent),
    async findFacts(hostname, place) {
      const one = recent.get(hostname);
      if (one === undefined) return undefined;
      if (one.place !== place && fault === undefined) await unlessFull(file.move(hostname, place));
      return one.isPassing ? undefined : file.readFacts(one);
    },
    async keep(place, facts, isPassing = false) {
      if (isPassing) passing += 1;
      if (fault === undefined) await unlessFull(file.add(place, facts, isPassing));
    },
    get passing() {
      return passing;
    },
    get fault() {
      return fault;
    },
    end: () => file.clear(world),
  };
}

function recentFacts(found: ReadonlyMap<string, SavedFacts>, now: number): ReadonlyMap<string, SavedFacts> {
  // If the clock was set back, facts can have a time in the future, so their age is unknown.
  return new Map([...found].filter(([, one]) => one.now <= now && now - one.now < factsLifeMs));
}

function withoutGap(saved: ReadonlyMap<string, SavedFacts>): readonly SavedFacts[] {
  const places = new Map([...saved.values()].map((one) => [one.place, one]));
  const first: SavedFacts[] = [];
  for (let one = places.get(0); one !== undefined; one = places.get(first.length)) first.push(one);
  return first;
}
