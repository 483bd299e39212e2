import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { commandTable } from '../../src/cli/commands/table.ts';
import { listNames } from '../../src/cli/completion/names.ts';
import { commandTree } from '../../src/cli/parsing/command.ts';
import { readCommandLine } from '../../src/cli/parsing/command-line.ts';
import { readStartTicks } from '../../src/liveness.ts';
import { noFacts } from '../../src/model/diagnosis/facts.ts';
import type { Format } from '../../src/model/formats.ts';
import { withRecent } from '../../src/model/places/memory.ts';
import { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import { openProfiles } from '../../src/profiles/profiles.ts';
import { readSettings, writeSetting } from '../../src/profiles/settings.ts';
import { isAccepted, rememberAccepted } from '../../src/profiles/trusted.ts';
import { Deletion, findDifference, saveDeletion } from '../../src/services/deletions.ts';
import { withSavedRun } from '../../src/services/diagnosis/saved-run.ts';
import { newerVersionCheck } from '../../src/services/doctor/newer-version.ts';
import { openAuditLog } from '../../src/services/guard/audit-log.ts';
import { listAudit } from '../../src/services/guard/read-audit.ts';
import { openZoneMemory } from '../../src/services/hostnames/first-seen.ts';
import { openPlanFiles } from '../../src/services/hostnames/fleet/plan-files.ts';
import { openWatchFiles } from '../../src/services/hostnames/fleet/watch-files.ts';
import { openVerdicts } from '../../src/services/hostnames/verdicts.ts';
import { openCheckpoints } from '../../src/services/kv/bulk/checkpoints.ts';
import { openDownloadNote, openUploadNote } from '../../src/services/objects/parts/saved.ts';
import { openPaceFile } from '../../src/services/pace/pace-file.ts';
import type { Session } from '../../src/services/session/session.ts';
import { openTaskFiles } from '../../src/services/tasks/files.ts';
import { openJournal } from '../../src/services/undo/journal.ts';
import { readKnownBindings, saveKnownBindings } from '../../src/services/workers/known-bindings.ts';
import { readLease, takeLease } from '../../src/store/lease.ts';
import type { World } from '../../src/world.ts';
import { makeNpm } from '../services/doctor/fake-npm.ts';
import { stubPlatform } from '../services/hostnames/platform.ts';
import { foldersIn, scratchFolder, testWorld } from '../support/world.ts';

/** A file in one format, with the functions that write and read the file. */
interface Place {
  /** Writes a file of the current version. */
  write(): Promise<unknown>;
  /** Returns the path of the written file. */
  path(): string;
  /** Reads the file. For a refused file, the promise rejects, or a note is added to `notes`. */
  read(): Promise<unknown>;
  readonly notes: readonly string[];
  /** The user's folders; absent for a file in a folder of data. */
  readonly folders?: World['folders'];
  /** Deletes expired data, if the format has a lifetime. */
  expire?(): Promise<unknown>;
  /** Adapts a sample to this machine. */
  adapt?(text: string): string;
}

interface Row {
  readonly ending: 'json' | 'ndjson' | 'undo';
  /** The expected result of reading a sample. */
  readonly expected: unknown;
  /**
   * How a file from a newer version is handled. Default: the file is refused, or reported by name. `silent`: the file is neither used nor
   * changed. `replaced`: the file is overwritten (caches).
   */
  readonly newer?: 'silent' | 'replaced';
  open(): Place;
}

const now = 1_795_526_926_000;
const day = 24 * 60 * 60 * 1000;
const id = '7cbf20e3-1105-4ec4-ae93-5e3f75a879b6';

/** Returns the world and the session of a user with an empty home. */
function openUser() {
  const home = scratchFolder('formats');
  const clock = { now };
  const world = {
    ...testWorld({ folders: foldersIn(home), cwd: '/work/shop', now: () => clock.now }),
    random: (bytes: number) => Buffer.alloc(bytes, 7),
  };
  const notes: string[] = [];
  const session: Session = {
    ...stubPlatform(() => undefined).session,
    world,
    note: (message) => notes.push(message),
  };
  /** Returns the only file with this ending in one of the user's folders. */
  const fileIn = (kind: 'config' | 'state', folder: string, ending = '.json') => {
    const at = join(world.folders[kind], folder);
    const [name, ...others] = readdirSync(at).filter((one) => one.endsWith(ending));
    if (name === undefined || others.length > 0) throw new Error(`${at} has ${others.length} files more`);
    return join(at, name);
  };
  /** Gives a file an old modification time, and advances the clock by 400 days. */
  const grow = (path: string) => {
    utimesSync(path, 1, 1);
    clock.now += 400 * day;
  };
  return { world, session, notes, clock, fileIn, grow };
}

const checkpoint = {
  version: 1,
  operation: 'bulk put',
  target: 'https://api.example.com/client/v4 account a namespace b',
  input: 'f'.repeat(64),
  path: '/work/shop/entries.json',
  entries: 300,
  confirmed: [[0, 100]],
  updated: now,
  resume: ['kv', 'bulk', 'put', 'entries.json', '--resume'],
} as const;

const plan = {
  version: 1,
  hash: 'ab'.repeat(32),
  target: 'https://api.example.com/client/v4',
  zoneId: 'c'.repeat(32),
  path: '/work/shop/hostnames.csv',
  fingerprint: 'd'.repeat(64),
  prune: true,
  limit: 5,
  expires: now + day,
  begun: false,
  steps: [['shop.acme.com', 'e'.repeat(64)]] as [string, string][],
} as const;

const taskId = '0123456789abcdef';
const task = {
  version: 1,
  id: taskId,
  work: { does: 'delete-keys', namespace: { id: 'a'.repeat(32), title: 'notes' } },
  marked: 2,
  target: 'production',
  profileName: 'acme',
  where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.example.com/client/v4' },
  accountLabel: 'Acme',
  state: 'interrupted',
  runs: 1,
  started: now,
  failed: { count: 1, first: [{ name: 'b', reason: 'the platform refused it' }] },
  warnings: [],
  confirmed: [[0, 1]],
} as const;

const verdict = {
  at: now,
  record: '2699d8d44cc1b87b',
  edge: true,
  finding: 'C14',
  severity: 'error',
  who: 'customer',
  cause: 'The name servers do not answer for the hostname.',
  next: 'The customer corrects the NS records.',
} as const;

const watched = { id, hostname: 'shop.acme.com', status: 'pending', certificate: 'initializing' };
const event = {
  version: 1,
  id: `${id}-1`,
  type: 'appeared',
  at: '2026-11-24T13:28:46.000Z',
  zoneId: 'c'.repeat(32),
  hostname: 'shop.acme.com',
  hostnameId: id,
  after: { status: 'pending', certificate: 'initializing' },
} as const;

const profile = {
  name: 'acme',
  apiBaseUrl: 'https://api.example.com/client/v4',
  auth: { token: 'not-a-real-token' },
  accountId: 'a'.repeat(32),
  zoneId: 'c'.repeat(32),
  brand: 'cloudflare',
};

const names = [{ word: 'acme', about: '' }];

const facts = noFacts('shop.acme.com', now);

/** A row for each file format in the user's folders and in a folder of data. `seed`, `world` and `registry` have their own tests. */
export const rows: Readonly<Record<Exclude<Format, 'registry' | 'seed' | 'world'>, Row>> = {
  settings: {
    ending: 'json',
    expected: 'dark',
    open() {
      const { world, notes, fileIn } = openUser();
      return {
        folders: world.folders,
        notes,
        write: () => writeSetting(world.folders.config, 'theme', 'dark'),
        path: () => fileIn('config', '.'),
        read: async () => readSettings(world.folders.config).theme,
      };
    },
  },
  profile: {
    ending: 'json',
    expected: profile,
    open() {
      const { world, notes, fileIn } = openUser();
      const open = () => openProfiles(world.folders.config);
      return {
        folders: world.folders,
        notes,
        write: async () => (await open()).save(profile, { replace: true }),
        path: () => fileIn('config', 'profiles'),
        read: async () => (await open()).find('acme'),
      };
    },
  },
  'accepted-profiles': {
    ending: 'json',
    expected: true,
    open() {
      const { world, notes, fileIn } = openUser();
      const bound = { path: '/work/shop/.edgectl-profile', name: 'acme' };
      return {
        folders: world.folders,
        notes,
        write: () => rememberAccepted(world.folders.config, bound),
        path: () => fileIn('config', '.'),
        read: async () => isAccepted(world.folders.config, bound),
      };
    },
  },
  checkpoint: {
    ending: 'json',
    expected: checkpoint,
    open() {
      const { world, notes, fileIn, grow } = openUser();
      const checkpoints = openCheckpoints(world);
      const path = () => fileIn('state', 'checkpoints');
      return {
        folders: world.folders,
        notes,
        path,
        write: () =>
          checkpoints.write({ ...checkpoint, confirmed: [[0, 100]], resume: [...checkpoint.resume] }),
        read: () => checkpoints.find(checkpoint),
        async expire() {
          grow(path());
          await checkpoints.removeStale({ ...checkpoint, input: 'another' }, checkpoint.path);
        },
      };
    },
  },
  'console-places': {
    ending: 'json',
    expected: ['kv/sessions'],
    open() {
      const { world, notes: said, fileIn } = openUser();
      const owner = {
        where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.example.com' },
        accountLabel: 'Acme',
      } as const;
      const open = () => ConsoleMemory.open(world.folders.state, owner, (message) => said.push(message));
      return {
        folders: world.folders,
        notes: said,
        path: () => fileIn('state', 'console'),
        async write() {
          const memory = await open();
          memory.change((before) => withRecent(before, 'kv/sessions'));
          await memory.save();
        },
        read: async () => (await open()).current.recents,
      };
    },
  },
  'completion-names': {
    ending: 'json',
    expected: names,
    newer: 'replaced',
    open() {
      const { world, notes, fileIn } = openUser();
      const line = readCommandLine(['profile', 'use'], commandTree(commandTable));
      const list = (output: string) =>
        listNames(world, 'profile', line, async ({ stdout }) => {
          stdout.write(output);
          return 0;
        });
      return {
        folders: world.folders,
        notes,
        write: () => list('[{"name":"acme"}]'),
        path: () => fileIn('state', 'completion'),
        read: () => list('[]'),
      };
    },
  },
  deletion: {
    ending: 'json',
    expected: { added: ['c'], gone: ['a'], changed: [] },
    newer: 'silent',
    open() {
      const { world, notes, fileIn, grow } = openUser();
      const deletionOf = (...names: string[]) => {
        const deletion = new Deletion(['here']);
        for (const name of names) deletion.add(name);
        return deletion;
      };
      const path = () => fileIn('state', 'deletions');
      return {
        folders: world.folders,
        notes,
        path,
        write: () => saveDeletion(world, deletionOf('a', 'b')),
        read: async () => findDifference(world, deletionOf('a', 'b').hash, deletionOf('b', 'c')),
        async expire() {
          grow(path());
          await saveDeletion({ ...world, folders: world.folders }, deletionOf('a', 'b'));
        },
      };
    },
  },
  deployment: {
    ending: 'json',
    expected: new Set(['NOTES']),
    open() {
      const { world, session, notes, fileIn } = openUser();
      return {
        folders: world.folders,
        notes,
        write: () => saveKnownBindings(session, 'shop', ['NOTES']),
        path: () => fileIn('state', 'deploys'),
        read: () => readKnownBindings(session, 'shop'),
      };
    },
  },
  diagnosis: {
    ending: 'ndjson',
    expected: [1, facts],
    open() {
      const { world, session, notes, clock, fileIn, grow } = openUser();
      const key = { operation: 'hostname diagnose', zoneId: 'z', how: {} };
      const path = () => fileIn('state', 'looks', '.ndjson');
      return {
        folders: world.folders,
        notes,
        path,
        write: () => withSavedRun(session, key, false, async (run) => run?.keep(0, facts)),
        read: () =>
          withSavedRun(session, key, true, async (run) => [
            run?.earlier,
            await run?.findFacts('shop.acme.com', 0),
          ]),
        async expire() {
          grow(path());
          clock.now += day;
          const other = { ...key, zoneId: 'another' };
          await withSavedRun(session, other, false, async () => undefined);
        },
      };
    },
  },
  download: {
    ending: 'json',
    expected: {
      file: '.edgectl-0123456789abcdef.part',
      folder: '/work/shop',
      partSize: 67_108_864,
      etag: 'e'.repeat(32),
      arrived: [[1, 'd'.repeat(32)]],
    },
    open: () => openNotePlace('downloads'),
  },
  upload: {
    ending: 'json',
    expected: {
      uploadId: 'the-id-of-an-upload',
      partSize: 67_108_864,
      metadata: 'f'.repeat(64),
      arrived: [[1, 'e'.repeat(32), 'd'.repeat(32)]],
    },
    open: () => openNotePlace('uploads'),
  },
  'hostname-dates': {
    ending: 'json',
    expected: [[now], { movedSeenAt: now }],
    open() {
      const { world, session, notes, fileIn } = openUser();
      const open = () => openZoneMemory(session, 'z');
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', 'hostnames'),
        async write() {
          const memory = await open();
          memory.noteIssuance(now);
          memory.see([{ id, hostname: 'shop.acme.com', status: 'moved' }], now);
          await memory.save();
        },
        async read() {
          const memory = await open();
          return [memory.issuedSince(0), memory.readHistory(id)];
        },
      };
    },
  },
  'audit-log': {
    ending: 'ndjson',
    expected: ['DELETE /zones/:zone by everything'],
    open() {
      const { world, notes, fileIn } = openUser();
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', 'audit', 'audit.ndjson'),
        write: () =>
          openAuditLog(world).append({
            kind: 'request',
            user: 'ann',
            client: 'edgectl',
            place: 'profile acme',
            target: 'production',
            effect: 'destroy',
            method: 'DELETE',
            route: '/zones/:zone',
            decision: 'allow',
            rule: 'everything',
            policy: 'built-in',
          }),
        read: async () =>
          (await listAudit(world)).map(({ method, route, rule }) => `${method} ${route} by ${rule}`),
      };
    },
  },
  pace: {
    ending: 'json',
    expected: 1_000_000,
    newer: 'silent',
    open() {
      const { world, notes, fileIn } = openUser();
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', 'pace'),
        write: async () =>
          openPaceFile(world, 'token').change((state) => ({ ...state, closedUntil: 1_000_000 })),
        read: async () => openPaceFile(world, 'token').read().closedUntil,
      };
    },
  },
  'newest-version': {
    ending: 'json',
    expected: '9.9.9',
    newer: 'silent',
    open() {
      const { world, notes, fileIn } = openUser();
      const { path: PATH } = makeNpm('echo 9.9.9');
      const credentials = {
        kind: 'platform',
        apiBaseUrl: profile.apiBaseUrl,
        auth: profile.auth,
        brand: profile.brand,
        source: { kind: 'environment', family: 'EDGECTL', variables: 'EDGECTL_API_TOKEN' },
      } as const;
      const ask = (env: Readonly<Record<string, string>>) =>
        newerVersionCheck({ ...world, env }, credentials, {
          package: 'edgectl',
          version: '0.1.0',
          timeoutMs: 5000,
        });
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', '.'),
        write: () => ask({ PATH }),
        read: async () => (await ask({}))?.facts?.['latest'],
      };
    },
  },
  plan: {
    ending: 'json',
    expected: plan,
    open() {
      const { world, notes, clock, fileIn } = openUser();
      const plans = openPlanFiles(world);
      const first = `${plan.hash}.json`;
      return {
        folders: world.folders,
        notes,
        write: () => plans.write({ ...plan, steps: [...plan.steps] }),
        path: () => fileIn('state', 'plans', first),
        read: () => plans.find(plan.hash),
        async expire() {
          clock.now += 2 * day;
          await plans.write({ ...plan, hash: 'cd'.repeat(32), steps: [] });
        },
      };
    },
  },
  task: {
    ending: 'json',
    expected: [task, ['a', 'b']],
    open() {
      const { world, notes: said, fileIn } = openUser();
      const files = openTaskFiles(world);
      let isMarked = false;
      return {
        folders: world.folders,
        notes: said,
        async write() {
          if (!isMarked) await files.writeMarked(taskId, ['a', 'b']);
          isMarked = true;
          const { confirmed, failed, warnings, ...rest } = task;
          await files.write({ ...rest, confirmed: [...confirmed], failed, warnings: [...warnings] });
          await files.writeList(taskId, ['a', 'b']);
        },
        path: () => fileIn('state', join('tasks', taskId), 'task.json'),
        async read() {
          await files.readAll((message) => said.push(message));
          return [await files.read(taskId), await files.readList(taskId)];
        },
      };
    },
  },
  'undo-entry': {
    ending: 'undo',
    expected: ['the value of greeting', 'hello'],
    open() {
      const { world, notes: said, clock, fileIn, grow } = openUser();
      const journal = openJournal(world);
      const write = () =>
        journal.save(
          {
            did: 'deleted',
            where: { kind: 'remote', profile: 'acme', baseUrl: 'https://api.example.com/client/v4' },
            accountId: 'a'.repeat(32),
            target: 'production',
            thing: { kind: 'value', namespaceId: 'b'.repeat(32), key: 'greeting', expiration: 1_900_000_000 },
            left: 'nothing',
          },
          Buffer.from('hello'),
        );
      let isWritten = false;
      const path = () => fileIn('state', 'undo', `${now}-07070707.script.undo`);
      return {
        folders: world.folders,
        notes: said,
        path,
        // Each write creates a new file, and replaces no existing file.
        async write() {
          if (!isWritten) await write();
          isWritten = true;
        },
        async read() {
          said.push(...(await journal.list()).skipped);
          const entry = await journal.find('0707');
          return [
            `the value of ${'key' in entry.thing ? entry.thing.key : ''}`,
            (await journal.read(entry)).toString(),
          ];
        },
        async expire() {
          grow(path());
          clock.now += 1;
          await write();
        },
      };
    },
  },
  verdicts: {
    ending: 'json',
    expected: verdict,
    open() {
      const { world, session, notes, fileIn } = openUser();
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', 'verdicts'),
        async write() {
          const verdicts = await openVerdicts(session, 'z');
          verdicts.note(id, verdict);
          await verdicts.save();
        },
        read: async () => (await openVerdicts(session, 'z')).find(id),
      };
    },
  },
  watch: {
    ending: 'json',
    expected: { hostnames: new Map([[id, watched]]), first: 1, events: [event] },
    open() {
      const { world, notes, fileIn } = openUser();
      const files = openWatchFiles(world, ['z']);
      return {
        folders: world.folders,
        notes,
        path: () => fileIn('state', 'watches'),
        write: () =>
          files.alone(() => files.write({ hostnames: new Map([[id, watched]]), first: 1, events: [event] })),
        read: () => files.read(),
      };
    },
  },
  lease: {
    ending: 'json',
    expected: {
      pid: process.pid,
      port: 8787,
      startedAt: now,
      token: 'not-a-real-token',
      apiBaseUrl: 'http://127.0.0.1:8787/client/v4',
    },
    open() {
      const folder = scratchFolder('leases');
      const { pid } = process;
      const apiBaseUrl = 'http://127.0.0.1:8787/client/v4';
      return {
        notes: [],
        write: async () =>
          takeLease(folder, { pid, port: 8787, startedAt: now, token: 'not-a-real-token', apiBaseUrl }),
        path: () => join(folder, 'lease.json'),
        read: async () => readLease(folder),
        adapt: (text) =>
          text
            .replace(/"pid":\d+/, `"pid":${pid}`)
            .replace(/"processStart":"\d*"/, `"processStart":${JSON.stringify(readStartTicks(pid) ?? '')}`),
      };
    },
  },
};

