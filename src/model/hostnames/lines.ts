import * as v from 'valibot';
import { isObject } from '../json-object.ts';
import { jsonRecord } from '../json-record.ts';
import { describe } from '../kv/kv.ts';
import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  hasCustomCertificate,
  hostnameLimits,
  minimumVersions,
  type ValidationMethod,
  validationMethods,
} from './hostname.ts';

/** A custom hostname requested by a line of a file. Fields missing from the line are taken from the command line. */
export interface HostnameLine {
  /** The hostname as written in the file. */
  readonly hostname: string;
  readonly method?: ValidationMethod;
  readonly authority?: AuthorityChoice;
  readonly branding?: boolean;
  readonly wildcard?: boolean;
  readonly minimumTls?: string;
  readonly origin?: string;
  readonly originSni?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The error for an invalid line. */
export interface LineFault {
  readonly hostname?: string;
  readonly reason: string;
}

type Fields = Readonly<Record<string, unknown>>;

const text = (name: string) => v.string((issue) => `${name} must be a string, not ${describe(issue.input)}`);
const yesOrNo = (name: string) =>
  v.boolean((issue) => `${name} must be true or false, not ${describe(issue.input)}`);

function word<const W extends readonly string[]>(name: string, words: W) {
  const lower = v.transform((value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value));
  const message = (issue: { readonly input: unknown }) =>
    `${name} must be one of ${words.join(', ')}, not ${describe(issue.input)}`;
  return v.pipe(v.unknown(), lower, v.picklist(words, message));
}

const authority = v.pipe(
  v.unknown(),
  v.transform((value: unknown) => (value === '' ? 'default' : value)),
  word('the authority', ['default', ...certificateAuthorities] as const),
);

const lineShape = v.object({
  hostname: v.pipe(
    v.string('the hostname is missing'),
    v.check((value) => value.trim() !== '', 'the hostname is missing'),
  ),
  method: v.optional(word('the method', validationMethods)),
  authority: v.optional(authority),
  branding: v.optional(yesOrNo('branding')),
  wildcard: v.optional(yesOrNo('wildcard')),
  minimumTls: v.optional(word('the minimum TLS version', minimumVersions)),
  origin: v.optional(text('the origin')),
  originSni: v.optional(text('the SNI of the origin')),
  metadata: v.optional(jsonRecord('metadata must be a JSON object')),
});

/** All accepted column and field names, and the field that each name sets. The platform's own names are also accepted. */
const meanings: ReadonlyMap<string, keyof HostnameLine> = new Map([
  ['hostname', 'hostname'],
  ['method', 'method'],
  ['ca', 'authority'],
  ['certificate_authority', 'authority'],
  ['branding', 'branding'],
  ['provider_branding', 'branding'],
  ['wildcard', 'wildcard'],
  ['min_tls', 'minimumTls'],
  ['min_tls_version', 'minimumTls'],
  ['origin', 'origin'],
  ['custom_origin_server', 'origin'],
  ['origin_sni', 'originSni'],
  ['custom_origin_sni', 'originSni'],
  ['metadata', 'metadata'],
  ['custom_metadata', 'metadata'],
]);

/**
 * Fields of a platform's record that a creation ignores. These fields are accepted so that the output of `hostname list --json` can be used
 * as input.
 */
const passedOver = new Set([
  'id',
  'status',
  'created_at',
  'verification_errors',
  'ownership_verification',
  'ownership_verification_http',
]);

/** Returns the reason why these columns are invalid; undefined if they are valid. */
export function columnsFault(columns: readonly string[]): string | undefined {
  const unknown = columns.find((column) => !meanings.has(column) && !isMember(column));
  if (unknown !== undefined) {
    const known =
      'hostname, method, ca, branding, min_tls, wildcard, origin, origin_sni, metadata, metadata.<name>';
    return `unknown column "${unknown}"; columns are ${known}`;
  }
  return columns.includes('hostname') ? undefined : 'the column "hostname" is missing';
}

const memberPrefix = 'metadata.';

function isMember(column: string): boolean {
  return column.startsWith(memberPrefix) && column !== memberPrefix;
}

/** Parses a line of CSV. An empty cell requests nothing. The column `metadata.plan` sets the field `plan` of the metadata. */
export function lineOfCells(columns: readonly string[], cells: readonly string[]): HostnameLine | LineFault {
  const pairs = columns.map((column, at) => [column, cells[at] ?? ''] as const);
  const [hostname] = pairs.filter(([column]) => column === 'hostname').map(([, cell]) => cell);
  if (cells.length > columns.length) {
    const counts = `${cells.length} cells for ${columns.length} column${columns.length === 1 ? '' : 's'}`;
    return { ...(hostname !== undefined && { hostname }), reason: `the line has ${counts}` };
  }
  const filled = pairs.filter(([, text]) => text !== '');
  // Builds the object from entries, so that names like `constructor` also become fields.
  const fields = Object.fromEntries(
    filled.filter(([column]) => !isMember(column)).map(([column, cell]) => [column, cellValue(column, cell)]),
  );
  const members = filled
    .filter(([column]) => isMember(column))
    .map(([column, cell]) => [column.slice(memberPrefix.length), cell] as const);
  if (members.length === 0) return lineOfFields(fields);
  const { metadata } = fields;
  const whole = isObject(metadata) ? Object.entries(metadata) : [];
  return lineOfFields({ ...fields, metadata: Object.fromEntries([...whole, ...members]) });
}

function cellValue(column: string, cell: string): unknown {
  const meaning = meanings.get(column);
  if (meaning === 'branding' || meaning === 'wildcard') return truth.get(cell.toLowerCase()) ?? cell;
  if (meaning !== 'metadata') return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

const truth: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['0', false],
  ['off', false],
]);

