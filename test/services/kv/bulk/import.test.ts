import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Namespace } from '../../../../src/model/kv/kv.ts';
import type { Progress } from '../../../../src/model/progress.ts';
import { namespaceAddress } from '../../../../src/services/kv/bulk/bulk.ts';
import { openCheckpoints } from '../../../../src/services/kv/bulk/checkpoints.ts';
import {
  type CheckedImport,
  type ComparedImport,
  previewImport,
} from '../../../../src/services/kv/bulk/import.ts';
import { findNamespace } from '../../../../src/services/kv/find-namespace.ts';
import { listKeys, writeValue } from '../../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../../src/services/kv/namespaces.ts';
import { checkPath } from '../../../../src/services/objects/file-check.ts';
import { openSession } from '../../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../../src/services/session/session.ts';
import { testWorld } from '../../../support/world.ts';

interface Platform {
  readonly session: Session;
  readonly namespace: Namespace;
  readonly folder: string;
  preview(content: string | Uint8Array, signal?: AbortSignal): Promise<(CheckedImport | ComparedImport)[]>;
}

async function openPlatform(): Promise<Platform> {
  const world = testWorld();
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const namespace = await createNamespace(session, 'sessions');
  const path = join(world.cwd, 'in.ndjson');
  return {
    session,
    namespace,
    folder: world.cwd,
    async preview(content, signal = new AbortController().signal) {
      writeFileSync(path, content);
      return collect(previewImport(session, namespace.id, path, { signal, progress: () => undefined }));
    },
  };
}

async function collect<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const effectsOf = (parts: readonly (CheckedImport | ComparedImport)[]) =>
  parts.flatMap((part) => (part.step === 'compared' ? part.effects : []));
