import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyKind } from '../../../components/kv/key-list.ts';
import { packKeys } from '../../../components/kv/packed-keys.ts';
import { addPage } from '../../../components/ui/lists/list-pages.ts';
import { continuePick, isPicking, narrow } from '../../../components/ui/lists/narrowing.ts';
import { emptyList, shownLength, shownRow } from '../../../components/ui/lists/paged-list.ts';
import type { KeyEntry } from '../../../src/model/kv/kv.ts';

const entry: fc.Arbitrary<KeyEntry> = fc
  .record({
    name: fc.string({ unit: 'grapheme', maxLength: 12 }),
    expiration: fc.option(fc.nat(), { nil: undefined }),
    metadata: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
  })
  .map(({ name, expiration, metadata }) => ({
    name,
    ...(expiration !== undefined && { expiration }),
    ...(metadata !== undefined && { metadata: JSON.parse(JSON.stringify(metadata)) as unknown }),
  }));

test('returns each listed key unchanged', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
      const packed = packKeys(entries);
      expect([...packed]).toEqual(entries);
      expect(entries.map((_, index) => packed.at(index))).toEqual(entries);
      for (let index = 0; index < entries.length; index++) expect(packed.at(index)).toBe(packed.at(index));
      expect([packed.at(-1), packed.at(entries.length)]).toEqual([undefined, undefined]);
    }),
  );
});

test('finds the same keys in packed pages as in the last page', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `Key:${String(index).padStart(5, '0')}`);
  const items = names.map((name): KeyEntry => ({ name }));
  const listed = addPage(emptyList(keyKind), { generation: 0, items, complete: true });
  expect(listed.rows.chunks.map((chunk) => chunk.joined !== undefined)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  for (const typed of ['key:0', 'y:049', 'K', '!99', '/9$/', '~k99', '0Key']) {
    let list = narrow(listed, typed);
    while (isPicking(list)) list = continuePick(list);
    const lets = list.pick?.query.matcher?.lets;
    const wanted = names.filter((name) => lets?.(name));
    expect(Array.from({ length: shownLength(list) }, (_, at) => shownRow(list, at)?.name)).toEqual(wanted);
  }
});
