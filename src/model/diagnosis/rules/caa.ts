import { certificateMessages, hasCaaError } from '../../hostnames/hostname.ts';
import { capitalize } from '../../sentence.ts';
import { allowedAuthorities, criticalUnknown, defaultAuthorities } from '../caa.ts';
import type { Facts } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { refreshAfterwards, refreshCommand } from '../remedy.ts';
import {
  caaAdvice,
  caaQuestion,
  caaRemedy,
  caaSeverity,
  formatRecord,
  foundRecords,
  isOurs,
  listIssuers,
  recordLines,
  recordsOwner,
  refusedFor,
} from './caa-question.ts';
import { addressList, exactRecord } from './reading.ts';

/** E0 to E12: whether CAA records allow the certificate. */
export const caaRules: readonly Rule[] = [
  { id: 'E0', judge: refusedUnseen },
  { id: 'E1', judge: free },
  { id: 'E2', judge: allowed },
  { id: 'E3', judge: notListed },
  { id: 'E4', judge: wildcardNotListed },
  { id: 'E5', judge: nobodyListed },
  { id: 'E6', judge: criticalTag },
  { id: 'E7', judge: restricted },
  { id: 'E8', judge: atTheTarget },
  { id: 'E9', judge: unreadable },
  { id: 'E10', judge: allowedByNow },
  { id: 'E11', judge: renewalRisk },
  { id: 'E12', judge: perspectives },
];

function refusedUnseen(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const question = caaQuestion(facts);
  if (record === undefined || !hasCaaError(record) || question?.verdict.outcome !== 'unknown')
    return undefined;
  return {
    severity: 'error',
    cause: 'CAA records prevented the authority from issuing the certificate (caa_error).',
    evidence: [
      ...certificateMessages(record),
      `CAA at ${question.decision.owner}: ${question.decision.detail}`,
    ],
    who: 'customer',
    remedy: {
      text: `The records cannot be read from here. The customer must make sure that the records allow ${listIssuers(question.choice)}.`,
    },
  };
}

function free(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  const reason = question?.verdict.reason;
  if (reason !== 'no-records' && reason !== 'unrestricted') return undefined;
  return {
    severity: 'ok',
    cause: 'No CAA record restricts which authorities may issue certificates.',
    evidence: facts.dns.caa.asked.map((answer) => `CAA at ${answer.owner}: ${answer.outcome}`),
    who: 'nobody',
    remedy: { text: 'No action needed.' },
  };
}

function allowed(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  if (question?.verdict.reason !== 'authorized') return undefined;
  return {
    severity: 'ok',
    cause: 'The CAA records allow the authority.',
    evidence: recordLines(facts, question.decision),
    who: 'nobody',
    remedy: { text: 'No action needed.' },
  };
}

function notListed(facts: Facts): Judgement {
  const question = refusedFor(facts, 'not-listed');
  if (question === undefined || question.decision.alias !== undefined) return undefined;
  if (question.decision.base.outcome !== 'refused') return undefined;
  const { choice, decision } = question;
  return {
    severity: caaSeverity(facts),
    cause: caaCause(facts, `the CAA records list other authorities, not ${listIssuers(choice)}.`),
    evidence: recordLines(facts, decision),
    ...caaRemedy(facts, question, [caaAdvice(recordsOwner(decision, facts), 'issue', question.authority)]),
  };
}

function wildcardNotListed(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  if (question === undefined || !question.wildcard || question.verdict.outcome !== 'refused')
    return undefined;
  const { decision } = question;
  if (decision.base.outcome !== 'allowed' || decision.wildcard.outcome !== 'refused') return undefined;
  return {
    severity: caaSeverity(facts),
    cause: caaCause(
      facts,
      'CAA allows the hostname, but not its wildcard: issuewild records list other authorities.',
    ),
    evidence: recordLines(facts, decision),
    ...caaRemedy(facts, question, [
      caaAdvice(recordsOwner(decision, facts), 'issuewild', question.authority),
    ]),
  };
}

function nobodyListed(facts: Facts): Judgement {
  const question = refusedFor(facts, 'nobody');
  if (question === undefined || question.decision.base.outcome !== 'refused') return undefined;
  const { decision } = question;
  return {
    severity: caaSeverity(facts),
    cause: caaCause(facts, 'the CAA records allow no authority.'),
    evidence: recordLines(facts, decision),
    ...caaRemedy(facts, question, [caaAdvice(recordsOwner(decision, facts), 'issue', question.authority)]),
  };
}

