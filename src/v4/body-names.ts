import { isUtf8 } from 'node:buffer';
import { plainName } from '../model/dns/dns.ts';
import type { NamedFact } from '../model/guard/policy.ts';
import { isObject } from '../model/json-object.ts';
import { kvLimits } from '../model/kv/kv.ts';
import type { DeclaredRoute } from './routes.ts';
import type { Body } from './send.ts';

/** The names in a body, by fact. */
export type ListedNames = Readonly<Partial<Record<NamedFact, readonly string[]>>>;

/** The location of the names in the body of a route. */
export interface BodyNames {
  /** Facts that the body contains. A fact that cannot be read from the body is unknown. */
  readonly facts: readonly NamedFact[];
  /** Whether the names in the body replace the name that the path ends in; otherwise the request affects both. */
  readonly replaces: boolean;
  /** Returns the names in a parsed body; facts that cannot be read are omitted. Absent if the names in the body are not read at all. */
  readonly read?: (body: unknown) => ListedNames;
}

type Read = (body: unknown) => readonly string[] | undefined;

const namespaces = '/accounts/:account/storage/kv/namespaces';
const namespace = `${namespaces}/:namespace`;
const buckets = '/accounts/:account/r2/buckets';
const script = '/accounts/:account/workers/scripts/:script';
const zone = '/zones/:zone';

/** Routes whose bodies contain the names of the affected resources. The paths of other routes contain all names. */
const bodyNames: Readonly<Record<string, BodyNames>> = {
  [`PUT ${namespace}/bulk`]: listOf('name', listItems('key')),
  [`DELETE ${namespace}/bulk`]: listOf('name', listStrings),
  [`POST ${namespace}/bulk/delete`]: listOf('name', listStrings),
  [`POST ${namespace}/bulk/get`]: listOf('name', (body) => listStrings(pick(body, 'keys'))),
  [`DELETE ${buckets}/:bucket/objects`]: listOf('name', listStrings),
  [`POST ${namespaces}`]: listOf('name', listProperty('title')),
  [`POST ${buckets}`]: many({ name: listProperty('name'), bucket: listProperty('name') }),
  'POST /accounts/:account/r2/temp-access-credentials': {
    ...many({ bucket: listProperty('bucket') }),
    replaces: false,
  },
  [`POST ${buckets}/:bucket/domains/custom`]: many({
    name: listHostname('domain'),
    hostname: listHost('domain'),
    zone: listId('zoneId'),
  }),
  // The body contains a new title for the namespace in the path.
  [`PUT ${namespace}`]: { ...listOf('name', listProperty('title')), replaces: false },
  [`PUT ${script}/secrets`]: listOf('name', listProperty('name')),
  'POST /zones': listOf('name', listHostname('name')),
  [`POST ${zone}/custom_hostnames`]: many({
    name: listHostname('hostname'),
    hostname: listCoveredHost,
  }),
  [`PUT ${zone}/dns_records/:record`]: renamedRecord(),
  [`PATCH ${zone}/dns_records/:record`]: renamedRecord(),
  'PUT /accounts/:account/workers/domains': many({
    name: listHostname('hostname'),
    hostname: listHost('hostname'),
    worker: listProperty('service'),
    zone: listId('zone_id'),
  }),
  // A route without a script disables workers, so the worker counts as unknown.
  [`POST ${zone}/workers/routes`]: many({
    name: listProperty('pattern'),
    worker: listProperty('script'),
    hostname: listPatternHost,
  }),
  // The request does not contain the old pattern, whose hostname is also affected, so the hostname counts as unknown.
  [`PUT ${zone}/workers/routes/:route`]: {
    ...many({ name: listProperty('pattern'), worker: listProperty('script'), hostname: () => undefined }),
    replaces: false,
  },
};

/** Routes whose bodies contain names that are not read, because no rule could rely on them. Rules count these names as unknown. */
const unreadNames: Readonly<Record<string, BodyNames>> = Object.fromEntries(
  [
    'POST /user/tokens',
    'POST /accounts/:account/tokens',
    `PATCH ${script}/secrets-bulk`,
    'PATCH /accounts/:account/workers/workers/:script/versions/latest',
    `POST ${script}/domains/changeset`,
    `PUT ${script}/domains/records`,
    `PATCH ${zone}/settings`,
  ].map((route) => [route, { facts: ['name'], replaces: true }]),
);

/**
 * Routes that create DNS records. The platform appends the zone's name to a name that is not in the zone, and the request contains only the
 * zone's id, so the names of the records are unknown.
 */
const recordNames: Readonly<Record<string, BodyNames>> = Object.fromEntries(
  ['', '/import', '/batch'].map((path) => [
    `POST ${zone}/dns_records${path}`,
    { facts: ['name', 'hostname'], replaces: true },
  ]),
);

/** Returns the location of the names in the body of a route; undefined if the path contains all names. */
export function findBodyNames({
  method,
  path,
}: Pick<DeclaredRoute, 'method' | 'path'>): BodyNames | undefined {
  const route = `${method} ${path}`;
  return bodyNames[route] ?? unreadNames[route] ?? recordNames[route];
}

/** Returns the names in a body; undefined if the body cannot be parsed, or if its names are not read. */
export function readBodyNames(names: BodyNames, body: Body | undefined): ListedNames | undefined {
  const parsed = parseBody(body);
  return parsed === undefined ? undefined : names.read?.(parsed.value);
}

