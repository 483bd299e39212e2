import { basename } from 'node:path';
import { typedPath } from '../../src/files/typed-path.ts';
import { objectKeyFault } from '../../src/model/objects/object.ts';
import { folderPrefix } from '../../src/model/objects/path.ts';
import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Services } from '../../src/services/console/services.ts';
import { lookAtPath, writingFault } from '../../src/services/objects/file-look.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { World } from '../../src/world.ts';
import { type Busy, starting } from '../kit/keys/busy.ts';
import { serviceOf } from '../kit/service-of.ts';
import { type Chosen, chosenWords, countMarked, singleObject } from './chosen.ts';
import type { ObjectCommand } from './commands.ts';
import { linkForm } from './forms.ts';
import { linkMenu, type ObjectDialog, removeDialog, replaceDialog } from './questions.ts';

/** The result of a command: a form or a question that follows, or the task that it has started. */
export interface ObjectOutcome {
  readonly dialog?: ObjectDialog;
  /** Faults in its form, by the names of the fields. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Escaped. */
  readonly notice?: string;
  readonly taskId?: string;
  readonly unmark?: boolean;
}

/** Words for the header while a command runs. */
export const busyWith: Readonly<Record<ObjectCommand['does'], Busy>> = {
  upload: { kind: 'reading', words: 'looking at the file' },
  download: { kind: 'reading', words: 'looking at the file' },
  copy: { kind: 'reading', words: 'looking for the object' },
  remove: starting,
  count: { kind: 'reading', words: 'counting' },
  'offer-link': { kind: 'reading', words: 'looking whether links can be made' },
  link: { kind: 'reading', words: 'making the link' },
  'copy-link': { kind: 'reading', words: 'copying' },
};

/** The parts of a pane that commands need. */
export interface ObjectMeans {
  readonly services: Pick<Services, 'objects' | 'undo'>;
  /** Paths begin there. */
  readonly world: Pick<World, 'cwd' | 'env'>;
  copy(bytes: Uint8Array, what: string): string;
  readonly tasks: {
    start(work: TaskWork, marked: readonly MarkedObject[]): Promise<Pick<Task, 'id'>>;
  };
}

/** Starts the task that a command is for, after a look at what it would meet. */
export async function carryOutObject(
  command: ObjectCommand,
  means: ObjectMeans,
  signal: AbortSignal,
): Promise<ObjectOutcome> {
  switch (command.does) {
    case 'upload':
      return upload(command, means, signal);
    case 'download':
      return download(command, means);
    case 'copy':
      return copy(command, means, signal);
    case 'remove': {
      const { bucket, marked } = command.from;
      const undo = means.services.undo?.keeps === true && singleObject(command.from) !== undefined;
      const started = await means.tasks.start(
        { does: 'delete-objects', bucket, ...(undo && { undo }) },
        marked,
      );
      return startedOn(started, 'Deleting', command.from);
    }
    case 'offer-link':
      await serviceOf(means, 'objects').checkLinks(signal);
      return { dialog: linkForm(command.address) };
    case 'link': {
      const link = await serviceOf(means, 'objects').link(command.address, command.options, signal);
      return { dialog: linkMenu(command, link) };
    }
    case 'copy-link':
      return { notice: means.copy(Buffer.from(command.url), 'the link') };
    case 'count':
      return { dialog: removeDialog(command.from, await countChosen(command.from, means, signal)) };
  }
}

async function upload(
  command: Extract<ObjectCommand, { does: 'upload' }>,
  means: ObjectMeans,
  signal: AbortSignal,
): Promise<ObjectOutcome> {
  const { bucket, folder, name, contentType, existing } = command;
  const objects = serviceOf(means, 'objects');
  const path = typedPath(means.world, command.path);
  const isFolder = (await objects.checkSource(path, command.path)) === 'folder';
  const key = `${folder}${isFolder ? folderPrefix(folderNameOf(command, path)) : name || basename(path)}`;
  const fault = isFolder ? undefined : objectKeyFault(key);
  if (fault !== undefined) return { errors: { name: `Not a key: ${fault}.` } };
  if (!isFolder && existing === 'skip' && (await objects.readEntry({ bucket, key }, signal)) !== undefined)
    return { dialog: replaceDialog(command, `object ${key}`) };
  const undo = means.services.undo?.keeps === true && !isFolder && existing === 'replace';
  const work = { does: 'upload', bucket, path, key, contentType, existing, ...(undo && { undo }) } as const;
  const { id } = await means.tasks.start(work, []);
  return { taskId: id, notice: startWords('Uploading', escapeText(basename(path))) };
}

/** As for rsync, a slash behind a folder stands for what is in it. */
function folderNameOf({ name, path: typed }: { name: string; path: string }, path: string): string {
  return name !== '' || typed.endsWith('/') ? name : basename(path);
}

async function download(
  command: Extract<ObjectCommand, { does: 'download' }>,
  { world, tasks }: ObjectMeans,
): Promise<ObjectOutcome> {
  const { from, existing } = command;
  const single = singleObject(from) !== undefined;
  const path = typedPath(world, command.path);
  const found = await lookAtPath(path);
  const fault = single ? writingFault(command.path, found) : undefined;
  if (fault !== undefined) return { errors: { path: fault } };
  if (!single && found === 'file') return { errors: { path: 'This is a file.' } };
  if (single && found === 'file' && existing === 'skip')
    return { dialog: replaceDialog(command, `file ${command.path}`) };
  const { bucket, folder: prefix, marked } = from;
  const work = { does: 'download', bucket, prefix, path, single, existing } as const;
  return startedOn(await tasks.start(work, marked), 'Downloading', from);
}

async function copy(
  command: Extract<ObjectCommand, { does: 'copy' }>,
  means: ObjectMeans,
  signal: AbortSignal,
): Promise<ObjectOutcome> {
  const { from, to, existing } = command;
  const single = singleObject(from) !== undefined;
  const isAsked = single && existing === 'skip';
  if (isAsked && (await serviceOf(means, 'objects').readEntry(to, signal)) !== undefined)
    return { dialog: replaceDialog(command, `object ${to.key}`) };
  const { bucket, folder: prefix, marked } = from;
  const work = { does: 'copy-objects', bucket, prefix, to, single, existing } as const;
  return startedOn(await means.tasks.start(work, marked), 'Copying', from);
}

async function countChosen(
  { bucket, marked }: Chosen,
  means: ObjectMeans,
  signal: AbortSignal,
): Promise<ObjectCount> {
  let { objects, bytes, more } = countMarked(marked);
  for (const item of marked) {
    if ('key' in item || more) continue;
    const below = await serviceOf(means, 'objects').count(bucket, item.prefix, signal);
    objects += below.objects;
    bytes += below.bytes;
    more = below.more;
  }
  return { objects, bytes, more };
}

/** The task deals with what was marked. */
function startedOn({ id }: Pick<Task, 'id'>, doing: string, chosen: Chosen): ObjectOutcome {
  return { taskId: id, notice: startWords(doing, chosenWords(chosen)), unmark: true };
}

/** The notice of a task that was started. `what` is escaped. */
export function startWords(doing: string, what: string): string {
  return `${doing} ${what}: 5 shows the task.`;
}
