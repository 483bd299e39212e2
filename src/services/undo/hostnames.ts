import { isDeepStrictEqual } from 'node:util';
import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  hasCustomCertificate,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import { parseHostnameMark, type SavedSettings, type UndoEntry } from '../../model/undo/entry.ts';
import type { HostnameInput, NewHostname } from '../hostnames/body.ts';
import { ensureHostname } from '../hostnames/create.ts';
import { deleteHostname, editHostname, findHostname, refreshHostname } from '../hostnames/hostnames.ts';
import type { Session } from '../session/session.ts';
import { changeWithUndo, type OldState } from './change-with-undo.ts';
import { openJournal } from './journal.ts';

const noBytes = new Uint8Array();

/** The record of a hostname after a change, and the undo entry; undefined if no setting has changed. */
export interface HostnameUpdate {
  readonly record: CustomHostname;
  readonly entry: UndoEntry | undefined;
}

/**
 * Deletes a custom hostname. First saves its settings for undo; its tokens and its certificate cannot be saved.
 */
export async function deleteHostnameWithUndo(
  session: Session,
  zoneId: string,
  record: CustomHostname,
): Promise<UndoEntry | undefined> {
  const thing = toSavedSettings(zoneId, record);
  const taken = { did: 'deleted', thing, left: 'nothing', bytes: noBytes } as const;
  const { entry } = await changeWithUndo(session, taken, () => deleteHostname(session, zoneId, record));
  return entry;
}

/** Changes a custom hostname as `editHostname` does. First saves its settings for undo. */
export function editHostnameWithUndo(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  wanted: HostnameInput,
): Promise<HostnameUpdate> {
  const edit = () => editHostname(session, zoneId, record, wanted);
  return saveSettingsAround(session, toOldState('replaced', toSavedSettings(zoneId, record), wanted), edit);
}

/**
 * Restarts validation as `refreshHostname` does. First saves the settings for undo, because the request contains the settings, and may
 * change the certificate authority.
 */
export function refreshHostnameWithUndo(
  session: Session,
  zoneId: string,
  record: CustomHostname,
): Promise<HostnameUpdate> {
  const refresh = () => refreshHostname(session, zoneId, record);
  return saveSettingsAround(session, toOldState('replaced', toSavedSettings(zoneId, record), {}), refresh);
}

function toOldState(did: OldState['did'], thing: SavedSettings, wanted: HostnameInput): OldState {
  return { did, thing, left: { mark: JSON.stringify(predictSettings(thing, wanted)) }, bytes: noBytes };
}

async function saveSettingsAround(
  session: Session,
  taken: OldState,
  change: () => Promise<CustomHostname>,
): Promise<HostnameUpdate> {
  const { result: record, entry } = await changeWithUndo(session, taken, change);
  if (entry?.thing.kind !== 'hostname' || hasOtherSettings(entry.thing, record)) return { record, entry };
  await openJournal(session.world).remove(entry);
  return { record, entry: undefined };
}

/** Returns whether restoring saved settings would change a hostname. */
export function hasOtherSettings(saved: SavedSettings, record: CustomHostname): boolean {
  return Object.keys(toRestoringChanges(saved, record)).length > 0;
}

/**
 * The result of restoring a hostname's settings. `gone` and `changed` mean that the hostname was deleted or changed again since the saved
 * change. `there` means that a deleted hostname already exists again.
 */
export type RestoredHostname =
  | { readonly outcome: 'restored'; readonly record: CustomHostname }
  | { readonly outcome: 'there' | 'gone' | 'changed' };

/**
 * Restores the settings of a hostname. Creates a deleted hostname again; the platform then issues new tokens. For a changed hostname, first
 * saves the current settings for undo.
 */
