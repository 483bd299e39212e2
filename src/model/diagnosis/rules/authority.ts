import { authorityLimit } from '../../hostnames/authority-limits.ts';
import { certificateMessages, certificateNames, hostnameLimits } from '../../hostnames/hostname.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { AdvisedCommand, Finding, Fix, Judgement, Rule, Severity } from '../finding.ts';
import { createCommand, editCommand } from '../remedy.ts';
import { hasExpired, recordOf } from './reading.ts';

/** F16 to F21: messages of the certificate authority, and its limits. */
export const authorityRules: readonly Rule[] = [
  { id: 'F16', judge: limitReached },
  { id: 'F17', judge: authorityFault },
  { id: 'F18', judge: authorityRisk },
  { id: 'F19', judge: authorityDns },
  { id: 'F20', judge: nameTooLong },
  { id: 'F21', judge: authorityCannot },
];

/** The authority's refusal of an order, as the first of these rules says it; undefined where it did not refuse. */
export function authorityRefusal(facts: Facts): Finding | undefined {
  const status = recordOf(facts)?.ssl?.status ?? '';
  if (!['pending_validation', 'pending_issuance', 'issuance_timed_out'].includes(status)) return undefined;
  for (const { id, judge } of authorityRules) {
    const found = judge(facts);
    if (found !== undefined) return { id, ...found };
  }
  return undefined;
}

/** The messages of a certificate that is not in service. */
function complaints(facts: Facts, pattern: RegExp): readonly string[] {
  const record = recordOf(facts);
  return record === undefined ? [] : certificateMessages(record).filter((message) => pattern.test(message));
}

/** Another authority than the one that does not deliver. */
function switchAuthority(facts: Facts): { readonly command: AdvisedCommand; readonly fix: Fix } {
  const authority = recordOf(facts)?.ssl?.certificate_authority === 'google' ? 'lets_encrypt' : 'google';
  return { command: editCommand(facts, 'ca', authority), fix: { kind: 'set-ca', authority } };
}

function complaint(
  facts: Facts,
  pattern: RegExp,
  severity: Severity,
  cause: string,
  text: string,
): Judgement {
  const evidence = complaints(facts, pattern);
  if (evidence.length === 0) return undefined;
  const { command, fix } = switchAuthority(facts);
  return { severity, cause, evidence, who: 'us', remedy: { text, command }, fix };
}

function limitReached(facts: Facts): Judgement {
  return complaint(
    facts,
    /rate.?limit/i,
    'error',
    "The authority's own limit is reached (Let's Encrypt: 5 equal certificates a week).",
    'Wait for a week, or take another authority.',
  );
}

function authorityFault(facts: Facts): Judgement {
  const expired = hasExpired(facts);
  return complaint(
    facts,
    /internal error with certificate authority/i,
    expired ? 'error' : 'warn',
    'The authority has a fault of its own.',
    expired ? 'Take another authority.' : 'Wait for a day; if it lasts, take another authority.',
  );
}

function authorityRisk(facts: Facts): Judgement {
  return complaint(
    facts,
    /potential risk|will not issue|refuses to issue/i,
    'error',
    'The authority has the name on its list of risks and will not issue.',
    'Take another authority, or have the platform ask for the name to be cleared.',
  );
}

function authorityDns(facts: Facts): Judgement {
  const evidence = complaints(facts, /SERVFAIL|dnssec: bogus|DNS lookup/i);
  if (evidence.length === 0) return undefined;
  return {
    severity: 'error',
    cause:
      "The authority could not look up the hostname: the customer's name servers fail, or DNSSEC does not fit.",
    evidence,
    who: 'customer',
    remedy: {
      text: 'The customer corrects the NS records, or the DS record at the registrar (dnsviz.net shows which).',
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
    cause: `A certificate's Common Name has at most ${hostnameLimits.commonName} characters; without provider branding this is refused (1469).`,
    evidence: [...said, `${hostname} has ${hostname.length} characters`],
    who: 'us',
    remedy: {
      text: missing
        ? "Create it with branding: the provider's generic name becomes the Common Name."
        : "Delete it and create it with branding: the provider's generic name becomes the Common Name (tokens change).",
      command: createCommand(facts, true),
    },
    fix: missing ? { kind: 'create', branding: true } : { kind: 'recreate-branding' },
  };
}

function authorityCannot(facts: Facts): Judgement {
  const certificate = recordOf(facts)?.ssl;
  if (certificate === undefined || certificate.status === 'active') return undefined;
  const { hostname } = facts;
  const names = certificateNames(hostname, certificate.wildcard === true);
  const cause = authorityLimit(certificate.certificate_authority, names);
  if (cause === undefined) return undefined;
  const { command, fix } = switchAuthority(facts);
  return {
    severity: 'error',
    cause,
    evidence: [`hostname: ${hostname}`, `authority: ${certificate.certificate_authority}`],
    who: 'us',
    remedy: { text: 'Take another authority.', command },
    fix,
  };
}
