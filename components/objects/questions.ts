import { undoLimits } from '../../src/model/undo/entry.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { UndoService } from '../../src/services/console/undo.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { isKept } from '../../src/services/undo/objects.ts';
import { escapeText } from '../../src/text/escape.ts';
import { formatSize } from '../../src/text/size.ts';
import { fateWords } from '../kit/undo-words.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import { type Chosen, chosenWords, countMarked, hasFolders, singleObject } from './chosen.ts';
import type { ObjectCommand, Storing } from './commands.ts';
import { type ObjectForm, removeForm, sampleLines } from './forms.ts';

/** A form or a question about objects. */
export type ObjectDialog = Dialog<ObjectCommand, ObjectForm['purpose'], Chosen>;

/** From how many objects on a name has to be typed before they are deleted. */
const many = 100;

/** Asks before what was chosen is deleted: a yes for few objects, a name for many and for folders. */
export function removeDialog(chosen: Chosen, count: ObjectCount, undo?: UndoService): ObjectDialog {
  if (count.objects >= many || hasFolders(chosen)) return removeForm(chosen, count);
  const command = { does: 'remove', from: chosen } as const;
  const object = singleObject(chosen);
  const lost = `Bytes and metadata ${object === undefined ? fateWords(undefined) : fateOf(count, undo)}`;
  const bucket = escapeText(chosen.bucket);
  const question =
    object === undefined
      ? {
          question: `Delete ${chosenWords(chosen)} of ${bucket}?`,
          lost: [...sampleLines(chosen), lost],
          yes: 'delete them',
        }
      : {
          question: `Delete the object ${escapeText(object.key)}?`,
          lost: [`Bucket: ${bucket}.`, lost],
          yes: 'delete it',
        };
  return { kind: 'confirm', question, command };
}

/** As `fateWords`; an object that is too large is not kept. */
function fateOf({ bytes }: ObjectCount, undo: UndoService | undefined): string {
  if (undo?.keeps !== true || isKept(bytes)) return fateWords(undo);
  return `are lost. It is larger than the ${formatSize(undoLimits.entryBytes)} that undo keeps: it cannot be had back.`;
}

/** Shows a link that was made, and copies it. */
export function linkMenu(
  { address: { key }, options: { method } }: Extract<ObjectCommand, { does: 'link' }>,
  { url, expires }: { readonly url: string; readonly expires: number },
): ObjectDialog {
  const until = new Date(expires).toISOString().slice(0, 16).replace('T', ' ');
  return {
    kind: 'menu',
    title: `${method.toUpperCase()} ${escapeText(key)}, until ${until} UTC`,
    lines: [escapeText(url)],
    items: [{ label: 'copy the link', command: { does: 'copy-link', url } }],
    initial: 0,
  };
}

/** Asks before one object or file is replaced. `name` is not escaped. */
export function replaceDialog(command: Storing, name: string): ObjectDialog {
  const question = {
    question: `The ${escapeText(name)} exists already. Replace it?`,
    lost: [command.does === 'download' ? 'What is in it is lost.' : 'Its bytes and metadata are lost.'],
    yes: 'replace it',
  };
  return { kind: 'confirm', question, command: { ...command, existing: 'replace' } };
}

/** Asks before objects are deleted, unless it is one that undo keeps and the short question is not wanted. */
export function askToRemove(
  pane: { ask(dialog: ObjectDialog): void; perform(command: ObjectCommand): void },
  chosen: Chosen,
  { services: { undo } }: { readonly services: Pick<Services, 'undo'> },
): void {
  const count = countMarked(chosen.marked);
  const isCovered = singleObject(chosen) !== undefined && isKept(count.bytes);
  if (isCovered && undo?.asks === false) pane.perform({ does: 'remove', from: chosen });
  else pane.ask(removeDialog(chosen, count, undo));
}