const lines = (...entries: unknown[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** Returns the files below a folder that this process has open. */
async function openBelow(folder: string): Promise<string[]> {
  // Only Linux provides the list of open files.
  const open = await readdir('/proc/self/fd').catch(() => []);
  return open.flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test('shows the effect on each key, lists invalid entries, and changes nothing', async () => {
  const { session, namespace, preview } = await openPlatform();
  await writeValue(session, namespace.id, 'same', { value: Buffer.from('1') });
  await writeValue(session, namespace.id, 'other', { value: Buffer.from('1') });
  const parts = await preview(
    lines(
      { key: 'same', value: '1' },
      { key: 'other', value: '2' },
      { key: 'new', value: 'old' },
      { key: 'bad', value: 7 },
      { key: 'new', value: '3' },
      { key: 'new', value: '4', expirationTtl: 60 },
    ),
  );
  expect(parts[0]).toMatchObject({ step: 'checked', entries: 6, faults: { count: 2 } });
  const [checked] = parts;
  expect(checked?.step === 'checked' && checked.faults.first[1]?.reason).toContain('expirationTtl');
  expect(effectsOf(parts)).toEqual([
    { key: 'same', effect: 'same' },
    { key: 'other', effect: 'change' },
    { key: 'new', effect: 'create' },
  ]);
  const keys = await collect(listKeys(session, namespace.id));
  expect(keys.flat().map(({ name }) => name)).toEqual(['other', 'same']);
});

test('previews all keys of a file whose run was interrupted, because an import starts over', async () => {
  const { session, namespace, preview, folder } = await openPlatform();
  const text = lines({ key: 'a', value: '1' }, { key: 'b', value: '2' });
  const [checked] = await preview(text);
  await openCheckpoints(session.world).write({
    version: 1,
    operation: 'bulk put',
    target: await namespaceAddress(session, namespace.id),
    input: checked?.step === 'checked' ? checked.fingerprint : '',
    path: join(folder, 'in.ndjson'),
    confirmed: [[0, 1]],
    updated: session.world.now(),
    resume: [],
  });
  expect(effectsOf(await preview(text)).map(({ key }) => key)).toEqual(['a', 'b']);
});

test('computes the fingerprint of a file from its uncompressed content', async () => {
  const { preview } = await openPlatform();
  const print = (parts: readonly (CheckedImport | ComparedImport)[]) =>
    parts[0]?.step === 'checked' ? parts[0].fingerprint : undefined;
  const text = lines({ key: 'a', value: '1' });
  const plain = print(await preview(text));
  expect(plain).toMatch(/^[0-9a-f]{64}$/);
  expect(print(await preview(gzipSync(text)))).toBe(plain);
  expect(print(await preview(lines({ key: 'a', value: '2' })))).not.toBe(plain);
});

test('stops when its signal aborts, and closes the file after a stop, at the end, and after a failure', async () => {
  const { session, namespace, folder, preview } = await openPlatform();
  const many = lines(...Array.from({ length: 500 }, (_, at) => ({ key: `k${at}`, value: 'v' })));
  const controller = new AbortController();
  writeFileSync(join(folder, 'many'), many);
  const seen: string[] = [];
  const stopped = async () => {
    const options = { signal: controller.signal, progress: () => undefined };
    for await (const { step } of previewImport(session, namespace.id, join(folder, 'many'), options)) {
      seen.push(step);
      controller.abort();
    }
  };
  await expect(stopped()).rejects.toThrow();
  expect(seen).toEqual(['checked']);
  await preview(many);
  await expect(preview(Buffer.concat([gzipSync(many).subarray(0, 60)]))).rejects.toThrow(/Cannot read/);
  expect(await openBelow(folder)).toEqual([]);
});

test('reports the progress of the check', async () => {
  const { session, namespace, folder } = await openPlatform();
  const path = join(folder, 'in');
  writeFileSync(path, lines({ key: 'a', value: '1' }));
  const messages: Progress[] = [];
  const { signal } = new AbortController();
  await collect(
    previewImport(session, namespace.id, path, { signal, progress: (progress) => messages.push(progress) }),
  );
  expect(messages.at(-1)).toMatchObject({ phase: 'checking', unit: 'bytes', total: 24 });
});

test('refuses a missing file, a folder, and input that can be read only once', async () => {
  const { session, namespace, folder } = await openPlatform();
  const { signal } = new AbortController();
  const refusal = (name: string) =>
    collect(previewImport(session, namespace.id, join(folder, name), { signal, progress: () => undefined }));
  mkdirSync(join(folder, 'folder'));
  await expect(refusal('none')).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(refusal('folder')).rejects.toMatchObject({ code: 'invalid-input' });
  await expect(
    collect(previewImport(session, namespace.id, '/dev/null', { signal, progress: () => undefined })),
  ).rejects.toThrow('is not a file');
});

test('distinguishes a file from a folder, a device and a missing path', async () => {
  const { folder } = await openPlatform();
  writeFileSync(join(folder, 'file'), '');
  expect(await checkPath(join(folder, 'file'))).toBe('file');
  expect(await checkPath(folder)).toBe('folder');
  expect(await checkPath('/dev/null')).toBe('other');
  expect(await checkPath(join(folder, 'none'))).toBe('free');
  expect(await checkPath(join(folder, 'none', 'x'))).toBe('no-folder');
  expect(await checkPath(join(folder, 'file', 'x'))).toBe('no-folder');
});

test('finds a namespace by its id before its title, and in local data by any id', async () => {
  const { session, namespace } = await openPlatform();
  const other = await createNamespace(session, namespace.id);
  expect(await findNamespace(session, 'sessions')).toEqual(namespace);
  expect(await findNamespace(session, namespace.id)).toEqual(namespace);
  expect(await findNamespace(session, other.id)).toEqual(other);
  const id = 'f'.repeat(32);
  await expect(findNamespace(session, id)).rejects.toMatchObject({ code: 'not-found' });
  const local = await openSession(testWorld(), { ...plainChoice, local: true }, { note: () => undefined });
  expect(await findNamespace(local, id)).toEqual({ id, title: id });
  await expect(findNamespace(local, 'typo')).rejects.toMatchObject({ code: 'not-found' });
  await local.close();
});
