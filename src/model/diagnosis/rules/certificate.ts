import {
  certificateMessages,
  dayMilliseconds,
  hasCaaError,
  hasCustomCertificate,
  isTimedOut,
} from '../../hostnames/hostname.ts';
import { allowedAuthorities } from '../caa.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { Finding, Judgement, Rule } from '../finding.ts';
import { editCommand, refreshCommand } from '../remedy.ts';
import { authorityRefusal, authorityRules } from './authority.ts';
import { caaAdvice } from './caa-question.ts';
import { nearTextRules } from './near-texts.ts';
import {
  arrivesAtEdge,
  exactRecord,
  formatUnits,
  hasExpired,
  hourMilliseconds,
  inService,
  minuteMilliseconds,
  timeSinceValidation,
  timeToExpiry,
} from './reading.ts';
import { tokenFetchRules } from './token-fetch.ts';
import { httpIsBarred } from './token-path.ts';
import { isDelegatedHere, validationRules } from './validation.ts';

/** F1 to F36: the certificate and its lifecycle. */
export const certificateRules: readonly Rule[] = [
  { id: 'F1', judge: noCertificate },
  { id: 'F2', judge: beginning },
  { id: 'F3', judge: stuckAtBeginning },
  ...validationRules,
  { id: 'F15', judge: timedOut },
  ...authorityRules,
  { id: 'F22', judge: beingMade },
  { id: 'F23', judge: renewalDue },
  { id: 'F24', judge: ended },
  { id: 'F25', judge: waitsForZone },
  { id: 'F26', judge: waitsForMail },
  { id: 'F27', judge: staging },
  { id: 'F28', judge: chainChanged },
  ...nearTextRules,
  ...tokenFetchRules,
];

function certificateLine(facts: Facts): string {
  const certificate = exactRecord(facts)?.ssl;
  const end = certificate?.expires_on;
  const verb = end !== undefined && Date.parse(end) <= facts.now ? 'expired' : 'expires';
  return `certificate: ${certificate?.status ?? 'none'}${end === undefined ? '' : `, ${verb} ${end.slice(0, 10)}`}`;
}

function noCertificate(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record === undefined || record.ssl !== undefined || inService(facts)) return undefined;
  return {
    severity: 'warn',
    cause:
      ifKnown(facts.https) === undefined
        ? 'The hostname has no certificate; whether another certificate covers it was not checked.'
        : 'The hostname has no certificate, so it is not served over TLS.',
    evidence: ['the record has no ssl field'],
    who: 'us',
    remedy: { text: 'Order a certificate if TLS is needed.', command: editCommand(facts, 'method', 'http') },
  };
}

function beginning(facts: Facts): Judgement {
  const initializing = exactRecord(facts)?.ssl?.status === 'initializing';
  if (!initializing || (timeSinceValidation(facts) ?? 0) >= 5 * minuteMilliseconds) return undefined;
  return {
    severity: 'progress',
    cause: 'The certificate is being prepared; its tokens are not available yet.',
    evidence: [certificateLine(facts)],
    who: 'nobody',
    remedy: { text: 'Check again in a few seconds.' },
  };
}

function stuckAtBeginning(facts: Facts): Judgement {
  const status = exactRecord(facts)?.ssl?.status;
  const late = status === 'initializing' && (timeSinceValidation(facts) ?? 0) >= 5 * minuteMilliseconds;
  if (!late && status !== 'initializing_timed_out') return undefined;
  const { refreshedAt } = facts.history;
  const cause = 'The certificate is stuck in its first state: the authority has not issued any tokens.';
  if (refreshedAt !== undefined)
    return {
      severity: 'error',
      cause,
      evidence: [
        certificateLine(facts),
        `validation was restarted at ${new Date(refreshedAt).toISOString()}`,
      ],
      who: 'provider',
      remedy: { text: 'Restarting validation has not helped: contact the platform.' },
    };
  return {
    severity: 'error',
    cause,
    evidence: [certificateLine(facts)],
    who: 'us',
    remedy: {
      text: 'Restart validation. If that does not help, contact the platform.',
      command: refreshCommand(facts),
    },
    fix: { kind: 'refresh' },
  };
}

function timedOut(facts: Facts): Judgement {
  const status = exactRecord(facts)?.ssl?.status;
  if (!isTimedOut(status) || status === 'initializing_timed_out') return undefined;
  return {
    severity: 'error',
    cause: `The platform no longer tries to issue the certificate${reasonOfTimeout(facts)}.`,
    evidence: [certificateLine(facts)],
    ...(afterRefusal(facts) ?? {
      who: 'us',
      remedy: {
        text: needsTxtRecords(facts)
          ? 'Restart validation, and give the new TXT tokens to the customer.'
          : `Restart validation${isProvable(facts) ? ': control of the name can now be proved' : ''}.`,
        command: refreshCommand(facts),
      },
      fix: { kind: 'refresh' },
    }),
  };
}

