import { expect, test } from 'vitest';
import { undoService } from '../../../src/services/console/undo.ts';
import { removeKey, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { readOldValues, saveStates } from '../../../src/services/undo/batch.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { removeKeyWithUndo, toOldValue } from '../../../src/services/undo/values.ts';
import { openConsole } from '../open-console.tsx';
import { openPlatform } from '../open-objects.tsx';

test('previews entries of the undo journal, and removes one entry or all entries after confirmation', async () => {
  const { session } = await openPlatform();
  const { folders } = session.world;
  const services = { undo: undoService(session) };
  const app = openConsole({ columns: 110, folders, services, opens: { pane: 'home' } });
  const { id } = await createNamespace(session, 'trial');
  const take = async (key: string) => {
    await writeValue(session, id, key, { value: Buffer.from(`value of ${key}`), metadata: { by: 'me' } });
    await removeKeyWithUndo(session, id, key);
  };
  await take('a');
  await app.screen.waitFor('Go to');
  await app.go(['U'], 'Restore the value of a?');
  await app.go(['esc'], (screen) => !screen.text().includes('Restore the'));
  await app.screen.waitFor('text "value of a"');
  expect(app.screen.text()).toContain('metadata     {"by":"me"}');
  await app.go(['d'], 'Forget the value of a, which was deleted?');
  await app.go(['y'], 'Forgot the value of a.');
  await app.go([], 'Nothing to restore');
  await take('b');
  await take('c');
  await app.go(['r'], '2 entries');
  await app.go(['ctrl+x'], 'Forget all 2 undo entries?');
  await app.go(['n'], (screen) => !screen.text().includes('Forget all'));
  expect((await openJournal(session.world).list()).entries).toHaveLength(2);
  await app.go(['/', 'b', 'enter'], '1 of 2 loaded');
  await app.go(['ctrl+x'], 'Forget all 2 undo entries?');
  await app.go(['y'], 'Forgot 2 undo entries.');
  expect((await openJournal(session.world).list()).entries).toEqual([]);
});

test('restores keys that a program behind a guard deleted in bulk', async () => {
  const { session } = await openPlatform();
  const { folders } = session.world;
  const services = { undo: undoService(session) };
  const { id } = await createNamespace(session, 'trial');
  const keys = ['a', 'b'];
  for (const key of keys) await writeValue(session, id, key, { value: Buffer.from(key) });
  const journal = openJournal(session.world, { by: 'script', client: 'wrangler' });
  const whole = await readOldValues(session, id, keys);
  const states = [...whole.values()].map((before) => toOldValue(id, before, 'deleted', 'nothing'));
  await saveStates(session, journal, states);
  for (const key of keys) await removeKey(session, id, key);
  const app = openConsole({ columns: 110, folders, services, opens: { pane: 'home' } });
  await app.screen.waitFor('Go to');
  await app.go(['U'], 'Restore 2 values (a, b)?');
  await app.go(['esc'], (screen) => !screen.text().includes('Restore 2 values'));
  await app.screen.waitFor('wrangler through a guard');
  await app.go(['enter'], 'Restore 2 values (a, b)?');
  await app.go(['y'], 'Restored 2 values (a, b).');
  expect([...(await readOldValues(session, id, keys)).keys()]).toEqual(keys);
});

test('does not replace a dialog that the user opened while an undo ran', async () => {
  const { session } = await openPlatform();
  const { id } = await createNamespace(session, 'trial');
  await writeValue(session, id, 'a', { value: Buffer.from('text') });
  await removeKeyWithUndo(session, id, 'a');
  const undo = undoService(session);
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const readings: Array<ReturnType<typeof undo.list>> = [];
  // Home also reads the undo journal. The pane reads the journal twice: first for the rows, then for the question.
  let home = 0;
  const list = (signal: AbortSignal) => {
    const reading = readings.length === home + 1 ? asked.then(() => undo.list(signal)) : undo.list(signal);
    readings.push(reading);
    return reading;
  };
  const gate = { ...undo, keeps: true, asks: false, list };
  const app = openConsole({ services: { undo: gate }, opens: { pane: 'home' } });
  await app.screen.waitFor('Go to');
  await expect.poll(() => readings.length).toBe(1);
  home = readings.length;
  await app.go(['U'], '1 entry');
  await app.go(['d'], 'Forget the value of a, which was deleted?');
  ask();
  await readings[home + 1];
  await app.go(['down'], '> Yes: forget the entry');
  expect(app.screen.text()).not.toContain('Restore the value of a?');
});
