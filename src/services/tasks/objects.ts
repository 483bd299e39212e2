import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readingFrom } from '../../files/read.ts';
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
import { contentTypeOf } from '../objects/type.ts';
import { type Upload, uploadFiles } from '../objects/upload.ts';
import { readMarked } from './files.ts';
import { isAgain, type TaskOutcome, type TaskRun } from './run.ts';

/** What is marked in a bucket: an object, with its size in bytes where that is known, or all below a prefix. */
export type MarkedObject = { readonly key: string; readonly size?: number } | { readonly prefix: string };

/** An object of a task's list; of an upload with its file. */
interface Listed {
  readonly key: string;
  readonly size: number;
}

interface ListedFile extends Listed {
  readonly name: string;
  readonly path: string;
}

type Indexed<T> = T & { readonly index: number };

/** Stores a file, or all files below a folder. */
export async function uploadMarked(run: TaskRun<'upload'>): Promise<TaskOutcome> {
  const { session, work, reporter } = run;
  const { bucket, contentType } = work;
  const all = await listOnce(run, () => filesOf(run));
  const { left, skipped } = await without(run, remaining(run, all), ({ key }) =>
    isThere(run, { bucket, key }),
  );
  const uploads = left.map(({ key, ...file }) => ({ key, file: { ...file, modified: 0 } }));
  const indexes = new Map(left.map(({ key, index }) => [key, index]));
  const metadataOf = ({ file, key }: Upload) => ({
    httpMetadata: {
      contentType: contentType ?? contentTypeOf(file.name, key),
    },
  });
  const onDone = ({ key }: Upload) => confirmOne(run, indexes.get(key));
  const report = await uploadFiles(session, bucket, uploads, metadataOf, reporter, onDone);
  return manyOutcome(run, `Uploaded %s to ${bucket}`, report, skipped);
}

async function filesOf({ session, work, reporter }: TaskRun<'upload'>): Promise<ListedFile[]> {
  const { path, key } = work;
  const found = await readingFrom(session.world, { name: path }, () => stat(path));
  if (!found.isDirectory()) return [{ key, path, name: basename(path), size: found.size }];
  reporter.progress(objectsDone('looking at', 0, undefined, 0));
  const { files, leftOut } = await walkFolder(path, path, session.world.interrupted);
  if (leftOut.length > 0) reporter.warn(leftWords(leftOut));
  return files.map(({ name, path: file, size }) => ({ key: `${key}${name}`, path: file, name, size }));
}

function leftWords(leftOut: LocalFolder['leftOut']): string {
  const named = leftOut.slice(0, 3).map(({ name, why }) => `${name} (${why})`);
  const more = leftOut.length > 3 ? ` and ${groupDigits(leftOut.length - 3)} more` : '';
  return `Left out: ${named.join(', ')}${more}.`;
}

/** Writes the marked objects into files. */
export async function downloadMarked(run: TaskRun<'download'>): Promise<TaskOutcome> {
  const { session, work, reporter } = run;
  const all = await listOnce(run, () => objectsOf(run));
  // A file that is named by itself may be a link; one below a folder leads nowhere else.
  const file = work.single ? await realpath(work.path).catch(() => work.path) : '';
  const root = work.single ? dirname(file) : work.path;
  // Of the whole list: what needs a folder in the place of a file may be done already.
  const { downloads, failures } = work.single
    ? { downloads: all.map((item) => ({ item, parts: [basename(file)] })), failures: [] }
    : planDownloads(all, work.prefix);
  const indexes = new Map(all.map(({ key }, index) => [key, index]));
  const toDo = downloads.filter(({ item }) => !run.confirmed.has(indexes.get(item.key) ?? -1));
  const { left, skipped } = await without(run, toDo, ({ parts }) => isFileThere(join(root, ...parts)));
  const report = await downloadObjects(session, work.bucket, left, root, reporter, ({ item }: Download) =>
    confirmOne(run, indexes.get(item.key)),
  );
  return manyOutcome(run, `Downloaded %s to ${work.path}`, report, skipped, failures);
}

/** Stores the marked objects once more, under other keys or in another bucket. */
export async function copyMarkedObjects(run: TaskRun<'copy-objects'>): Promise<TaskOutcome> {
  const { session, work } = run;
  const { bucket, prefix, to, single } = work;
  const all = remaining(run, await listOnce(run, () => objectsOf(run)));
  const targetOf = ({ key }: Listed) => ({
    bucket: to.bucket,
    key: single ? to.key : to.key + key.slice(prefix.length),
  });
  const { left, skipped } = await without(run, all, (item) => isThere(run, targetOf(item)));
  const tell = counter(run, 'copying', left.length);
  const report = await doMany(
    left,
    ({ key }) => key,
    async (item) => {
      session.world.interrupted.throwIfAborted();
      const copied = await copyObject(
        session,
        { bucket, key: item.key },
        targetOf(item),
        single ? run.reporter : silent,
      );
      if (copied === undefined) throw new Problem('not-found', 'The object has gone meanwhile.');
      return item.size;
    },
    (item) => {
      confirmOne(run, item.index);
      if (!single) tell();
    },
  );
  return manyOutcome(run, `Copied %s to ${to.bucket}`, report, skipped);
}

/** Deletes the marked objects, and all below the marked folders. */
export async function deleteObjects(run: TaskRun<'delete-objects'>): Promise<TaskOutcome> {
  const { session, work, reporter } = run;
  const all = await listOnce(run, () => objectsOf(run));
  for (let from = run.confirmed.count; from < all.length; from += keysAtOnce) {
    session.world.interrupted.throwIfAborted();
    const part = all.slice(from, from + keysAtOnce);
    await removeKeys(
      session,
      work.bucket,
      part.map(({ key }) => key),
    );
    run.confirm([from, from + part.length]);
    reporter.progress(objectsDone('deleting', from + part.length, all.length, session.retries()));
  }
  return { words: `Deleted ${objects(all.length)} of ${work.bucket}.`, failed: { count: 0, first: [] } };
}

