import { type CaaRecord, isWithin } from '../../dns/dns.ts';
import { authorityLimit } from '../../hostnames/certificate.ts';
import {
  type AuthorityChoice,
  type CertificateAuthority,
  certificateNames,
  hasCaaError,
  hasCustomCertificate,
  isBeingProved,
  isCertificateAuthority,
} from '../../hostnames/hostname.ts';
import {
  type AcmeMethod,
  allowedAuthorities,
  type CaaDecision,
  type CaaReason,
  type CaaVerdict,
  caaOutcome,
  decideCaa,
  issuerDomains,
  listAuthorities,
} from '../caa.ts';
import { type Facts, ifKnown } from '../facts.ts';
import { type Finding, type RecordAdvice, waitRemedy } from '../finding.ts';
import { editCommand, refreshAfterwards } from '../remedy.ts';
import { exactRecord, minuteMilliseconds } from './reading.ts';

/** The input of the CAA rules: the authority, the names, and the CAA records. */
export interface CaaQuestion {
  readonly choice: AuthorityChoice;
  /** The first authority of the choice that issues for this kind of name. CAA should list this authority. */
  readonly authority: CertificateAuthority;
  readonly wildcard: boolean;
  readonly methods: readonly AcmeMethod[];
  /** The verdict for the first authority of the choice. */
  readonly decision: CaaDecision;
  /** The verdict for all names of the certificate: allowed if at least one authority of the choice is allowed. */
  readonly verdict: CaaVerdict;
}

/** Returns the CAA question for this hostname; undefined if the platform does not order a certificate. */
export function caaQuestion(facts: Facts): CaaQuestion | undefined {
  const record = exactRecord(facts);
  if (record !== undefined && (record.ssl === undefined || hasCustomCertificate(record))) return undefined;
  const named = record?.ssl?.certificate_authority ?? '';
  const choice: AuthorityChoice = isCertificateAuthority(named) ? named : 'default';
  const wildcard = record?.ssl?.wildcard === true;
  const methods: readonly AcmeMethod[] = wildcard ? ['dns-01'] : listMethods(record?.ssl?.method);
  const [authority = 'google'] = usableFor(facts, choice, wildcard);
  const decision = decideCaa(facts.dns.caa, { authority, methods });
  const possible = allowedAuthorities(facts.dns.caa, choice, wildcard, methods).filter((one) =>
    usableFor(facts, choice, wildcard).includes(one),
  );
  const first = caaOutcome(decision, wildcard);
  const verdict: CaaVerdict =
    first.outcome === 'refused' && possible.length > 0 ? { outcome: 'allowed', reason: 'authorized' } : first;
  return { choice, authority, wildcard, methods, decision, verdict };
}

/**
 * Returns the authorities of a choice that issue for this kind of name. If no authority issues for this kind of name, returns all
 * authorities of the choice.
 */
function usableFor(
  { hostname }: Facts,
  choice: AuthorityChoice,
  wildcard: boolean,
): readonly CertificateAuthority[] {
  const all = listAuthorities(choice);
  const names = certificateNames(hostname, wildcard);
  const usable = all.filter((one) => authorityLimit(one, names) === undefined);
  return usable.length > 0 ? usable : all;
}

function listMethods(method: string | undefined): readonly AcmeMethod[] {
  return method === 'http' ? ['http-01'] : ['http-01', 'dns-01'];
}

export function refusedFor(facts: Facts, reason: CaaReason): CaaQuestion | undefined {
  const question = caaQuestion(facts);
  const refused = question?.verdict.outcome === 'refused' && question.verdict.reason === reason;
  return refused ? question : undefined;
}

export function foundRecords(facts: Facts): readonly CaaRecord[] {
  const last = facts.dns.caa.asked.at(-1);
  return last?.outcome === 'records' ? last.records : [];
}

export function formatRecord(record: CaaRecord): string {
  return `${record.flags} ${record.tag} "${record.value}"`;
}

export function recordLines(facts: Facts, decision: CaaDecision): readonly string[] {
  const where =
    decision.alias === undefined
      ? decision.owner
      : `${decision.alias} (through the CNAME of ${decision.owner})`;
  return foundRecords(facts).map((record) => `CAA at ${where}: ${formatRecord(record)}`);
}

