import { plainName } from '../../dns/dns.ts';
import { canonicalJson } from '../../json-object.ts';
import type { ValueOf } from '../../shape.ts';
import { type CustomHostname, hasCustomCertificate } from '../hostname.ts';
import type { HostnameLine } from '../lines.ts';
import type { attributeDifference } from './fleet-shape.ts';

/** The desired attributes of a custom hostname. Omitted attributes may have any value. */
export type AskedAttributes = Omit<HostnameLine, 'hostname'>;

/** Wanted attributes. An attribute that is undefined may have any value, like an omitted attribute. */
type MaybeAsked = { readonly [Name in keyof AskedAttributes]: AskedAttributes[Name] | undefined };

/** An attribute that differs from its desired value. `field` is the name of its column in the file. Strings contain untrusted data. */
export type AttributeDifference = ValueOf<typeof attributeDifference>;

/** The attributes that a change must set, and the differences that it removes. */
export interface Changes {
  readonly asks: AskedAttributes;
  readonly differences: readonly AttributeDifference[];
}

/**
 * Compares a custom hostname with the desired attributes. If the choice of the authority is left to the platform, any authority matches.
 * Branding is not compared, because records do not contain it. If the certificate was uploaded, attributes of managed certificates are
 * ignored.
 */
export function changesFor(record: CustomHostname, asked: MaybeAsked): Changes {
  const certificate = hasCustomCertificate(record) ? none : certificateChanges(record, asked);
  const parts = [certificate, originChanges(record, asked), metadataChanges(record, asked)];
  return {
    asks: Object.assign({}, ...parts.map(({ asks }) => asks)),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

/** The values that the platform uses for attributes that are set to their default. */
export interface DefaultValues {
  /** The fallback origin, if known. */
  readonly origin?: string | undefined;
}

/** Formats differences: `ca google -> lets_encrypt`. A hostname without its own origin uses the fallback origin. */
export function formatDifferences(
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

/** Describes the settings of an existing item that differ from the requested settings: `method is txt, not http; min_tls is not 1.3`. */
export function describeDifferences(differences: readonly AttributeDifference[]): string {
  return differences
    .map(({ field, from, to }) => `${field} is${from === undefined ? '' : ` ${from},`} not ${to ?? 'absent'}`)
    .join('; ');
}

/**
 * Describes the change to the default authority. With the default, the platform chooses, and the record shows only the chosen authority
 * (reference, 1.2).
 */
export function describeDefaultAuthority({ ssl }: CustomHostname): string {
  return `ca ${ssl?.certificate_authority ?? '-'} -> default (google, or lets_encrypt if CAA forbids google)`;
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

/** Returns an empty string for an absent attribute, or for a request to remove it; undefined if nothing is requested. */
function named(name: string | undefined): string | undefined {
  return name === undefined ? undefined : plainName(name);
}

/** Compares one attribute, which differs if a value is requested and the current value is not equal to that value. */
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
