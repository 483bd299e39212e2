import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KvStore, StoredEntry } from '../../src/store/kv/kv.ts';
import { roundsInPart } from '../support/in-part.ts';
import { blobFiles, blobRows, bytes, namespace, openStore, outside, scratch, text } from './scratch.ts';

const character = fc.constantFrom(
  'a',
  'b',
  ':',
  '\u0000',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
);
const key = fc.string({ unit: character, minLength: 1, maxLength: 3 });
const entry = fc.record({
  key,
  value: fc.string({ maxLength: 5 }).map(bytes),
  lasts: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  metadata: fc.option(fc.jsonValue(), { nil: undefined }),
});
const step = fc.oneof(
  fc.record({ does: fc.constant('write' as const), entries: fc.array(entry, { maxLength: 4 }) }),
  fc.record({ does: fc.constant('remove' as const), keys: fc.array(key, { maxLength: 3 }) }),
  fc.record({ does: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ does: fc.constant('reopen' as const) }),
);
const question = fc.record({
  prefix: fc.option(key, { nil: undefined }),
  after: fc.option(key, { nil: undefined }),
});

type Model = Map<string, StoredEntry>;

function live(model: Model, now: number): StoredEntry[] {
  return [...model.values()]
    .filter(({ expiration }) => expiration === undefined || expiration * 1000 > now)
    .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

function stored(entry: StoredEntry): unknown {
  const { key, value, expiration, metadata } = entry;
  return [
    key,
    text(value),
    expiration,
    metadata === undefined ? undefined : JSON.parse(JSON.stringify(metadata)),
  ];
}

function agree(
  store: KvStore,
  model: Model,
  asked: { prefix: string | undefined; after: string | undefined },
  now: number,
) {
  const all = live(model, now);
  expect([...store.entries(namespace, {}, now)].map(stored)).toEqual(all.map(stored));
  const after = asked.after === undefined ? undefined : Buffer.from(asked.after);
  const wanted = all.filter(
    ({ key }) =>
      key.startsWith(asked.prefix ?? '') &&
      (after === undefined || Buffer.compare(Buffer.from(key), after) > 0),
  );
  const listed = store.list(namespace, { ...asked, limit: 3 }, now);
  expect(listed.map(({ name }) => name)).toEqual(wanted.slice(0, 3).map(({ key }) => key));
}

it('returns the same answers as a map after any sequence of writes, deletes and waits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), question, (steps, asked) => {
      using root = scratch();
      const world = outside();
      using store = openStore(root.path, world);
      const model: Model = new Map();
      // The clock is half a second after a whole second, because reading and listing differ at the exact moment when a key expires.
      let now = 1_795_000_000_500;
      for (const action of steps) {
        if (action.does === 'wait') now += action.seconds * 1000;
        else if (action.does === 'reopen') store.close();
        else if (action.does === 'remove') {
          const there = new Set(live(model, now).map(({ key }) => key));
          const found = new Set(action.keys.filter((name) => there.has(name)));
          expect(store.remove(namespace, action.keys, now)).toBe(found.size);
          for (const name of action.keys) model.delete(name);
        } else {
          const entries = action.entries.map(({ lasts, metadata, ...rest }) => ({
            ...rest,
            ...(lasts === undefined ? {} : { expiration: Math.floor(now / 1000) + lasts }),
            ...(metadata === undefined ? {} : { metadata }),
          }));
          store.write(namespace, entries, now);
          for (const written of entries) model.set(written.key, written);
        }
        agree(store, model, asked, now);
      }
      store.close();
      if (model.size > 0) expect(blobFiles(root.path)).toEqual(blobRows(root.path));
    }),
    { numRuns: roundsInPart(200, 4) },
  );
});
