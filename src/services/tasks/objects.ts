import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withReadErrors } from '../../files/read.ts';
import { type ObjectAddress, objectKeyFault } from '../../model/objects/object.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { Progress, Reporter } from '../../model/progress.ts';
import type { TaskFailure } from '../../model/tasks/task.ts';
import { formatSize, groupDigits } from '../../text/size.ts';
import { deleteBucket } from '../objects/buckets.ts';
import { copyObject } from '../objects/copy.ts';
import { type Download, downloadObjects, planDownloads } from '../objects/download.ts';
import { type LocalFolder, walkFolder } from '../objects/folder.ts';
import { doMany, type Failure, type ManyReport } from '../objects/many.ts';
import { listObjects, readObjectEntry } from '../objects/objects.ts';
import { countObjects, removeBelow, removeKeys } from '../objects/remove.ts';
import { fileBytes } from '../objects/source.ts';
import { contentTypeFor } from '../objects/type.ts';
import { type Upload, uploadFiles } from '../objects/upload.ts';
import { hashMd5, removeObjectWithUndo, storeWithUndo } from '../undo/objects.ts';
import { isResumed, type TaskContext, type TaskOutcome } from './context.ts';
import { readMarked } from './files.ts';

/** A marked item in a bucket: an object, with its size in bytes if known, or all objects whose keys start with a prefix. */
export type MarkedObject = { readonly key: string; readonly size?: number } | { readonly prefix: string };

/** An object in a task's list. */
interface Listed {
  readonly key: string;
  readonly size: number;
}

interface ListedFile extends Listed {
  readonly name: string;
  readonly path: string;
}

type Indexed<T> = T & { readonly index: number };

/** Uploads a file, or all files below a folder. */
export async function uploadMarked(context: TaskContext<'upload'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const { bucket, contentType } = work;
  const all = await listOnce(context, () => listFiles(context));
  const { left, skipped } = await skipExisting(context, unconfirmedItems(context, all), ({ key }) =>
    objectExists(context, { bucket, key }),
  );
  const uploads = left.map(({ key, ...file }) => ({ key, file: { ...file, modified: 0 } }));
  const indexes = new Map(left.map(({ key, index }) => [key, index]));
  const toMetadata = ({ file, key }: Upload) => ({
    httpMetadata: {
      contentType: contentType ?? contentTypeFor(file.name, key),
    },
  });
  const onDone = ({ key }: Upload) => confirmIndex(context, indexes.get(key));
  const store = () => uploadFiles(session, bucket, uploads, toMetadata, reporter, onDone);
  const report = await (work.undo ? storeOne(context, uploads, store) : store());
  return summarizeMany(context, `Uploaded %s to ${bucket}`, report, skipped);
}

async function listFiles({ session, work, reporter }: TaskContext<'upload'>): Promise<ListedFile[]> {
  const { path, key } = work;
  const found = await withReadErrors(session.world, { name: path }, () => stat(path));
  if (!found.isDirectory()) return [{ key, path, name: basename(path), size: found.size }];
  reporter.progress(reportObjects('listing', 0, undefined, 0));
  const { files, leftOut } = await walkFolder(path, path, session.world.interrupted);
  if (leftOut.length > 0) reporter.warn(describeSkippedFiles(leftOut));
  return files.map(({ name, path: file, size }) => ({ key: `${key}${name}`, path: file, name, size }));
}

function describeSkippedFiles(leftOut: LocalFolder['leftOut']): string {
  const named = leftOut.slice(0, 3).map(({ name, why }) => `${name} (${why})`);
  const more = leftOut.length > 3 ? ` and ${groupDigits(leftOut.length - 3)} more` : '';
  return `Skipped: ${named.join(', ')}${more}.`;
}

/** Downloads the marked objects. */
export async function downloadMarked(context: TaskContext<'download'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const all = await listOnce(context, () => listMarkedObjects(context));
  // Resolves a link that the user specified as the file. In a folder, links to paths outside the folder are refused.
  const file = work.single ? await realpath(work.path).catch(() => work.path) : '';
  const root = work.single ? dirname(file) : work.path;
  // Plans the whole list, because an earlier run may have written a file where another key requires a folder.
  const { downloads, failures } = work.single
    ? { downloads: all.map((item) => ({ item, parts: [basename(file)] })), failures: [] }
    : planDownloads(all, work.prefix);
  const indexes = new Map(all.map(({ key }, index) => [key, index]));
  const toDo = downloads.filter(({ item }) => !context.confirmed.has(indexes.get(item.key) ?? -1));
  const { left, skipped } = await skipExisting(context, toDo, ({ parts }) =>
    fileExists(join(root, ...parts)),
  );
  const report = await downloadObjects(session, work.bucket, left, root, reporter, {
    ifThere: 'replace',
    onDone: ({ item }: Download) => confirmIndex(context, indexes.get(item.key)),
  });
  return summarizeMany(context, `Downloaded %s to ${work.path}`, report, skipped, failures);
}

