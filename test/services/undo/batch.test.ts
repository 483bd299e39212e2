// The contract: "The undo journal" in docs/decisions.md (an entry is complete before the change is sent). Restoring a batch can need several
// requests: if a later request fails, the values that the first requests have overwritten can still be restored.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { hashValue, readKey } from '../../../src/services/kv/key-change.ts';
import { writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { saveStates } from '../../../src/services/undo/batch.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { restore } from '../../../src/services/undo/restore.ts';
import { toOldValue } from '../../../src/services/undo/values.ts';
import type { Answer, Call } from '../../../src/v4/send.ts';
import { testWorld } from '../../support/world.ts';

const world = testWorld();
const journal = openJournal(world);
const keys = ['a', 'b', 'c'];
const plain = { force: false, withoutExpiry: false };
let session: Session;
let namespaceId: string;
/** A function that returns the answer to a bulk write, or undefined to let the platform answer. */
let answer: (write: number, call: Call) => Answer | undefined;
let writes = 0;

beforeAll(async () => {
  const opened = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const send: Session['send'] = async (call) => {
    const isBulk = call.method === 'PUT' && call.path.endsWith('/bulk');
    return (isBulk ? answer(++writes, call) : undefined) ?? opened.send(call);
  };
  session = { ...opened, send };
  namespaceId = (await createNamespace(session, 'KV')).id;
  return () => opened.close();
});

beforeEach(async () => {
  await journal.purge();
  writes = 0;
});

const values = () =>
  Promise.all(keys.map(async (key) => (await readKey(session, namespaceId, key))?.value.toString()));

/** Saves the values of three keys in one entry, and replaces them. `bulkBytes`: size of a request. */
async function replaceAll(bulkBytes: number) {
  const states = keys.map((name) =>
    toOldValue(namespaceId, { entry: { name }, value: Buffer.from(`old ${name}`) }, 'replaced', {
      mark: hashValue(Buffer.from(`new ${name}`)),
    }),
  );
  const entry = await saveStates(session, journal, states);
  if (entry === undefined) throw new Error('nothing was kept');
  for (const key of keys) await writeValue(session, namespaceId, key, { value: Buffer.from(`new ${key}`) });
  return { entry, at: { ...session, bulkBytes } };
}

const refusals = [
  ['refused by the user whom a policy asks', new Problem('not-permitted', 'You refused it.')],
  ['refused by the platform', new Problem('refused', 'The platform refused it.', { status: 403 })],
] as const;

test.each(refusals)(
  'keeps the overwritten values if the second of three requests is %s',
  async (_, problem) => {
    const { entry, at } = await replaceAll(10);
    answer = (write) => {
      if (write === 2) throw problem;
      return undefined;
    };
    await expect(restore(at, entry, plain)).rejects.toMatchObject({
      code: 'partly-done',
      message: `Restored 1 of 3 values. ${problem.message}`,
      hint: 'The undo entry was kept: restore it again.',
    });
    expect(await values()).toEqual(['old a', 'new b', 'new c']);
    const { entries } = await journal.list();
    expect(entries.map(({ did }) => did).sort()).toEqual(['replaced', 'restored']);
    // Both entries can be restored: first the remaining old values, then the values that the restore replaced.
    answer = () => undefined;
    expect(await restore(at, entry, plain)).toMatchObject({ outcome: 'restored' });
    expect(await values()).toEqual(['old a', 'old b', 'old c']);
    const overwritten = entries.find(({ did }) => did === 'restored');
    expect(overwritten && (await restore(at, overwritten, plain))).toMatchObject({ outcome: 'restored' });
    expect(await values()).toEqual(['new a', 'new b', 'new c']);
  },
);

test('keeps the overwritten values if the retry of a partly accepted request is refused', async () => {
  const { entry, at } = await replaceAll(session.bulkBytes);
  answer = (write) => {
    if (write === 2) throw new Problem('refused', 'The platform refused it.', { status: 403 });
    const result = { successful_key_count: 1, unsuccessful_keys: ['b', 'c'] };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ success: true, result })) };
  };
  await expect(restore(at, entry, plain)).rejects.toMatchObject({ code: 'partly-done' });
  expect((await journal.list()).entries).toHaveLength(2);
});

test.each(refusals)('creates no entry if the first request is %s', async (_, problem) => {
  const { entry, at } = await replaceAll(10);
  answer = () => {
    throw problem;
  };
  await expect(restore(at, entry, plain)).rejects.toBe(problem);
  expect((await journal.list()).entries).toMatchObject([{ id: entry.id }]);
});
