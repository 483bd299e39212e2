import { expect, test } from 'vitest';
import { createServices } from '../../../components/app/connection.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { ZoneDnsRecord } from '../../../src/model/zones/zone.ts';
import type { Services } from '../../../src/services/console/services.ts';
import { undoService } from '../../../src/services/console/undo.ts';
import type { Call } from '../../../src/v4/send.ts';
import { openPlatform } from '../open-objects.tsx';

const platform = await openPlatform();
platform.write('keys.json', '[{"key": "a", "value": "b"}]');
const { session } = platform;

type Asking = Promise<unknown> | AsyncIterable<unknown>;

/** Functions that send no requests because they act only on this machine. */
type Local =
  | 'openSync'
  | 'listBindings'
  | 'readIssuance'
  | 'saveInstructions'
  | 'checkSource'
  | 'checkLinks'
  | 'link';

/** A call to every service function that sends requests; the compiler reports a missing call. */
type Asked<Service> = {
  readonly [Name in keyof Service as Name extends Local
    ? never
    : Service[Name] extends (...given: never[]) => Asking
      ? Name
      : never]: (service: Service, signal: AbortSignal) => Asking;
};

type Platform = Required<Omit<Services, 'equivalents' | 'undo'>>;

const z = 'z'.repeat(32);
const record: CustomHostname = { id: 'a'.repeat(32), hostname: 'shop.acme.com', status: 'active' };
const dns: ZoneDnsRecord = { id: 'd', type: 'A', name: 'a.example', content: '192.0.2.1' };
const address = { bucket: 'pictures', key: 'cat.jpg' };
const change = { key: 'key', value: 'kept', expiry: 'kept', metadata: 'kept', basis: undefined } as const;
const step = { kind: 'create', hostname: 'shop.acme.com', branding: false } as const;
const paging = { prefix: '', limit: 10 };

