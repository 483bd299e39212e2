import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { isMd5, type ObjectEntry } from '../../model/objects/object.ts';
import { planSync, type SyncPlan } from '../../model/objects/sync.ts';
import type { syncStep } from '../../model/objects/sync-shape.ts';
import { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { ValueOf } from '../../model/shape.ts';
import type { Session } from '../session/session.ts';
import { downloadObjects, listAll, planDownloads } from './download.ts';
import { type LeftOut, type LocalFile, type LocalFolder, walkFolder } from './folder.ts';
import type { ObjectMetadata } from './headers.ts';
import type { Failure, ManyReport } from './many.ts';
import { removeKeys } from './remove.ts';
import { fileBytes } from './source.ts';
import { Transfer } from './transfer.ts';
import { uploadFiles } from './upload.ts';

/** A folder and a prefix to sync. */
export interface SyncSides {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** The folder as typed. */
  readonly folderName: string;
  readonly bucket: string;
  /** The prefix, which is empty or ends in a slash. */
  readonly prefix: string;
}

type LocalSide = LocalFile & { readonly changed: number };
type IsSame = (file: LocalFile, object: ObjectEntry) => Promise<boolean>;
type RemoteSide = ObjectEntry & { readonly name: string; readonly changed: number };

/** One step of a sync, as shown in a dry run. */
export type SyncStep = ValueOf<typeof syncStep>;

/** A planned sync: its steps, and functions that execute the steps. */
export interface Sync {
  readonly steps: readonly SyncStep[];
  /** Number of files that need no step. */
  readonly same: number;
  /** Entries that are not compared, transferred or deleted, with their paths relative to the folder or the prefix. */
  readonly leftOut: readonly LeftOut[];
  /** Objects that cannot be written as files, or whose paths are links. */
  readonly failures: readonly Failure[];
  transfer(reporter: Reporter): Promise<ManyReport>;
  /** Deletes files or objects that exist only in the destination. */
  removeExtra(): Promise<void>;
}

/**
 * Compares a folder with a prefix: first by size, then by MD5. An object from a multipart upload has no MD5, so the times of the last
 * change are compared instead. Skips links, objects that have the same path as a link, and folder markers. Reads the folder before any
 * request.
 */
export async function openSync(
  session: Session,
  sides: SyncSides,
  direction: 'upload' | 'download',
  toMetadata: (file: LocalFile) => ObjectMetadata,
  reporter: Reporter,
): Promise<Sync> {
  const { files, leftOut } = await readLocal(sides, direction);
  const entries = await listAll(session, sides.bucket, sides.prefix);
  const local = files.map((file) => ({ ...file, changed: file.modified }));
  const left = new Set(leftOut.map(({ name }) => name));
  const named = entries.map((entry) => {
    return { ...entry, name: entry.key.slice(sides.prefix.length), changed: entry.uploaded };
  });
  const remote = named.filter(({ name }) => !isMarker(name) && !left.has(name));
  const transfer = new Transfer(session, reporter, 'comparing', undefined);
  const isSame: IsSame = (file, object) => isSameContent(file, object, direction, transfer);
  if (direction === 'upload') {
    return { ...(await uploadSync(session, sides, local, remote, toMetadata, isSame)), leftOut };
  }
  const sync = await downloadSync(session, sides, local, remote, isSame);
  const markers = named.filter(({ name }) => isMarker(name));
  const taken = named.filter(({ name }) => left.has(name));
  return {
    ...sync,
    failures: [...sync.failures, ...taken.map(placeTaken)],
    leftOut: [
      ...leftOut.filter(({ name }) => !taken.some((entry) => entry.name === name)),
      ...markers.map(({ name }) => ({ name, why: 'it is a folder marker' })),
    ],
  };
}

function isMarker(name: string): boolean {
  return name === '' || name.endsWith('/');
}

function placeTaken({ key, name }: RemoteSide): Failure {
  const message = `${name} is a link or a device on this machine, not a file; it was skipped.`;
  return {
    name: key,
    problem: new Problem('invalid-input', message, { hint: 'Rename the link or device, then sync again.' }),
  };
}

/** Reads the local folder. For a download, the folder need not exist yet. */
async function readLocal(sides: SyncSides, direction: 'upload' | 'download'): Promise<LocalFolder> {
  const isThere = await stat(sides.folder).catch(() => undefined);
  if (direction === 'download' && isThere === undefined) return { files: [], leftOut: [] };
  return walkFolder(sides.folder, sides.folderName);
}

async function uploadSync(
  session: Session,
  sides: SyncSides,
  local: readonly LocalSide[],
  remote: readonly RemoteSide[],
  toMetadata: (file: LocalFile) => ObjectMetadata,
  isSame: IsSame,
): Promise<Omit<Sync, 'leftOut'>> {
  const plan = await planSync(local, remote, isSame);
  const uploads = plan.transfers.map(({ item }) => ({ file: item, key: sides.prefix + item.name }));
  const extra = plan.extra.map(({ key }) => key);
  return {
    steps: planSteps(plan, 'upload'),
    same: plan.same,
    failures: [],
    transfer: (reporter) =>
      uploadFiles(session, sides.bucket, uploads, ({ file }) => toMetadata(file), reporter),
    removeExtra: () => removeKeys(session, sides.bucket, extra),
  };
}

async function downloadSync(
  session: Session,
  sides: SyncSides,
  local: readonly LocalSide[],
  remote: readonly RemoteSide[],
  isSame: IsSame,
): Promise<Omit<Sync, 'leftOut'>> {
  const { downloads, failures } = planDownloads(remote, sides.prefix);
  const partsByKey = new Map(downloads.map(({ item, parts }) => [item.key, parts]));
  const wanted = remote.flatMap((entry) => {
    const parts = partsByKey.get(entry.key);
    return parts === undefined ? [] : [{ ...entry, parts }];
  });
  const plan = await planSync(wanted, local, (object, file) => isSame(file, object));
  const chosen = plan.transfers.map(({ item }) => ({ item, parts: item.parts }));
  return {
    steps: planSteps(plan, 'download'),
    same: plan.same,
    failures,
    transfer: (reporter) =>
      downloadObjects(session, sides.bucket, chosen, sides.folder, reporter, { ifThere: 'replace' }),
    async removeExtra() {
      for (const { path } of plan.extra) await rm(path, { force: true });
    },
  };
}

function planSteps(
  plan: SyncPlan<LocalSide | RemoteSide, LocalSide | RemoteSide>,
  action: SyncStep['action'],
) {
  const transfers = plan.transfers.map(({ item: { name, size }, why }) => ({ action, name, size, why }));
  const removals = plan.extra.map((item) => ({
    action: 'delete' as const,
    name: item.name,
    size: item.size,
    why: 'extra' as const,
    ...('etag' in item ? { etag: item.etag } : { modified: new Date(item.changed).toISOString() }),
  }));
  return [...transfers, ...removals];
}

/**
 * Returns whether a file and an object of the same size have the same content. Compares their MD5s or, if the object has no MD5, their
 * times.
 */
async function isSameContent(
  file: LocalFile,
  { etag, uploaded }: ObjectEntry,
  direction: 'upload' | 'download',
  transfer: Transfer,
): Promise<boolean> {
  if (!isMd5(etag)) return direction === 'upload' ? file.modified <= uploaded : uploaded <= file.modified;
  const hash = createHash('md5');
  for await (const chunk of transfer.track().over(fileBytes(file.path, file.size))) hash.update(chunk);
  return hash.digest('hex') === etag;
}
