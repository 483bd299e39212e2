import { expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { ensureHostname } from '../../../src/services/hostnames/create.ts';
import { editHostname, findHostname } from '../../../src/services/hostnames/hostnames.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { factsOf } from '../../../src/services/undo/facts.ts';
import {
  deleteHostnameKeeping,
  editHostnameKeeping,
  refreshHostnameKeeping,
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

test('an edit gives back every setting, and a delete too; what putting back replaces is kept in its turn', async () => {
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
  const changed = await editHostnameKeeping(session, zoneId, record, other);
  const after = settingsOfRecord(changed.record);
  expect(after).toMatchObject({ method: 'http', wildcard: false, tls: { min_tls_version: '1.0' } });
  const [edit] = (await journal.list()).entries;
  if (edit === undefined) throw new Error('nothing was kept');
  expect(edit).toMatchObject({ did: 'replaced', thing: { settings: tls } });
  const facts = factsOf(edit, new Uint8Array());
  expect(Object.fromEntries(facts)).toMatchObject({
    mind: expect.stringMatching(/new tokens.*new certificate/),
  });

  expect(await restore(session, edit, plain)).toMatchObject({ outcome: 'restored' });
  expect(await settings(session, zoneId)).toEqual(before);
  const [inTurn] = (await journal.list()).entries;
  expect(inTurn).toMatchObject({ did: 'restored', thing: { settings: { min_tls_version: '1.0' } } });

  const there = await findHostname(session, zoneId, whole.hostname);
  const gone = there && (await deleteHostnameKeeping(session, zoneId, there));
  expect(await settings(session, zoneId)).toBeUndefined();
  if (gone === undefined) throw new Error('nothing was kept');
  expect(await restore(session, gone, plain)).toMatchObject({ outcome: 'restored' });
  expect(await settings(session, zoneId)).toEqual(before);
  await session.close();
});

test('what leaves all settings as they are is not kept; what somebody else has changed since is not lost unasked', async () => {
  const { session, zoneId, record, journal } = await openPlace();
  expect((await refreshHostnameKeeping(session, zoneId, record)).entry).toBeUndefined();
  expect((await editHostnameKeeping(session, zoneId, record, { method: 'txt' })).entry).toBeUndefined();
  expect((await journal.list()).entries).toEqual([]);

  const { entry, record: mine } = await editHostnameKeeping(session, zoneId, record, {
    minimumTls: '1.3',
    settings: {},
  });
  if (entry === undefined) throw new Error('nothing was kept');
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
