import { saveText } from '../../src/files/save-text.ts';
import type { Step } from '../../src/model/diagnosis/fix-plan.ts';
import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../src/model/hostnames/issuance.ts';
import type { Instructions } from '../../src/model/instructions/instructions.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import type { NewHostname } from '../../src/services/hostnames/body.ts';
import { ensureHostname } from '../../src/services/hostnames/create.ts';
import { readIssuanceWindow } from '../../src/services/hostnames/gauge.ts';
import { readHostname } from '../../src/services/hostnames/hostnames.ts';
import { readZoneOverview, type ZoneOverview } from '../../src/services/hostnames/overview.ts';
import { type HostnameRow, listHostnameRows, rowOf } from '../../src/services/hostnames/rows.ts';
import { readUrgentHostnames, type UrgentHostnames } from '../../src/services/hostnames/urgent.ts';
import { type HostnameReading, pauseAfter, readAgain } from '../../src/services/hostnames/watch.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import { findChosenZone, readZoneMenu, type ZoneMenu } from '../../src/services/zones/choice.ts';
import type { WrittenFormat } from '../../src/text/instructions/written.ts';
import { changesOver, type HostnameChanges, keepsUndo } from './changing.ts';

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
export function hostnamesOver(session: Session): HostnameService {
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
    ...lookingOver(session),
    pause: pauseAfter,
  };
}

/** The commands that name what a link takes: the console has no flags. */
const linkSettings = {
  template: 'edgectl setting set domain-connect',
  key: 'edgectl setting set domain-connect-key',
};

type Looking = Pick<
  HostnameService,
  'diagnose' | 'readInstructions' | 'instructions' | 'saveInstructions' | 'carryOut'
>;

/** What needs DNS and the edge loads late: the list of hostnames needs neither. */
function lookingOver(session: Session): Looking {
  return {
    async diagnose(zoneId, hostname, signal) {
      const { diagnoseOne } = await import('../../src/services/diagnosis/many.ts');
      return diagnoseOne(stoppable(session, signal), zoneId, hostname);
    },
    readInstructions: (zoneId, record, signal) => readTold(stoppable(session, signal), zoneId, record),
    async instructions(zoneId, record, format, signal) {
      const { writtenInstructions } = await import('../../src/text/instructions/written.ts');
      const { told, note } = await readTold(stoppable(session, signal), zoneId, record);
      return { text: writtenInstructions(format, told), note };
    },
    saveInstructions: (name, text) => saveText(session.world, name, text),
    async carryOut(zoneId, steps, signal) {
      const [{ applySteps }, { aloneInZone }] = await Promise.all([
        import('../../src/services/diagnosis/fix.ts'),
        import('../../src/services/hostnames/fleet/alone.ts'),
      ]);
      const told = { warn: session.note, keeps: keepsUndo(session) };
      const until = stoppable(session, signal);
      return aloneInZone(until, zoneId, () => applySteps(until, zoneId, steps, told));
    },
  };
}

/** Instructions, and what the operator can do for a link of Domain Connect where there is none. */
async function readTold(session: Session, zoneId: string, record: CustomHostname): Promise<ReadInstructions> {
  const [{ readInstructions }, { missingLinkWords }] = await Promise.all([
    import('../../src/services/instructions/instructions.ts'),
    import('../../src/text/instructions/words.ts'),
  ]);
  const told = await readInstructions(session, zoneId, record, { servers: [], target: undefined });
  return { told, note: missingLinkWords(told, linkSettings) };
}