/** Copies the marked objects to other keys or another bucket. */
export async function copyMarkedObjects(context: TaskContext<'copy-objects'>): Promise<TaskOutcome> {
  const { session, work } = context;
  const { bucket, prefix, to, single } = work;
  const all = unconfirmedItems(context, await listOnce(context, () => listMarkedObjects(context)));
  const copyAddress = ({ key }: Listed) => ({
    bucket: to.bucket,
    key: single ? to.key : to.key + key.slice(prefix.length),
  });
  const { left, skipped } = await skipExisting(context, all, (item) =>
    objectExists(context, copyAddress(item)),
  );
  const tell = counter(context, 'copying', left.length);
  const report = await doMany(
    left,
    ({ key }) => key,
    async (item) => {
      const copied = await copyObject(
        session,
        { bucket, key: item.key },
        copyAddress(item),
        single ? context.reporter : silentReporter,
      );
      if (copied === undefined) throw new Problem('not-found', 'The object was deleted meanwhile.');
      return item.size;
    },
    (item) => {
      confirmIndex(context, item.index);
      if (!single) tell();
    },
  );
  return summarizeMany(context, `Copied %s to ${to.bucket}`, report, skipped);
}

/** Deletes the marked objects, including all objects in marked folders. */
export async function deleteObjects(context: TaskContext<'delete-objects'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const all = await listOnce(context, () => listMarkedObjects(context));
  const [one] = all;
  if (work.undo && one !== undefined && all.length === 1) return deleteOne(context, one.key);
  for (let from = context.confirmed.count; from < all.length; from += keysPerRequest) {
    const part = all.slice(from, from + keysPerRequest);
    await removeKeys(
      session,
      work.bucket,
      part.map(({ key }) => key),
    );
    context.confirm([from, from + part.length]);
    reporter.progress(reportObjects('deleting', from + part.length, all.length, session.retries()));
  }
  return {
    summary: `Deleted ${formatObjectCount(all.length)} from ${work.bucket}.`,
    failed: { count: 0, first: [] },
  };
}

/** Deletes a bucket with all its objects. */
export async function deleteWholeBucket(context: TaskContext<'delete-bucket'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const failed = { count: 0, first: [] };
  try {
    const count = await countObjects(session, work.bucket, '');
    const total = count.more ? undefined : count.objects;
    const removed = await removeBelow(session, work.bucket, '', total, reporter);
    await deleteBucket(session, work.bucket);
    const words = `Deleted the bucket ${work.bucket} and ${formatObjectCount(removed)} in it${resumedSuffix(context)}.`;
    return { summary: words, failed };
  } catch (error) {
    // An earlier run may have deleted the bucket without receiving the response.
    if (!isResumed(context) || !isProblem(error) || error.code !== 'not-found') throw error;
    return { summary: `Deleted the bucket ${work.bucket}.`, failed };
  }
}

const keysPerRequest = 1000;

const maxParallelChecks = 8;

const silentReporter: Reporter = { progress: () => undefined, warn: () => undefined };

/** Returns the task's list. The first run creates and saves the list; later runs use the same list. */
async function listOnce<T extends Listed>(context: TaskContext, make: () => Promise<T[]>): Promise<T[]> {
  const noted = await context.files.readList<T>(context.task.id);
  if (noted !== undefined) return noted;
  const made = await make();
  await context.files.writeList(context.task.id, made);
  return made;
}

/** Returns the marked objects, including all objects in marked folders. */
async function listMarkedObjects(
  context: TaskContext<'download' | 'copy-objects' | 'delete-objects'>,
): Promise<Listed[]> {
  const { session, work, reporter, files, task } = context;
  const listed: Listed[] = [];
  for await (const page of readMarked<MarkedObject>(files.markedPath(task.id))) {
    for (const marked of page) {
      if ('key' in marked) {
        listed.push({ key: marked.key, size: marked.size ?? (await readSize(context, marked.key)) });
        continue;
      }
      for await (const { objects: found } of listObjects(session, work.bucket, { prefix: marked.prefix })) {
        listed.push(...found.map(({ key, size }) => ({ key, size })));
        reporter.progress(reportObjects('listing', listed.length, undefined, session.retries()));
      }
    }
  }
  return listed;
}

