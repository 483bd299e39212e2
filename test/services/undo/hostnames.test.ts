import { expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { SavedSettings } from '../../../src/model/undo/entry.ts';
import { ensureHostname } from '../../../src/services/hostnames/create.ts';
import { editHostname, findHostname } from '../../../src/services/hostnames/hostnames.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { listFacts } from '../../../src/services/undo/facts.ts';
import {
  deleteHostnameWithUndo,
  editHostnameWithUndo,
  predictSettings,
  refreshHostnameWithUndo,
  toNewHostname,
  toRestoringChanges,
  toSavedSettings,
} from '../../../src/services/undo/hostnames.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { restore } from '../../../src/services/undo/restore.ts';
import { chooseZone } from '../../../src/services/zones/choice.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const tls = {
  min_tls_version: '1.2',
  http2: 'off',
  tls_1_3: 'off',
  early_hints: 'on',
  ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'],
};
const whole = {
  hostname: 'shop.acme.com',
  method: 'txt',
  authority: 'lets_encrypt',
  wildcard: true,
  settings: tls,
  originSni: 'sni.acme.com',
  metadata: { plan: 'pro', seats: 3 },
} as const;
const plain = { force: false, withoutExpiry: false };

async function openPlace() {
  const world = { ...testWorld(), folders: foldersIn(scratchFolder('undo')) };
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const chosen = await chooseZone(session);
  if (!('zoneId' in chosen)) throw new Error('the sandbox has one zone');
  const { zoneId } = chosen;
  const { record } = await ensureHostname(session, zoneId, whole, { takeExisting: false });
  const journal = openJournal(world);
  return { session, zoneId, record, journal };
}

async function settings(session: Session, zoneId: string) {
  const record = await findHostname(session, zoneId, whole.hostname);
  return record && settingsOfRecord(record);
}

function settingsOfRecord({ ssl, ...record }: CustomHostname) {
  return {
    method: ssl?.method,
    authority: ssl?.certificate_authority,
    wildcard: ssl?.wildcard,
    tls: ssl?.settings,
    sni: record.custom_origin_sni,
    metadata: record.custom_metadata,
  };
}

test('restores every setting after an edit or a delete, and saves the settings that it replaces', async () => {
  const { session, zoneId, record, journal } = await openPlace();
  const before = settingsOfRecord(record);
  expect(before).toEqual({
    method: 'txt',
    authority: 'lets_encrypt',
    wildcard: true,
    tls,
    sni: 'sni.acme.com',
    metadata: { plan: 'pro', seats: 3 },
  });
  const other = {
    method: 'http',
    authority: 'default',
    wildcard: false,
    settings: { min_tls_version: '1.0' },
    originSni: '',
    metadata: {},
  } as const;
  const changed = await editHostnameWithUndo(session, zoneId, record, other);
  const after = settingsOfRecord(changed.record);
  expect(after).toMatchObject({ method: 'http', wildcard: false, tls: { min_tls_version: '1.0' } });
  const [edit] = (await journal.list()).entries;
  if (edit === undefined) throw new Error('nothing was kept');
  expect(edit).toMatchObject({ did: 'replaced', thing: { settings: tls } });
  const facts = listFacts(edit, new Uint8Array());
  expect(Object.fromEntries(facts)).toMatchObject({
    mind: expect.stringMatching(/new tokens.*new certificate/),
  });

  expect(await restore(session, edit, plain)).toMatchObject({ outcome: 'restored' });
  expect(await settings(session, zoneId)).toEqual(before);
  const [inTurn] = (await journal.list()).entries;
  expect(inTurn).toMatchObject({ did: 'restored', thing: { settings: { min_tls_version: '1.0' } } });

  const there = await findHostname(session, zoneId, whole.hostname);
  const gone = there && (await deleteHostnameWithUndo(session, zoneId, there));
  expect(await settings(session, zoneId)).toBeUndefined();
  if (gone === undefined) throw new Error('nothing was kept');
  expect(await restore(session, gone, plain)).toMatchObject({ outcome: 'restored' });
  expect(await settings(session, zoneId)).toEqual(before);
  await session.close();
});

