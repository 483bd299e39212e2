import { distance } from 'fastest-levenshtein';
import { beginningOf } from '../long-text.ts';

/** A field of a bulk entry that is not known and is ignored. */
export interface UnknownField {
  /** Of the entry, from 0. */
  readonly index: number;
  /** From 1; of NDJSON only. */
  readonly line?: number;
  readonly key: string;
  readonly field: string;
  /** The known field that it most likely stands for. */
  readonly meant?: string;
}

/** Names that other tools and people give to known fields, in lower case and without what separates words. */
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

/** The names of an entry's unknown fields; undefined when there are none. Called for every entry. */
export function unknownFields(entry: object): string[] | undefined {
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

/** The field that an unknown one most likely stands for, unless the entry has it already. */
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

/** The position of an entry in words: `Entry 2`, or `Line 4 (entry 2)` of NDJSON. */
export function entryPlace({ index, line }: { readonly index: number; readonly line?: number }): string {
  return line === undefined ? `Entry ${index}` : `Line ${line} (entry ${index})`;
}

/** An unknown field as a sentence for people. */
export function describeUnknownField(found: UnknownField): string {
  const { key, field, meant } = found;
  const shown = beginningOf(field, shownLength);
  const advice = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `${entryPlace(found)}, key "${key}": the field "${shown}" is not known and is ignored.${advice}`;
}
