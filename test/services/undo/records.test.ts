import { expect, test } from 'vitest';
import type { UndoEntry } from '../../../src/model/undo/entry.ts';
import { readFallbackOrigin, setFallbackOrigin } from '../../../src/services/hostnames/fallback-origin.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import {
  deleteFallbackOriginWithUndo,
  setFallbackOriginWithUndo,
} from '../../../src/services/undo/fallback-origins.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { deleteRecordWithUndo, saveRecordsAround } from '../../../src/services/undo/records.ts';
import { restore } from '../../../src/services/undo/restore.ts';
import { chooseZone } from '../../../src/services/zones/choice.ts';
import { listZoneRecords, readOtherFields, writeZoneRecord } from '../../../src/services/zones/zones.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

const plain = { force: false, withoutExpiry: false };

async function openZone() {
  const world = { ...testWorld(), folders: foldersIn(scratchFolder('undo')) };
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const chosen = await chooseZone(session);
  if (!('zoneId' in chosen)) throw new Error('the sandbox has one zone');
  const { zoneId } = chosen;
  return { session, zoneId, world };
}

test('restores a record with all its fields, including those that edgectl does not set', async () => {
  const { session, zoneId } = await openZone();
  const name = 'mail.saas.sandbox';
  const besides = { priority: 10, comment: 'ours', tags: ['owner:mail'] };
  const record = { type: 'MX', name, content: 'mx.acme.com', ttl: 300, besides };
  const made = await writeZoneRecord(session, zoneId, record);
  const entry = await deleteRecordWithUndo(session, zoneId, made);
  expect(await listZoneRecords(session, zoneId, { name })).toEqual([]);
  if (entry === undefined) throw new Error('nothing was kept');
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  const [back] = await listZoneRecords(session, zoneId, { name });
  expect(back).toMatchObject({ type: 'MX', content: 'mx.acme.com', ttl: 300 });
  expect(await readOtherFields(session, zoneId, back?.id ?? '')).toEqual(besides);
  await session.close();
});

test('restores the content of a changed record, unless the record was changed since', async () => {
  const { session, zoneId } = await openZone();
  const name = 'www.saas.sandbox';
  const a = { type: 'A', name, content: '192.0.2.1' };
  const made = await writeZoneRecord(session, zoneId, { ...a, proxied: true });
  const entries: (UndoEntry | undefined)[] = [];
  const keeping = saveRecordsAround(session, zoneId, (one) => entries.push(one));
  const change = (content: string) => writeZoneRecord(session, zoneId, { ...a, id: made.id, content });
  await keeping(made, () => change('192.0.2.2'), '192.0.2.2');
  const [entry] = entries;
  if (entry === undefined) throw new Error('nothing was kept');
  expect(entry).toMatchObject({
    did: 'replaced',
    left: { mark: '192.0.2.2' },
    thing: { recordId: made.id, content: '192.0.2.1', proxied: true },
  });
  const thing = { kind: 'dns-record', zoneId, recordId: made.id, ...a, proxied: true, ttl: 1 };
  expect(entry.thing).toStrictEqual(thing);
  await change('192.0.2.3');
  expect(await restore(session, entry, plain)).toEqual({
    outcome: 'other',
    why: 'Since the A record of www.saas.sandbox was replaced, another content: 192.0.2.3 has been written there.',
  });
  expect(await listZoneRecords(session, zoneId, { name })).toMatchObject([{ content: '192.0.2.3' }]);
  const force = { ...plain, force: true };
  expect(await restore(session, entry, force)).toMatchObject({
    outcome: 'restored',
    what: { kind: 'dns-record', zoneId, record: { id: made.id, content: '192.0.2.1', proxied: true } },
  });

  // The record was deleted, and created again by someone else: the new record stays, and no second record is created.
  const { proxied: _, ttl: __, ...bare } = made;
  const gone = await deleteRecordWithUndo(session, zoneId, bare);
  const other = await writeZoneRecord(session, zoneId, { ...a, content: '192.0.2.9' });
  const again = await writeZoneRecord(session, zoneId, { ...a, proxied: false });
  if (gone === undefined) throw new Error('nothing was kept');
  expect(gone.thing).toStrictEqual({ kind: 'dns-record', zoneId, recordId: made.id, ...a });
  expect(await restore(session, gone, plain)).toMatchObject({
    what: { record: { id: again.id, proxied: false } },
  });
  const ids = (await listZoneRecords(session, zoneId, { name })).map(({ id }) => id);
  expect(ids.toSorted()).toEqual([other.id, again.id].toSorted());
  await session.close();
});

