import type { CaaRecord } from '../dns/dns.ts';
import type { AuthorityChoice, CertificateAuthority } from '../hostnames/hostname.ts';
import type { CaaFacts } from './facts.ts';

/** The issuer domain name by which each authority is named in CAA records. */
export const issuerDomains: Readonly<Record<CertificateAuthority, string>> = {
  google: 'pki.goog',
  lets_encrypt: 'letsencrypt.org',
  ssl_com: 'ssl.com',
  digicert: 'digicert.com',
};

/** The authorities that the platform tries, in its order, when the choice is left to it. */
export const defaultAuthorities: readonly CertificateAuthority[] = ['google', 'lets_encrypt', 'ssl_com'];

/** The authorities that can serve a choice. */
export function authoritiesOf(choice: AuthorityChoice): readonly CertificateAuthority[] {
  return choice === 'default' ? defaultAuthorities : [choice];
}

/** Why a name may or may not be certified. */
export type CaaReason =
  /** No CAA records from the name up to the top-level domain. */
  | 'no-records'
  /** Records, but none that restricts this kind of name. */
  | 'unrestricted'
  | 'authorized'
  /** Others are named, this authority is not. */
  | 'not-listed'
  /** Records that name no authority at all. */
  | 'nobody'
  /** A record of an unknown kind that is marked critical. */
  | 'critical'
  /** Named, but for an account that is not known to be the platform's (RFC 8657, 3). */
  | 'account'
  /** Named, but not for the validation method in use (RFC 8657, 4). */
  | 'method'
  | 'lookup-failed';

export interface CaaVerdict {
  /** `unknown` when the records could not be read: never read as "none". */
  readonly outcome: 'allowed' | 'refused' | 'unknown';
  readonly reason: CaaReason;
}

export interface CaaDecision {
  /** For the hostname itself. */
  readonly base: CaaVerdict;
  /** For `*.` and the hostname. */
  readonly wildcard: CaaVerdict;
  /** The name whose question found records. */
  readonly owner?: string;
  /** The name that really has those records, when the owner is an alias. */
  readonly alias?: string;
  /** The failure, with `lookup-failed`. */
  readonly detail?: string;
}

export type AcmeMethod = 'http-01' | 'dns-01';

export interface CaaIssuer {
  readonly authority: CertificateAuthority;
  /** Methods by which control may be proved; one that is allowed suffices. */
  readonly methods?: readonly AcmeMethod[];
}

/**
 * Whether an authority may certify a name, for itself and as wildcard, by the CAA records that apply
 * (RFC 8659, sections 3 to 4.5; RFC 8657 for the parameters).
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
    base: verdictOf(last.records, 'issue', issuer),
    wildcard: verdictOf(last.records, wildcardTag(last.records), issuer),
    owner: last.owner,
    ...(last.alias !== undefined && { alias: last.alias }),
  };
}

/** Whether every name that a certificate needs may be certified. */
export function caaOutcome(decision: CaaDecision, wildcard: boolean): CaaVerdict {
  if (!wildcard || decision.base.outcome === 'refused') return decision.base;
  return decision.wildcard;
}

/** The authorities of a choice that may certify all names that the certificate needs, in the platform's order. */
export function allowedAuthorities(
  facts: CaaFacts,
  choice: AuthorityChoice,
  wildcard: boolean,
  methods?: readonly AcmeMethod[],
): readonly CertificateAuthority[] {
  return authoritiesOf(choice).filter((authority) => {
    const decision = decideCaa(facts, { authority, ...(methods && { methods }) });
    return caaOutcome(decision, wildcard).outcome === 'allowed';
  });
}

/** Records of an unknown kind marked critical. Let's Encrypt reads 1 as 128, as many have written it so. */
export function criticalUnknown(records: readonly CaaRecord[]): readonly CaaRecord[] {
  return records.filter(
    (record) => (record.flags & 0x81) !== 0 && !knownTags.includes(record.tag.toLowerCase()),
  );
}

const knownTags: readonly string[] = ['issue', 'issuewild', 'iodef'];

/** `issuewild` replaces `issue` for wildcard names as soon as there is one (RFC 8659, 4.3). */
function wildcardTag(records: readonly CaaRecord[]): 'issue' | 'issuewild' {
  return records.some((record) => record.tag.toLowerCase() === 'issuewild') ? 'issuewild' : 'issue';
}

function verdictOf(records: readonly CaaRecord[], tag: string, issuer: CaaIssuer): CaaVerdict {
  if (criticalUnknown(records).length > 0) return { outcome: 'refused', reason: 'critical' };
  const relevant = records.filter((record) => record.tag.toLowerCase() === tag);
  if (relevant.length === 0) return { outcome: 'allowed', reason: 'unrestricted' };
  const properties = relevant.map((record) => parseIssueValue(record.value));
  const named = properties.filter((property) => property?.issuer !== undefined);
  const ours = named.filter((property) => property?.issuer === issuerDomains[issuer.authority]);
  if (ours.length === 0) return { outcome: 'refused', reason: named.length === 0 ? 'nobody' : 'not-listed' };
  const objections = ours.map((property) => objectionTo(property, issuer));
  const objection = objections.includes(undefined) ? undefined : objections[0];
  return objection === undefined
    ? { outcome: 'allowed', reason: 'authorized' }
    : { outcome: 'refused', reason: objection };
}

function objectionTo(property: CaaProperty | undefined, issuer: CaaIssuer): 'account' | 'method' | undefined {
  const values = (tag: string) =>
    (property?.parameters ?? []).filter((one) => one.tag === tag).map((one) => one.value);
  if (values('accounturi').length > 0) return 'account';
  const methods = values('validationmethods');
  if (methods.length === 0) return undefined;
  const allowed = (methods[0] ?? '').split(',');
  const usable = (issuer.methods ?? ['http-01', 'dns-01']).some((method) => allowed.includes(method));
  return methods.length === 1 && usable ? undefined : 'method';
}

/** The value of an `issue` or `issuewild` record, taken apart. Without issuer it authorises nobody. */
interface CaaProperty {
  /** Lower case. */
  readonly issuer?: string;
  /** Tags in lower case, values as written. */
  readonly parameters: readonly { readonly tag: string; readonly value: string }[];
}

const labels = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const issuerName = new RegExp(`^${labels}(?:\\.${labels})*$`, 'i');
const parameter = new RegExp(`^(${labels})[ \\t]*=[ \\t]*([\\x21-\\x3a\\x3c-\\x7e]*)$`, 'i');

/**
 * Reads an issue value by the grammar of RFC 8659, 4.2. A value that does not follow it gives undefined, and then
 * authorises nobody. A lone semicolon behind the issuer is allowed.
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
