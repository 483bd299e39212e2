import { distance } from 'fastest-levenshtein';
import { truncate } from '../long-text.ts';

/** Other names of known fields, in lower case and without word separators. */
const otherNames: Readonly<Record<string, string>> = {
  ttl: 'expiration_ttl',
  timetolive: 'expiration_ttl',
  maxage: 'expiration_ttl',
  expiresin: 'expiration_ttl',
  expirein: 'expiration_ttl',
  expirettl: 'expiration_ttl',
  expiry: 'expiration',
  expires: 'expiration',
  expire: 'expiration',
  expiresat: 'expiration',
  expireat: 'expiration',
  exp: 'expiration',
  meta: 'metadata',
  isbase64: 'base64',
  b64: 'base64',
};

const optionalFields = ['expiration', 'expiration_ttl', 'metadata', 'base64'];

/**
 * Returns the names of an entry's unknown fields; undefined if all are known. Avoids allocations, because this function is called for every
 * entry.
 */
function unknownFields(entry: object): string[] | undefined {
  let unknown: string[] | undefined;
  for (const field in entry) {
    if (isKnown(field)) continue;
    unknown ??= [];
    unknown.push(field);
  }
  return unknown;
}

function isKnown(field: string): boolean {
  switch (field) {
    case 'key':
    case 'value':
    case 'metadata':
    case 'expiration':
    case 'expiration_ttl':
    case 'base64':
      return true;
    default:
      return false;
  }
}

/** Returns the known field that an unknown field most likely means; undefined if the entry already has that field. */
export function likelyField(field: string, entry: object): string | undefined {
  const plain = field
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const near = (name: string) => distance(plain, name.replace('_', ''));
  const [nearest = ''] = optionalFields.toSorted((left, right) => near(left) - near(right));
  const meant = Object.hasOwn(otherNames, plain)
    ? otherNames[plain]
    : near(nearest) <= 2
      ? nearest
      : undefined;
  return meant === undefined || meant in entry ? undefined : meant;
}

const shownLength = 60;

/** Formats the position of an entry, counted from 1. For index 2, returns `Entry 3`, or `Line 4 (entry 3)` for NDJSON. */
export function entryPlace({
  index,
  line,
}: {
  readonly index: number;
  readonly line?: number | undefined;
}): string {
  return line === undefined ? `Entry ${index + 1}` : `Line ${line} (entry ${index + 1})`;
}

/** Describes the unknown fields of an entry, each with the field that was probably meant; undefined if all fields are known. */
export function unknownFieldFault(entry: object): string | undefined {
  return unknownFields(entry)
    ?.map((field) => {
      const meant = likelyField(field, entry);
      const fault = `unknown field "${truncate(field, shownLength)}"`;
      return meant === undefined ? fault : `${fault}, use "${meant}"`;
    })
    .join('; ');
}
