import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Dialog } from '../forms/dialog.ts';
import { type Chosen, chosenWords, hasFolders, singleObject } from './chosen.ts';
import type { ObjectCommand, Storing } from './commands.ts';
import { type ObjectForm, removeForm, sampleLines } from './forms.ts';

/** A form or a question about objects. */
export type ObjectDialog = Dialog<ObjectCommand, ObjectForm['purpose'], Chosen>;

/** From how many objects on a name has to be typed before they are deleted. */
const many = 100;

/** Asks before what was chosen is deleted: a yes for few objects, a name for many and for folders. */
export function removeDialog(chosen: Chosen, count: ObjectCount): ObjectDialog {
  if (count.objects >= many || hasFolders(chosen)) return removeForm(chosen, count);
  const command = { does: 'remove', from: chosen } as const;
  const lost = 'Bytes and metadata are lost. There is no undo.';
  const object = singleObject(chosen);
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

/** Asks before one object or file is replaced. `name` is not escaped. */
export function replaceDialog(command: Storing, name: string): ObjectDialog {
  const question = {
    question: `The ${escapeText(name)} exists already. Replace it?`,
    lost: [command.does === 'download' ? 'What is in it is lost.' : 'Its bytes and metadata are lost.'],
    yes: 'replace it',
  };
  return { kind: 'confirm', question, command: { ...command, existing: 'replace' } };
}
