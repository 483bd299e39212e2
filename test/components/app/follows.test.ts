import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createServices } from '../../../components/app/connection.ts';
import { comparisonView } from '../../../components/comparison/comparison-view.ts';
import { HomeController } from '../../../components/home/home-controller.ts';
import { DiagnosisController } from '../../../components/hostnames/diagnosis-view.ts';
import { forecastList } from '../../../components/hostnames/forecast/forecast-list.ts';
import { HostnameList } from '../../../components/hostnames/hostname-list.ts';
import { HostnameController } from '../../../components/hostnames/hostname-view.ts';
import { InstructionsController } from '../../../components/hostnames/instructions/instructions-view.ts';
import { type Change, PaneChanges } from '../../../components/kit/changes.ts';
import { HeldWatch } from '../../../components/kit/held-watch.ts';
import { LiveSwitch } from '../../../components/kit/live-switch.ts';
import { Messages } from '../../../components/kit/messages.ts';
import { Notes } from '../../../components/kit/notes.ts';
import type { PaneParts } from '../../../components/kit/use-console.ts';
import { keyList } from '../../../components/kv/key-list.ts';
import { namespaceList } from '../../../components/kv/namespace-list.ts';
import { keyView } from '../../../components/kv/value-view.ts';
import { bucketList } from '../../../components/objects/bucket-list.ts';
import { objectList } from '../../../components/objects/object-list.ts';
import { ObjectView } from '../../../components/objects/preview-view.ts';
import { ListController } from '../../../components/ui/lists/list-controller.ts';
import { ViewController } from '../../../components/ui/viewer/view-controller.ts';
import { UndoController } from '../../../components/undo/undo-list.ts';
import { workerList } from '../../../components/workers/worker-list.ts';
import { workersList } from '../../../components/workers/workers-list.ts';
import { recordList } from '../../../components/zones/record-list.ts';
import { listCapabilities } from '../../../src/model/capability.ts';
import type { Services } from '../../../src/services/console/services.ts';
import { WriteQuestions } from '../../../src/services/guard/write-questions.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { demoFolders } from '../../support/demo.ts';
import { testWorld } from '../../support/world.ts';
import { testNow } from '../open-console.tsx';
import { openMemory } from '../open-memory.ts';
import { plainSurface } from '../plain-surface.ts';

/** The number of service calls, and the number of pending service calls. */
interface Calls {
  made: number;
  pending: number;
}

/** Wraps the services to count their calls. */
function recording(services: Services, calls: Calls): Services {
  const watched = (service: object) =>
    new Proxy(service, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...given: unknown[]) => {
          calls.made += 1;
          const result: unknown = found.apply(target, given);
          if (!(result instanceof Promise)) return result;
          calls.pending += 1;
          return result.finally(() => {
            calls.pending -= 1;
          });
        };
      },
    });
  return new Proxy(services, {
    get(target, noun) {
      const service: unknown = Reflect.get(target, noun);
      return typeof service === 'object' && service !== null ? watched(service) : service;
    },
  });
}

async function first<T>(pages: AsyncIterable<readonly T[]>, wanted: (row: T) => boolean = () => true) {
  for await (const page of pages) {
    const found = page.find(wanted);
    if (found !== undefined) return found;
  }
  throw new Error('the demo has none');
}

const refuse = (): never => {
  throw new Error('no view needs this');
};