export async function restoreHostname(
  session: Session,
  { did, left }: UndoEntry,
  thing: SavedSettings,
  { force }: { readonly force: boolean },
): Promise<RestoredHostname> {
  const { zoneId } = thing;
  const current = await findHostname(session, zoneId, thing.hostname);
  if (current === undefined) {
    if (did !== 'deleted' && !force) return { outcome: 'gone' };
    const { record } = await ensureHostname(session, zoneId, toNewHostname(thing), { takeExisting: false });
    return { outcome: 'restored', record };
  }
  if (did === 'deleted') return { outcome: 'there' };
  const back = toRestoringChanges(thing, current);
  if (Object.keys(back).length === 0) return { outcome: 'restored', record: current };
  const expected = left === 'nothing' ? undefined : parseHostnameMark(left.mark);
  if (!force && (expected === undefined || hasOtherSettings(expected, current)))
    return { outcome: 'changed' };
  const taken = toOldState('restored', toSavedSettings(zoneId, current), back);
  const { record } = await saveSettingsAround(session, taken, () =>
    editHostname(session, zoneId, current, back),
  );
  return { outcome: 'restored', record };
}

const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** Returns the settings of a hostname that can be restored: those that the platform both reports and accepts. */
export function toSavedSettings(zoneId: string, record: CustomHostname): SavedSettings {
  const { hostname, ssl, custom_origin_server: origin, custom_origin_sni: originSni } = record;
  const { method, certificate_authority: authority, wildcard, settings } = ssl ?? {};
  const { custom_metadata } = record;
  return {
    kind: 'hostname',
    zoneId,
    hostname,
    ...(method !== undefined && { method }),
    ...(authority !== undefined && authority !== '' && { authority }),
    ...(wildcard !== undefined && { wildcard }),
    ...(settings !== undefined && { settings: { ...settings } }),
    ...(hasCustomCertificate(record) && { uploaded: true }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(custom_metadata !== undefined && { metadata: { ...custom_metadata } }),
  };
}

/** Returns the expected settings after a change. Omits a certificate authority that the platform chooses. */
export function predictSettings(saved: SavedSettings, changes: HostnameInput): SavedSettings {
  const { authority: before, uploaded, ...unchanged } = saved;
  const { method, authority, wildcard, minimumTls, origin, originSni, metadata } = changes;
  const settings = {
    ...(changes.settings ?? unchanged.settings),
    ...(minimumTls !== undefined && { min_tls_version: minimumTls }),
  };
  const chosen = authority === undefined ? before : authority === 'default' ? undefined : authority;
  return {
    ...unchanged,
    ...(chosen !== undefined && { authority: chosen }),
    ...(uploaded === true && method === undefined && { uploaded }),
    ...(method !== undefined && { method }),
    ...(wildcard !== undefined && { wildcard }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(metadata !== undefined && { metadata: { ...metadata } }),
  };
}

/** Returns the changes that restore the saved settings. An uploaded certificate cannot be restored. */
export function toRestoringChanges(saved: SavedSettings, record: CustomHostname): HostnameInput {
  const { origin = '', originSni = '', metadata = {} } = saved;
  const now = record.custom_metadata ?? {};
  return {
    ...(saved.uploaded === true ? {} : toCertificateChanges(saved, record)),
    ...(origin !== (record.custom_origin_server ?? '') && { origin }),
    ...(originSni !== (record.custom_origin_sni ?? '') && { originSni }),
    ...(!isDeepStrictEqual(metadata, { ...now }) && { metadata }),
  };
}

function toCertificateChanges(saved: SavedSettings, { ssl }: CustomHostname): HostnameInput {
  const { method, authority, wildcard, settings } = toNewHostname(saved);
  const isOther = !isDeepStrictEqual({ ...settings }, { ...ssl?.settings });
  return {
    ...(method !== undefined && method !== ssl?.method && { method }),
    ...(authority !== undefined && authority !== ssl?.certificate_authority && { authority }),
    ...(wildcard !== undefined && wildcard !== (ssl?.wildcard ?? false) && { wildcard }),
    ...(isOther && { settings: settings ?? {} }),
  };
}

/** Returns the input for creating a deleted hostname again, with the saved settings. */
export function toNewHostname(saved: SavedSettings): NewHostname {
  const { hostname, method, authority, wildcard, minimumTls, origin, originSni, metadata } = saved;
  const old = minimumTls === undefined ? undefined : { min_tls_version: minimumTls };
  return {
    hostname,
    method: validationMethods.find((one) => one === method),
    authority: authorities.find((one) => one === authority),
    wildcard,
    settings: saved.settings ?? old,
    origin,
    originSni,
    metadata,
  };
}
