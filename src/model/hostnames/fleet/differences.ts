import { plainName } from '../../dns/dns.ts';
import { canonicalJson } from '../../json-object.ts';
import type { ValueOf } from '../../shape.ts';
import { type CustomHostname, hasCustomCertificate } from '../hostname.ts';
import type { HostnameLine } from '../lines.ts';
import type { attributeDifference } from './fleet-shape.ts';

/** The wanted attributes of a custom hostname. Omitted ones may have any value. */
export type AskedAttributes = Omit<HostnameLine, 'hostname'>;

/** The same, where an attribute that is undefined may be anything too. */
type MaybeAsked = { readonly [Name in keyof AskedAttributes]: AskedAttributes[Name] | undefined };

/** One attribute that differs from the wanted one, under the name of its column. Strings contain outside data. */
export type AttributeDifference = ValueOf<typeof attributeDifference>;

/** The attributes that a change must set, and the differences that it removes. */
export interface Changes {
  readonly asks: AskedAttributes;
  readonly differences: readonly AttributeDifference[];
}

/**
 * Compares a custom hostname with the attributes that are asked for. An authority that is left to the platform is any, branding
 * is not in a record, and an uploaded certificate has none of what is ordered with a managed one.
 */
export function changesFor(record: CustomHostname, asked: MaybeAsked): Changes {
  const certificate = hasCustomCertificate(record) ? none : certificateChanges(record, asked);
  const parts = [certificate, originChanges(record, asked), metadataChanges(record, asked)];
  return {
    asks: Object.assign({}, ...parts.map(({ asks }) => asks)),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

/** The values that the platform chooses for what is set to its default. */
export interface DefaultValues {
  /** The fallback origin, where it is known. */
  readonly origin?: string | undefined;
}

/** Differences as text: `ca google -> lets_encrypt`. A removed origin means the fallback origin. */
export function differenceWords(
  differences: readonly AttributeDifference[],
  { origin }: DefaultValues = {},
): string {
  const defaults: Readonly<Record<string, string>> = {
    origin: origin === undefined ? 'the fallback origin' : `the fallback origin ${origin}`,
    origin_sni: 'the name in the request',
  };
  return differences
    .map(({ field, from = '-', to = defaults[field] ?? '-' }) => `${field} ${from} -> ${to}`)
    .join(', ');
}

/** Settings of an existing thing that are not as asked for: `method is txt, not http; min_tls is not 1.3`. */
export function unlikeWords(differences: readonly AttributeDifference[]): string {
  return differences
    .map(({ field, from, to }) => `${field} is${from === undefined ? '' : ` ${from},`} not ${to ?? 'absent'}`)
    .join('; ');
}

/** The change to the default authority, which no record shows: which one the platform then chooses (reference, 1.2). */
export function defaultAuthorityWords({ ssl }: CustomHostname): string {
  return `ca ${ssl?.certificate_authority ?? '-'} -> default (google, or lets_encrypt where CAA forbids google)`;
}

const none: Changes = { asks: {}, differences: [] };

function certificateChanges({ ssl = {} }: CustomHostname, asked: MaybeAsked): Changes {
  const { method, authority, wildcard, minimumTls } = asked;
  const isAny = authority === undefined || authority === 'default';
  return together([
    differs('method', ssl.method, method, { method }),
    differs('ca', ssl.certificate_authority, isAny ? undefined : authority, { authority }),
    differs('wildcard', String(ssl.wildcard === true), wildcard?.toString(), { wildcard }),
    differs('min_tls', ssl.settings?.min_tls_version, minimumTls, { minimumTls }),
  ]);
}

function originChanges(record: CustomHostname, { origin, originSni }: MaybeAsked): Changes {
  const { custom_origin_server: server, custom_origin_sni: sni } = record;
  return together([
    differs('origin', named(server), named(origin), { origin }),
    differs('origin_sni', named(sni), named(originSni), { originSni }),
  ]);
}

/** Absent, or asked to be absent, is an empty text; undefined is nothing that is asked. */
function named(name: string | undefined): string | undefined {
  return name === undefined ? undefined : plainName(name);
}

/** One attribute: a difference where something is asked, and something else is there. */
function differs(field: string, from: string | undefined, to: string | undefined, asks: MaybeAsked): Changes {
  if (to === undefined || (from ?? '') === to) return none;
  const given = Object.fromEntries(Object.entries(asks).filter(([, value]) => value !== undefined));
  const sides = { ...(from && { from }), ...(to !== '' && { to }) };
  return { asks: given, differences: [{ field, ...sides }] };
}

function metadataChanges({ custom_metadata: from = {} }: CustomHostname, asked: MaybeAsked): Changes {
  const { metadata: to } = asked;
  if (to === undefined || canonicalJson(from) === canonicalJson(to)) return none;
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
  const differences = names.flatMap((name) => {
    const [was, is] = [memberText(from, name), memberText(to, name)];
    const sides = { ...(was !== undefined && { from: was }), ...(is !== undefined && { to: is }) };
    return was === is ? [] : [{ field: `metadata.${name}`, ...sides }];
  });
  return { asks: { metadata: to }, differences };
}

function memberText(metadata: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (!Object.hasOwn(metadata, name)) return undefined;
  const value = metadata[name];
  return typeof value === 'string' ? value : canonicalJson(value);
}

function together(parts: readonly Changes[]): Changes {
  return {
    asks: Object.assign({}, ...parts.map(({ asks }) => asks)),
    differences: parts.flatMap(({ differences }) => differences),
  };
}
