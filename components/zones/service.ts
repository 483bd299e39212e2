import { saveText } from '../../src/files/save-text.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import { deleteRecordKeeping, keepingRecords } from '../../src/services/undo/records.ts';
import {
  changeZoneRecord,
  deleteZoneRecord,
  type RecordChange,
  type SettableType,
  setZoneRecords,
} from '../../src/services/zones/records.ts';
import { listZoneRecords } from '../../src/services/zones/zones.ts';
import { jsonText } from '../../src/text/json.ts';
import { keepsUndo } from '../hostnames/changing.ts';

/** A record that is to be added. */
export interface NewRecord extends RecordChange {
  /** Relative to the zone, whole, or `@`. */
  readonly name: string;
  readonly type: SettableType;
  readonly content: string;
}

/** A record after a change, and whether the journal has what it was. `other`: nothing changed, it is another by now. */
export interface WrittenRecord {
  readonly outcome: 'made' | 'changed' | 'there' | 'other';
  readonly record: ZoneDnsRecord;
  readonly kept: boolean;
}

/** DNS records of own zones for panes: `src/services/zones` over one session. All refuse with a Problem. */
export interface RecordService {
  /** The valid ones; `skipped` is told how many others there are, if any. */
  list(
    zoneId: string,
    signal: AbortSignal,
    skipped: (count: number) => void,
  ): Promise<readonly ZoneDnsRecord[]>;
  /** Adds a record beside those that are there; the same one only takes what is other about it. */
  add(zoneId: string, wanted: NewRecord, signal: AbortSignal): Promise<WrittenRecord>;
  /** Changes a record as it was read before; one that is another by now is left alone. */
  change(
    zoneId: string,
    before: ZoneDnsRecord,
    change: RecordChange,
    signal: AbortSignal,
  ): Promise<WrittenRecord>;
  /** Whether the journal has it. */
  remove(zoneId: string, record: ZoneDnsRecord, signal: AbortSignal): Promise<boolean>;
  /**
   * Deletes one after the other, and gives each that is gone, also one that somebody else has deleted. Nothing is kept of
   * them. Refuses at the first that is refused.
   */
  removeAll(
    zoneId: string,
    records: readonly ZoneDnsRecord[],
    signal: AbortSignal,
  ): AsyncGenerator<ZoneDnsRecord>;
  /** Writes the valid ones to a file, as `edgectl zone record list --json` prints them, and returns their number. */
  save(zoneId: string, path: string, signal: AbortSignal, skipped: (count: number) => void): Promise<number>;
}

function ignoreMissing(error: unknown): void {
  if (!isProblem(error) || error.code !== 'not-found') throw error;
}

/** The real services over a session. */
export function recordsOver(session: Session): RecordService {
  const keeping = (until: Session, zoneId: string) => {
    let kept = false;
    const told = keepingRecords(until, zoneId, (entry) => {
      kept = entry !== undefined;
    });
    return { around: keepsUndo(session) ? told : undefined, kept: () => kept };
  };
  return {
    list: (zoneId, signal, skipped) => listZoneRecords(stoppable(session, signal), zoneId, {}, skipped),
    async add(zoneId, { content, ...wanted }, signal) {
      const until = stoppable(session, signal);
      const { around, kept } = keeping(until, zoneId);
      const contents = [content];
      const [set] = await setZoneRecords(until, zoneId, { ...wanted, contents, beside: true }, around);
      if (set === undefined) throw new Error('one content makes one record');
      return { ...set, kept: kept() };
    },
    async change(zoneId, before, change, signal) {
      const until = stoppable(session, signal);
      const { around, kept } = keeping(until, zoneId);
      return { ...(await changeZoneRecord(until, zoneId, before, change, around)), kept: kept() };
    },
    async remove(zoneId, record, signal) {
      const until = stoppable(session, signal);
      if (keepsUndo(session)) return (await deleteRecordKeeping(until, zoneId, record)) !== undefined;
      await deleteZoneRecord(until, zoneId, record.id);
      return false;
    },
    async *removeAll(zoneId, records, signal) {
      const until = stoppable(session, signal);
      for (const record of records) {
        await deleteZoneRecord(until, zoneId, record.id).catch(ignoreMissing);
        yield record;
      }
    },
    async save(zoneId, path, signal, skipped) {
      const records = await listZoneRecords(stoppable(session, signal), zoneId, {}, skipped);
      await saveText(session.world, path, `${jsonText(records, 2)}\n`);
      return records.length;
    },
  };
}