async function readSize(
  { session, work: { bucket } }: TaskContext<'download' | 'copy-objects' | 'delete-objects'>,
  key: string,
): Promise<number> {
  return (await readObjectEntry(session, { bucket, key }))?.size ?? 0;
}

function unconfirmedItems<T>({ confirmed }: TaskContext, list: readonly T[]): Indexed<T>[] {
  return list.map((item, index) => ({ ...item, index })).filter(({ index }) => !confirmed.has(index));
}

function confirmIndex(context: TaskContext, index: number | undefined): void {
  if (index !== undefined) context.confirm([index, index + 1]);
}

/** Returns the items that do not exist in the destination, or all items if the task replaces existing items. */
async function skipExisting<T>(
  context: TaskContext<'upload' | 'download' | 'copy-objects'>,
  items: readonly T[],
  isFound: (item: T) => Promise<boolean>,
): Promise<{ readonly left: readonly T[]; readonly skipped: number }> {
  if (context.work.existing === 'replace') return { left: items, skipped: 0 };
  const left: T[] = [];
  const tell = counter(context, 'comparing', items.length);
  for (let at = 0; at < items.length; at += maxParallelChecks) {
    context.session.world.interrupted.throwIfAborted();
    const group = items.slice(at, at + maxParallelChecks);
    const found = await Promise.all(group.map(isFound));
    left.push(...group.filter((_, index) => found[index] === false));
    for (const _ of group) tell();
  }
  return { left, skipped: items.length - left.length };
}

/** Returns whether an object exists. Returns false for an invalid key, because the upload will report the error. */
async function objectExists({ session }: TaskContext, address: ObjectAddress): Promise<boolean> {
  if (objectKeyFault(address.key) !== undefined) return false;
  return (await readObjectEntry(session, address)) !== undefined;
}

/** Returns whether a file exists. Returns false for a folder, because writing the file will report the error. */
async function fileExists(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

function counter(context: TaskContext, phase: string, total: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    context.reporter.progress(reportObjects(phase, done, total, context.session.retries()));
  };
}

function reportObjects(phase: string, done: number, total: number | undefined, retries: number): Progress {
  return { phase, unit: 'objects', done, total, retries, failed: 0 };
}

/** Returns the outcome of many transfers. Replaces `%s` in `words` with the number of objects and their size. */
function summarizeMany(
  context: TaskContext,
  words: string,
  { done, bytes, failures }: ManyReport,
  skipped: number,
  unplanned: readonly Failure[] = [],
): TaskOutcome {
  const skippedSuffix = skipped === 0 ? '' : `; already present: ${formatObjectCount(skipped)}`;
  const all = [...unplanned, ...failures];
  const first = all
    .slice(0, 20)
    .map(({ name, problem }): TaskFailure => ({ name, reason: problem.message.replace(/\.$/, '') }));
  // If the only item has failed, its error is the error of the task.
  const failure = done + skipped === 0 && all.length === 1 ? all[0] : undefined;
  return {
    stopped: failure?.problem,
    summary: `${words.replace('%s', () => `${formatObjectCount(done)} (${formatSize(bytes)})`)}${resumedSuffix(context)}${skippedSuffix}.`,
    failed: { count: all.length, first },
  };
}

function resumedSuffix(context: TaskContext): string {
  return isResumed(context) ? ' in this run' : '';
}

function formatObjectCount(count: number): string {
  return count === 1 ? '1 object' : `${groupDigits(count)} objects`;
}

/** Deletes a single object. First saves the object for undo. */
export async function deleteOne(
  { session, work: { bucket }, confirmed, confirm }: TaskContext<'delete-objects'>,
  key: string,
): Promise<TaskOutcome> {
  const isDone = confirmed.count > 0;
  const entry = isDone ? undefined : await removeObjectWithUndo(session, { bucket, key });
  if (!isDone) confirm([0, 1]);
  const way = entry === undefined ? '' : ' Press U to restore it.';
  return { summary: `Deleted 1 object from ${bucket}.${way}`, failed: { count: 0, first: [] } };
}

/** Uploads files by calling `store`. If there is only one file, first saves the object that it replaces for undo. */
export async function storeOne(
  { session, work: { bucket } }: TaskContext<'upload'>,
  uploads: readonly Upload[],
  store: () => Promise<ManyReport>,
): Promise<ManyReport> {
  const [one] = uploads;
  if (one === undefined || uploads.length > 1) return store();
  const { file, key } = one;
  const { result } = await storeWithUndo(
    session,
    { bucket, key },
    () => hashMd5(fileBytes(file.path, file.size)),
    store,
  );
  return result;
}
