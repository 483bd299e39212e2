import { saveText } from '../../files/output-file.ts';
import type { ServedCount } from '../../model/hostnames/hostname.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { jsonText } from '../../text/json.ts';
import { countServedBy } from '../hostnames/served.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { deleteRecordWithUndo, saveRecordsAround } from '../undo/records.ts';
import {
  changeZoneRecord,
  deleteZoneRecord,
  isHost,
  type RecordChange,
  type SetRecord,
  type SettableType,
  setZoneRecords,
  type TouchedRecords,
} from '../zones/records.ts';
import { listZoneRecords } from '../zones/zones.ts';
import { isUndoOn } from './hostname-changes.ts';

/** A record to add. */
export interface NewRecord extends RecordChange {
  /** The name of the record: relative to the zone, fully qualified, or `@`. */
  readonly name: string;
  readonly type: SettableType;
  readonly content: string;
}

/** The result if a new record would affect the origin of custom hostnames, so that nothing was changed. */
export interface AffectedOrigin {
  readonly outcome: 'origin';
  readonly served: ServedCount;
  readonly touched: TouchedRecords;
}

/**
 * A record after a change, and whether the undo journal contains its previous state. `other` means that the record was not changed, because
 * someone else had changed it.
 */
export interface WrittenRecord {
  readonly outcome: SetRecord['outcome'] | 'other';
  readonly record: ZoneDnsRecord;
  readonly canUndo: boolean;
}

function ignoreMissing(error: unknown): void {
  if (!isProblem(error) || error.code !== 'not-found') throw error;
}

export type RecordService = ReturnType<typeof recordService>;

/** Returns the operations on DNS records that panes use, bound to one session. The operations throw a Problem on failure. */
export function recordService(session: Session) {
  const keeping = (until: Session, zoneId: string) => {
    let canUndo = false;
    const around = saveRecordsAround(until, zoneId, (entry) => {
      canUndo = entry !== undefined;
    });
    return { around: isUndoOn(session) ? around : undefined, canUndo: () => canUndo };
  };
  return {
    /** Lists the valid records. Calls `skipped` with the number of invalid records, if there are any. */
    list: (zoneId: string, signal: AbortSignal, skipped: (count: number) => void) =>
      listZoneRecords(stoppable(session, signal), zoneId, {}, skipped),
    /**
     * Returns the number of custom hostnames whose origin is one of these records; undefined if there are no such hostnames, or if the
     * hostnames cannot be read.
     */
    async countServed(zoneId: string, records: readonly ZoneDnsRecord[], signal: AbortSignal) {
      const names = records.filter(({ type }) => isHost(type)).map(({ name }) => name);
      return names.length === 0 ? undefined : countServedBy(stoppable(session, signal), zoneId, names);
    },
    /**
     * Adds a record, and keeps existing records. If a record with the same content exists, changes only its other fields. If the change
     * would affect the origin of custom hostnames, changes nothing and returns the number of hostnames, unless `agreed` is set.
     */
    async add(zoneId: string, { content, ...wanted }: NewRecord, signal: AbortSignal, agreed = false) {
      const until = stoppable(session, signal);
      const { around, canUndo } = keeping(until, zoneId);
      const all = { ...wanted, contents: [content], beside: true };
      let origin: AffectedOrigin | undefined;
      const agree = async (touched: TouchedRecords) => {
        const names = touched.records.filter(({ type }) => isHost(type)).map(({ name }) => name);
        const served = agreed || names.length === 0 ? undefined : await countServedBy(until, zoneId, names);
        if (served === undefined) return;
        origin = { outcome: 'origin', served, touched };
        throw new Problem('not-confirmed', 'The record is the origin of custom hostnames.');
      };
      const done = await setZoneRecords(until, zoneId, all, around, agree).catch((error: unknown) => {
        if (origin === undefined) throw error;
        return [];
      });
      if (origin !== undefined) return origin;
      const [set] = done;
      if (set === undefined) throw new Error('each content requires a separate record');
      return { ...set, canUndo: canUndo() };
    },
    /** Changes a record that was read earlier, unless someone else has changed it since then. */
    async change(zoneId: string, before: ZoneDnsRecord, change: RecordChange, signal: AbortSignal) {
      const until = stoppable(session, signal);
      const { around, canUndo } = keeping(until, zoneId);
      return { ...(await changeZoneRecord(until, zoneId, before, change, around)), canUndo: canUndo() };
    },
    /** Deletes a record. Returns whether the undo journal contains the record. */
    async remove(zoneId: string, record: ZoneDnsRecord, signal: AbortSignal) {
      const until = stoppable(session, signal);
      if (isUndoOn(session)) return (await deleteRecordWithUndo(until, zoneId, record)) !== undefined;
      await deleteZoneRecord(until, zoneId, record.id);
      return false;
    },
    /**
     * Deletes records one by one, without saving them for undo. Yields each record after its deletion, even if someone else has already
     * deleted it. Stops at the first failure.
     */
    async *removeAll(zoneId: string, records: readonly ZoneDnsRecord[], signal: AbortSignal) {
      const until = stoppable(session, signal);
      for (const record of records) {
        await deleteZoneRecord(until, zoneId, record.id).catch(ignoreMissing);
        yield record;
      }
    },
    /** Writes the valid records to a file, in the format of `edgectl zone record list --json`. Returns the number of records. */
    async save(zoneId: string, path: string, signal: AbortSignal, skipped: (count: number) => void) {
      const records = await listZoneRecords(stoppable(session, signal), zoneId, {}, skipped);
      await saveText(session.world, path, `${jsonText(records, 2)}\n`);
      return records.length;
    },
  };
}