test('saves nothing if all settings stay unchanged, and asks before it overwrites changes by others', async () => {
  const { session, zoneId, record, journal } = await openPlace();
  expect((await refreshHostnameWithUndo(session, zoneId, record)).entry).toBeUndefined();
  expect((await editHostnameWithUndo(session, zoneId, record, { method: 'txt' })).entry).toBeUndefined();
  expect((await journal.list()).entries).toEqual([]);

  const { entry, record: mine } = await editHostnameWithUndo(session, zoneId, record, {
    minimumTls: '1.3',
    settings: {},
  });
  if (entry === undefined) throw new Error('nothing was kept');
  const unknown = { ...entry, left: { mark: 'of a later version' } };
  expect(await restore(session, unknown, plain)).toMatchObject({ outcome: 'other' });
  await editHostname(session, zoneId, mine, { metadata: { plan: 'free' } });
  expect(await restore(session, entry, plain)).toMatchObject({
    outcome: 'other',
    why: expect.stringContaining('changed again'),
  });
  expect(await settings(session, zoneId)).toMatchObject({ metadata: { plan: 'free' } });
  expect(await restore(session, entry, { ...plain, force: true })).toMatchObject({ outcome: 'restored' });
  expect(await settings(session, zoneId)).toMatchObject({ tls, metadata: whole.metadata });
  await session.close();
});

const bare = { id: 'h', hostname: 'a.com' };
const named = { kind: 'hostname', zoneId: 'z', hostname: 'a.com' } as const;

test.each<[string, Partial<CustomHostname>, Partial<SavedSettings>]>([
  ['without a certificate', {}, {}],
  ['of the default authority', { ssl: { certificate_authority: '' } }, {}],
  [
    'with everything',
    {
      ssl: { method: 'txt', certificate_authority: 'google', wildcard: false, settings: { http2: 'on' } },
      custom_origin_server: 'o.com',
      custom_origin_sni: 's.com',
      custom_metadata: { a: 1 },
    },
    {
      method: 'txt',
      authority: 'google',
      wildcard: false,
      settings: { http2: 'on' },
      origin: 'o.com',
      originSni: 's.com',
      metadata: { a: 1 },
    },
  ],
  ['with an uploaded certificate', { ssl: { custom_certificate: 'PEM' } }, { uploaded: true }],
])('saves the settings of a hostname %s', (_, record, saved) => {
  expect(toSavedSettings('z', { ...bare, ...record })).toStrictEqual({ ...named, ...saved });
});

test.each<[string, Partial<SavedSettings>, Parameters<typeof predictSettings>[1], Partial<SavedSettings>]>([
  ['nothing', { authority: 'google', wildcard: true }, {}, { authority: 'google', wildcard: true }],
  [
    'another authority',
    { authority: 'google' },
    { authority: 'lets_encrypt' },
    { authority: 'lets_encrypt' },
  ],
  ['the default authority', { authority: 'google' }, { authority: 'default' }, {}],
  [
    'the TLS version',
    { settings: { http2: 'on' } },
    { minimumTls: '1.2' },
    { settings: { http2: 'on', min_tls_version: '1.2' } },
  ],
  [
    'all TLS settings',
    { settings: { http2: 'on' } },
    { settings: { tls_1_3: 'on' } },
    { settings: { tls_1_3: 'on' } },
  ],
  ['origins', {}, { origin: 'o.com', originSni: 's.com' }, { origin: 'o.com', originSni: 's.com' }],
  [
    'metadata and the wildcard',
    { metadata: { a: 1 } },
    { metadata: { b: 2 }, wildcard: true },
    { metadata: { b: 2 }, wildcard: true },
  ],
  [
    'settings outside the certificate',
    { uploaded: true },
    { origin: 'o.com' },
    { uploaded: true, origin: 'o.com' },
  ],
  [
    'the method, which replaces an uploaded certificate',
    { uploaded: true },
    { method: 'txt' },
    { method: 'txt' },
  ],
])('predicts the settings after a change of %s', (_, saved, wanted, after) => {
  expect(predictSettings({ ...named, ...saved }, wanted)).toStrictEqual({ ...named, ...after });
});

