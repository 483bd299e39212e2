import { authorityLimit } from '../../hostnames/certificate.ts';
import {
  type CertificateAuthority,
  certificateMessages,
  certificateNames,
  dayMilliseconds,
  hostnameLimits,
  refusals,
} from '../../hostnames/hostname.ts';
import { allowedAuthorities } from '../caa.ts';
import { type Facts, ifKnown } from '../facts.ts';
import { type Finding, type Judgement, type Rule, waitRemedy } from '../finding.ts';
import { createCommand, editCommand, refreshCommand } from '../remedy.ts';
import { caaAdvice, isOurs } from './caa-question.ts';
import { exactRecord, inService, orderedAt } from './reading.ts';

/** F16 to F21: the certificate authority's messages and limits. */
export const authorityRules: readonly Rule[] = [
  { id: 'F16', judge: limitReached },
  { id: 'F17', judge: authorityFault },
  { id: 'F18', judge: authorityRisk },
  { id: 'F19', judge: authorityDns },
  { id: 'F20', judge: nameTooLong },
  { id: 'F21', judge: authorityCannot },
];

/** Returns the finding of the first rule that explains why the authority refused an order; undefined if the authority did not refuse. */
export function authorityRefusal(facts: Facts): Finding | undefined {
  const status = exactRecord(facts)?.ssl?.status ?? '';
  if (!['pending_validation', 'pending_issuance', 'issuance_timed_out'].includes(status)) return undefined;
  for (const { id, judge } of authorityRules) {
    const found = judge(facts);
    if (found !== undefined) return { id, ...found };
  }
  return undefined;
}

/** Returns the platform's messages about a certificate that is not active. */
function complaints(facts: Facts, pattern: RegExp): readonly string[] {
  const record = exactRecord(facts);
  return record === undefined ? [] : certificateMessages(record).filter((message) => pattern.test(message));
}

/** Another authority, and whether CAA allows that authority to issue. */
interface Alternative {
  readonly authority: CertificateAuthority;
  readonly isAllowed: boolean;
}

/**
 * Returns the authority to use instead of the current authority. Excludes authorities that have already refused or that never issue for
 * this kind of name. Prefers authorities that CAA allows. Returns undefined if the plan does not allow the choice of an authority (1459).
 */
function findAlternative(facts: Facts): Alternative | undefined {
  const { ssl } = exactRecord(facts) ?? {};
  const plan = ifKnown(facts.plan);
  if (plan !== undefined && plan !== 'enterprise') return undefined;
  const wildcard = ssl?.wildcard === true;
  const names = certificateNames(facts.hostname, wildcard);
  const tried: readonly (string | undefined)[] = [
    ssl?.certificate_authority,
    ...(facts.history.refusedBy ?? []),
  ];
  const left = orderable.filter((one) => !tried.includes(one) && authorityLimit(one, names) === undefined);
  const [allowed] = left.filter((one) => allowedAuthorities(facts.dns.caa, one, wildcard).length > 0);
  const [authority] = allowed === undefined ? left : [allowed];
  // Unreadable CAA records do not forbid anything, but adding a record to unknown records may break other certificates.
  const isUnread = facts.dns.caa.asked.at(-1)?.outcome === 'failed';
  return authority === undefined ? undefined : { authority, isAllowed: allowed !== undefined || isUnread };
}

/** The authorities that a request can specify, and that every plan with a choice of authorities supports. */
const orderable: readonly CertificateAuthority[] = ['google', 'lets_encrypt'];

/** Returns the advice to switch to another authority; undefined if there is no other authority. */
function switchAuthority(facts: Facts): Pick<Finding, 'who' | 'remedy' | 'fix'> | undefined {
  const other = findAlternative(facts);
  if (other === undefined) return undefined;
  const { authority, isAllowed } = other;
  const command = editCommand(facts, 'ca', authority);
  if (isAllowed)
    return {
      who: 'us',
      remedy: { text: 'Use another authority.', command },
      fix: { kind: 'set-ca', authority },
    };
  const last = facts.dns.caa.asked.at(-1);
  const owner = last?.outcome === 'records' ? (last.alias ?? last.owner) : facts.hostname;
  const tags = exactRecord(facts)?.ssl?.wildcard === true ? wildcardTags(facts) : (['issue'] as const);
  const ours = isOurs(facts, owner);
  return {
    who: ours ? 'us' : 'customer',
    remedy: {
      text: ours
        ? 'To allow another authority, add this CAA record to your zone; then use that authority.'
        : 'To allow another authority, the customer must add this CAA record and keep the others; then use that authority.',
      records: tags.map((tag) => caaAdvice(owner, tag, authority)),
      command,
    },
  };
}

function wildcardTags(facts: Facts): readonly ('issue' | 'issuewild')[] {
  const last = facts.dns.caa.asked.at(-1);
  const wild =
    last?.outcome === 'records' && last.records.some(({ tag }) => tag.toLowerCase() === 'issuewild');
  return wild ? ['issue', 'issuewild'] : ['issue'];
}