function criticalTag(facts: Facts): Judgement {
  const question = refusedFor(facts, 'critical');
  if (question === undefined) return undefined;
  const name = recordsOwner(question.decision, facts);
  const records = criticalUnknown(foundRecords(facts));
  return {
    severity: caaSeverity(facts),
    cause: caaCause(
      facts,
      'a CAA record with an unknown tag is marked critical, so every authority must refuse to issue.',
    ),
    evidence: records.map((record) => `CAA at ${name}: ${formatRecord(record)}`),
    who: 'customer',
    remedy: {
      text: 'The customer must remove this record; then restart validation.',
      records: records.map((record) => ({ name, type: 'CAA', value: formatRecord(record), remove: true })),
      ...refreshAfterwards(facts),
    },
  };
}

function restricted(facts: Facts): Judgement {
  const question = refusedFor(facts, 'account') ?? refusedFor(facts, 'method');
  if (question === undefined) return undefined;
  const { decision, verdict } = question;
  const account = verdict.reason === 'account';
  return {
    severity: account && !isRefused(facts) ? 'warn' : caaSeverity(facts),
    cause: account
      ? "The CAA records allow the authority for one account only (accounturi), which might not be the platform's account."
      : caaCause(
          facts,
          'the CAA records allow the authority for other validation methods only (validationmethods).',
        ),
    evidence: recordLines(facts, decision),
    ...caaRemedy(facts, question, [caaAdvice(recordsOwner(decision, facts), 'issue', question.authority)]),
  };
}

/** Returns the cause, prefixed with `caa_error` if the platform reports that error. */
function caaCause(facts: Facts, text: string): string {
  return isRefused(facts) ? `caa_error: ${text}` : capitalize(text);
}

/** Returns whether the platform reports that CAA prevented the authority from issuing. */
function isRefused(facts: Facts): boolean {
  const record = exactRecord(facts);
  return record !== undefined && hasCaaError(record);
}

function atTheTarget(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  if (question?.verdict.outcome !== 'refused' || question.decision.alias === undefined) return undefined;
  const { alias } = question.decision;
  const ours = isOurs(facts, alias);
  return {
    severity: caaSeverity(facts),
    cause: caaCause(
      facts,
      `the relevant CAA records are those of the CNAME's target ${alias}, not the customer's.`,
    ),
    evidence: recordLines(facts, question.decision),
    who: ours ? 'us' : 'customer',
    remedy: {
      text: `${ours ? 'Correct the CAA records of your zone' : `The owner of ${alias} must correct the CAA records there`}; then restart validation.`,
      records: [caaAdvice(alias, 'issue', question.authority)],
      ...refreshAfterwards(facts),
    },
  };
}

function unreadable(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  if (question?.verdict.outcome !== 'unknown') return undefined;
  if (addressList(facts.dns.addresses).length === 0 && facts.dns.chain.hops.length === 0) return undefined;
  const isServed = exactRecord(facts)?.ssl?.status === 'active';
  return {
    severity: caaSeverity(facts),
    cause: 'The CAA lookup fails although the name resolves, so authorities refuse to issue.',
    evidence: [`CAA at ${question.decision.owner}: ${question.decision.detail}`],
    who: 'customer',
    remedy: {
      text: `The customer's DNS provider must answer CAA queries, even if no CAA records exist${isServed ? '' : '; then restart validation'}.`,
      ...(!isServed && refreshAfterwards(facts)),
    },
  };
}

function allowedByNow(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record === undefined || !hasCaaError(record) || caaQuestion(facts)?.verdict.outcome !== 'allowed')
    return undefined;
  return {
    severity: 'progress',
    cause: 'CAA now allows the authority; caa_error is from an earlier check.',
    evidence: [`status: ${record.status}`, ...certificateMessages(record)],
    who: 'us',
    remedy: { text: 'Restart validation to check again now.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function renewalRisk(facts: Facts): Judgement {
  const question = caaQuestion(facts);
  if (question?.verdict.reason !== 'authorized') return undefined;
  const open = allowedAuthorities(facts.dns.caa, 'default', question.wildcard, question.methods);
  if (open.length !== 1) return undefined;
  const missing = defaultAuthorities.filter((authority) => !open.includes(authority));
  const name = recordsOwner(question.decision, facts);
  return {
    severity: question.choice === 'default' ? 'warn' : 'info',
    cause: 'CAA allows only one authority; a renewal by another authority would fail.',
    evidence: recordLines(facts, question.decision),
    who: 'customer',
    remedy: {
      text: 'The customer must add CAA records for other authorities, so that the platform can choose.',
      records: missing.map((authority) => caaAdvice(name, 'issue', authority)),
    },
  };
}

function perspectives(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const messages = record === undefined ? [] : certificateMessages(record);
  const said = messages.filter((message) => /multiple perspective|multi-perspective|\bMPIC\b/i.test(message));
  if (said.length === 0) return undefined;
  return {
    severity: 'error',
    cause: 'The authority gets different DNS answers in different parts of the world.',
    evidence: said,
    who: 'customer',
    remedy: {
      text: 'The customer must make DNS return the same records everywhere: no filtering by region, and identical data on all name servers.',
    },
  };
}
