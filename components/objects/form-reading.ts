import { bucketNameFault } from '../../src/model/objects/bucket.ts';
import { objectKeyFault } from '../../src/model/objects/object.ts';
import { folderPrefix } from '../../src/model/objects/path.ts';
import { linkMethods } from '../../src/services/objects/presign.ts';
import { escapeText } from '../../src/text/escape.ts';
import { parseDuration } from '../../src/text/time.ts';
import { formValues } from '../ui/forms/form-state.ts';
import { type Chosen, singleObject } from './chosen.ts';
import type { Existing, ObjectCommand } from './commands.ts';
import { nameToType, type ObjectForm } from './forms.ts';

type Errors = Readonly<Record<string, string>>;
type Read = { readonly command: ObjectCommand } | { readonly errors: Errors };
type Values = Readonly<Record<string, string>>;

/** Reads a filled form: a command, or the faults by the names of the fields. */
export function readObjectForm({ purpose, subject, form }: ObjectForm): Read {
  if (subject === undefined) return { errors: {} };
  const values = formValues(form);
  switch (purpose) {
    case 'upload':
      return readUpload(subject, values);
    case 'download':
      return readDownload(subject, values);
    case 'copy':
      return readCopy(subject, values);
    case 'link':
      return readLink(subject, values);
    case 'remove':
      return values['name'] === escapeText(nameToType(subject))
        ? { command: { does: 'remove', from: subject } }
        : { errors: { name: 'This is not its name.' } };
  }
}

function readUpload({ bucket, folder }: Chosen, values: Values): Read {
  const { path = '', name = '', type = '' } = values;
  const existing = existingOf(values);
  const fault = name === '' ? undefined : objectKeyFault(`${folder}${name}`);
  const errors = {
    ...pathErrors(path, 'Name a file or a folder.'),
    ...(fault === undefined ? {} : { name: `Not a key: ${fault}.` }),
    ...existingErrors(existing),
  };
  if (existing === undefined || Object.keys(errors).length > 0) return { errors };
  const contentType = type.trim() === '' ? undefined : type.trim();
  return { command: { does: 'upload', bucket, folder, path, name, contentType, existing } };
}

function readDownload(from: Chosen, values: Values): Read {
  const { path = '' } = values;
  const existing = existingOf(values);
  const errors = {
    ...pathErrors(path, singleObject(from) === undefined ? 'Name a folder.' : 'Name a file.'),
    ...existingErrors(existing),
  };
  if (existing === undefined || Object.keys(errors).length > 0) return { errors };
  return { command: { does: 'download', from, path, existing } };
}

function readCopy(from: Chosen, values: Values): Read {
  const { bucket = '', key = '' } = values;
  const object = singleObject(from);
  const isHere = bucket === from.bucket;
  const bucketFault = isHere ? undefined : bucketNameFault(bucket);
  const to = { bucket, key: object === undefined ? folderPrefix(key) : key };
  const existing = existingOf(values);
  const keyError =
    object === undefined ? prefixError(from, to.key, isHere) : keyErrorOf(object.key, key, isHere);
  const errors = {
    ...(bucketFault === undefined ? {} : { bucket: `Not a bucket: ${bucketFault}.` }),
    ...(keyError === undefined ? {} : { key: keyError }),
    ...existingErrors(existing),
  };
  if (existing === undefined || Object.keys(errors).length > 0) return { errors };
  return { command: { does: 'copy', from, to, existing } };
}

function readLink({ bucket }: Chosen, { key = '', expires = '', method: word = '' }: Values): Read {
  const fault = objectKeyFault(key);
  const seconds = secondsOf(expires);
  const method = linkMethods.find((one) => one === word);
  const errors = {
    ...(fault === undefined ? {} : { key: `Not a key: ${fault}.` }),
    ...(seconds === undefined && { expires: 'This is no time: write seconds, or 90s, 15m, 1d.' }),
    ...(method === undefined && { method: 'Pick get, head, put or delete.' }),
  };
  if (seconds === undefined || method === undefined || fault !== undefined) return { errors };
  return { command: { does: 'link', address: { bucket, key }, options: { method, seconds } } };
}

function secondsOf(text: string): number | undefined {
  try {
    return parseDuration(text.trim());
  } catch {
    return undefined;
  }
}

function keyErrorOf(own: string, key: string, isHere: boolean): string | undefined {
  const fault = objectKeyFault(key);
  if (fault !== undefined) return `Not a key: ${fault}.`;
  return isHere && key === own ? 'This is the object itself.' : undefined;
}

function prefixError({ folder }: Chosen, prefix: string, isHere: boolean): string | undefined {
  const fault = prefix === '' ? undefined : objectKeyFault(prefix);
  if (fault !== undefined) return `Not a prefix: ${fault}.`;
  return isHere && prefix === folder ? 'They are there already.' : undefined;
}

/** Where a form does not ask, nothing is replaced without a question of its own. */
function existingOf({ existing = 'skip' }: Values): Existing | undefined {
  return (['skip', 'replace'] as const).find((one) => one === existing.trim());
}

function existingErrors(existing: Existing | undefined): Errors {
  return existing === undefined ? { existing: 'Pick skip or replace.' } : {};
}

function pathErrors(path: string, error: string): Errors {
  return path.trim() === '' ? { path: error } : {};
}
