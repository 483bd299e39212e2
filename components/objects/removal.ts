import { undoLimits } from '../../src/model/undo/entry.ts';
import type { UndoService } from '../../src/services/console/undo.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { fitsJournal } from '../../src/services/undo/objects.ts';
import { formatSize } from '../../src/text/size.ts';
import { dangerWithUndo } from '../kit/danger.ts';
import { starting } from '../kit/keys/busy.ts';
import type { Danger } from '../kit/keys/shortcut.ts';
import { requireService } from '../kit/require-service.ts';
import { undoNotice } from '../kit/undo-notice.ts';
import { type ActionResult, type Dialog, formDialog, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { isTypedName, typedFormLines } from '../ui/forms/typed-name.ts';
import {
  type Chosen,
  countMarked,
  describeChosen,
  folderName,
  formatAmount,
  hasFolders,
  sampleLines,
  singleFolder,
  singleObject,
} from './chosen.ts';
import { type ObjectMeans, startedOn } from './task-start.ts';

type Means = Pick<ObjectMeans, 'services' | 'tasks'>;

/**
 * Asks before deleting objects, unless undo saves the single object and the setting `confirm` turns off short questions. Counts objects
 * below folders first. Calls `started` with the id of the deletion task.
 */
export function askToRemove(chosen: Chosen, means: Means, started?: (id: string) => void): ActionResult {
  const remove = removing(chosen, means, started);
  if (hasFolders(chosen)) return counting(chosen, means, remove);
  const { undo } = means.services;
  if (!isBeyondUndo(chosen) && undo?.asks === false) return remove;
  return { dialog: removeDialog(chosen, countMarked(chosen.marked), remove, undo) };
}

/** Returns whether undo cannot save the chosen objects: several objects, a folder, or an object that is too large. */
export function isBeyondUndo(chosen: Chosen): boolean {
  return singleObject(chosen) === undefined || !fitsJournal(countMarked(chosen.marked).bytes);
}

function removing(
  chosen: Chosen,
  { services, tasks }: Means,
  started: (id: string) => void = () => undefined,
): Work {
  return {
    busy: starting,
    async run() {
      const { bucket, marked } = chosen;
      const undo = services.undo?.keeps === true && singleObject(chosen) !== undefined;
      const { id } = await tasks.start({ does: 'delete-objects', bucket, ...(undo && { undo }) }, marked);
      started(id);
      return startedOn(chosen, 'Deleting');
    },
  };
}

/** Returns the work that counts the objects to delete, then asks whether to delete them. */
function counting(chosen: Chosen, means: Means, remove: Work): Work {
  return {
    busy: { kind: 'reading', words: 'counting' },
    run: async (signal) => ({
      dialog: removeDialog(chosen, await countChosen(chosen, means, signal), remove),
    }),
  };
}

async function countChosen(
  { bucket, marked }: Chosen,
  means: Means,
  signal: AbortSignal,
): Promise<ObjectCount> {
  let { objects, bytes, more } = countMarked(marked);
  for (const item of marked) {
    if ('key' in item || more) continue;
    const below = await requireService(means, 'objects').count(bucket, item.prefix, signal);
    objects += below.objects;
    bytes += below.bytes;
    more = below.more;
  }
  return { objects, bytes, more };
}

/** Minimum number of objects for which the user must type a name to confirm. */
const many = 100;

/**
 * Returns the dialog that asks before the chosen rows are deleted: a question for a few objects, a form with a name to type for `many`
 * objects and for folders.
 */
export function removeDialog(
  chosen: Chosen,
  count: ObjectCount,
  command: Work,
  undo?: UndoService,
): Dialog<Work> {
  if (count.objects >= many || hasFolders(chosen)) return removeForm(chosen, count, command);
  const object = singleObject(chosen);
  const lost = `The bytes and metadata ${object === undefined ? undoNotice(undefined) : removalNotice(count, undo)}`;
  const bucket = chosen.bucket;
  const question =
    object === undefined
      ? {
          question: `Delete ${describeChosen(chosen)} from ${bucket}?`,
          lost: [...sampleLines(chosen), lost],
          danger: 'permanent' as const,
          yes: 'delete them',
        }
      : {
          question: `Delete the object ${object.key}?`,
          lost: [`Bucket: ${bucket}.`, lost],
          danger: removalDanger(count, undo),
          yes: 'delete it',
        };
  return { kind: 'confirm', question, command };
}

/** Returns the danger of deleting one object; `permanent` if the object is too large for undo. */
function removalDanger({ bytes }: ObjectCount, undo: UndoService | undefined): Danger {
  return fitsJournal(bytes) ? dangerWithUndo(undo) : 'permanent';
}

/** Returns `undoNotice`, or a notice that the object cannot be restored because it is too large for undo. */
function removalNotice({ bytes }: ObjectCount, undo: UndoService | undefined): string {
  if (undo?.keeps !== true || fitsJournal(bytes)) return undoNotice(undo);
  return `will be lost. The object cannot be restored, because it is larger than the undo limit of ${formatSize(undoLimits.entryBytes)}.`;
}

/**
 * Returns the form that shows the size of a deletion and asks for a name: the folder's name if a single folder is deleted, otherwise the
 * bucket's name.
 */
export function removeForm(chosen: Chosen, count: ObjectCount, remove: Work) {
  const folder = singleFolder(chosen);
  const name = nameToType(chosen);
  const bucket = chosen.bucket;
  const what = folder === undefined ? describeChosen(chosen) : `the folder ${folder}`;
  const where = folder === undefined ? `in ${bucket}` : `below this folder in ${bucket}`;
  const form = openForm(
    `Delete ${what}`,
    [{ name: 'name', label: 'Name', value: '' }],
    [
      `${formatAmount(count)} ${where} will be lost.`,
      ...(folder === undefined ? sampleLines(chosen) : []),
      folder !== undefined && name !== bucket
        ? `Type the name of the folder, ${name}, to delete it.`
        : `Type the name of the bucket, ${bucket}, to delete ${folder === undefined ? 'them' : 'it'}.`,
      ...typedFormLines(name),
    ],
  );
  return formDialog({ ...form, submit: 'delete', danger: 'permanent' }, (values) =>
    isTypedName(values['name'], name) ? { work: remove } : { errors: { name: 'The name does not match.' } },
  );
}

/** Returns the name to type before a deletion: the folder's name, or the bucket's if no single folder is deleted or its name is empty. */
function nameToType(chosen: Chosen): string {
  const folder = singleFolder(chosen);
  return (folder === undefined ? '' : folderName(folder)) || chosen.bucket;
}
