import { basename, resolve } from 'node:path';
import { type ObjectAddress, objectKeyFault } from '../../src/model/objects/object.ts';
import { folderPrefix } from '../../src/model/objects/path.ts';
import type { TaskWork } from '../../src/model/tasks/task.ts';
import { lookAtPath, writingFault } from '../../src/services/objects/file-look.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type Chosen, chosenWords, countMarked, singleObject } from './chosen.ts';
import type { ObjectService } from './service.ts';

/** What becomes of what is there already. */
export type Existing = 'skip' | 'replace';

/** What the panes of objects ask for; all but `count` start a task. Paths are as they were typed. */
export type ObjectCommand =
  | {
      readonly does: 'upload';
      readonly bucket: string;
      readonly folder: string;
      readonly path: string;
      /** Behind the folder; empty for the file's own. */
      readonly name: string;
      readonly contentType: string | undefined;
      readonly existing: Existing;
    }
  | { readonly does: 'download'; readonly from: Chosen; readonly path: string; readonly existing: Existing }
  /** To a key, or many to below a prefix. */
  | { readonly does: 'copy'; readonly from: Chosen; readonly to: ObjectAddress; readonly existing: Existing }
  | { readonly does: 'remove'; readonly from: Chosen }
  /** Counts what would be deleted. */
  | { readonly does: 'count'; readonly from: Chosen };

type Storing = Extract<ObjectCommand, { existing: Existing }>;

/** What has become of a command. */
export type ObjectOutcome =
  | { readonly type: 'started'; readonly taskId: string; readonly words: string }
  /** Held back, because one object or file is there already. */
  | { readonly type: 'exists'; readonly command: Storing; readonly name: string }
  /** Held back, because something in its form is wrong, by the names of the fields. */
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  | { readonly type: 'counted'; readonly from: Chosen; readonly count: ObjectCount };

/** What commands are carried out with. */
export interface ObjectMeans {
  readonly service: ObjectService;
  readonly signal: AbortSignal;
  /** Paths begin there. */
  readonly cwd: string;
  /** Starts a task and gives its id. */
  start(work: TaskWork, marked: readonly MarkedObject[]): Promise<string>;
}

/** Starts the task that a command is for, after a look at what it would meet. */
export async function carryOutObject(command: ObjectCommand, means: ObjectMeans): Promise<ObjectOutcome> {
  switch (command.does) {
    case 'upload':
      return upload(command, means);
    case 'download':
      return download(command, means);
    case 'copy':
      return copy(command, means);
    case 'remove': {
      const { bucket, marked } = command.from;
      const taskId = await means.start({ does: 'delete-objects', bucket }, marked);
      return { type: 'started', taskId, words: startWords('Deleting', chosenWords(command.from)) };
    }
    case 'count':
      return { type: 'counted', from: command.from, count: await countChosen(command.from, means) };
  }
}

async function upload(
  command: Extract<ObjectCommand, { does: 'upload' }>,
  { service, signal, cwd, start }: ObjectMeans,
): Promise<ObjectOutcome> {
  const { bucket, folder, name, contentType, existing } = command;
  const path = resolve(cwd, command.path);
  const isFolder = (await service.checkSource(path, command.path)) === 'folder';
  const key = `${folder}${isFolder ? folderPrefix(folderNameOf(command, path)) : name || basename(path)}`;
  const fault = isFolder ? undefined : objectKeyFault(key);
  if (fault !== undefined) return { type: 'refused', errors: { name: `Not a key: ${fault}.` } };
  if (!isFolder && existing === 'skip' && (await service.readEntry({ bucket, key }, signal)) !== undefined)
    return { type: 'exists', command, name: `object ${key}` };
  const taskId = await start({ does: 'upload', bucket, path, key, contentType, existing }, []);
  return { type: 'started', taskId, words: startWords('Uploading', escapeText(basename(path))) };
}

/** As for rsync, a slash behind a folder stands for what is in it. */
function folderNameOf({ name, path: typed }: { name: string; path: string }, path: string): string {
  return name !== '' || typed.endsWith('/') ? name : basename(path);
}

async function download(
  command: Extract<ObjectCommand, { does: 'download' }>,
  { cwd, start }: ObjectMeans,
): Promise<ObjectOutcome> {
  const { from, existing } = command;
  const single = singleObject(from) !== undefined;
  const path = resolve(cwd, command.path);
  const found = await lookAtPath(path);
  const fault = single ? writingFault(command.path, found) : undefined;
  if (fault !== undefined) return { type: 'refused', errors: { path: fault } };
  if (!single && found === 'file') return { type: 'refused', errors: { path: 'This is a file.' } };
  if (single && found === 'file' && existing === 'skip')
    return { type: 'exists', command, name: `file ${command.path}` };
  const { bucket, folder: prefix, marked } = from;
  const taskId = await start({ does: 'download', bucket, prefix, path, single, existing }, marked);
  return { type: 'started', taskId, words: startWords('Downloading', chosenWords(from)) };
}

async function copy(
  command: Extract<ObjectCommand, { does: 'copy' }>,
  { service, signal, start }: ObjectMeans,
): Promise<ObjectOutcome> {
  const { from, to, existing } = command;
  const single = singleObject(from) !== undefined;
  if (single && existing === 'skip' && (await service.readEntry(to, signal)) !== undefined)
    return { type: 'exists', command, name: `object ${to.key}` };
  const { bucket, folder: prefix, marked } = from;
  const taskId = await start({ does: 'copy-objects', bucket, prefix, to, single, existing }, marked);
  return { type: 'started', taskId, words: startWords('Copying', chosenWords(from)) };
}

async function countChosen(
  { bucket, marked }: Chosen,
  { service, signal }: ObjectMeans,
): Promise<ObjectCount> {
  let { objects, bytes, more } = countMarked(marked);
  for (const item of marked) {
    if ('key' in item || more) continue;
    const below = await service.count(bucket, item.prefix, signal);
    objects += below.objects;
    bytes += below.bytes;
    more = below.more;
  }
  return { objects, bytes, more };
}

/** The notice of a task that was started. `what` is escaped. */
export function startWords(doing: string, what: string): string {
  return `${doing} ${what}: 5 shows the task.`;
}