/** Opens the demo account in a console whose panes announce their changes to each other. */
async function openViews() {
  const world = testWorld({ now: () => testNow, folders: await demoFolders(testNow) });
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  onTestFinished(() => session.close());
  const calls: Calls = { made: 0, pending: 0 };
  const services = createServices(session);
  const changes = new PaneChanges();
  const parts: PaneParts = {
    world: { ...world, sleep: () => new Promise(() => undefined) },
    live: new LiveSwitch(true),
    held: new HeldWatch(world, () => undefined, new WriteQuestions(world)),
    services: recording(services, calls),
    tasks: new Proxy({} as PaneParts['tasks'], {
      get: (_, name) =>
        name === 'list'
          ? { tasks: [], reload: async () => undefined, subscribe: () => () => undefined }
          : refuse,
    }),
    session: {
      target: 'production',
      where: session.where,
      can: listCapabilities(session.where),
      accountLabel: 'Demo',
      readOnly: false,
    },
    pulse: undefined,
    notes: new Notes(new Messages(() => testNow)),
    memory: await openMemory(),
    changes,
    notify: () => undefined,
    open: refuse,
    become: () => undefined,
    back: () => undefined,
    copy: refuse,
    drafts: new Map(),
    reportWrites: () => undefined,
    editOutside: refuse,
  };
  return { services, parts, changes, calls };
}

const { signal } = new AbortController();

/** Makes one change of each kind to items that the views show. */
async function oneOfEach(services: Services) {
  const { kv, objects, hostnames, records, workers } = services;
  if (!objects || !hostnames || !records || !workers) throw new Error('the demo has all nouns');
  const found = await hostnames.findZone(signal);
  const zone = 'zone' in found ? found.zone : refuse();
  const namespace = await first(kv.listNamespaces(signal), ({ title }) => title === 'shop-ODDITIES');
  const entry = await first(kv.listKeys(namespace.id, { prefix: '', limit: 1000, signal }));
  const bucket = await first(objects.listBuckets(signal));
  const objectPages = objects.list(bucket.name, { prefix: '', limit: 1000, signal });
  const { objects: listed } = await first(
    (async function* () {
      for await (const page of objectPages) yield [page];
    })(),
    (page) => page.objects.length > 0,
  );
  const [object = refuse()] = listed;
  const row = await first(
    hostnames.list(zone.id, { contains: '' }, signal),
    ({ record }) => record.hostname === 'silver-fjord.demo',
  );
  const [record = refuse()] = await records.list(zone.id, signal, () => undefined);
  const [worker = refuse()] = await workers.list(signal);
  const { id: zoneId } = zone;
  const later = { ...row, record: { ...row.record, status: 'moved' } };
  const changes = {
    namespace: {
      changed: 'namespace',
      id: namespace.id,
      namespace: { ...namespace, title: 'shop-ODDITIES-2' },
    },
    key: {
      changed: 'key',
      namespaceId: namespace.id,
      name: entry.name,
      entry: { ...entry, expiration: testNow / 1000 + 60 },
    },
    bucket: {
      changed: 'bucket',
      name: bucket.name,
      bucket: { ...bucket, createdOn: '2026-01-01T00:00:00Z' },
    },
    object: { changed: 'object', bucket: bucket.name, key: object.key, entry: { ...object, size: 7 } },
    hostname: { changed: 'hostname', zoneId, id: row.record.id, row: later },
    record: { changed: 'record', zoneId, id: record.id, record: { ...record, ttl: 77 } },
    zone: { changed: 'zone', zoneId },
    worker: { changed: 'worker', name: worker.name },
    secret: { changed: 'secret', worker: worker.name, name: 'API_KEY' },
  } satisfies Record<Change['changed'], Change>;
  return { zone, namespace, entry, bucket, object, row, worker, changes };
}

type Samples = Awaited<ReturnType<typeof oneOfEach>>;

type View = Pick<HomeController, 'open' | 'close'> & { readonly state: unknown };

const other = (namespace: Samples['namespace']) => ({ namespace, words: 'the same' });