test('restores a fallback origin, unless another origin was set since', async () => {
  const { session, zoneId, world } = await openZone();
  for (const name of ['one', 'two', 'three'])
    await writeZoneRecord(session, zoneId, {
      type: 'A',
      name: `${name}.saas.sandbox`,
      content: '192.0.2.1',
      proxied: true,
    });
  const first = await setFallbackOrigin(session, zoneId, 'one.saas.sandbox');
  const { entry } = await setFallbackOriginWithUndo(session, zoneId, first, 'two.saas.sandbox');
  if (entry === undefined) throw new Error('nothing was kept');
  expect(entry).toMatchObject({ did: 'replaced', by: 'script', thing: { origin: 'one.saas.sandbox' } });
  await setFallbackOrigin(session, zoneId, 'three.saas.sandbox');
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'other' });
  expect(await restore(session, entry, { ...plain, force: true })).toMatchObject({ outcome: 'restored' });
  expect((await readFallbackOrigin(session, zoneId))?.origin).toBe('one.saas.sandbox');
  const [over] = (await openJournal(world).list()).entries;
  expect(over).toMatchObject({ did: 'restored', thing: { origin: 'three.saas.sandbox' } });

  // Setting the current origin again saves nothing for undo. A deleted origin is restored if no origin is set, and this restore also saves
  // nothing.
  await openJournal(world).purge();
  const now = await readFallbackOrigin(session, zoneId);
  expect((await setFallbackOriginWithUndo(session, zoneId, now, 'one.saas.sandbox')).entry).toBeUndefined();
  const gone = await deleteFallbackOriginWithUndo(session, zoneId, now);
  if (gone === undefined) throw new Error('nothing was kept');
  expect(gone).toMatchObject({ did: 'deleted', left: 'nothing', thing: { origin: 'one.saas.sandbox' } });
  const back = { kind: 'fallback-origin', zoneId, origin: 'one.saas.sandbox' };
  expect(await restore(session, gone, plain)).toEqual({ outcome: 'restored', what: back });
  expect((await readFallbackOrigin(session, zoneId))?.origin).toBe('one.saas.sandbox');
  expect((await openJournal(world).list()).entries).toEqual([]);
  await setFallbackOrigin(session, zoneId, 'two.saas.sandbox');
  const theirs = await setFallbackOriginWithUndo(
    session,
    zoneId,
    { ...first, origin: 'two.saas.sandbox' },
    'one.saas.sandbox',
  );
  await setFallbackOrigin(session, zoneId, 'two.saas.sandbox');
  expect(theirs.entry && (await restore(session, theirs.entry, plain))).toMatchObject({
    outcome: 'restored',
  });
  const third = await setFallbackOriginWithUndo(
    session,
    zoneId,
    { ...first, origin: 'one.saas.sandbox' },
    'two.saas.sandbox',
  );
  expect(await deleteFallbackOriginWithUndo(session, zoneId, undefined)).toBeUndefined();
  expect(third.entry && (await restore(session, third.entry, plain))).toEqual({
    outcome: 'other',
    why: 'Since the fallback origin one.saas.sandbox was replaced, the origin none has been written there.',
  });
  await session.close();
});
