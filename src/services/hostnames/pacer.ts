import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import { issuanceSpanMilliseconds, issuanceWait } from '../../model/hostnames/issuance.ts';
import { maxWaitMs } from '../../v4/retry-after.ts';
import type { Session } from '../session/session.ts';
import type { NewHostname } from './body.ts';
import { openZoneMemory, type ZoneMemory } from './first-seen.ts';
import { sendCreation } from './hostnames.ts';

/** A pacer, which creates custom hostnames slowly enough to stay below the issuance limit. */
export interface Pacer {
  /**
   * Creates a hostname. At the issuance limit, waits and retries. Throws after `maxRefusals` refusals, or if the wait would exceed
   * `maxWaitMs`.
   */
  create(wanted: NewHostname): Promise<CustomHostname>;
  /** Number of times that issuance was refused despite the pacing. */
  readonly refusals: number;
}

/**
 * Maximum number of refusals of one creation. Twenty blocks of 30 seconds take ten minutes, which is enough for a working platform to issue
 * 100 certificates.
 */
const maxRefusals = 20;

type Warn = (message: string, fields: Readonly<Record<string, unknown>>) => void;

/** Opens a pacer for `rate` certificates per minute. Certificate requests from earlier commands count towards this rate. */
export async function openPacer(session: Session, zoneId: string, rate: number, warn: Warn): Promise<Pacer> {
  const memory = await openZoneMemory(session, zoneId);
  let refusals = 0;
  return {
    get refusals() {
      return refusals;
    },
    async create(wanted) {
      for (let asked = 1; ; asked += 1) {
        await pause(session, toWaitMs(session, memory, rate));
        const outcome = await sendCreation(session, zoneId, wanted);
        if ('record' in outcome) {
          memory.noteIssuance(session.world.now());
          await memory.save();
          return outcome.record;
        }
        refusals += 1;
        const isEndless = asked >= maxRefusals || outcome.blockedSeconds * 1000 > maxWaitMs;
        if (isEndless) throw outcome.problem;
        await sitOut(session, memory, outcome.blockedSeconds, warn);
      }
    },
  };
}

function toWaitMs({ world }: Session, memory: ZoneMemory, rate: number): number {
  return issuanceWait(memory.issuedSince(world.now() - issuanceSpanMilliseconds), rate, world.now());
}

async function sitOut(session: Session, memory: ZoneMemory, seconds: number, warn: Warn): Promise<void> {
  memory.noteBlock(session.world.now() + seconds * 1000);
  await memory.save();
  warn(
    `Issuance limit reached, possibly because of other programs; waiting ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
    {
      seconds,
    },
  );
  await pause(session, seconds * 1000);
}

async function pause({ world }: Session, milliseconds: number): Promise<void> {
  world.interrupted.throwIfAborted();
  if (milliseconds > 0) await world.sleep(milliseconds, world.interrupted);
}
