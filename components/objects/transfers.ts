import { basename, sep } from 'node:path';
import { resolveTypedPath } from '../../src/files/typed-path.ts';
import { bucketNameFault } from '../../src/model/objects/bucket.ts';
import { type ObjectAddress, objectKeyFault } from '../../src/model/objects/object.ts';
import { folderPrefix, pathFault } from '../../src/model/objects/path.ts';
import { isProblem } from '../../src/model/problem.ts';
import { checkPath, writingFault } from '../../src/services/objects/file-check.ts';
import { reading } from '../kit/keys/busy.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type Dialog, type FormValues, formDialog, type PaneOutcome, type Work } from '../ui/forms/dialog.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';
import { editableName } from '../ui/forms/typed-name.ts';
import { type Chosen, describeChosen, folderName, sampleLines, singleObject } from './chosen.ts';
import { type ObjectMeans, startedOn, startNotice } from './task-start.ts';

/** The choice between skipping and replacing existing objects or files. */
type Existing = 'skip' | 'replace';

/** The fields of the upload form. `path` is as typed. */
export interface UploadInput {
  readonly bucket: string;
  readonly folder: string;
  readonly path: string;
  /** The key relative to the folder; if empty, the name of the file. */
  readonly name: string;
  readonly contentType: string | undefined;
  readonly existing: Existing;
}

/** The fields of the download form. `path` is as typed. */
export interface DownloadInput {
  readonly from: Chosen;
  readonly path: string;
  readonly existing: Existing;
}

/** A copy of one object to a key, or of several objects to a prefix. */
export interface CopyInput {
  readonly from: Chosen;
  readonly to: ObjectAddress;
  readonly existing: Existing;
}

/** Returns the form that uploads a file, or all files below a local folder, to a folder of a bucket. */
export function uploadForm(bucket: string, folder: string, upload: (wanted: UploadInput) => Work) {
  const form = openForm(`Upload into ${bucket}/${folder}`, [
    {
      name: 'path',
      label: 'File',
      value: '',
      completes: 'path',
      note: 'A file, or a folder with all its files. If the path ends in /, keys omit the name of the folder.',
    },
    { name: 'name', label: 'Name', value: '', note: 'Empty: the name of the file or folder.' },
    { name: 'type', label: 'Type', value: '', note: 'Content type. Empty: derived from the file name.' },
    existingField('objects'),
  ]);
  return formDialog({ ...form, submit: 'upload' }, (values) => {
    const { path = '', name = '', type = '' } = values;
    const existing = readExisting(values);
    const fault = name === '' ? undefined : objectKeyFault(`${folder}${name}`);
    const errors = {
      ...pathErrors(path, 'Enter the name of a file or a folder.'),
      ...(fault === undefined ? {} : { name: `Not a valid key: ${fault}.` }),
      ...existingErrors(existing),
    };
    if (existing === undefined || Object.keys(errors).length > 0) return { errors };
    const contentType = type.trim() === '' ? undefined : type.trim();
    return { work: upload({ bucket, folder, path, name, contentType, existing }) };
  });
}

/** Returns the work that starts an upload. If a single file would replace an object, asks for confirmation first. */
export function uploading(wanted: UploadInput, means: ObjectMeans): Work {
  const { bucket, folder, name, contentType, existing } = wanted;
  return {
    busy: { kind: 'reading', words: 'checking the file' },
    async run(signal) {
      const objects = requireService(means, 'objects');
      const path = resolveTypedPath(means.world, wanted.path);
      const isFolder = (await objects.checkSource(path, wanted.path)) === 'folder';
      const key = `${folder}${isFolder ? folderPrefix(uploadFolderName(wanted, path)) : name || basename(path)}`;
      const fault = isFolder ? undefined : objectKeyFault(key);
      if (fault !== undefined) return { errors: { name: `Not a valid key: ${fault}.` } };
      const isAsked = !isFolder && existing === 'skip';
      if (isAsked && (await objects.readEntry({ bucket, key }, signal)) !== undefined)
        return replacing('object', key, uploading({ ...wanted, existing: 'replace' }, means));
      const undo = means.services.undo?.keeps === true && !isFolder && existing === 'replace';
      const work = {
        does: 'upload',
        bucket,
        path,
        key,
        contentType,
        existing,
        ...(undo && { undo }),
      } as const;
      await means.tasks.start(work, []);
      return { notice: startNotice('Uploading', basename(path)) };
    },
  };
}

