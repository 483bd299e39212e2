import { basename, sep } from 'node:path';
import { bucketNameFault } from '../../src/model/bucket.ts';
import { type ObjectAddress, objectKeyFault } from '../../src/model/object.ts';
import { pathFault } from '../../src/model/object-path.ts';
import type { ObjectCount } from '../../src/services/object-remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { FormDialog } from '../dialog.ts';
import { formValues, openForm } from '../form-state.ts';
import { amountOf } from './buckets-state.ts';
import type { ObjectCommand } from './object-commands.ts';

/** What a form is about: an object, or what is below a prefix, by a key or a prefix of a bucket. */
export interface ObjectSubject {
  readonly address: ObjectAddress;
  readonly count?: ObjectCount;
}

export type ObjectForm = FormDialog<'upload' | 'download' | 'copy' | 'remove-below', ObjectSubject>;

/** The form that stores a file in a folder of a bucket. */
export function uploadForm(folder: ObjectAddress): ObjectForm {
  const form = openForm(`Upload into ${escapeText(`${folder.bucket}/${folder.key}`)}`, [
    { name: 'path', label: 'File', value: '', note: 'On this machine, from the working directory.' },
    { name: 'name', label: 'Name', value: '', note: 'In this folder. Empty: the name of the file.' },
    { name: 'type', label: 'Type', value: '', note: 'Content type. Empty: by the name.' },
  ]);
  return {
    kind: 'form',
    purpose: 'upload',
    subject: { address: folder },
    form: { ...form, submit: 'upload' },
  };
}

/** The form that writes an object to a file. */
export function downloadForm(address: ObjectAddress): ObjectForm {
  const name = address.key.slice(address.key.lastIndexOf('/') + 1);
  const value = pathFault(name, sep === '\\') === undefined ? editable(name) : '';
  const note = 'On this machine, from the working directory.';
  const title = `Download ${escapeText(address.key)}`;
  const form = openForm(title, [{ name: 'path', label: 'File', value, note }]);
  return { kind: 'form', purpose: 'download', subject: { address }, form: { ...form, submit: 'download' } };
}

/** The form that copies an object. */
export function copyForm(address: ObjectAddress): ObjectForm {
  const form = openForm(
    `Copy ${escapeText(address.key)}`,
    [
      { name: 'bucket', label: 'Bucket', value: editable(address.bucket) },
      { name: 'key', label: 'Key', value: editable(address.key) },
    ],
    ['With its metadata. The bytes pass through this machine.'],
  );
  return { kind: 'form', purpose: 'copy', subject: { address }, form: { ...form, focus: 1, submit: 'copy' } };
}

/** Asks for the name of a folder before all below it is deleted, and says how much that is. */
export function removeBelowForm(address: ObjectAddress, count: ObjectCount): ObjectForm {
  const form = openForm(
    `Delete the folder ${escapeText(address.key)}`,
    [{ name: 'name', label: 'Name', value: '' }],
    [
      `${amountOf(count)} below it in ${escapeText(address.bucket)} will be lost. There is no undo.`,
      `Type its name, ${escapeText(folderName(address.key))}, to delete it.`,
    ],
  );
  return {
    kind: 'form',
    purpose: 'remove-below',
    subject: { address, count },
    form: { ...form, submit: 'delete' },
  };
}

/** The last part of a folder's prefix, without its slash. */
export function folderName(prefix: string): string {
  const path = prefix.slice(0, -1);
  return path.slice(path.lastIndexOf('/') + 1);
}

type Read = { readonly command: ObjectCommand } | { readonly errors: Readonly<Record<string, string>> };

/** What a filled form asks for, or what is wrong with it, by the names of its fields. */
export function readObjectForm({ purpose, subject, form }: ObjectForm): Read | undefined {
  if (subject === undefined) return undefined;
  const values = formValues(form);
  const { address } = subject;
  switch (purpose) {
    case 'upload':
      return readUpload(address, values);
    case 'download': {
      const path = values['path'] ?? '';
      if (path.trim() === '') return { errors: { path: 'Name a file.' } };
      return { command: { does: 'download', from: address, path, replace: false } };
    }
    case 'copy':
      return readCopy(address, { bucket: values['bucket'] ?? '', key: values['key'] ?? '' });
    case 'remove-below': {
      if (values['name'] !== escapeText(folderName(address.key))) {
        return { errors: { name: 'This is not its name.' } };
      }
      const total = subject.count?.more === false ? subject.count.objects : undefined;
      return { command: { does: 'remove-below', bucket: address.bucket, prefix: address.key, total } };
    }
  }
}

function readUpload(folder: ObjectAddress, values: Record<string, string>): Read {
  const { path = '', name = '', type = '' } = values;
  if (path.trim() === '') return { errors: { path: 'Name a file.' } };
  const key = `${folder.key}${name === '' ? basename(path) : name}`;
  const fault = objectKeyFault(key);
  if (fault !== undefined) return { errors: { name: `Not a key: ${fault}.` } };
  const contentType = type.trim() === '' ? undefined : type.trim();
  const to = { bucket: folder.bucket, key };
  return { command: { does: 'upload', path, to, contentType, replace: false } };
}

function readCopy(from: ObjectAddress, to: ObjectAddress): Read {
  const bucketFault = to.bucket === from.bucket ? undefined : bucketNameFault(to.bucket);
  const keyFault = objectKeyFault(to.key);
  const same = to.bucket === from.bucket && to.key === from.key;
  const errors = {
    ...(bucketFault === undefined ? {} : { bucket: `Not a bucket: ${bucketFault}.` }),
    ...(keyFault === undefined ? {} : { key: `Not a key: ${keyFault}.` }),
    ...(same ? { key: 'This is the object itself.' } : {}),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { command: { does: 'copy', from, to, replace: false } };
}

/** A text as it can stand in a field; one that a field cannot show is typed anew. */
function editable(text: string): string {
  return escapeText(text) === text.replaceAll('\\', '\\\\') ? text : '';
}