/** Deletes a bucket with all its objects. */
export async function deleteWholeBucket(run: TaskRun<'delete-bucket'>): Promise<TaskOutcome> {
  const { session, work, reporter } = run;
  const failed = { count: 0, first: [] };
  try {
    const count = await countObjects(session, work.bucket, '');
    const total = count.more ? undefined : count.objects;
    const removed = await removeBelow(session, work.bucket, '', total, reporter);
    await deleteBucket(session, work.bucket);
    const words = `Deleted the bucket ${work.bucket} and ${objects(removed)} in it${inThisRun(run)}.`;
    return { words, failed };
  } catch (error) {
    // The answer to an earlier run may have been lost on its way.
    if (!isAgain(run) || !isProblem(error) || error.code !== 'not-found') throw error;
    return { words: `Deleted the bucket ${work.bucket}.`, failed };
  }
}

const keysAtOnce = 1000;

const looksAtOnce = 8;

const silent: Reporter = { progress: () => undefined, warn: () => undefined };

/** The task's list: made and noted at the first run, so that a later one goes on with the same. */
async function listOnce<T extends Listed>(run: TaskRun, make: () => Promise<T[]>): Promise<T[]> {
  const noted = await run.files.readList<T>(run.task.id);
  if (noted !== undefined) return noted;
  const made = await make();
  await run.files.writeList(run.task.id, made);
  return made;
}

/** The objects that were marked, and those below marked folders. */
async function objectsOf(run: TaskRun<'download' | 'copy-objects' | 'delete-objects'>): Promise<Listed[]> {
  const { session, work, reporter, files, task } = run;
  const listed: Listed[] = [];
  for await (const page of readMarked<MarkedObject>(files.markedPath(task.id))) {
    for (const marked of page) {
      if ('key' in marked) {
        listed.push({ key: marked.key, size: marked.size ?? (await sizeOf(run, marked.key)) });
        continue;
      }
      for await (const { objects: found } of listObjects(session, work.bucket, { prefix: marked.prefix })) {
        session.world.interrupted.throwIfAborted();
        listed.push(...found.map(({ key, size }) => ({ key, size })));
        reporter.progress(objectsDone('listing', listed.length, undefined, session.retries()));
      }
    }
  }
  return listed;
}

async function sizeOf(
  { session, work: { bucket } }: TaskRun<'download' | 'copy-objects' | 'delete-objects'>,
  key: string,
): Promise<number> {
  return (await readObjectEntry(session, { bucket, key }))?.size ?? 0;
}

function remaining<T>({ confirmed }: TaskRun, list: readonly T[]): Indexed<T>[] {
  return list.map((item, index) => ({ ...item, index })).filter(({ index }) => !confirmed.has(index));
}

function confirmOne(run: TaskRun, index: number | undefined): void {
  if (index !== undefined) run.confirm([index, index + 1]);
}

/** Leaves out what is there already, unless that is to be replaced. */
async function without<T>(
  run: TaskRun<'upload' | 'download' | 'copy-objects'>,
  items: readonly T[],
  isFound: (item: T) => Promise<boolean>,
): Promise<{ readonly left: readonly T[]; readonly skipped: number }> {
  if (run.work.existing === 'replace') return { left: items, skipped: 0 };
  const left: T[] = [];
  const tell = counter(run, 'comparing', items.length);
  for (let at = 0; at < items.length; at += looksAtOnce) {
    run.session.world.interrupted.throwIfAborted();
    const group = items.slice(at, at + looksAtOnce);
    const found = await Promise.all(group.map(isFound));
    left.push(...group.filter((_, index) => found[index] === false));
    for (const _ of group) tell();
  }
  return { left, skipped: items.length - left.length };
}

/** A key that cannot be is not there: storing it says why. */
async function isThere({ session }: TaskRun, address: ObjectAddress): Promise<boolean> {
  if (objectKeyFault(address.key) !== undefined) return false;
  return (await readObjectEntry(session, address)) !== undefined;
}

/** A folder in the place of a file is none: writing the file says so. */
async function isFileThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

function counter(run: TaskRun, phase: string, total: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    run.reporter.progress(objectsDone(phase, done, total, run.session.retries()));
  };
}

function objectsDone(phase: string, done: number, total: number | undefined, retries: number): Progress {
  return { phase, unit: 'objects', done, total, retries, failed: 0 };
}

/** `%s` in the words stands for the amount. */
function manyOutcome(
  run: TaskRun,
  words: string,
  { done, bytes, failures }: ManyReport,
  skipped: number,
  unplanned: readonly Failure[] = [],
): TaskOutcome {
  const left = skipped === 0 ? '' : `; there already: ${objects(skipped)}`;
  const all = [...unplanned, ...failures];
  const first = all
    .slice(0, 20)
    .map(({ name, problem }): TaskFailure => ({ name, reason: problem.message.replace(/\.$/, '') }));
  // Of a single one there is nothing to say but why it failed.
  const [failure] = done + skipped === 0 && all.length === 1 ? all : [];
  return {
    stopped: failure?.problem,
    words: `${words.replace('%s', () => `${objects(done)} (${formatSize(bytes)})`)}${inThisRun(run)}${left}.`,
    failed: { count: all.length, first },
  };
}

function inThisRun(run: TaskRun): string {
  return isAgain(run) ? ' in this run' : '';
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${groupDigits(count)} objects`;
}