/**
 * Returns the folder's name in the keys; an empty string if the typed path ends in a slash, which, as in rsync, means the folder's content.
 */
function uploadFolderName({ name, path: typed }: UploadInput, path: string): string {
  return name !== '' || typed.endsWith('/') ? name : basename(path);
}

/** Returns the form that downloads one object to a file, or several objects to a folder. */
export function downloadForm(from: Chosen, download: (wanted: DownloadInput) => Work) {
  const object = singleObject(from);
  const title = `Download ${describeChosen(from)}`;
  const note = 'On this machine, relative to the working directory.';
  const form =
    object === undefined
      ? openForm(
          title,
          [
            { name: 'path', label: 'Folder', value: folderFor(from), note, completes: 'path' },
            existingField('files'),
          ],
          sampleLines(from),
        )
      : openForm(title, [
          { name: 'path', label: 'File', value: fileFor(object.key), note, completes: 'path' },
        ]);
  return formDialog({ ...form, submit: 'download' }, (values) => {
    const { path = '' } = values;
    const existing = readExisting(values);
    const errors = {
      ...pathErrors(path, object === undefined ? 'Enter the name of a folder.' : 'Enter the name of a file.'),
      ...existingErrors(existing),
    };
    if (existing === undefined || Object.keys(errors).length > 0) return { errors };
    return { work: download({ from, path, existing }) };
  });
}

/** Returns the work that starts a download. If a single object would replace a file, asks for confirmation first. */
export function downloading(wanted: DownloadInput, means: ObjectMeans): Work {
  const { from, existing } = wanted;
  return {
    busy: { kind: 'reading', words: 'checking the file' },
    async run() {
      const single = singleObject(from) !== undefined;
      const path = resolveTypedPath(means.world, wanted.path);
      const found = await checkPath(path);
      const fault = single ? writingFault(wanted.path, found) : undefined;
      if (fault !== undefined) return { errors: { path: fault } };
      if (!single && found === 'file') return { errors: { path: 'The path is a file, not a folder.' } };
      if (single && found === 'file' && existing === 'skip')
        return replacing('file', wanted.path, downloading({ ...wanted, existing: 'replace' }, means));
      const { bucket, folder: prefix, marked } = from;
      await means.tasks.start({ does: 'download', bucket, prefix, path, single, existing }, marked);
      return startedOn(from, 'Downloading');
    },
  };
}

/** Maximum number of buckets to pick from. */
const maxBuckets = 1000;

/** Returns the work that lists the buckets, then opens the form for a copy. */
export function askToCopy(from: Chosen, parts: PaneParts): Work {
  return {
    busy: reading,
    async run(signal) {
      const buckets: string[] = [];
      try {
        for await (const page of requireService(parts, 'objects').listBuckets(signal)) {
          buckets.push(...page.map(({ name }) => name));
          if (buckets.length >= maxBuckets) break;
        }
      } catch (error) {
        // If the buckets cannot be listed, the user types the name.
        if (!isProblem(error)) throw error;
      }
      return { dialog: copyForm(from, (wanted) => copying(wanted, parts), buckets) };
    },
  };
}

/** Returns the field for the destination's bucket: a choice among the listed buckets, or a text field if there are fewer than two. */
function bucketField(own: string, buckets: readonly string[]): Field {
  const field = { name: 'bucket', label: 'Bucket' };
  if (buckets.length < 2 || !buckets.includes(own))
    return { ...field, value: editableName(own), completes: 'bucket' };
  const choices = buckets.map((value) => ({
    value,
    label: value,
    ...(value === own && { isPresent: true, hint: 'this bucket' }),
  }));
  return { ...field, value: own, choices };
}

