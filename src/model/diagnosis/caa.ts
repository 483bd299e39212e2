import type { CaaRecord } from '../dns/dns.ts';
import type { AuthorityChoice, CertificateAuthority } from '../hostnames/hostname.ts';
import type { CaaFacts } from './facts.ts';

/** Each authority's issuer domain name in CAA records. */
export const issuerDomains: Readonly<Record<CertificateAuthority, string>> = {
  google: 'pki.goog',
  lets_encrypt: 'letsencrypt.org',
  ssl_com: 'ssl.com',
  digicert: 'digicert.com',
};

/** The authorities that the platform tries, in order, if the choice is left to the platform. */
export const defaultAuthorities: readonly CertificateAuthority[] = ['google', 'lets_encrypt', 'ssl_com'];

/** Returns the authorities that the given choice permits. */
export function listAuthorities(choice: AuthorityChoice): readonly CertificateAuthority[] {
  return choice === 'default' ? defaultAuthorities : [choice];
}

/** The reason why CAA allows or forbids a certificate for a name. */
export type CaaReason =
  /** No CAA records from the name up to the top-level domain. */
  | 'no-records'
  /** Records exist, but they do not restrict this kind of name. */
  | 'unrestricted'
  | 'authorized'
  /** Other authorities are listed, but not this authority. */
  | 'not-listed'
  /** Records that do not list any authority. */
  | 'nobody'
  /** A critical record of an unknown kind. */
  | 'critical'
  /** The authority is listed, but for an account that is not known to be the platform's (RFC 8657, 3). */
  | 'account'
  /** The authority is listed, but not for the validation method in use (RFC 8657, 4). */
  | 'method'
  | 'lookup-failed';

export interface CaaVerdict {
  /** `unknown` if the records could not be read. Never treat `unknown` as "no records". */
  readonly outcome: 'allowed' | 'refused' | 'unknown';
  readonly reason: CaaReason;
}

export interface CaaDecision {
  /** The verdict for the hostname itself. */
  readonly base: CaaVerdict;
  /** The verdict for the wildcard name: `*.` followed by the hostname. */
  readonly wildcard: CaaVerdict;
  /** The name at which records were found. */
  readonly owner?: string;
  /** The alias target that has the records; absent if the owner is not an alias. */
  readonly alias?: string;
  /** A description of the failure, if the reason is `lookup-failed`. */
  readonly detail?: string;
}

export type AcmeMethod = 'http-01' | 'dns-01';

export interface CaaIssuer {
  readonly authority: CertificateAuthority;
  /** Validation methods that may prove control; one permitted method is enough. */
  readonly methods?: readonly AcmeMethod[];
}

/**
 * Decides from the applicable CAA records whether an authority may issue a certificate for a name and its wildcard (RFC 8659, sections 3 to
 * 4.5; RFC 8657 for the parameters).
 */
export function decideCaa(facts: CaaFacts, issuer: CaaIssuer): CaaDecision {
  const last = facts.asked.at(-1);
  if (last?.outcome === 'failed') {
    const verdict: CaaVerdict = { outcome: 'unknown', reason: 'lookup-failed' };
    return { base: verdict, wildcard: verdict, owner: last.owner, detail: last.detail };
  }
  if (last?.outcome !== 'records') {
    const verdict: CaaVerdict = { outcome: 'allowed', reason: 'no-records' };
    return { base: verdict, wildcard: verdict };
  }
  return {
    base: decideKind(last.records, 'issue', issuer),
    wildcard: decideKind(last.records, wildcardTag(last.records), issuer),
    owner: last.owner,
    ...(last.alias !== undefined && { alias: last.alias }),
  };
}

/** Returns the verdict for all names that the certificate needs. */
export function caaOutcome(decision: CaaDecision, wildcard: boolean): CaaVerdict {
  if (!wildcard || decision.base.outcome === 'refused') return decision.base;
  return decision.wildcard;
}

