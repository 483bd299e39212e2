import { saveText } from '../../files/save-text.ts';
import type { Step } from '../../model/diagnosis/fix-plan.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../model/hostnames/issuance.ts';
import type { Instructions } from '../../model/instructions/instructions.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { LinkWays } from '../../text/instructions/words.ts';
import type { WrittenFormat } from '../../text/instructions/written.ts';
import type { DiagnosedHostname } from '../diagnosis/diagnosis.ts';
import type { StepOutcome } from '../diagnosis/fix.ts';
import type { NewHostname } from '../hostnames/body.ts';
import { ensureHostname } from '../hostnames/create.ts';
import { readIssuanceWindow } from '../hostnames/gauge.ts';
import { readHostname } from '../hostnames/hostnames.ts';
import { readZoneOverview, type ZoneOverview } from '../hostnames/overview.ts';
import { type HostnameRow, listHostnameRows, rowOf } from '../hostnames/rows.ts';
import { readUrgentHostnames, type UrgentHostnames } from '../hostnames/urgent.ts';
import { type HostnameReading, pauseAfter, readAgain } from '../hostnames/watch.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { findChosenZone, readZoneMenu, type ZoneMenu } from '../zones/choice.ts';
import { changesOver, type HostnameChanges, keepsUndo } from './hostname-changes.ts';

/** A search on the platform: hostnames that contain a text. An empty one asks for all. */
export interface HostnameSearch {
  readonly contains: string;
  /** Told how many there are in all, where the platform says so. */
  tellTotal?(total: number): void;
}

/** Instructions as people read them, and what the operator may want to know about them. */
export interface HandedText {
  readonly text: string;
  readonly note?: string | undefined;
}

/** Instructions as the console shows them, and what the operator may want to know about them. */
export interface ReadInstructions {
  readonly told: Instructions;
  readonly note?: string | undefined;
}

/** Custom hostnames for panes: `src/services` over one session. All refuse with a Problem. */
export interface HostnameService extends HostnameChanges {
  /** The zone that the session acts on, or those among which one is to be chosen. Refuses where there are none. */
  findZone(signal: AbortSignal): Promise<{ readonly zone: Zone } | ZoneMenu>;
  listZones(signal: AbortSignal): Promise<ZoneMenu>;
  /** From now on `findZone` answers this one. */
  takeZone(zone: Zone): void;
  readOverview(zoneId: string, signal: AbortSignal): Promise<ZoneOverview>;
  /** Asks nobody: it answers also while the platform lets everybody wait. */
  readIssuance(zoneId: string): Promise<IssuanceWindow>;
  list(zoneId: string, search: HostnameSearch, signal: AbortSignal): AsyncGenerator<HostnameRow[]>;
  /** Those that may need somebody, with few requests whatever the size of the zone. */
  urgent(zoneId: string, signal: AbortSignal): Promise<UrgentHostnames>;
  read(zoneId: string, id: string, signal: AbortSignal): Promise<HostnameRow>;
  /** Reads hostnames again. One that is gone is no failure. */
  readAgain(zoneId: string, ids: readonly string[], signal: AbortSignal): Promise<readonly HostnameReading[]>;
  create(zoneId: string, wanted: NewHostname, signal: AbortSignal): Promise<HostnameRow>;
  /** Gathers everything about a hostname anew, and says what is wrong with it. */
  diagnose(zoneId: string, hostname: string, signal: AbortSignal): Promise<DiagnosedHostname>;
  /** The records that the customer has to enter, with DNS as it is now. */
  readInstructions(zoneId: string, record: CustomHostname, signal: AbortSignal): Promise<ReadInstructions>;
  /** The same as people read it. */
  instructions(
    zoneId: string,
    record: CustomHostname,
    format: WrittenFormat,
    signal: AbortSignal,
  ): Promise<HandedText>;
  /** Writes such a text to a file below the folder of the console. */
  saveInstructions(name: string, text: string): Promise<void>;
  /** Does the steps one after the other; one that fails does not keep the others. */
  carryOut(zoneId: string, steps: readonly Step[], signal: AbortSignal): Promise<readonly StepOutcome[]>;
  /** Milliseconds until what is in progress is read again, after so many readings that found nothing new. */
  pause(quietReadings: number): number;
}

