import { isUtf8 } from 'node:buffer';
import type { NamedFact } from '../model/guard/policy.ts';
import { isObject } from '../model/json-object.ts';
import type { DeclaredRoute } from './routes.ts';
import type { Body } from './send.ts';

/** The names in a body, by fact. */
export type ListedNames = Readonly<Partial<Record<NamedFact, readonly string[]>>>;

/** Where the body of a route contains names. */
interface BodyNames {
  /** Facts that the body contains. Unknown if the body cannot be read. */
  readonly facts: readonly NamedFact[];
  /** Whether the names in the body replace the name that the path ends in. */
  readonly replaces: boolean;
  /** Returns the names in a parsed body; undefined if the body has another form. Absent if the body cannot be parsed for names. */
  readonly read?: (body: unknown) => ListedNames | undefined;
}

type Read = (body: unknown) => readonly string[] | undefined;

const namespaces = '/accounts/:account/storage/kv/namespaces';
const namespace = `${namespaces}/:namespace`;
const buckets = '/accounts/:account/r2/buckets';
const script = '/accounts/:account/workers/scripts/:script';
const zone = '/zones/:zone';

/** Routes whose bodies contain the names of what they affect. Other routes contain all names in the path. */
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
    name: listProperty('domain'),
    hostname: listProperty('domain'),
  }),
  [`PUT ${script}/secrets`]: listOf('name', listProperty('name')),
  'POST /zones': listOf('name', listProperty('name')),
  [`POST ${zone}/custom_hostnames`]: many({
    name: listProperty('hostname'),
    hostname: listProperty('hostname'),
  }),
  [`POST ${zone}/dns_records`]: many({ name: listProperty('name'), hostname: listProperty('name') }),
  'PUT /accounts/:account/workers/domains': many({
    name: listProperty('hostname'),
    hostname: listProperty('hostname'),
    worker: listProperty('service'),
    zone: listProperty('zone_id'),
  }),
  // A route without a script disables workers, so the worker counts as unknown.
  [`POST ${zone}/workers/routes`]: many({ name: listProperty('pattern'), worker: listProperty('script') }),
  [`PUT ${zone}/workers/routes/:route`]: {
    ...many({ worker: listProperty('script') }),
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
    `POST ${zone}/dns_records/import`,
    `POST ${zone}/dns_records/batch`,
    `PATCH ${zone}/settings`,
  ].map((route) => [route, { facts: ['name'], replaces: true }]),
);

/** Returns where the body of a route contains names; undefined if the path contains them all. */
export function findBodyNames({
  method,
  path,
}: Pick<DeclaredRoute, 'method' | 'path'>): BodyNames | undefined {
  return bodyNames[`${method} ${path}`] ?? unreadNames[`${method} ${path}`];
}

/** Returns the names in a body; undefined if the body cannot be read. */
export function readBodyNames(names: BodyNames, body: Body | undefined): ListedNames | undefined {
  const parsed = parseBody(body);
  return parsed === undefined ? undefined : names.read?.(parsed.value);
}

/** Maximum length in bytes of a body that is parsed. */
const maxParsedBytes = 4 * 1024 * 1024;

/**
 * Parses a JSON body; undefined for a long, streamed or other body, and for a body that another parser could read differently: with a
 * property that occurs twice.
 */
export function parseBody(body: Body | undefined): { readonly value: unknown } | undefined {
  if (!(body instanceof Uint8Array) || body.length > maxParsedBytes || !isUtf8(body)) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return countWrittenProperties(text) === countProperties(value) ? { value } : undefined;
  } catch {
    // Includes the RangeError of a body that is nested too deeply.
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
      return found.some(([, names]) => names === undefined) ? undefined : Object.fromEntries(found);
    },
  };
}

/** Returns a property; undefined if another spelling of its name is present, which some parsers accept. */
function pick(body: unknown, name: string): unknown {
  if (!isObject(body)) return undefined;
  const spellings = Object.keys(body).filter((one) => one.toLowerCase() === name);
  return spellings.length === 1 && spellings[0] === name ? body[name] : undefined;
}

function listProperty(name: string): Read {
  return (body) => listStrings([pick(body, name)]);
}

function listItems(name: string): Read {
  return (body) => (Array.isArray(body) ? listStrings(body.map((one) => pick(one, name))) : undefined);
}

function listStrings(body: unknown): readonly string[] | undefined {
  return Array.isArray(body) && body.every((one) => typeof one === 'string') ? body : undefined;
}