function complaint(
  facts: Facts,
  pattern: RegExp,
  cause: string,
  otherwise: Pick<Finding, 'who' | 'remedy' | 'fix'>,
): Judgement {
  const evidence = complaints(facts, pattern);
  if (evidence.length === 0) return undefined;
  const severity = inService(facts) ? 'warn' : otherwise.who === 'nobody' ? 'progress' : 'error';
  const other = switchAuthority(facts);
  if (other !== undefined)
    return { severity: inService(facts) ? 'warn' : 'error', cause, evidence, ...other };
  return { severity, cause, evidence, ...otherwise };
}

function limitReached(facts: Facts): Judgement {
  return complaint(
    facts,
    refusals.limit,
    "The authority's own limit is reached (Let's Encrypt: 5 identical certificates per week).",
    waitThenRestart(facts, 7, {
      early: 'Wait until the limit expires, at most a week. The platform retries automatically.',
      late: 'The limit has lasted for more than a week: contact the platform.',
    }),
  );
}

function authorityFault(facts: Facts): Judgement {
  return complaint(
    facts,
    refusals.fault,
    'The authority reports an internal error.',
    waitThenRestart(facts, 1, {
      early: 'Wait a day: the platform retries automatically.',
      late: 'The error has lasted for more than a day: contact the platform.',
    }),
  );
}

/**
 * Returns advice with three steps: wait a few days; restart validation, because the platform's next attempt can be hours away; contact the
 * provider.
 */
function waitThenRestart(
  facts: Facts,
  days: number,
  { early, late }: { readonly early: string; readonly late: string },
): Pick<Finding, 'who' | 'remedy' | 'fix'> {
  const { refusedAt = facts.now, refreshedAt = 0 } = facts.history;
  const lastedAt = Math.max(refusedAt, (orderedAt(facts) ?? facts.now) + days * dayMilliseconds);
  if (facts.now < lastedAt) return waitRemedy(early);
  if (refreshedAt >= lastedAt) return { who: 'provider', remedy: { text: late } };
  return {
    who: 'us',
    remedy: { text: 'Restart validation to retry now.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function authorityRisk(facts: Facts): Judgement {
  return complaint(
    facts,
    refusals.risk,
    'The authority lists the name as high risk and will not issue a certificate.',
    {
      who: 'provider',
      remedy: {
        text: 'Ask the platform to have the authority clear the name; then restart validation.',
        command: refreshCommand(facts),
      },
    },
  );
}

function authorityDns(facts: Facts): Judgement {
  const evidence = complaints(facts, /SERVFAIL|dnssec: bogus|DNS lookup/i);
  if (evidence.length === 0) return undefined;
  const isReadable = facts.dns.chain.end !== 'unknown' && facts.dns.caa.asked.at(-1)?.outcome !== 'failed';
  if (isReadable && facts.history.refreshedAt === undefined)
    return {
      severity: 'error',
      cause: 'The authority could not look up the hostname in its last attempt, but DNS answers now.',
      evidence,
      who: 'us',
      remedy: { text: 'Restart validation to repeat the lookup.', command: refreshCommand(facts) },
      fix: { kind: 'refresh' },
    };
  return {
    severity: 'error',
    cause:
      "The authority could not look up the hostname: the customer's name servers fail, or DNSSEC is misconfigured.",
    evidence,
    who: 'customer',
    remedy: {
      text: 'The customer must correct the NS records, or the DS record at the registrar (dnsviz.net shows which record is wrong).',
    },
  };
}

function nameTooLong(facts: Facts): Judgement {
  const said = complaints(facts, /common name.*too long|branding is required|\b1469\b/i);
  const { hostname } = facts;
  const missing = ifKnown(facts.record) === null && ifKnown(facts.wildcardRecord) === null;
  const long = missing && hostname.length > hostnameLimits.commonName;
  if (said.length === 0 && !long) return undefined;
  return {
    severity: 'error',
    cause: `A certificate's Common Name can be at most ${hostnameLimits.commonName} characters long; longer names require provider branding (1469).`,
    evidence: [...said, `${hostname} has ${hostname.length} characters`],
    who: 'us',
    remedy: {
      text: missing
        ? "Create the hostname with branding: the provider's generic name becomes the Common Name."
        : "Delete the hostname and create it again with branding: the provider's generic name becomes the Common Name (the tokens change).",
      command: createCommand(facts, true),
    },
    fix: missing ? { kind: 'create', branding: true } : { kind: 'recreate-branding' },
  };
}

function authorityCannot(facts: Facts): Judgement {
  const certificate = exactRecord(facts)?.ssl;
  if (certificate === undefined || certificate.status === 'active') return undefined;
  const { hostname } = facts;
  const names = certificateNames(hostname, certificate.wildcard === true);
  const cause = authorityLimit(certificate.certificate_authority, names);
  if (cause === undefined) return undefined;
  const other = switchAuthority(facts);
  if (other === undefined) return undefined;
  return {
    severity: 'error',
    cause,
    evidence: [`hostname: ${hostname}`, `authority: ${certificate.certificate_authority}`],
    ...other,
  };
}
