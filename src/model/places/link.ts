import { Problem } from '../problem.ts';
import type { Target } from '../target.ts';

/** A place in the console, as described by a link. Consists only of names; the place might not exist. */
export type PlaceLink =
  | { readonly kind: AreaLink }
  /** `namespace` is a binding, a title or an id. */
  | { readonly kind: 'keys'; readonly namespace: string; readonly prefix: string }
  /** A key. If the key does not exist, the console shows the keys that start with this name. */
  | { readonly kind: 'key'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'objects'; readonly bucket: string; readonly folder: string }
  | { readonly kind: 'object'; readonly bucket: string; readonly key: string }
  /** The keys that differ between two namespaces. */
  | ({ readonly kind: 'differences'; readonly namespace: string } & OtherLink)
  /** A key compared with the key of the same name in another namespace. */
  | ({ readonly kind: 'comparison'; readonly namespace: string; readonly key: string } & OtherLink)
  | { readonly kind: 'hostname' | 'diagnosis' | 'instructions'; readonly hostname: string }
  /** The upcoming certificate renewals. */
  | { readonly kind: 'forecast' }
  /** The zone's own DNS records. */
  | { readonly kind: 'records' }
  /** A worker, or its live log. */
  | { readonly kind: 'worker' | 'logs'; readonly name: string }
  | { readonly kind: 'task'; readonly id: string };

/** The namespace on the other side of a comparison. */
export interface OtherLink {
  /** A binding, a title or an id; empty for the namespace with the same id on another target. */
  readonly other: string;
  /** The target of the other side (default: the console's target). */
  readonly target?: Target;
}

/** Home, a list that a digit key opens, or a pane that opens on top of such a list. */
export type AreaLink =
  | 'home'
  | 'namespaces'
  | 'buckets'
  | 'hostnames'
  | 'workers'
  | 'tasks'
  | 'undo'
  | 'held'
  | 'audit'
  | 'doctor'
  | 'settings';

/** The first word of an area's links. */
const areaWords: Readonly<Record<AreaLink, string>> = {
  home: 'home',
  namespaces: 'kv',
  buckets: 'objects',
  hostnames: 'hostnames',
  workers: 'workers',
  tasks: 'tasks',
  undo: 'undo',
  held: 'held',
  audit: 'audit',
  doctor: 'doctor',
  settings: 'settings',
};

/** The first word of a comparison link. */
const comparisonWord = 'diff';

/** All forms of links, for messages. */
export const linkShapes =
  'home, kv, kv/NAMESPACE, kv/NAMESPACE/KEY, kv/NAMESPACE/PREFIX*, diff/NAMESPACE/OTHER, diff/NAMESPACE/OTHER/KEY ' +
  '(OTHER is a namespace, or @local, @production), objects, objects/BUCKET/FOLDER/, objects/BUCKET/KEY, hostnames, ' +
  'hostnames/NAME, hostnames/NAME/diagnosis, hostnames/NAME/instructions, ' +
  'hostnames/forecast, hostnames/records, ' +
  'workers, workers/NAME, workers/NAME/logs, tasks, undo, held, audit, doctor, settings';

/**
 * Parses a link, such as `kv/SESSIONS/user:` or `objects/assets/img/`. `buckets/assets/img/` is equivalent, because the screen shows that
 * word. Special characters are percent-encoded as in a URL. Throws `usage` for an invalid link, with the valid forms.
 */
export function parseLink(text: string): PlaceLink {
  const [word = '', first, ...rest] = text.split('/');
  const name = first === undefined ? '' : decodePart(text, first);
  if (word === comparisonWord) return comparisonLink(text, name, rest);
  const area = parseArea(word);
  if (area === undefined) throw invalidLinkProblem(text, `no area is named "${word}"`);
  const below = decodePart(text, rest.join('/'));
  if (name === '') {
    if (rest.length > 0) throw invalidLinkProblem(text, `a name is missing after ${word}/`);
    return { kind: area };
  }
  switch (area) {
    case 'namespaces':
      return keysLink(name, below, rest.join('/'));
    case 'buckets':
      return below === '' || below.endsWith('/')
        ? { kind: 'objects', bucket: name, folder: below }
        : { kind: 'object', bucket: name, key: below };
    case 'hostnames':
      // A hostname contains a dot, so these words cannot be hostnames.
      if ((name === 'forecast' || name === 'records') && below === '') return { kind: name };
      if (below === 'diagnosis' || below === 'instructions') return { kind: below, hostname: name };
      return requireNoRest(text, below, { kind: 'hostname', hostname: name });
    case 'workers':
      return below === 'logs' ? { kind: 'logs', name } : requireNoRest(text, below, { kind: 'worker', name });
    case 'tasks':
      return requireNoRest(text, below, { kind: 'task', id: name });
    default:
      throw invalidLinkProblem(text, `nothing can follow ${word}`);
  }
}

const areas = Object.keys(areaWords) as AreaLink[];

/** Returns the area for a word, which is the word in the area's links or its name in the header (`Namespaces`). */
function parseArea(word: string): AreaLink | undefined {
  const lower = word.toLowerCase();
  return areas.find((one) => areaWords[one] === lower || one === lower);
}