const timeouts: Readonly<Record<string, string>> = {
  validation_timed_out: ': control of the name was not proved in time',
  issuance_timed_out: ': the authority did not issue in time',
  deployment_timed_out: ': the platform did not deploy the certificate in time',
};

function reasonOfTimeout(facts: Facts): string {
  if (needsTxtRecords(facts) && lacksTxtRecords(facts)) return ': its TXT tokens are not in DNS';
  return timeouts[exactRecord(facts)?.ssl?.status ?? ''] ?? '';
}

/** Returns whether control of the name can be proved now. */
function isProvable(facts: Facts): boolean {
  const { status, wildcard } = exactRecord(facts)?.ssl ?? {};
  const isReached = wildcard !== true && arrivesAtEdge(facts) && !httpIsBarred(facts);
  return status === 'validation_timed_out' && (isReached || isDelegatedHere(facts));
}

/** Returns whether TXT records, which the customer must update for each order, are the only way to prove control. */
function needsTxtRecords(facts: Facts): boolean {
  const { status, method, wildcard } = exactRecord(facts)?.ssl ?? {};
  const byText = method === 'txt' && (wildcard === true || !arrivesAtEdge(facts));
  return status === 'validation_timed_out' && byText && !isDelegatedHere(facts);
}

/** Returns whether DNS lacks a TXT value of the order, or has no TXT value at all if the order lists none. */
function lacksTxtRecords(facts: Facts): boolean {
  const wanted = (exactRecord(facts)?.ssl?.validation_records ?? []).flatMap(
    ({ txt_value }) => txt_value ?? [],
  );
  const found = ifKnown(facts.dns.challengeTxt);
  if (found === undefined) return false;
  return wanted.length === 0 ? found.length === 0 : wanted.some((text) => !found.includes(text));
}

function beingMade(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const status = record?.ssl?.status ?? '';
  const making = status === 'pending_issuance' || status === 'pending_deployment';
  if (record === undefined || !making || hasCaaError(record) || authorityRefusal(facts) !== undefined)
    return undefined;
  const late = (timeSinceValidation(facts) ?? 0) > hourMilliseconds;
  return {
    severity: late ? 'warn' : 'progress',
    cause:
      status === 'pending_issuance'
        ? 'The certificate is being issued.'
        : 'The certificate is being deployed.',
    evidence: [certificateLine(facts)],
    who: late ? 'us' : 'nobody',
    remedy: late
      ? { text: 'This step usually takes only minutes: restart validation.', command: refreshCommand(facts) }
      : { text: 'Wait a few minutes.' },
    ...(late && { fix: { kind: 'refresh' as const } }),
  };
}

function renewalDue(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const left = timeToExpiry(facts) ?? Number.POSITIVE_INFINITY;
  const custom = record !== undefined && hasCustomCertificate(record);
  const limit = (custom ? 30 : 25) * dayMilliseconds;
  const status = record?.ssl?.status;
  const due = status === 'pending_expiration' || (status === 'active' && left > 0 && left < limit);
  if (!due || left <= 0) return undefined;
  const days = Number.isFinite(left) ? Math.floor(left / dayMilliseconds) : undefined;
  return {
    severity: 'warn',
    cause: custom
      ? 'The uploaded certificate expires soon; the platform does not renew it.'
      : 'The certificate expires soon and has not been renewed yet.',
    evidence: [certificateLine(facts), ...(days === undefined ? [] : [`${formatUnits(days, 'day')} left`])],
    who: custom ? 'customer' : 'us',
    remedy: custom
      ? { text: 'The customer must provide a new certificate; then upload it.' }
      : {
          text: 'Make sure that the CNAME points here, that CAA allows the authority and, for a wildcard, that the TXT tokens exist.',
          command: refreshCommand(facts),
        },
  };
}