/** Maximum number of names that are compared with rules. The platform does not accept more keys in a bulk request. */
const maxNames = Math.max(kvLimits.bulkPutEntries, kvLimits.bulkDeleteKeys);

/** Maximum length in bytes of a body whose names are compared with rules. */
const maxParsedBytes = 4 * 1024 * 1024;

/**
 * Parses a JSON body. Returns undefined for a body that is too long, streamed or not JSON, or that has a property twice, because another
 * parser could read such a body differently.
 */
export function parseBody(
  body: Body | undefined,
  maxBytes = maxParsedBytes,
): { readonly value: unknown } | undefined {
  if (!(body instanceof Uint8Array) || body.length > maxBytes || !isUtf8(body)) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return countWrittenProperties(text) === countProperties(value) ? { value } : undefined;
  } catch {
    // Includes the RangeError for a body that is nested too deeply.
    return undefined;
  }
}

/** Counts the properties in a valid JSON text, including those that occur twice. */
function countWrittenProperties(text: string): number {
  let found = 0;
  let at = text.indexOf('"');
  while (at !== -1) {
    let end = text.indexOf('"', at + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    let next = end + 1;
    while (' \t\r\n'.includes(text[next] ?? '-')) next += 1;
    if (text[next] === ':') found += 1;
    at = text.indexOf('"', end + 1);
  }
  return found;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function countProperties(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countProperties(one), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + countProperties(one), inner.length);
}

function listOf(fact: NamedFact, read: Read): BodyNames {
  return many({ [fact]: read });
}

function many(reads: Readonly<Partial<Record<NamedFact, Read>>>): BodyNames {
  const entries = Object.entries(reads) as [NamedFact, Read][];
  return {
    facts: entries.map(([fact]) => fact),
    replaces: true,
    read(body) {
      const found = entries.map(([fact, read]) => [fact, read(body)] as const);
      return Object.fromEntries(found.filter(([, names]) => names !== undefined));
    },
  };
}

/**
 * Returns the location of the names for a change to a DNS record: the name is the id in the path, or unknown if the body also contains a
 * name. The hostname is always unknown.
 */
function renamedRecord(): BodyNames {
  return {
    facts: ['name', 'hostname'],
    replaces: false,
    read: (body): ListedNames =>
      isObject(body) && findSpellings(body, 'name').length === 0 ? { name: [] } : {},
  };
}

/**
 * Returns a property; undefined if the body also contains the property in another spelling, because some parsers accept other spellings.
 */
export function pick(body: unknown, name: string): unknown {
  if (!isObject(body)) return undefined;
  const spellings = findSpellings(body, name);
  return spellings.length === 1 && spellings[0] === name ? body[name] : undefined;
}

/** Returns the properties that a case-insensitive parser could read as `name`. */
function findSpellings(body: object, name: string): string[] {
  return Object.keys(body).filter((one) => foldName(one) === foldName(name));
}

function listProperty(name: string): Read {
  return (body) => listStrings([pick(body, name)]);
}

/** Returns a reader for the id of a zone. An id in another spelling counts as unknown, because the platform could accept it. */
function listId(name: string): Read {
  return (body) => {
    const value = pick(body, name);
    return typeof value === 'string' && /^[0-9a-z]{1,32}$/.test(value) ? [value] : undefined;
  };
}

/**
 * Returns a reader for the hostname in a property. The hostname is returned in lower case and without a final dot, as in policies. A value
 * with characters other than letters, digits, `_`, `-`, `.` and `*` counts as unknown.
 */
function listHostname(name: string): Read {
  return (body) => {
    const value = pick(body, name);
    return typeof value === 'string' && /^[\w.*-]+$/.test(value) ? [plainName(value)] : undefined;
  };
}

/** Returns a reader for the hostname in a property. A wildcard counts as unknown, because it covers many hostnames. */
function listHost(name: string): Read {
  return (body) => listPlainHost(pick(body, name));
}

function listPlainHost(value: unknown): readonly string[] | undefined {
  return typeof value === 'string' && /^[\w-]+(?:\.[\w-]+)*\.?$/.test(value) ? [plainName(value)] : undefined;
}

/**
 * Reads the hostname of a custom hostname. A hostname with a wildcard certificate counts as unknown, because the certificate also covers
 * the hostnames below it.
 */
function listCoveredHost(body: unknown): readonly string[] | undefined {
  if (!isObject(body)) return undefined;
  const settings = findSpellings(body, 'ssl').map((name) => body[name]);
  const isWildcard = settings.some(
    (one) => isObject(one) && findSpellings(one, 'wildcard').some((name) => (one[name] ?? false) !== false),
  );
  return isWildcard ? undefined : listHost('hostname')(body);
}

/** Reads the hostname from a worker route's pattern, such as `https://www.example.com/shop/*`. */
function listPatternHost(body: unknown): readonly string[] | undefined {
  const pattern = pick(body, 'pattern');
  return typeof pattern === 'string'
    ? listPlainHost(pattern.replace(/^https?:\/\//i, '').split('/', 1)[0])
    : undefined;
}

function listItems(name: string): Read {
  return (body) => (Array.isArray(body) ? listStrings(body.map((one) => pick(one, name))) : undefined);
}

function listStrings(body: unknown): readonly string[] | undefined {
  if (!Array.isArray(body) || body.length > maxNames) return undefined;
  return body.every((one) => typeof one === 'string') ? body : undefined;
}

/** Folds case as Go's encoding/json does: also U+017F to s, and U+212A (Kelvin sign) to k. */
function foldName(name: string): string {
  return name.toLowerCase().toUpperCase();
}
