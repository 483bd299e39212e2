import { randomBytes } from 'node:crypto';
import { existsSync, unlinkSync, writeFileSync } from 'node:fs';
import { isProblem } from '../../src/model/problem.ts';
import { setOrigin } from '../../src/sandbox/hostnames/origins.ts';
import { openKvStore } from '../../src/store/kv/disk.ts';
import { takeLease } from '../../src/store/lease.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { immediately, openToWrite } from '../../src/store/sqlite.ts';

const namespace = '0f2ac74b498b48028cb68387c421e279';
const world = { now: () => Date.now(), random: (bytes: number) => randomBytes(bytes) };

/** The tasks of a process that runs next to the test. Each task prints a line when it has started. */
const tasks: Readonly<Record<string, (root: string, name: string) => void>> = {
  /** Writes keys until the process is killed, 700 at a time. Each value is the key's name, repeated a hundred times. */
  'bulk-write': (root) => {
    const store = openKvStore(root, world);
    for (let round = 0; ; round += 1) {
      const keys = Array.from(
        { length: 700 },
        (_, index) => `key ${(round % 5) * 700 + index} of round ${round % 7}`,
      );
      const entries = keys.map((key) => ({ key, value: Buffer.from(key.repeat(100)), metadata: { round } }));
      store.write(namespace, entries, Date.now());
      if (round === 0) say('begun');
    }
  },
  /** Writes 300 separate keys, singly and in bulk, and one key that all processes write. */
  'write-own': (root, name) => {
    const store = openKvStore(root, world);
    say('begun');
    for (let index = 0; index < 100; index += 1) {
      const keys = [`${name} single ${index}`, `${name} bulk ${index} a`, `${name} bulk ${index} b`, 'hot'];
      const [single, ...bulk] = keys.map((key) => ({ key, value: Buffer.from(`${name} wrote ${key}`) }));
      if (single !== undefined) store.write(namespace, [single], Date.now());
      store.write(namespace, bulk, Date.now());
    }
    store.close();
  },
  /** Overwrites one key, as edgectl does, until the process is killed. */
  'keep-hot': (root) => {
    const store = openKvStore(root, world);
    for (let round = 0; ; round += 1) {
      store.write(namespace, [{ key: 'hot', value: Buffer.from('value') }], Date.now());
      if (round === 0) say('begun');
    }
  },
  /** Overwrites one key and immediately unlinks the old value, as Miniflare does. */
  overwrite: (root) => {
    const paths = kvPaths(root, namespace);
    const database = openToWrite(paths.database);
    database.exec('PRAGMA synchronous = OFF');
    const update = database.prepare("UPDATE _mf_entries SET blob_id = ? WHERE key = 'hot'");
    const find = database.prepare("SELECT blob_id FROM _mf_entries WHERE key = 'hot'");
    for (let round = 0; ; round += 1) {
      const id = randomBytes(40).toString('hex');
      writeFileSync(`${paths.blobs}/${id}`, 'value');
      const before = String(find.get()?.['blob_id']);
      immediately(database, () => update.run(id));
      unlinkSync(`${paths.blobs}/${before}`);
      if (round === 0) say('begun');
    }
  },
  /** Prints the value of the key `k`, as a user who can read only world-readable files. */
  'read-as-stranger': (root) => {
    if (process.getuid?.() === 0) process.setuid?.(65_534);
    const store = openKvStore(root, world);
    say(Buffer.from(store.read(namespace, 'k', 0)?.value ?? []).toString('utf8'));
    store.close();
  },
  /** Opens the registry and creates a namespace that other processes also create. */
  register: (root, name) => {
    const registry = openRegistry(root, world);
    const { outcome } = registry.namespaces.create('shared');
    registry.namespaces.create(`own ${name}`);
    say(JSON.stringify({ outcome, account: registry.account(), credentials: registry.credentials() }));
    registry.close();
  },
  /** Adds 150 separate origins to the list of a sandbox, as soon as both processes are running. */
  'set-origins': (root, name) => {
    const registry = openRegistry(root, world);
    writeFileSync(`${root}/ready ${name}`, '');
    while (!['a', 'b'].every((one) => existsSync(`${root}/ready ${one}`)));
    for (let index = 0; index < 150; index += 1)
      setOrigin({ registry: () => registry }, `${name}${index}.saas.sandbox`, { port: 8080 });
    registry.close();
  },
  /** Takes and releases a folder's lease repeatedly, and fails if another process holds it at the same time. */
  lease: (root, name) => {
    const apiBaseUrl = 'http://127.0.0.1:8787/client/v4';
    const until = Date.now() + 500;
    for (let taken = 0; taken < 50 || Date.now() < until; ) {
      try {
        const held = takeLease(root, {
          pid: process.pid,
          port: 8787,
          startedAt: until,
          token: name,
          apiBaseUrl,
        });
        writeFileSync(`${root}/held`, name, { flag: 'wx' });
        unlinkSync(`${root}/held`);
        held.release();
        taken += 1;
      } catch (error) {
        if (!isProblem(error)) throw error;
      }
    }
  },
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [, , task = '', root = '', name = ''] = process.argv;
tasks[task]?.(root, name);
