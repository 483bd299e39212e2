import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import type { Session } from '../session/session.ts';
import { type AroundRecord, deleteZoneRecord } from '../zones/records.ts';
import { listZoneRecords, readOtherFields, writeZoneRecord } from '../zones/zones.ts';
import { changeWithUndo } from './change-with-undo.ts';

type SavedRecord = Extract<UndoThing, { kind: 'dns-record' }>;

const noBytes = new Uint8Array();

/** Deletes a DNS record of an owned zone. Saves the record for undo first. */
export async function deleteRecordWithUndo(
  session: Session,
  zoneId: string,
  record: ZoneDnsRecord,
): Promise<UndoEntry | undefined> {
  const thing = await readSavedRecord(session, zoneId, record);
  const taken = { did: 'deleted', thing, left: 'nothing', bytes: noBytes } as const;
  const { entry } = await changeWithUndo(session, taken, () => deleteZoneRecord(session, zoneId, record.id));
  return entry;
}

/**
 * Returns a wrapper for changes to the records of a zone. The wrapper saves the previous state of each record, and passes the entry to
 * `onSaved`.
 */
export function saveRecordsAround(
  session: Session,
  zoneId: string,
  onSaved: (entry: UndoEntry | undefined) => void,
): AroundRecord {
  return async (before, write, content) => {
    const thing = await readSavedRecord(session, zoneId, before);
    const taken = { did: 'replaced', thing, left: { mark: content }, bytes: noBytes } as const;
    const { result, entry } = await changeWithUndo(session, taken, write);
    onSaved(entry);
    return result;
  };
}

/** Reads the remaining fields of a record, and returns the record in the form to save. */
export async function readSavedRecord(
  session: Session,
  zoneId: string,
  { id, type, name, content, proxied, ttl }: ZoneDnsRecord,
): Promise<SavedRecord> {
  const besides = await readOtherFields(session, zoneId, id);
  return {
    kind: 'dns-record',
    zoneId,
    recordId: id,
    type,
    name,
    content,
    ...(proxied !== undefined && { proxied }),
    ...(ttl !== undefined && { ttl }),
    ...(Object.keys(besides).length > 0 && { besides }),
  };
}

/**
 * Restores a DNS record. A deleted record is created again, unless it exists; a changed record gets its old content. Other records of the
 * same name are kept, and may conflict with it. If the record differs from its state after the change, it is returned as `other`, and
 * nothing is changed, unless `force`.
 */
export async function restoreRecord(
  session: Session,
  { left }: UndoEntry,
  { kind: _, zoneId, recordId, ...record }: SavedRecord,
  { force }: { readonly force: boolean },
): Promise<{ readonly outcome: 'restored' | 'other'; readonly record: ZoneDnsRecord }> {
  const { name, type, content } = record;
  const existing = await listZoneRecords(session, zoneId, { name, type }, () => undefined);
  const current = left === 'nothing' ? undefined : existing.find(({ id }) => id === recordId);
  if (current === undefined) {
    const again = existing.find((one) => one.content === content);
    return { outcome: 'restored', record: again ?? (await writeZoneRecord(session, zoneId, record)) };
  }
  const isExpected = left !== 'nothing' && [left.mark, content].includes(current.content);
  if (!isExpected && !force) return { outcome: 'other', record: current };
  const restored = await writeZoneRecord(session, zoneId, { id: recordId, ...record });
  return { outcome: 'restored', record: restored };
}