/** Parses a JSON entry: an object with edgectl's or the platform's field names, or only a hostname. */
export function lineOfValue(value: unknown): HostnameLine | LineFault {
  if (typeof value === 'string') return lineOfFields({ hostname: value });
  if (!isObject(value)) return { reason: `an entry must be an object with hostname, not ${describe(value)}` };
  const { ssl, ...rest } = value;
  if (!isObject(ssl)) return lineOfFields(rest);
  const { method, certificate_authority, wildcard, settings } = ssl;
  const minimum = isObject(settings) ? settings['min_tls_version'] : undefined;
  const order = { method, certificate_authority, wildcard, min_tls_version: minimum };
  const given = Object.entries(order).filter(([, field]) => field !== undefined);
  return lineOfFields({ ...Object.fromEntries(given), ...rest });
}

function lineOfFields(fields: Fields): HostnameLine | LineFault {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (passedOver.has(name) || value === null || value === undefined) continue;
    const meaning = meanings.get(name);
    if (meaning === undefined) return findFault(fields, `unknown field "${name}"`);
    given[meaning] = value;
  }
  const read = v.safeParse(lineShape, given);
  if (read.success) return compact(read.output);
  const [issue] = read.issues;
  return findFault(fields, issue.message);
}

function findFault({ hostname }: Fields, reason: string): LineFault {
  return { ...(typeof hostname === 'string' && { hostname }), reason };
}

/** Drops undefined fields, because they would override the command line. */
function compact({ hostname, ...rest }: v.InferOutput<typeof lineShape>): HostnameLine {
  const { method, authority, branding, wildcard, minimumTls, origin, originSni, metadata } = rest;
  return {
    hostname,
    ...(method !== undefined && { method }),
    ...(authority !== undefined && { authority }),
    ...(branding !== undefined && { branding }),
    ...(wildcard !== undefined && { wildcard }),
    ...(minimumTls !== undefined && { minimumTls }),
    ...(origin !== undefined && { origin }),
    ...(originSni !== undefined && { originSni }),
    ...(metadata !== undefined && { metadata }),
  };
}

/**
 * Returns the line that requests this custom hostname, as input of `hostname create --file`. Omits values that only the platform decides.
 * Omits the certificate if it was uploaded, because no authority of the platform issues it. Records do not contain branding, but a name
 * that is too long for a Common Name must have branding.
 */
export function lineOfRecord(record: CustomHostname): HostnameLine {
  const {
    hostname,
    custom_origin_server: origin,
    custom_origin_sni: sni,
    custom_metadata: metadata,
  } = record;
  return {
    hostname,
    ...(hasCustomCertificate(record) ? {} : toCertificateFields(record)),
    ...(origin !== undefined && { origin }),
    ...(sni !== undefined && { originSni: sni }),
    ...(metadata !== undefined && Object.keys(metadata).length > 0 && { metadata }),
  };
}

function toCertificateFields({ hostname, ssl }: CustomHostname): Omit<HostnameLine, 'hostname'> {
  if (ssl === undefined) return {};
  const method = validationMethods.find((one) => one === ssl.method);
  const authority = certificateAuthorities.find((one) => one === ssl.certificate_authority);
  const minimum = minimumVersions.find((one) => one === ssl.settings?.min_tls_version);
  return {
    ...(method !== undefined && { method }),
    ...(authority !== undefined && { authority }),
    ...(hostname.length > hostnameLimits.commonName && { branding: true }),
    ...(ssl.wildcard !== undefined && { wildcard: ssl.wildcard }),
    ...(minimum !== undefined && { minimumTls: minimum }),
  };
}