/** Every view of platform data: how it is opened, and the changes that it follows. */
const views: readonly (readonly [
  name: string,
  follows: readonly Change['changed'][],
  open: (samples: Samples, parts: PaneParts) => View,
])[] = [
  [
    'Home',
    // The changes that can be undone include keys and objects.
    ['namespace', 'key', 'bucket', 'object', 'hostname', 'record', 'zone', 'worker', 'secret'],
    (_, parts) => new HomeController(parts),
  ],
  ['the namespaces', ['namespace'], (_, parts) => namespaceList(parts)],
  ['the keys', ['key'], ({ namespace }, parts) => keyList(namespace, parts)],
  ['a value', ['key'], ({ namespace, entry }, parts) => keyView({ pane: 'value', namespace, entry }, parts)],
  [
    'a comparison',
    ['key'],
    ({ namespace, entry }, parts) =>
      comparisonView({ pane: 'comparison', namespace, key: entry.name, other: other(namespace) }, parts),
  ],
  ['the buckets', ['bucket'], (_, parts) => bucketList(parts)],
  [
    'the objects',
    ['object'],
    ({ bucket }, parts) => objectList({ pane: 'objects', bucket, folder: '' }, parts),
  ],
  [
    'an object',
    ['object'],
    ({ bucket, object }, parts) => new ObjectView({ pane: 'preview', bucket, entry: object }, parts),
  ],
  [
    'the hostnames',
    ['hostname', 'record', 'zone'],
    ({ zone }, parts) => new HostnameList(parts, zone, () => undefined),
  ],
  [
    'a hostname',
    ['hostname', 'record', 'zone'],
    ({ zone, row }, parts) => new HostnameController({ pane: 'hostname', zone, row, ahead: 0 }, parts),
  ],
  [
    'a diagnosis',
    ['hostname', 'record', 'zone'],
    ({ zone, row }, parts) =>
      new DiagnosisController({ pane: 'diagnosis', zone, hostname: row.record.hostname, fix: false }, parts),
  ],
  [
    'instructions',
    ['hostname', 'record', 'zone'],
    ({ zone, row: { record } }, parts) =>
      new InstructionsController({ pane: 'instructions', zone, record }, parts),
  ],
  ['the renewals', ['hostname', 'record', 'zone'], ({ zone }, parts) => forecastList(zone, parts)],
  ['the DNS records', ['record'], ({ zone }, parts) => recordList(zone, parts)],
  ['the workers', ['worker', 'secret'], (_, parts) => workersList(parts)],
  ['a worker', ['worker', 'secret'], ({ worker }, parts) => workerList(worker.name, parts).list],
  [
    'the undo journal',
    ['namespace', 'key', 'bucket', 'object', 'hostname', 'record', 'zone', 'worker', 'secret'],
    (_, parts) => new UndoController(parts),
  ],
];

function show(view: View): void {
  view.open();
  if (view instanceof ListController) view.show({ height: 20, visible: true });
  if (view instanceof ViewController) view.show({ ...plainSurface(80), height: 20, visible: true });
}

/** Waits until a view has no pending calls and its state no longer changes. */
async function settled(view: View, calls: Calls): Promise<void> {
  let before: unknown;
  const isSettled = () => {
    const state = JSON.stringify(view.state);
    const isSame = state === before && calls.pending === 0;
    before = state;
    return isSame && !/"busy":\{|"waitsFor":"|"loading":true/.test(state);
  };
  await expect.poll(isSettled, { interval: 10, timeout: 10_000 }).toBe(true);
}

// Issue "One truth", item 14: every open view follows every change made in this console.
test('updates an open view after each kind of change that affects the view, and after no other change', {
  timeout: 60_000,
}, async () => {
  const { services, parts, changes, calls } = await openViews();
  const samples = await oneOfEach(services);
  const wrong: string[] = [];
  for (const [name, follows, open] of views) {
    const view = open(samples, parts);
    show(view);
    for (const change of Object.values(samples.changes)) {
      await settled(view, calls);
      const [asked, shown] = [calls.made, view.state];
      changes.announce(change);
      await setImmediate();
      const reacts = calls.made > asked || view.state !== shown;
      if (reacts !== follows.includes(change.changed)) wrong.push(`${name}, ${change.changed}: ${reacts}`);
    }
    view.close();
  }
  expect(wrong).toEqual([]);
});