/** Returns the authorities of a choice that may issue for all names of the certificate, in the platform's order. */
export function allowedAuthorities(
  facts: CaaFacts,
  choice: AuthorityChoice,
  wildcard: boolean,
  methods?: readonly AcmeMethod[],
): readonly CertificateAuthority[] {
  return listAuthorities(choice).filter((authority) => {
    const decision = decideCaa(facts, { authority, ...(methods && { methods }) });
    return caaOutcome(decision, wildcard).outcome === 'allowed';
  });
}

/** Returns the critical records of an unknown kind. Treats flag 1 as 128, as Let's Encrypt does, because 1 is a common mistake for 128. */
export function criticalUnknown(records: readonly CaaRecord[]): readonly CaaRecord[] {
  return records.filter(
    (record) => (record.flags & 0x81) !== 0 && !knownTags.includes(record.tag.toLowerCase()),
  );
}

const knownTags: readonly string[] = ['issue', 'issuewild', 'iodef'];

/** Returns the tag that applies to wildcard names: `issuewild` if the record set contains it, and otherwise `issue` (RFC 8659, 4.3). */
function wildcardTag(records: readonly CaaRecord[]): 'issue' | 'issuewild' {
  return records.some((record) => record.tag.toLowerCase() === 'issuewild') ? 'issuewild' : 'issue';
}

function decideKind(records: readonly CaaRecord[], tag: string, issuer: CaaIssuer): CaaVerdict {
  if (criticalUnknown(records).length > 0) return { outcome: 'refused', reason: 'critical' };
  const relevant = records.filter((record) => record.tag.toLowerCase() === tag);
  if (relevant.length === 0) return { outcome: 'allowed', reason: 'unrestricted' };
  const properties = relevant.map((record) => parseIssueValue(record.value));
  const named = properties.filter((property) => property?.issuer !== undefined);
  const ours = named.filter((property) => property?.issuer === issuerDomains[issuer.authority]);
  if (ours.length === 0) return { outcome: 'refused', reason: named.length === 0 ? 'nobody' : 'not-listed' };
  const objections = ours.map((property) => findObjection(property, issuer));
  const objection = objections.includes(undefined) ? undefined : objections[0];
  return objection === undefined
    ? { outcome: 'allowed', reason: 'authorized' }
    : { outcome: 'refused', reason: objection };
}

function findObjection(
  property: CaaProperty | undefined,
  issuer: CaaIssuer,
): 'account' | 'method' | undefined {
  const values = (tag: string) =>
    (property?.parameters ?? []).filter((one) => one.tag === tag).map((one) => one.value);
  if (values('accounturi').length > 0) return 'account';
  const methods = values('validationmethods');
  if (methods.length === 0) return undefined;
  const allowed = (methods[0] ?? '').split(',');
  const usable = (issuer.methods ?? ['http-01', 'dns-01']).some((method) => allowed.includes(method));
  return methods.length === 1 && usable ? undefined : 'method';
}

/** The parsed value of an `issue` or `issuewild` record. A value without an issuer does not authorize any authority. */
interface CaaProperty {
  /** The issuer's domain name, in lower case. */
  readonly issuer?: string;
  /** Tags in lower case, values as written. */
  readonly parameters: readonly { readonly tag: string; readonly value: string }[];
}

const labels = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const issuerName = new RegExp(`^${labels}(?:\\.${labels})*$`, 'i');
const parameter = new RegExp(`^(${labels})[ \\t]*=[ \\t]*([\\x21-\\x3a\\x3c-\\x7e]*)$`, 'i');

/**
 * Parses an issue value by the grammar of RFC 8659, 4.2. Returns undefined for an invalid value, which does not authorize any authority.
 * Allows a lone semicolon after the issuer.
 */
export function parseIssueValue(value: string): CaaProperty | undefined {
  const [first = '', ...rest] = value.split(';').map(trimBlanks);
  if (first !== '' && !issuerName.test(first)) return undefined;
  const written = rest.length === 1 && rest[0] === '' ? [] : rest;
  const matches = written.map((text) => parameter.exec(text));
  if (matches.includes(null)) return undefined;
  return {
    ...(first !== '' && { issuer: first.toLowerCase() }),
    parameters: matches.map((match) => ({ tag: (match?.[1] ?? '').toLowerCase(), value: match?.[2] ?? '' })),
  };
}

function trimBlanks(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
