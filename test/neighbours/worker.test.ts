import fc from 'fast-check';
import { sanitisePath } from 'miniflare';
import { describe, expect, it } from 'vitest';
import { folderName } from '../../src/store/paths.ts';
import { start } from '../store/child.ts';
import { bytes, integrity, namespace, openStore, scratch, text } from '../store/scratch.ts';
import { anyCharacter } from '../support/any-character.ts';
import { roundsInPart } from '../support/in-part.ts';
import { startWorker } from './live-miniflare.ts';

const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64');
const soon = () => Math.floor(Date.now() / 1000) + 3600;

interface Listed {
  readonly keys: readonly {
    readonly name: string;
    readonly expiration?: number;
    readonly metadata?: unknown;
  }[];
  readonly list_complete: boolean;
  readonly cursor?: string;
}

const names = [
  'a',
  'a/b',
  'a\0b',
  '../../x',
  '%2e%2e',
  'z',
  'é',
  '\ud7ff',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}x',
];

describe('a worker in Miniflare', { timeout: 60_000 }, () => {
  it('a worker in Miniflare reads the bytes, metadata, expiry, order and prefixes that edgectl wrote', async () => {
    using root = scratch();
    using store = openStore(root.path);
    const value = Uint8Array.from({ length: 256 }, (_, index) => index);
    const end = soon();
    store.write(
      namespace,
      [
        ...names.map((key) => ({ key: `n:${key}`, value: bytes(key) })),
        { key: 'binary', value, metadata: { a: [1, 'é'] }, expiration: end },
        { key: 'empty', value: new Uint8Array() },
        { key: 'expired', value, expiration: 1 },
      ],
      0,
    );
    await using worker = await startWorker(root.path, [namespace]);
    expect(await worker.act(namespace, { does: 'get', key: 'binary' })).toEqual({
      value: base64(value),
      metadata: { a: [1, 'é'] },
    });
    expect(await worker.act(namespace, { does: 'get', key: 'empty' })).toEqual({ value: '', metadata: null });
    expect(await worker.act(namespace, { does: 'get', key: 'expired' })).toBeNull();
    for (const name of names) {
      expect(await worker.act(namespace, { does: 'get', key: `n:${name}` })).toMatchObject({
        value: base64(name),
      });
    }
    const listed = (await worker.act(namespace, { does: 'list' })) as Listed;
    expect(listed.keys).toEqual(store.list(namespace, { limit: 1000 }, Date.now()));
    expect(listed.keys[0]).toEqual({ name: 'binary', expiration: end, metadata: { a: [1, 'é'] } });
    for (const prefix of ['n:', 'n:\u{10ffff}', 'n:\ud7ff', 'e', 'none']) {
      const theirs = (await worker.act(namespace, { does: 'list', prefix })) as Listed;
      expect(theirs.keys).toEqual(store.list(namespace, { prefix, limit: 1000 }, Date.now()));
    }
  });

  it('edgectl reads the keys that a worker in Miniflare writes, and the worker immediately sees the changes of edgectl', async () => {
    using root = scratch();
    using store = openStore(root.path);
    await using worker = await startWorker(root.path, [namespace]);
    const options = { expirationTtl: 3600, metadata: { by: 'worker' } };
    for (const name of names) {
      await worker.act(namespace, { does: 'put', key: name, value: base64(`worker ${name}`), options });
      const stored = store.read(namespace, name, Date.now());
      expect(text(stored?.value)).toBe(`worker ${name}`);
      expect(stored?.metadata).toEqual({ by: 'worker' });
      expect(Math.abs((stored?.expiration ?? 0) - soon())).toBeLessThan(10);
    }
    await worker.act(namespace, { does: 'put', key: 'empty', value: '' });
    expect(store.read(namespace, 'empty', Date.now())).toEqual({ value: Buffer.alloc(0) });
    store.write(namespace, [{ key: 'a', value: bytes('ours') }], Date.now());
    expect(await worker.act(namespace, { does: 'get', key: 'a' })).toEqual({
      value: base64('ours'),
      metadata: null,
    });
    store.remove(namespace, ['z']);
    expect(await worker.act(namespace, { does: 'get', key: 'z' })).toBeNull();
    await worker.act(namespace, { does: 'delete', key: 'é' });
    expect(store.read(namespace, 'é', Date.now())).toBeUndefined();
  });

  it('a worker in Miniflare finds the data of unusual namespace ids where edgectl stores them', async () => {
    using root = scratch();
    using store = openStore(root.path);
    const ids = ['名前', 'é', 'a b', 'a%2fb', 'a:b', 'a_b', '..', 'con', 'x'.repeat(300)];
    for (const id of ids) store.write(id, [{ key: 'k', value: bytes(id) }], 0);
    await using worker = await startWorker(root.path, ids);
    for (const id of ids) {
      expect(await worker.act(id, { does: 'get', key: 'k' })).toEqual({ value: base64(id), metadata: null });
    }
  });

  it('a worker in Miniflare never misses a key that edgectl keeps overwriting', async () => {
    using root = scratch();
    using store = openStore(root.path);
    store.write(namespace, [{ key: 'hot', value: bytes('value') }], 0);
    store.close();
    await using worker = await startWorker(root.path, [namespace]);
    await using writer = start('keep-hot', root.path);
    await writer.line();
    const seen = new Set<string>();
    for (let count = 0; count < roundsInPart(200, 3); count += 1) {
      seen.add(JSON.stringify(await worker.act(namespace, { does: 'get', key: 'hot' })));
    }
    expect([...seen]).toEqual([JSON.stringify({ value: base64('value'), metadata: null })]);
  });

  it('a worker in Miniflare and edgectl neither corrupt nor lose data when both write simultaneously', async () => {
    using root = scratch();
    await using worker = await startWorker(root.path, [namespace]);
    const writers = ['a', 'b'].map((name) => start('write-own', root.path, name));
    await Promise.all(writers.map((writer) => writer.line()));
    let busy = true;
    const done = Promise.all(writers.map((writer) => writer.ended())).then(() => {
      busy = false;
    });
    const acknowledged: string[] = [];
    for (let count = 0; busy; count += 1) {
      const key = `worker ${count}`;
      // workerd does not wait for locks: some writes fail, and the worker reports these failures.
      const put = worker.act(namespace, { does: 'put', key, value: base64(key) });
      await put.then(
        () => acknowledged.push(key),
        () => undefined,
      );
    }
    await done;
    expect(acknowledged.length).toBeGreaterThan(0);
    using store = openStore(root.path);
    for (const key of acknowledged) expect(text(store.read(namespace, key, Date.now())?.value)).toBe(key);
    for (const name of ['a', 'b']) {
      const own = [...store.entries(namespace, { prefix: `${name} ` }, Date.now())];
      expect(own.map(({ key, value }) => text(value) === `${name} wrote ${key}`)).toEqual(
        Array(300).fill(true),
      );
    }
    await worker.act(namespace, { does: 'put', key: 'after', value: base64('all') });
    expect(text(store.read(namespace, 'after', Date.now())?.value)).toBe('all');
    store.close();
    expect(integrity(root.path)).toBe('ok');
  });
});

it('gives a namespace the same folder as Miniflare, for any id', () => {
  const piece = fc.constantFrom(
    '.',
    '/',
    '\\',
    ' ',
    '_',
    'a',
    'con',
    'LPT1',
    ':',
    '*',
    '\n',
    '\u0085',
    'é',
    '\u{1f600}',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((pieces) => pieces.join('')),
        fc.string({ unit: anyCharacter }),
      ),
      (id) => {
        expect(folderName(id)).toBe(sanitisePath(id));
      },
    ),
    { numRuns: 5000 },
  );
});
