import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import type { UndoEntry, UndoThing } from '../../model/undo/entry.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { ensureHostname } from '../hostnames/create.ts';
import { deleteHostname, findHostname } from '../hostnames/hostnames.ts';
import type { Session } from '../session/session.ts';
import { type AroundRecord, deleteZoneRecord } from '../zones/records.ts';
import { listZoneRecords, writeZoneRecord } from '../zones/zones.ts';
import { changeKeeping } from './keep.ts';

type KeptHostname = Extract<UndoThing, { kind: 'hostname' }>;
type KeptRecord = Extract<UndoThing, { kind: 'dns-record' }>;

const noBytes = new Uint8Array();

/** Deletes a custom hostname, and keeps its settings first. Its tokens and its certificate cannot be kept. */
export async function deleteHostnameKeeping(
  session: Session,
  zoneId: string,
  record: CustomHostname,
): Promise<UndoEntry | undefined> {
  const taken = {
    did: 'deleted',
    thing: settingsOf(zoneId, record),
    left: 'nothing',
    bytes: noBytes,
  } as const;
  const { entry } = await changeKeeping(session, taken, () => deleteHostname(session, zoneId, record.id));
  return entry;
}

function settingsOf(zoneId: string, record: CustomHostname): KeptHostname {
  const {
    hostname,
    ssl,
    custom_origin_server: origin,
    custom_origin_sni: originSni,
    custom_metadata,
  } = record;
  const { method, certificate_authority: authority, wildcard, settings } = ssl ?? {};
  const minimumTls = settings?.min_tls_version;
  return {
    kind: 'hostname',
    zoneId,
    hostname,
    ...(method !== undefined && { method }),
    ...(authority !== undefined && authority !== '' && { authority }),
    ...(wildcard !== undefined && { wildcard }),
    ...(minimumTls !== undefined && { minimumTls }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(custom_metadata !== undefined && { metadata: { ...custom_metadata } }),
  };
}

const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** Creates a hostname anew with its settings; the platform gives it other tokens. Undefined where it is there already. */
export async function restoreHostname(
  session: Session,
  { kind: _, zoneId, method, authority, ...settings }: KeptHostname,
): Promise<CustomHostname | undefined> {
  if ((await findHostname(session, zoneId, settings.hostname)) !== undefined) return undefined;
  const wanted = {
    ...settings,
    method: validationMethods.find((one) => one === method),
    authority: authorities.find((one) => one === authority),
  };
  return (await ensureHostname(session, zoneId, wanted, { takeExisting: false })).record;
}

/** Deletes a DNS record of an own zone, and keeps it first. */
export async function deleteRecordKeeping(
  session: Session,
  zoneId: string,
  record: ZoneDnsRecord,
): Promise<UndoEntry | undefined> {
  const thing = keptRecord(zoneId, record);
  const taken = { did: 'deleted', thing, left: 'nothing', bytes: noBytes } as const;
  const { entry } = await changeKeeping(session, taken, () => deleteZoneRecord(session, zoneId, record.id));
  return entry;
}

/** Stands around changes of records of a zone, and keeps each as it was; `kept` is told of the entry. */
export function keepingRecords(
  session: Session,
  zoneId: string,
  kept: (entry: UndoEntry | undefined) => void,
): AroundRecord {
  return async (before, write, content) => {
    const thing = keptRecord(zoneId, before);
    const taken = { did: 'replaced', thing, left: { mark: content }, bytes: noBytes } as const;
    const { result, entry } = await changeKeeping(session, taken, write);
    kept(entry);
    return result;
  };
}

function keptRecord(zoneId: string, { id, type, name, content, proxied, ttl }: ZoneDnsRecord): KeptRecord {
  return {
    kind: 'dns-record',
    zoneId,
    recordId: id,
    type,
    name,
    content,
    ...(proxied !== undefined && { proxied }),
    ...(ttl !== undefined && { ttl }),
  };
}

/**
 * Makes a DNS record again, unless it is there already; one that was changed gets back what it said. Records of other contents
 * beside it stay, and may stop it. Where it says something else by now than the change has left, that is returned, and
 * nothing is changed unless `force`.
 */
export async function restoreRecord(
  session: Session,
  { left }: UndoEntry,
  { kind: _, zoneId, recordId, ...record }: KeptRecord,
  { force }: { readonly force: boolean },
): Promise<ZoneDnsRecord | undefined> {
  const { name, type, content } = record;
  const there = await listZoneRecords(session, zoneId, { name, type });
  const same = left === 'nothing' ? undefined : there.find(({ id }) => id === recordId);
  if (same === undefined) {
    if (!there.some((one) => one.content === content)) await writeZoneRecord(session, zoneId, record);
    return undefined;
  }
  const isExpected = left !== 'nothing' && [left.mark, content].includes(same.content);
  if (!isExpected && !force) return same;
  await writeZoneRecord(session, zoneId, { id: recordId, ...record });
  return undefined;
}
