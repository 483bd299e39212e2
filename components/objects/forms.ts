import { sep } from 'node:path';
import type { ObjectAddress } from '../../src/model/objects/object.ts';
import { folderPrefix, pathFault } from '../../src/model/objects/path.ts';
import { type LinkOptions, linkMethods } from '../../src/services/objects/presign.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { type DialogLine, hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';
import {
  amountOf,
  type Chosen,
  chosenNames,
  chosenWords,
  noneChosen,
  singleFolder,
  singleObject,
} from './chosen.ts';

export type ObjectForm = FormDialog<'upload' | 'download' | 'copy' | 'remove' | 'link', Chosen>;

const fromHere = 'On this machine, from the working directory.';

/** The form that stores a file, or all files below a folder, in a folder of a bucket. */
export function uploadForm(bucket: string, folder: string): ObjectForm {
  const form = openForm(`Upload into ${escapeText(`${bucket}/${folder}`)}`, [
    {
      name: 'path',
      label: 'File',
      value: '',
      completes: 'path',
      note: 'Or a folder, with all files below it; with / behind it, only those.',
    },
    { name: 'name', label: 'Name', value: '', note: 'Empty: the name of the file or folder.' },
    { name: 'type', label: 'Type', value: '', note: 'Content type. Empty: by the name.' },
    existingField('Existing', 'Objects that are there already.'),
  ]);
  const subject = noneChosen(bucket, folder);
  return { kind: 'form', purpose: 'upload', subject, form: { ...form, submit: 'upload' } };
}

/** The form that writes one object into a file, or many below a folder. */
export function downloadForm(chosen: Chosen): ObjectForm {
  const object = singleObject(chosen);
  const title = `Download ${chosenWords(chosen)}`;
  const form =
    object === undefined
      ? openForm(
          title,
          [
            { name: 'path', label: 'Folder', value: folderFor(chosen), note: fromHere, completes: 'path' },
            existingField('Existing', 'Files that are there already.'),
          ],
          sampleLines(chosen),
        )
      : openForm(title, [
          { name: 'path', label: 'File', value: fileFor(object.key), note: fromHere, completes: 'path' },
        ]);
  return { kind: 'form', purpose: 'download', subject: chosen, form: { ...form, submit: 'download' } };
}

/** The form that copies one object to a key, or many to below a prefix. */
export function copyForm(chosen: Chosen): ObjectForm {
  const object = singleObject(chosen);
  const bucket: Field = {
    name: 'bucket',
    label: 'Bucket',
    value: editable(chosen.bucket),
    completes: 'bucket',
  };
  const passing = 'With metadata. The bytes pass through this machine.';
  const fields =
    object === undefined
      ? [
          bucket,
          { name: 'key', label: 'Prefix', value: editable(chosen.folder), note: 'A folder of that bucket.' },
          existingField('Existing', 'Objects that are there already.'),
        ]
      : [bucket, { name: 'key', label: 'Key', value: editable(object.key) }];
  const lines = object === undefined ? [...sampleLines(chosen), passing] : [passing];
  const form = openForm(`Copy ${chosenWords(chosen)}`, fields, lines);
  return {
    kind: 'form',
    purpose: 'copy',
    subject: chosen,
    form: { ...form, focus: 1, submit: 'copy' },
  };
}

/** What a link lets anybody do, for people. */
const linkUses: Readonly<Record<LinkOptions['method'], string>> = {
  get: 'get: read it',
  head: 'head: see that it is there, and its metadata',
  put: 'put: store it, over what is there',
  delete: 'delete: delete it',
};

/** The form that makes a link to an object, by which anybody may do one thing with it for a while. */
export function linkForm({ bucket, key }: ObjectAddress): ObjectForm {
  const form = openForm(
    `A link to an object of ${escapeText(bucket)} for somebody without an account`,
    [
      { name: 'key', label: 'Key', value: editable(key) },
      { name: 'expires', label: 'Good for', value: '1h', note: 'Seconds, or 90s, 15m, 1d; a week at most.' },
      {
        name: 'method',
        label: 'Lets one',
        value: 'get',
        choices: linkMethods.map((value) => ({ value, label: linkUses[value] })),
      },
    ],
    ['Whoever has the link can use it until it ends, or until the token is rolled.'],
  );
  return {
    kind: 'form',
    purpose: 'link',
    subject: noneChosen(bucket, ''),
    form: { ...form, focus: 1, submit: 'make the link' },
  };
}

/**
 * Asks for a name before much is deleted, and says how much that is: the name of the folder where that is all, and
 * else that of the bucket.
 */
export function removeForm(chosen: Chosen, count: ObjectCount): ObjectForm {
  const folder = singleFolder(chosen);
  const name = escapeText(nameToType(chosen));
  const bucket = escapeText(chosen.bucket);
  const what = folder === undefined ? chosenWords(chosen) : `the folder ${escapeText(folder)}`;
  const where = folder === undefined ? `of ${bucket}` : `below it in ${bucket}`;
  const form = openForm(
    `Delete ${what}`,
    [{ name: 'name', label: 'Name', value: '' }],
    [
      `${amountOf(count)} ${where} will be lost. There is no undo.`,
      ...(folder === undefined ? sampleLines(chosen) : []),
      folder !== undefined && name !== bucket
        ? `Type its name, ${name}, to delete it.`
        : `Type the name of the bucket, ${bucket}, to delete ${folder === undefined ? 'them' : 'it'}.`,
    ],
  );
  return {
    kind: 'form',
    purpose: 'remove',
    subject: chosen,
    form: { ...form, submit: 'delete', asks: true },
  };
}

/** The name to type before a deletion, not escaped. For a folder with an empty name it is the bucket's. */
export function nameToType(chosen: Chosen): string {
  const folder = singleFolder(chosen);
  return (folder === undefined ? '' : folderName(folder)) || chosen.bucket;
}

/** The last part of a folder's prefix, without its slash. */
export function folderName(prefix: string): string {
  const path = prefix.slice(0, -1);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The first of what was chosen, and what the reader does not see of it. Of one the title has the name. */
export function sampleLines(chosen: Chosen): DialogLine[] {
  const names = chosenNames(chosen);
  return [...hiddenLines(chosen.hidden), ...(names.length === 1 ? [] : [sampleLine(names)])];
}

function existingField(label: string, note: string): Field {
  const choices = [
    { value: 'skip', label: 'skip' },
    { value: 'replace', label: 'replace' },
  ];
  return { name: 'existing', label, value: 'skip', note, choices };
}

/** A file for an object: its name, unless that leads elsewhere. */
function fileFor(key: string): string {
  return asPath(key.slice(key.lastIndexOf('/') + 1));
}

/** A folder for what is in one: named as that, or as the bucket. */
function folderFor({ bucket, folder }: Chosen): string {
  return asPath(folder === '' ? bucket : folderName(folderPrefix(folder))) || asPath(bucket);
}

function asPath(name: string): string {
  return pathFault(name, sep === '\\') === undefined ? editable(name) : '';
}

/** A text as it can stand in a field; one that a field cannot show is typed anew. */
function editable(text: string): string {
  return escapeText(text) === text.replaceAll('\\', '\\\\') ? text : '';
}