test.each<[string, Partial<SavedSettings>, Partial<CustomHostname>, object]>([
  ['unchanged', { method: 'txt' }, { ssl: { method: 'txt' } }, {}],
  [
    'without a certificate now',
    { method: 'txt', authority: 'google', wildcard: true, settings: { http2: 'on' } },
    {},
    { method: 'txt', authority: 'google', wildcard: true, settings: { http2: 'on' } },
  ],
  ['with other settings', {}, { ssl: { settings: { http2: 'on' } } }, { settings: {} }],
  ['with the same settings', { settings: { http2: 'on' } }, { ssl: { settings: { http2: 'on' } } }, {}],
  [
    'with settings of an older version',
    { minimumTls: '1.2' },
    { ssl: { settings: { min_tls_version: '1.0' } } },
    { settings: { min_tls_version: '1.2' } },
  ],
  [
    'with another authority',
    { authority: 'google' },
    { ssl: { certificate_authority: 'lets_encrypt' } },
    { authority: 'google' },
  ],
  ['with a wildcard', { wildcard: false }, { ssl: { wildcard: true } }, { wildcard: false }],
  ['with an unknown wildcard setting', { wildcard: false }, { ssl: {} }, {}],
  [
    'with origins that it did not have',
    {},
    { custom_origin_server: 'o.com', custom_origin_sni: 's.com' },
    { origin: '', originSni: '' },
  ],
  ['with other metadata', { metadata: { a: 1 } }, { custom_metadata: { b: 2 } }, { metadata: { a: 1 } }],
  ['with metadata that it did not have', {}, { custom_metadata: { b: 2 } }, { metadata: {} }],
  // An uploaded certificate cannot be restored, and setting a method would order another certificate.
  [
    'that had an uploaded certificate',
    { uploaded: true, method: 'txt', settings: { http2: 'on' }, origin: 'o.com' },
    {},
    { origin: 'o.com' },
  ],
])('restores the settings of a hostname %s', (_, saved, record, inputs) => {
  expect(toRestoringChanges({ ...named, ...saved }, { ...bare, ...record })).toStrictEqual(inputs);
});

test('creates a hostname from an older entry with its TLS version', () => {
  const { settings } = toNewHostname({ ...named, minimumTls: '1.2', method: 'gone', authority: 'gone' });
  expect(settings).toEqual({ min_tls_version: '1.2' });
  expect(toNewHostname({ ...named, method: 'gone', authority: 'gone' })).toMatchObject({
    hostname: 'a.com',
    method: undefined,
    authority: undefined,
    settings: undefined,
  });
});

test('requires --force to restore a hostname that someone has deleted, and does not change an existing hostname', async () => {
  const { session, zoneId, record } = await openPlace();
  const { entry } = await editHostnameWithUndo(session, zoneId, record, { metadata: {} });
  const there = await findHostname(session, zoneId, whole.hostname);
  if (entry === undefined || there === undefined) throw new Error('nothing was kept');
  const deleted = await deleteHostnameWithUndo(session, zoneId, there);
  if (deleted === undefined) throw new Error('nothing was kept');
  expect(await restore(session, entry, plain)).toEqual({
    outcome: 'other',
    why: 'Since the settings of shop.acme.com were replaced, the hostname has been deleted.',
  });
  expect(await settings(session, zoneId)).toBeUndefined();
  expect(await restore(session, entry, { ...plain, force: true })).toMatchObject({
    outcome: 'restored',
    what: { kind: 'hostname', zoneId, record: { hostname: whole.hostname } },
  });
  await expect(restore(session, deleted, { ...plain, force: true })).rejects.toMatchObject({
    code: 'refused',
    message: 'shop.acme.com already exists: its settings were not changed.',
    remedy: { kind: 'edit-hostname' },
  });
  await session.close();
});
