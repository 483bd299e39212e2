import { Problem } from '../problem.ts';

/** A place of the console by names alone, as a link says it: it may be that nothing is there. */
export type PlaceLink =
  | { readonly kind: AreaLink }
  /** `namespace` is a binding, a title or an id. */
  | { readonly kind: 'keys'; readonly namespace: string; readonly prefix: string }
  /** A key; where there is none of this name, the keys that begin with it. */
  | { readonly kind: 'key'; readonly namespace: string; readonly key: string }
  | { readonly kind: 'objects'; readonly bucket: string; readonly folder: string }
  | { readonly kind: 'object'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'hostname' | 'diagnosis'; readonly hostname: string }
  /** The renewals of the certificates. */
  | { readonly kind: 'forecast' }
  /** The zone's own DNS records. */
  | { readonly kind: 'records' }
  | { readonly kind: 'worker'; readonly name: string }
  | { readonly kind: 'task'; readonly id: string };

/** A list behind a digit, or Home. */
export type AreaLink = 'home' | 'namespaces' | 'buckets' | 'hostnames' | 'workers' | 'tasks';

/** The first word of a link: that of its area. */
const areas: Readonly<Record<string, AreaLink>> = {
  home: 'home',
  kv: 'namespaces',
  objects: 'buckets',
  hostnames: 'hostnames',
  workers: 'workers',
  tasks: 'tasks',
};

const wordOf: Readonly<Record<AreaLink, string>> = {
  home: 'home',
  namespaces: 'kv',
  buckets: 'objects',
  hostnames: 'hostnames',
  workers: 'workers',
  tasks: 'tasks',
};

/** Every shape that a link can have, for people. */
export const linkShapes =
  'home, kv, kv/NAMESPACE, kv/NAMESPACE/KEY, kv/NAMESPACE/PREFIX*, objects, objects/BUCKET/FOLDER/, ' +
  'objects/BUCKET/KEY, hostnames, hostnames/NAME, hostnames/forecast, hostnames/records, workers, workers/NAME, tasks';

/**
 * Reads a link: `kv/SESSIONS/user:`, `objects/assets/img/`. Odd characters are percent-encoded as in a URL. Refuses with
 * usage what is no link, and says what there is.
 */
export function parseLink(text: string): PlaceLink {
  const [word = '', first, ...rest] = text.split('/');
  const area = Object.hasOwn(areas, word) ? areas[word] : undefined;
  if (area === undefined) throw noLink(text, `no area is called "${word}"`);
  const name = first === undefined ? '' : decoded(text, first);
  const below = decoded(text, rest.join('/'));
  if (name === '') {
    if (rest.length > 0) throw noLink(text, `a name is missing behind ${word}/`);
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
      // A hostname has a dot.
      if ((name === 'forecast' || name === 'records') && below === '') return { kind: name };
      if (below === 'diagnosis') return { kind: 'diagnosis', hostname: name };
      return alone(text, below, { kind: 'hostname', hostname: name });
    case 'workers':
      return alone(text, below, { kind: 'worker', name });
    case 'tasks':
      return alone(text, below, { kind: 'task', id: name });
    case 'home':
      throw noLink(text, 'there is nothing below home');
  }
}

/** A star at the end, not encoded, says that a prefix is meant. */
function keysLink(namespace: string, below: string, raw: string): PlaceLink {
  if (raw === '') return { kind: 'keys', namespace, prefix: '' };
  if (raw.endsWith('*')) return { kind: 'keys', namespace, prefix: below.slice(0, -1) };
  return { kind: 'key', namespace, key: below };
}

function alone(text: string, below: string, link: PlaceLink): PlaceLink {
  if (below === '') return link;
  throw noLink(text, `"${below}" leads nowhere`);
}

function decoded(text: string, part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw noLink(text, 'a % is followed by what is no percent-encoding (a % itself is %25)');
  }
}

function noLink(text: string, why: string): Problem {
  return new Problem('usage', `"${text}" is no place of the console: ${why}.`, {
    hint: `There are: ${linkShapes}.`,
  });
}

/** The link of a place, safe to be typed in a shell as it stands; undefined for a name that no text can carry. */
export function linkText(link: PlaceLink): string | undefined {
  const parts = partsOf(link);
  if (!parts.every((part) => part.isWellFormed())) return undefined;
  const star = link.kind === 'keys' && link.prefix !== '' ? '*' : '';
  return `${parts.map((part, index) => encoded(part, index)).join('/')}${star}`;
}

function partsOf(link: PlaceLink): readonly string[] {
  switch (link.kind) {
    case 'keys':
      return link.prefix === '' ? ['kv', link.namespace] : ['kv', link.namespace, link.prefix];
    case 'key':
      return ['kv', link.namespace, link.key];
    case 'objects':
      return link.folder === '' ? ['objects', link.bucket] : ['objects', link.bucket, link.folder];
    case 'object':
      return ['objects', link.bucket, link.key];
    case 'hostname':
      return ['hostnames', link.hostname];
    case 'diagnosis':
      return ['hostnames', link.hostname, 'diagnosis'];
    case 'forecast':
    case 'records':
      return ['hostnames', link.kind];
    case 'worker':
      return ['workers', link.name];
    case 'task':
      return ['tasks', link.id];
    default:
      return [wordOf[link.kind]];
  }
}

/** Slashes stay where they separate nothing: in a key, behind the name of its container. */
function encoded(part: string, index: number): string {
  const kept = index === 2 ? /[^A-Za-z0-9._~:/@,=+-]/gu : /[^A-Za-z0-9._~:@,=+-]/gu;
  return part.replace(kept, (character) =>
    encodeURIComponent(character).replace(
      /[!'()*]/g,
      (left) => `%${left.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  );
}
