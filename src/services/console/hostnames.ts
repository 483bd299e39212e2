import { saveText } from '../../files/output-file.ts';
import type { Step } from '../../model/diagnosis/fix-plan.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Instructions } from '../../model/instructions/instructions.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { LinkWays } from '../../text/instructions/words.ts';
import type { WrittenFormat } from '../../text/instructions/written.ts';
import type { NewHostname } from '../hostnames/body.ts';
import { ensureHostname } from '../hostnames/create.ts';
import { readHostname } from '../hostnames/hostnames.ts';
import { readIssuanceWindow, readZoneOverview } from '../hostnames/overview.ts';
import { listHostnameRows, toHostnameRow } from '../hostnames/rows.ts';
import { readUrgentHostnames } from '../hostnames/urgent.ts';
import { pauseAfter, readAgain } from '../hostnames/watch.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { findChosenZone, readZoneMenu } from '../zones/choice.ts';
import { hostnameChanges, isUndoOn } from './hostname-changes.ts';

/** A search for hostnames that contain a string; an empty string matches all hostnames. */
export interface HostnameSearch {
  readonly contains: string;
  /** Receives the number of matching hostnames, if the platform reports it. */
  onTotal?(total: number): void;
}

/** Instructions for the customer, and a note for the operator. */
export interface ReadInstructions {
  readonly instructions: Instructions;
  readonly note?: string | undefined;
}

export type HostnameService = ReturnType<typeof hostnameService>;

/** Returns the operations on custom hostnames that panes use, bound to one session. The operations throw a Problem on failure. */
export function hostnameService(session: Session, linkWays: LinkWays) {
  let taken: Zone | undefined;
  const shown = async (zoneId: string, record: Promise<CustomHostname>) =>
    toHostnameRow(session, zoneId, await record);
  return {
    /**
     * Returns the zone to act on or, if several are possible, the zones to choose from. Throws if the credentials cannot access any zone.
     */
    findZone: async (signal: AbortSignal) =>
      taken === undefined ? findChosenZone(stoppable(session, signal)) : { zone: taken },
    listZones: (signal: AbortSignal) => readZoneMenu(stoppable(session, signal)),
    /** Makes later calls to `findZone` return this zone. */
    takeZone(zone: Zone) {
      taken = zone;
    },
    readOverview: (zoneId: string, signal: AbortSignal) =>
      readZoneOverview(stoppable(session, signal), zoneId),
    /**
     * Returns how much of the issuance limit is used, without sending a request, so that the gauge works even while the platform limits
     * requests.
     */
    readIssuance: (zoneId: string) => readIssuanceWindow(session, zoneId),
    list: (zoneId: string, { contains, onTotal }: HostnameSearch, signal: AbortSignal) =>
      listHostnameRows(stoppable(session, signal), zoneId, { contains: contains || undefined }, onTotal),
    /** Reads the hostnames that may need attention, with few requests even for a large zone. */
    urgent: (zoneId: string, signal: AbortSignal) => readUrgentHostnames(stoppable(session, signal), zoneId),
    read: (zoneId: string, id: string, signal: AbortSignal) =>
      shown(zoneId, readHostname(stoppable(session, signal), zoneId, id)),
    /** Reads the current state of hostnames. A deleted hostname does not cause an error. */
    readAgain: (zoneId: string, ids: readonly string[], signal: AbortSignal) =>
      readAgain(stoppable(session, signal), zoneId, ids),
    create: async (zoneId: string, wanted: NewHostname, signal: AbortSignal) =>
      toHostnameRow(
        session,
        zoneId,
        (await ensureHostname(stoppable(session, signal), zoneId, wanted, { takeExisting: false })).record,
      ),
    ...hostnameChanges(session),
    ...diagnosisService(session, linkWays),
    /** Returns the delay in milliseconds before pending hostnames are read again, after the given number of readings without a change. */
    pause: pauseAfter,
  };
}

/** Returns operations that query DNS and the edge. Their code is loaded on first use, because the list of hostnames does not need it. */
function diagnosisService(session: Session, linkWays: LinkWays) {
  return {
    /** Gathers all facts about a hostname, and diagnoses it. */
    async diagnose(zoneId: string, hostname: string, signal: AbortSignal) {
      const { diagnoseOne } = await import('../diagnosis/many.ts');
      return diagnoseOne(stoppable(session, signal), zoneId, hostname);
    },
    /** Returns the DNS records that the customer must set, with their current state in DNS. */
    readInstructions: (zoneId: string, record: CustomHostname, signal: AbortSignal) =>
      readInstructions(stoppable(session, signal), zoneId, record, linkWays),
    /** Returns the DNS records that the customer must set, formatted as instructions. */
    async instructions(zoneId: string, record: CustomHostname, format: WrittenFormat, signal: AbortSignal) {
      const { writtenInstructions } = await import('../../text/instructions/written.ts');
      const { instructions, note } = await readInstructions(
        stoppable(session, signal),
        zoneId,
        record,
        linkWays,
      );
      return { text: writtenInstructions(format, instructions), note };
    },
    /** Writes instructions to a file. `name` is relative to the console's working directory. */
    saveInstructions: (name: string, text: string) => saveText(session.world, name, text),
    /** Executes the steps of a fix, as `applySteps` does. */
    async carryOut(zoneId: string, steps: readonly Step[], signal: AbortSignal) {
      const [{ applySteps }, { aloneInZone }] = await Promise.all([
        import('../diagnosis/fix.ts'),
        import('../hostnames/fleet/alone.ts'),
      ]);
      const undoOptions = { warn: session.note, keeps: isUndoOn(session) };
      const until = stoppable(session, signal);
      return aloneInZone(until, zoneId, () => applySteps(until, zoneId, steps, undoOptions));
    },
  };
}

/** Reads the instructions. If the instructions contain no Domain Connect link, the note explains how the operator can provide one. */
async function readInstructions(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  linkWays: LinkWays,
): Promise<ReadInstructions> {
  const [{ readInstructions }, { describeMissingLink }] = await Promise.all([
    import('../instructions/instructions.ts'),
    import('../../text/instructions/words.ts'),
  ]);
  const instructions = await readInstructions(session, zoneId, record, { servers: [], target: undefined });
  return { instructions, note: describeMissingLink(instructions, linkWays) };
}
