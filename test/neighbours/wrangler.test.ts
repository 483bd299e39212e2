import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { KvStore } from '../../src/store/kv/kv.ts';
import { endWrangler, openWrangler, type Run } from '../peers/wrangler.ts';
import { bytes, namespace, openStore, scratch } from '../store/scratch.ts';
import { inSoak } from '../support/in-part.ts';

afterAll(endWrangler);

type LocalWrangler = (action: string, ...args: string[]) => Promise<Run>;

/** Calls `work` with our store, and with wrangler's `kv key` for the same folder and namespace. */
async function beside(
  namespaceId: string,
  work: (store: KvStore, wrangler: LocalWrangler, folder: string) => Promise<void>,
): Promise<void> {
  using root = scratch();
  using home = scratch();
  using store = openStore(root.path);
  const wrangler = openWrangler(home.path, {});
  const place = ['--namespace-id', namespaceId, '--local', '--persist-to', root.path];
  await work(store, (action, ...args) => wrangler('kv', 'key', action, ...args, ...place), home.path);
}

function done(run: Run): Run {
  expect(run, run.said).toMatchObject({ code: 0 });
  return run;
}

const soon = () => Math.floor(Date.now() / 1000) + 3600;

describe.concurrent('the real wrangler on the same folder', { timeout: 120_000 }, () => {
  inSoak(() => {
    test('wrangler lists and gets keys that edgectl wrote, with expiry and metadata, and no expired keys', () =>
      beside(namespace, async (store, wrangler) => {
        const end = soon();
        const value = Uint8Array.from({ length: 256 }, (_, index) => index);
        const binary = { key: 'b', value, expiration: end, metadata: { a: [1, 'é'] } };
        const others = ['a/b', 'é', '\u{10000}'].map((key) => ({ key, value: bytes(key) }));
        store.write(namespace, [...others, binary, { key: 'expired', value, expiration: 1 }], 0);
        store.close();
        expect(done(await wrangler('get', 'b')).stdout.equals(value)).toBe(true);
        expect(JSON.parse(done(await wrangler('list')).stdout.toString())).toEqual([
          { name: 'a/b' },
          { name: 'b', expiration: end, metadata: { a: [1, 'é'] } },
          { name: 'é' },
          { name: '\u{10000}' },
        ]);
        const [missing, expired] = [await wrangler('get', 'never written'), await wrangler('get', 'expired')];
        expect([expired.code, expired.said]).toEqual([missing.code, missing.said]);
      }));

    inSoak(() => {
      test('wrangler gets an empty value and a value of the maximum size', () =>
        beside(namespace, async (store, wrangler) => {
          const largest = randomBytes(25 * 1024 * 1024);
          store.write(namespace, [{ key: 'largest', value: largest }], 0);
          store.write(namespace, [{ key: 'empty', value: new Uint8Array() }], 0);
          store.close();
          expect(done(await wrangler('get', 'largest')).stdout.equals(largest)).toBe(true);
          expect(done(await wrangler('get', 'empty')).stdout).toHaveLength(0);
        }));
    });
  });

  test('edgectl sees the keys that wrangler writes, overwrites and deletes', () =>
    beside('名前', async (store, wrangler, folder) => {
      const largest = randomBytes(25 * 1024 * 1024);
      writeFileSync(`${folder}/largest`, largest);
      done(await wrangler('put', 'k', 'from wrangler', '--ttl', '3600', '--metadata', '{"by":"wrangler"}'));
      const stored = store.read('名前', 'k', Date.now());
      expect(stored).toMatchObject({ value: Buffer.from('from wrangler'), metadata: { by: 'wrangler' } });
      expect(Math.abs((stored?.expiration ?? 0) - soon())).toBeLessThan(60);
      done(await wrangler('put', 'largest', '--path', 'largest'));
      expect(Buffer.from(store.read('名前', 'largest', Date.now())?.value ?? []).equals(largest)).toBe(true);
      store.write('名前', [{ key: 'k', value: bytes('from edgectl') }], Date.now());
      expect(done(await wrangler('get', 'k')).stdout.toString()).toBe('from edgectl');
      done(await wrangler('delete', 'k'));
      expect(store.read('名前', 'k', Date.now())).toBeUndefined();
      expect(store.remove('名前', ['largest'])).toBe(1);
      expect(JSON.parse(done(await wrangler('list')).stdout.toString())).toEqual([]);
    }));
});