/** Returns the form that copies one object to a key, or several objects to keys below a prefix. */
export function copyForm(from: Chosen, copy: (wanted: CopyInput) => Work, buckets: readonly string[] = []) {
  const object = singleObject(from);
  const ownBucket = bucketField(from.bucket, buckets);
  const passing = 'Metadata is copied too. The data passes through this machine.';
  const fields =
    object === undefined
      ? [
          ownBucket,
          {
            name: 'key',
            label: 'Prefix',
            value: editableName(from.folder),
            note: 'The destination folder in that bucket.',
          },
          existingField('objects'),
        ]
      : [ownBucket, { name: 'key', label: 'Key', value: editableName(object.key) }];
  const lines = object === undefined ? [...sampleLines(from), passing] : [passing];
  const form = openForm(`Copy ${describeChosen(from)}`, fields, lines);
  return formDialog({ ...form, focus: 1, submit: 'copy' }, (values) => {
    const { bucket = '', key = '' } = values;
    const isHere = bucket === from.bucket;
    const bucketFault = isHere ? undefined : bucketNameFault(bucket);
    const to = { bucket, key: object === undefined ? folderPrefix(key) : key };
    const existing = readExisting(values);
    const keyError =
      object === undefined ? prefixError(from, to.key, isHere) : findKeyError(object.key, key, isHere);
    const errors = {
      ...(bucketFault === undefined ? {} : { bucket: `Not a valid bucket name: ${bucketFault}.` }),
      ...(keyError === undefined ? {} : { key: keyError }),
      ...existingErrors(existing),
    };
    if (existing === undefined || Object.keys(errors).length > 0) return { errors };
    return { work: copy({ from, to, existing }) };
  });
}

/** Returns the work that starts a copy. If the copy of a single object would replace another object, asks for confirmation first. */
export function copying(wanted: CopyInput, means: ObjectMeans): Work {
  const { from, to, existing } = wanted;
  return {
    busy: { kind: 'reading', words: 'looking for the object' },
    async run(signal) {
      const single = singleObject(from) !== undefined;
      const isAsked = single && existing === 'skip';
      if (isAsked && (await requireService(means, 'objects').readEntry(to, signal)) !== undefined)
        return replacing('object', to.key, copying({ ...wanted, existing: 'replace' }, means));
      const { bucket, folder: prefix, marked } = from;
      await means.tasks.start({ does: 'copy-objects', bucket, prefix, to, single, existing }, marked);
      return startedOn(from, 'Copying');
    },
  };
}

/** Returns the question that asks whether to replace one object or file. */
function replacing(kind: 'object' | 'file', name: string, command: Work): PaneOutcome {
  const question = {
    question: `The ${kind} ${name} already exists. Replace it?`,
    lost: [
      kind === 'file'
        ? 'The content of the file will be lost.'
        : 'The bytes and metadata of the object will be lost.',
    ],
    danger: 'permanent' as const,
    yes: 'replace it',
  };
  const dialog: Dialog<Work> = { kind: 'confirm', question, command };
  return { dialog };
}

function findKeyError(own: string, key: string, isHere: boolean): string | undefined {
  const fault = objectKeyFault(key);
  if (fault !== undefined) return `Not a valid key: ${fault}.`;
  return isHere && key === own ? 'Source and destination are the same.' : undefined;
}

function prefixError({ folder }: Chosen, prefix: string, isHere: boolean): string | undefined {
  const fault = prefix === '' ? undefined : objectKeyFault(prefix);
  if (fault !== undefined) return `Not a valid prefix: ${fault}.`;
  return isHere && prefix === folder ? 'The objects are already in this folder.' : undefined;
}

function existingField(things: 'objects' | 'files'): Field {
  const choices = [
    { value: 'skip', label: `skip ${things} that exist` },
    { value: 'replace', label: `replace ${things} that exist` },
  ];
  return { name: 'existing', label: 'Existing', value: 'skip', choices };
}

/** Parses the field `existing`; undefined for an invalid value. A form without the field means `skip`. */
function readExisting({ existing = 'skip' }: FormValues): Existing | undefined {
  return (['skip', 'replace'] as const).find((one) => one === existing.trim());
}

function existingErrors(existing: Existing | undefined): FormValues {
  return existing === undefined ? { existing: 'Choose skip or replace.' } : {};
}

function pathErrors(path: string, error: string): FormValues {
  return path.trim() === '' ? { path: error } : {};
}

/** Returns a file name for an object: the last part of its key, or an empty string if that part is not a valid file name. */
function fileFor(key: string): string {
  return asPath(key.slice(key.lastIndexOf('/') + 1));
}

/** Returns a local folder name for a download: the folder's name, or the bucket's if no folder is open or its name is not valid. */
function folderFor({ bucket, folder }: Chosen): string {
  return asPath(folder === '' ? bucket : folderName(folderPrefix(folder))) || asPath(bucket);
}

function asPath(name: string): string {
  return pathFault(name, sep === '\\') === undefined ? editableName(name) : '';
}