const asked: { readonly [Noun in keyof Platform]: Asked<Platform[Noun]> } = {
  places: {
    find: ({ find }, signal) => find({ kind: 'hostname', hostname: 'shop.acme.com' }, signal),
  },
  doctor: { examine: ({ examine }, signal) => examine(signal) },
  access: {
    check: ({ check }, signal) => check(signal),
    accounts: ({ accounts }, signal) => accounts(signal),
    zones: ({ zones }, signal) => zones(signal),
  },
  kv: {
    listNamespaces: (kv, signal) => kv.listNamespaces(signal),
    createNamespace: (kv, signal) => kv.createNamespace('one', undefined, signal),
    renameNamespace: (kv, signal) => kv.renameNamespace(z, 'two', signal),
    deleteNamespace: (kv, signal) => kv.deleteNamespace(z, signal),
    listKeys: (kv, signal) => kv.listKeys(z, { ...paging, signal }),
    readKey: (kv, signal) => kv.readKey(z, 'key', signal),
    readValueStart: (kv, signal) => kv.readValueStart(z, 'key', 10, signal),
    writeKey: (kv, signal) => kv.writeKey(z, change, signal),
    removeKey: (kv, signal) => kv.removeKey(z, 'key', signal),
    previewImport: (kv, signal) => kv.previewImport(z, 'keys.json', { signal, progress: () => undefined }),
  },
  objects: {
    listBuckets: (objects, signal) => objects.listBuckets(signal),
    createBucket: (objects, signal) => objects.createBucket('pictures', {}, signal),
    count: (objects, signal) => objects.count('pictures', '', signal),
    list: (objects, signal) => objects.list('pictures', { ...paging, signal }),
    readEntry: (objects, signal) => objects.readEntry(address, signal),
    readHead: (objects, signal) => objects.readHead(address, 10, signal),
  },
  workers: {
    list: (workers, signal) => workers.list(signal),
    read: (workers, signal) => workers.read('w', signal),
    tail: (workers, signal) => workers.tail('w', signal),
    putSecret: (workers, signal) => workers.putSecret('w', 'NAME', 'text', signal),
    removeSecret: (workers, signal) => workers.removeSecret('w', 'NAME', signal),
    remove: (workers, signal) => workers.remove('w', signal),
    rollBack: (workers, signal) => workers.rollBack('w', 'v', false, signal),
  },
  hostnames: {
    findZone: (hostnames, signal) => hostnames.findZone(signal),
    listZones: (hostnames, signal) => hostnames.listZones(signal),
    readOverview: (hostnames, signal) => hostnames.readOverview(z, signal),
    list: (hostnames, signal) => hostnames.list(z, { contains: '' }, signal),
    urgent: (hostnames, signal) => hostnames.urgent(z, signal),
    read: (hostnames, signal) => hostnames.read(z, record.id, signal),
    readInstructions: (hostnames, signal) => hostnames.readInstructions(z, record, signal),
    readAgain: (hostnames, signal) => hostnames.readAgain(z, [record.id], signal),
    create: (hostnames, signal) => hostnames.create(z, { hostname: 'shop.acme.com' }, signal),
    refresh: (hostnames, signal) => hostnames.refresh(z, record, signal),
    edit: (hostnames, signal) => hostnames.edit(z, record, {}, signal),
    remove: (hostnames, signal) => hostnames.remove(z, record, signal),
    diagnose: (hostnames, signal) => hostnames.diagnose(z, record.hostname, signal),
    instructions: (hostnames, signal) => hostnames.instructions(z, record, 'txt', signal),
    carryOut: (hostnames, signal) => hostnames.carryOut(z, [step], signal),
  },
  fleet: {
    forecast: (fleet, signal) => fleet.forecast(z, signal, () => undefined),
    forecastOne: (fleet, signal) => fleet.forecastOne(z, record, signal),
    readSettings: (fleet, signal) => fleet.readSettings(z, signal),
    countServed: (fleet, signal) => fleet.countServed(z, signal),
    setFallback: (fleet, signal) => fleet.setFallback(z, 'origin.saas.com', signal),
    hold: (fleet, signal) => fleet.hold(z, true, signal),
    release: (fleet, signal) => fleet.release(z, { subdomainsOnly: false }, signal),
  },
  records: {
    countServed: (records, signal) => records.countServed(z, [dns], signal),
    list: (records, signal) => records.list(z, signal, () => undefined),
    add: (records, signal) => records.add(z, { name: 'a', type: 'A', content: '192.0.2.1' }, signal),
    change: (records, signal) => records.change(z, dns, { ttl: 60 }, signal),
    remove: (records, signal) => records.remove(z, dns, signal),
    removeAll: (records, signal) => records.removeAll(z, [dns], signal),
    save: (records, signal) => records.save(z, 'records.json', signal, () => undefined),
  },
};

/** Waits until a call ends, and ignores its result. */
async function begin(asking: Asking): Promise<void> {
  if ('then' in asking) await asking;
  else for await (const _ of asking);
}

const questions = Object.entries(asked).flatMap(([noun, ways]) =>
  Object.entries<(service: never, signal: AbortSignal) => Asking>(ways).map(
    ([name, ask]) => [noun as keyof Platform, name, ask] as const,
  ),
);

test.each(questions)('%s.%s aborts its requests when its signal aborts', async (noun, _, ask) => {
  const requests: Call[] = [];
  const leaving = new AbortController();
  await new Promise<void>((begun, failed) => {
    const send = (call: Call) => {
      requests.push(call);
      begun();
      return new Promise<never>((_, reject) => {
        call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
      });
    };
    const service = createServices({ ...session, send })[noun] as never;
    begin(ask(service, leaving.signal)).catch(failed);
  });
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual(requests.map(() => false));
  leaving.abort();
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual(requests.map(() => true));
});

test('stops waiting for the account when nobody needs the undo journal any more', async () => {
  const leaving = new AbortController();
  const undo = undoService({ ...session, accountId: () => new Promise(() => undefined) });
  const list = undo.list(leaving.signal);
  leaving.abort();
  await expect(list).rejects.toThrow('aborted');
});