const targets: readonly Target[] = ['production', 'preview', 'local'];

/** Parses `diff/NAMESPACE/OTHER` or `diff/NAMESPACE/OTHER/KEY`. OTHER may end with an `@` and a target. */
function comparisonLink(text: string, namespace: string, [side = '', ...rest]: readonly string[]): PlaceLink {
  if (namespace === '' || side === '')
    throw invalidLinkProblem(text, `${comparisonWord} requires the names of two namespaces`);
  const at = side.lastIndexOf('@');
  const word = at === -1 ? undefined : side.slice(at + 1);
  const target = targets.find((one) => one === word);
  if (word !== undefined && target === undefined)
    throw invalidLinkProblem(
      text,
      `"${word}" is not a target; targets are ${targets.join(', ')} (an @ in a name is written %40)`,
    );
  const other = { other: decodePart(text, at === -1 ? side : side.slice(0, at)), ...(target && { target }) };
  const key = decodePart(text, rest.join('/'));
  if (key === '') return { kind: 'differences', namespace, ...other };
  return { kind: 'comparison', namespace, key, ...other };
}

/** Returns the place of a key or, if the name is empty or ends with an unencoded `*`, of the keys with a prefix. */
function keysLink(namespace: string, below: string, raw: string): PlaceLink {
  if (raw === '') return { kind: 'keys', namespace, prefix: '' };
  if (raw.endsWith('*')) return { kind: 'keys', namespace, prefix: below.slice(0, -1) };
  return { kind: 'key', namespace, key: below };
}

function requireNoRest(text: string, below: string, link: PlaceLink): PlaceLink {
  if (below === '') return link;
  throw invalidLinkProblem(text, `"${below}" is unknown`);
}

function decodePart(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidLinkProblem(text, 'a % must be followed by two hex digits (a % itself is %25)');
  }
}

function invalidLinkProblem(text: string, why: string): Problem {
  return new Problem('usage', `"${text}" is not a place in the console: ${why}.`, {
    hint: `Valid links: ${linkShapes}.`,
  });
}

/** Formats a place as a link that is safe to type in a shell. Undefined if the place has a name that a link cannot contain. */
export function formatLink(link: PlaceLink): string | undefined {
  const parts = linkParts(link);
  if (!parts.every(({ text }) => text.isWellFormed())) return undefined;
  const star = link.kind === 'keys' && link.prefix !== '' ? '*' : '';
  return `${parts.map(({ text, unencoded, behind = '' }) => `${encodePart(text, unencoded)}${behind}`).join('/')}${star}`;
}

/** A part of a link: a string, and the characters in it that are not encoded. */
interface LinkPart {
  readonly text: string;
  readonly unencoded: string;
  readonly behind?: string;
}

const pathPart = (text: string): LinkPart => ({ text, unencoded: ':@,=+' });
/** Does not encode slashes, because a slash after the name of the namespace or bucket is part of the key. */
const restPart = (text: string): LinkPart => ({ text, unencoded: ':@,=+/' });

function linkParts(link: PlaceLink): readonly LinkPart[] {
  switch (link.kind) {
    case 'keys':
      return [pathPart('kv'), pathPart(link.namespace), ...optionalRest(link.prefix)];
    case 'key':
      return [pathPart('kv'), pathPart(link.namespace), restPart(link.key)];
    case 'differences':
      return [pathPart(comparisonWord), pathPart(link.namespace), comparisonPart(link)];
    case 'comparison':
      return [pathPart(comparisonWord), pathPart(link.namespace), comparisonPart(link), restPart(link.key)];
    case 'objects':
      return [pathPart('objects'), pathPart(link.bucket), ...optionalRest(link.folder)];
    case 'object':
      return [pathPart('objects'), pathPart(link.bucket), restPart(link.key)];
    case 'hostname':
      return [pathPart('hostnames'), pathPart(link.hostname)];
    case 'diagnosis':
    case 'instructions':
      return [pathPart('hostnames'), pathPart(link.hostname), pathPart(link.kind)];
    case 'forecast':
    case 'records':
      return [pathPart('hostnames'), pathPart(link.kind)];
    case 'worker':
      return [pathPart('workers'), pathPart(link.name)];
    case 'logs':
      return [pathPart('workers'), pathPart(link.name), pathPart('logs')];
    case 'task':
      return [pathPart('tasks'), pathPart(link.id)];
    default:
      return [pathPart(areaWords[link.kind])];
  }
}

function optionalRest(text: string): readonly LinkPart[] {
  return text === '' ? [] : [restPart(text)];
}

/** Formats the name of the other side. Encodes an `@` in the name, because it would start a target. */
function comparisonPart({ other, target }: OtherLink): LinkPart {
  return { text: other, unencoded: ':,=+', ...(target && { behind: `@${target}` }) };
}

function encodePart(text: string, unencoded: string): string {
  return text.replace(/[^A-Za-z0-9._~-]/gu, (character) =>
    unencoded.includes(character)
      ? character
      : encodeURIComponent(character).replace(
          /[!'()*]/g,
          (left) => `%${left.charCodeAt(0).toString(16).toUpperCase()}`,
        ),
  );
}