function ended(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const status = record?.ssl?.status ?? '';
  const over = ['expired', 'inactive', 'deactivating'].includes(status);
  if (record === undefined || (!over && !hasExpired(facts))) return undefined;
  const custom = hasCustomCertificate(record);
  const common = {
    severity: 'error',
    cause: 'The certificate has expired, so browsers reject it.',
    evidence: [certificateLine(facts), ...certificateMessages(record)],
  } as const;
  if (custom) {
    const text = 'The customer must provide a new certificate; then upload it.';
    return { ...common, who: 'customer', remedy: { text } };
  }
  const text = 'Restart validation, which orders a new certificate.';
  const refresh = {
    who: 'us',
    remedy: { text, command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  } as const;
  return { ...common, ...(over ? refresh : (afterRefusal(facts) ?? refresh)) };
}

/** Returns advice for an order that the authority refuses. A refresh would only repeat the same order. */
function afterRefusal(facts: Facts): Pick<Finding, 'who' | 'remedy' | 'fix'> | undefined {
  const refusal = authorityRefusal(facts);
  if (refusal === undefined) return undefined;
  const { cause, who, remedy, fix } = refusal;
  return {
    who,
    remedy: { ...remedy, text: `${cause} ${remedy.text}` },
    ...(fix !== undefined && { fix }),
  };
}

function waitsForZone(facts: Facts): Judgement {
  if (exactRecord(facts)?.ssl?.status !== 'holding_deployment') return undefined;
  return {
    severity: 'warn',
    cause: 'The uploaded certificate is not deployed until the zone is active.',
    evidence: [certificateLine(facts)],
    who: 'us',
    remedy: {
      text: "Activate the zone by setting the platform's name servers at the registrar. The certificate is then deployed automatically.",
    },
  };
}

function waitsForMail(facts: Facts): Judgement {
  const certificate = exactRecord(facts)?.ssl;
  if (certificate?.method !== 'email' || certificate.status !== 'pending_validation') return undefined;
  const boxes = (certificate.validation_records ?? []).flatMap((record) => record.emails ?? []);
  return {
    severity: 'progress',
    cause: 'The authority is waiting for a reply to its email.',
    evidence: boxes.map((box) => `sent to ${box}`),
    who: 'customer',
    remedy: { text: 'The customer must follow the link in the email. Alternatively, validate by TXT.' },
  };
}

function staging(facts: Facts): Judgement {
  const status = exactRecord(facts)?.ssl?.status ?? '';
  if (status === 'backup_issued') {
    const cause = 'A backup certificate was issued.';
    const remedy = { text: 'No action needed.' };
    return { severity: 'info', cause, evidence: [certificateLine(facts)], who: 'nobody', remedy };
  }
  if (!status.startsWith('staging_')) return undefined;
  return {
    severity: 'warn',
    cause: 'The uploaded certificate is in the staging environment only, so visitors do not get it.',
    evidence: [certificateLine(facts)],
    who: 'us',
    remedy: {
      text: 'Test the certificate, then push it to production in the dashboard (SSL/TLS, Staging Certificates). No API call can do this.',
    },
  };
}

/** Reports that Let's Encrypt's chain changed on 9 September 2024 (specification, Versioning). */
function chainChanged(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const certificate = record?.ssl;
  const issuer = certificate?.issuer ?? '';
  const custom = record !== undefined && hasCustomCertificate(record);
  const ordered = custom ? undefined : certificate?.certificate_authority;
  // An uploaded certificate was not ordered from an authority, so the authority is recognized by the certificate's issuer.
  const lets = ordered === undefined ? /let.?s ?encrypt|isrg/i.test(issuer) : ordered === 'lets_encrypt';
  if (record === undefined || !lets) return undefined;
  return {
    severity: 'info',
    cause:
      "Devices with Android 7.0 or older have not trusted Let's Encrypt certificates since 9 September 2024.",
    evidence: [ordered === undefined ? `issuer: ${issuer}` : `authority: ${ordered}`],
    ...(custom ? uploadAnother : otherAuthority(facts)),
  };
}

const uploadAnother = {
  who: 'customer',
  remedy: {
    text:
      'The certificate was uploaded, so its authority cannot be changed here. If older devices matter, the customer ' +
      'must provide a certificate from another authority, or a certificate with a chain that these devices trust; then upload it.',
  },
} as const;

/**
 * Returns the advice to replace Let's Encrypt by letting the platform choose an authority. If Let's Encrypt is the first authority that CAA
 * allows, the CAA records must be changed first.
 */
function otherAuthority(facts: Facts): Pick<Finding, 'who' | 'remedy'> {
  const wildcard = exactRecord(facts)?.ssl?.wildcard === true;
  const [first] = allowedAuthorities(facts.dns.caa, 'default', wildcard);
  const command = editCommand(facts, 'ca', 'default');
  if (first !== 'lets_encrypt') {
    const text = 'If older devices matter, let the platform choose the authority (default), or use google.';
    return { who: 'us', remedy: { text, command } };
  }
  const last = facts.dns.caa.asked.at(-1);
  const found = last?.outcome === 'records' ? last : undefined;
  const name = found?.alias ?? found?.owner ?? facts.hostname;
  const wild = found?.records.some(({ tag }) => tag.toLowerCase() === 'issuewild') === true;
  const text =
    'CAA allows only this authority. If older devices matter, the customer must add this record and keep the others; then ' +
    'let the platform choose the authority.';
  const tags = wildcard && wild ? (['issue', 'issuewild'] as const) : (['issue'] as const);
  const records = tags.map((tag) => caaAdvice(name, tag, 'google'));
  return { who: 'customer', remedy: { text, records, command } };
}
