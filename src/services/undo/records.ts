import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import type { Session } from '../session/session.ts';
import { type AroundRecord, deleteZoneRecord } from '../zones/records.ts';
import { listZoneRecords, readOtherFields, writeZoneRecord } from '../zones/zones.ts';
import { changeWithUndo } from './change-with-undo.ts';

type SavedRecord = Extract<UndoThing, { kind: 'dns-record' }>;

const noBytes = new Uint8Array();

/** Deletes a DNS record of a zone. First saves the record for undo. */
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
 * Returns a wrapper for changes to the DNS records of a zone. The wrapper first saves the record for undo, and passes the undo entry to
 * `onSaved` after the change.
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

/** Returns a record as saved in an undo entry, including its other fields, which are read from the platform. */
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
 * Restores a DNS record. Creates a deleted record again, unless an identical record exists; sets the old content of a changed record. Does
 * not change other records with the same name, which may conflict. If the record was changed again since the saved change, returns it as
 * `other` and changes nothing, unless `force` is set.
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