function openNotePlace(kind: 'uploads' | 'downloads'): Place {
  const { world, session, notes, fileIn, grow } = openUser();
  const object = { bucket: 'shots', key: 'a.bin' };
  const path = () => fileIn('state', kind);
  const place = { folders: world.folders, notes, path };
  if (kind === 'uploads') {
    const open = (name = '/work/shop/a.bin') => openUploadNote(session, object, { name, size: 3 });
    const begun = { uploadId: 'the-id-of-an-upload', partSize: 67_108_864, metadata: 'f'.repeat(64) };
    return {
      ...place,
      async write() {
        await (await open()).begin(begun);
        await (await open()).add([1, 'e'.repeat(32), 'd'.repeat(32)]);
      },
      read: async () => (await open()).read(),
      async expire() {
        grow(path());
        const other = await open('/work/shop/b.bin');
        await other.begin(begun);
        await other.remove();
      },
    };
  }
  const open = (name = '/work/shop/a.bin') => openDownloadNote(session, object, name);
  const file = '.edgectl-0123456789abcdef.part';
  const begun = { file, folder: '/work/shop', partSize: 67_108_864, etag: 'e'.repeat(32) };
  return {
    ...place,
    async write() {
      await (await open()).begin(begun);
      await (await open()).add([1, 'd'.repeat(32)]);
    },
    read: async () => (await open()).read(),
    async expire() {
      grow(path());
      const other = await open('/work/shop/b.bin');
      await other.begin(begun);
      await other.remove();
    },
  };
}
