import { diskName } from './disk-name.ts';
import type { SettingTable } from './hostnames/settings.ts';
import type { BucketTable, StoredBucket } from './objects/buckets.ts';
import type { ObjectStore } from './objects/objects.ts';
import type { Registry } from './registry.ts';
import type { StoredWorker, WorkerTable } from './workers/workers.ts';

/** Settings that belong to one account. All other settings belong to the sandbox. */
const ownSettings: readonly string[] = ['bucket_settings', 'worker_schedules', 'worker_domains'];

/** Returns whether a setting belongs to an additional account. */
export function isOfFurther(setting: string): boolean {
  return setting.includes('/');
}

/**
 * Returns the registry as seen by an additional account, with the namespaces, buckets and workers of this account. All accounts share zones
 * and hostnames.
 */
export function accountRegistry(
  registry: Registry,
  account: { readonly id: string; readonly name: string },
): Registry {
  const { id } = account;
  return {
    ...registry,
    account: () => account,
    namespaces: registry.openNamespaces(id),
    buckets: accountBuckets(registry.buckets, id),
    workers: accountWorkers(registry.workers, id),
    settings: accountSettings(registry.settings, id),
  };
}

/** Returns the object store as seen by an additional account, with the objects in the buckets of this account. */
export function accountObjects(objects: ObjectStore, account: string): ObjectStore {
  const toDiskName = (bucket: string) => diskName(account, bucket);
  return {
    find: (bucket, key) => objects.find(toDiskName(bucket), key),
    read: (bucket, key, choose) => objects.read(toDiskName(bucket), key, choose),
    list: (bucket, page) => objects.list(toDiskName(bucket), page),
    write: (bucket, object, now) => objects.write(toDiskName(bucket), object, now),
    uploads: (bucket, work) => objects.uploads(toDiskName(bucket), work),
    completeUpload: (bucket, upload, now) => objects.completeUpload(toDiskName(bucket), upload, now),
    setStorageClass: (bucket, keys, storageClass) =>
      objects.setStorageClass(toDiskName(bucket), keys, storageClass),
    remove: (bucket, keys) => objects.remove(toDiskName(bucket), keys),
    usage: (bucket) => objects.usage(toDiskName(bucket)),
    removeBucket: (bucket) => objects.removeBucket(toDiskName(bucket)),
    bucketFolders: () => ownNames(objects.bucketFolders(), account),
    close: () => objects.close(),
  };
}

function ownNames(names: readonly string[], account: string): string[] {
  const start = diskName(account, '');
  return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

function accountBuckets(buckets: BucketTable, account: string): BucketTable {
  const start = diskName(account, '');
  const own = <T extends StoredBucket | undefined>(bucket: T): T =>
    bucket && { ...bucket, name: bucket.name.slice(start.length) };
  return {
    list: () =>
      buckets
        .everywhere()
        .filter(({ name }) => name.startsWith(start))
        .map(own),
    everywhere: () => buckets.everywhere(),
    findEverywhere: (name) => buckets.findEverywhere(name),
    find: (name) => own(buckets.findEverywhere(start + name)),
    create: (bucket) => own(buckets.create({ ...bucket, name: start + bucket.name })),
    setStorageClass: (name, storageClass) => own(buckets.setStorageClass(start + name, storageClass)),
    remove: (name) => buckets.remove(start + name),
  };
}

function accountWorkers(workers: WorkerTable, account: string): WorkerTable {
  const start = diskName(account, '');
  const own = <T extends StoredWorker | undefined>(worker: T): T =>
    worker && { ...worker, name: worker.name.slice(start.length) };
  return {
    ...workers,
    list: () =>
      workers
        .everywhere()
        .filter(({ name }) => name.startsWith(start))
        .map(own),
    find: (name) => own(workers.findEverywhere(start + name)),
    create: (name) => own(workers.create(start + name)),
    change: (name, change) => workers.change(start + name, change),
    remove: (name) => workers.remove(start + name),
    addVersion: (name, codeId, details) => workers.addVersion(start + name, codeId, details),
    versions: (name) => workers.versions(start + name),
    addDeployment: (name, details) => workers.addDeployment(start + name, details),
    deployments: (name) => workers.deployments(start + name),
  };
}

function accountSettings(settings: SettingTable, account: string): SettingTable {
  const start = `${account}/`;
  const toStoredName = (name: string) => (ownSettings.includes(name) ? start + name : name);
  return {
    ...settings,
    read: (name) => settings.read(toStoredName(name)),
    readText: (names) => settings.readText(names.map(toStoredName)),
    write: (name, value) => settings.write(toStoredName(name), value),
    change: (name, work) => settings.change(toStoredName(name), work),
    writeFirst: (name, value) => settings.writeFirst(toStoredName(name), value),
    all: () =>
      Object.fromEntries(
        Object.entries(settings.all()).flatMap(([name, value]) =>
          name.startsWith(start) ? [[name.slice(start.length), value]] : [],
        ),
      ),
  };
}
