import { expect, test } from 'vitest';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
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