/** Returns the severity of a CAA fault. CAA records affect an active certificate only at its renewal. */
export function caaSeverity(facts: Facts): 'error' | 'warn' {
  return exactRecord(facts)?.ssl?.status === 'active' ? 'warn' : 'error';
}

/** Returns the name at which the relevant CAA records can be changed. */
export function recordsOwner(decision: CaaDecision, facts: Facts): string {
  return decision.alias ?? decision.owner ?? facts.hostname;
}

export function listIssuers(choice: AuthorityChoice): string {
  return listAuthorities(choice)
    .map((authority) => issuerDomains[authority])
    .join(', ');
}

export function caaAdvice(name: string, tag: 'issue' | 'issuewild', choice: AuthorityChoice): RecordAdvice {
  const [authority = 'google'] = listAuthorities(choice);
  return { name, type: 'CAA', value: `0 ${tag} "${issuerDomains[authority]}"` };
}

/**
 * Returns whether the fault can be fixed without the customer: with the default choice, the platform would find an authority that the CAA
 * records allow.
 */
function choiceHelps(facts: Facts, question: CaaQuestion): boolean {
  const usable = usableFor(facts, 'default', question.wildcard);
  const open = allowedAuthorities(facts.dns.caa, 'default', question.wildcard, question.methods);
  const refused = facts.history.refusedBy ?? [];
  return open.some((one) => usable.includes(one) && !refused.includes(one)) && question.choice !== 'default';
}

/** Returns whether a name is in the zone that serves the custom hostnames. */
export function isOurs(facts: Facts, name: string): boolean {
  const zone = ifKnown(facts.zone)?.name;
  return zone !== undefined && isWithin(name, zone);
}

/**
 * Returns whether validation was restarted a few minutes ago. Until the platform has read CAA, the hostname record shows the first
 * authority of the default choice. Right after a restart, the record therefore does not show whether the platform has read CAA.
 */
function restartedJustNow(facts: Facts): boolean {
  const record = exactRecord(facts);
  const { refreshedAt } = facts.history;
  if (record === undefined || refreshedAt === undefined || hasCaaError(record)) return false;
  const begun = /^(?:initializing|pending_validation|pending_issuance|pending_deployment)$/;
  return begun.test(record.ssl?.status ?? '') && facts.now - refreshedAt < 5 * minuteMilliseconds;
}

/** Returns whether CAA is still unread for the current order: the platform reads CAA after control of the name is proved. */
function isUnread(facts: Facts): boolean {
  const record = exactRecord(facts);
  return record !== undefined && !hasCaaError(record) && isBeingProved(record.ssl);
}

/** Returns the remedy: we switch to another authority, or the owner of the CAA records adds our authority. */
export function caaRemedy(
  facts: Facts,
  question: CaaQuestion,
  records: readonly RecordAdvice[],
): Pick<Finding, 'who' | 'remedy' | 'fix'> & Partial<Pick<Finding, 'severity'>> {
  const ours = isOurs(facts, recordsOwner(question.decision, facts));
  if (!choiceHelps(facts, question)) {
    const text = `${ours ? 'Add' : 'The customer must add'} this record and keep the others; then restart validation.`;
    return { who: ours ? 'us' : 'customer', remedy: { text, records, ...refreshAfterwards(facts) } };
  }
  if (restartedJustNow(facts)) {
    const text = 'Validation was just restarted; the platform may still choose an authority that CAA allows.';
    return { severity: 'progress', ...waitRemedy(`${text} Check again in a few minutes.`) };
  }
  return {
    // Until the platform has read CAA, the hostname record also shows the first authority of the default choice.
    ...(isUnread(facts) && { severity: 'warn' as const }),
    who: 'us',
    remedy: {
      text: 'Let the platform choose the authority, or ask the customer to add this record and keep the others.',
      records,
      command: editCommand(facts, 'ca', 'default'),
    },
    fix: { kind: 'set-ca', authority: 'default' },
  };
}
