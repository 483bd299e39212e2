import { expect, test } from 'vitest';
import { readFallbackOrigin, setFallbackOrigin } from '../../../src/services/hostnames/fallback-origin.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { setFallbackOriginKeeping } from '../../../src/services/undo/fallback-origins.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { deleteRecordKeeping } from '../../../src/services/undo/records.ts';
import { restore } from '../../../src/services/undo/restore.ts';
import { chooseZone } from '../../../src/services/zones/choice.ts';
import { listZoneRecords, readRecordBesides, writeZoneRecord } from '../../../src/services/zones/zones.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

test('a record that is put back has all that it had, also what edgectl does not set', async () => {
  const world = { ...testWorld(), folders: foldersIn(scratchFolder('undo')) };
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const chosen = await chooseZone(session);
  if (!('zoneId' in chosen)) throw new Error('the sandbox has one zone');
  const { zoneId } = chosen;
  const name = 'mail.saas.sandbox';
  const besides = { priority: 10, comment: 'ours', tags: ['owner:mail'] };
  const record = { type: 'MX', name, content: 'mx.acme.com', ttl: 300, besides };
  const made = await writeZoneRecord(session, zoneId, record);
  const entry = await deleteRecordKeeping(session, zoneId, made);
  expect(await listZoneRecords(session, zoneId, { name })).toEqual([]);
  if (entry === undefined) throw new Error('nothing was kept');
  const plain = { force: false, withoutExpiry: false };
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  const [back] = await listZoneRecords(session, zoneId, { name });
  expect(back).toMatchObject({ type: 'MX', content: 'mx.acme.com', ttl: 300 });
  expect(await readRecordBesides(session, zoneId, back?.id ?? '')).toEqual(besides);
  await session.close();
});

test('a fallback origin comes back, unless somebody has set a third one', async () => {
  const world = { ...testWorld(), folders: foldersIn(scratchFolder('undo')) };
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const chosen = await chooseZone(session);
  if (!('zoneId' in chosen)) throw new Error('the sandbox has one zone');
  const { zoneId } = chosen;
  for (const name of ['one', 'two', 'three'])
    await writeZoneRecord(session, zoneId, {
      type: 'A',
      name: `${name}.saas.sandbox`,
      content: '192.0.2.1',
      proxied: true,
    });
  const first = await setFallbackOrigin(session, zoneId, 'one.saas.sandbox');
  const { entry } = await setFallbackOriginKeeping(session, zoneId, first, 'two.saas.sandbox');
  if (entry === undefined) throw new Error('nothing was kept');
  expect(entry).toMatchObject({ did: 'replaced', by: 'script', thing: { origin: 'one.saas.sandbox' } });
  const plain = { force: false, withoutExpiry: false };
  await setFallbackOrigin(session, zoneId, 'three.saas.sandbox');
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'other' });
  expect(await restore(session, entry, { ...plain, force: true })).toMatchObject({ outcome: 'restored' });
  expect((await readFallbackOrigin(session, zoneId))?.origin).toBe('one.saas.sandbox');
  const [over] = (await openJournal(world).list()).entries;
  expect(over).toMatchObject({ did: 'restored', thing: { origin: 'three.saas.sandbox' } });
  await session.close();
});