/** The real services over a session. */
export function hostnamesOver(session: Session, linkWays: LinkWays): HostnameService {
  let taken: Zone | undefined;
  const shown = async (zoneId: string, record: Promise<CustomHostname>) =>
    rowOf(session, zoneId, await record);
  return {
    findZone: async (signal) =>
      taken === undefined ? findChosenZone(stoppable(session, signal)) : { zone: taken },
    listZones: (signal) => readZoneMenu(stoppable(session, signal)),
    takeZone(zone) {
      taken = zone;
    },
    readOverview: (zoneId, signal) => readZoneOverview(stoppable(session, signal), zoneId),
    readIssuance: (zoneId) => readIssuanceWindow(session, zoneId),
    list: (zoneId, { contains, tellTotal }, signal) =>
      listHostnameRows(stoppable(session, signal), zoneId, { contains: contains || undefined }, tellTotal),
    urgent: (zoneId, signal) => readUrgentHostnames(stoppable(session, signal), zoneId),
    read: (zoneId, id, signal) => shown(zoneId, readHostname(stoppable(session, signal), zoneId, id)),
    readAgain: (zoneId, ids, signal) => readAgain(stoppable(session, signal), zoneId, ids),
    create: async (zoneId, wanted, signal) =>
      rowOf(
        session,
        zoneId,
        (await ensureHostname(stoppable(session, signal), zoneId, wanted, { takeExisting: false })).record,
      ),
    ...changesOver(session),
    ...lookingOver(session, linkWays),
    pause: pauseAfter,
  };
}

type Looking = Pick<
  HostnameService,
  'diagnose' | 'readInstructions' | 'instructions' | 'saveInstructions' | 'carryOut'
>;

/** Calls that need DNS and the edge. Their code is loaded late: the list of hostnames needs neither. */
function lookingOver(session: Session, linkWays: LinkWays): Looking {
  return {
    async diagnose(zoneId, hostname, signal) {
      const { diagnoseOne } = await import('../diagnosis/many.ts');
      return diagnoseOne(stoppable(session, signal), zoneId, hostname);
    },
    readInstructions: (zoneId, record, signal) =>
      readTold(stoppable(session, signal), zoneId, record, linkWays),
    async instructions(zoneId, record, format, signal) {
      const { writtenInstructions } = await import('../../text/instructions/written.ts');
      const { told, note } = await readTold(stoppable(session, signal), zoneId, record, linkWays);
      return { text: writtenInstructions(format, told), note };
    },
    saveInstructions: (name, text) => saveText(session.world, name, text),
    async carryOut(zoneId, steps, signal) {
      const [{ applySteps }, { aloneInZone }] = await Promise.all([
        import('../diagnosis/fix.ts'),
        import('../hostnames/fleet/alone.ts'),
      ]);
      const told = { warn: session.note, keeps: keepsUndo(session) };
      const until = stoppable(session, signal);
      return aloneInZone(until, zoneId, () => applySteps(until, zoneId, steps, told));
    },
  };
}

/** Instructions, and what the operator can do for a link of Domain Connect where there is none. */
async function readTold(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  linkWays: LinkWays,
): Promise<ReadInstructions> {
  const [{ readInstructions }, { missingLinkWords }] = await Promise.all([
    import('../instructions/instructions.ts'),
    import('../../text/instructions/words.ts'),
  ]);
  const told = await readInstructions(session, zoneId, record, { servers: [], target: undefined });
  return { told, note: missingLinkWords(told, linkWays) };
}
