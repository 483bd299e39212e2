import { allowedAuthorities } from '../diagnosis/caa.ts';
import { type Facts, ifKnown } from '../diagnosis/facts.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { editCommand, routeRecords } from '../diagnosis/remedy.ts';
import { authorityRefusal } from '../diagnosis/rules/authority.ts';
import {
  caaAdvice,
  caaQuestion,
  foundRecords,
  isOurs,
  listIssuers,
  recordsOwner,
} from '../diagnosis/rules/caa-question.ts';
import { arrivesAtEdge, exactRecord, readRouting, timeSinceOrder } from '../diagnosis/rules/reading.ts';
import { tokenFetchFinding } from '../diagnosis/rules/token-fetch.ts';
import { delegationAdvice, isDelegatedHere } from '../diagnosis/rules/validation.ts';
import { dayMilliseconds, hasCaaError } from '../hostnames/hostname.ts';
import type { Obstacle, ProofWay } from './ahead.ts';

/** The method by which control will be proved, or the obstacle to the proof. */
export interface ProofAhead {
  readonly method?: ProofWay;
  readonly obstacle?: Obstacle;
}

/**
 * Forecasts how control will be proved at the next renewal (reference, 2.2). Except for wildcards, control is proved over HTTP if the
 * authority reaches our edge, regardless of the chosen method. Otherwise, the chosen method decides; TXT records change at each renewal,
 * unless validation is delegated.
 */
export function proofAhead(facts: Facts): ProofAhead {
  const certificate = exactRecord(facts)?.ssl;
  const wildcard = certificate?.wildcard === true;
  const barred = tokenFetchFinding(facts);
  if (!wildcard && reachesEdge(facts) && barred === undefined) return { method: 'http' };
  if (isDelegatedHere(facts) && certificate?.method === 'txt') return { method: 'delegation' };
  if (certificate?.method === 'email') return { method: 'email', obstacle: byMail };
  if (certificate?.method === 'txt') return byTexts(facts);
  if (wildcard) return { method: 'http', obstacle: wildcardByHttp(facts) };
  return { method: 'http', obstacle: barred === undefined ? notHere(facts) : before(barred) };
}

/**
 * Returns whether an authority that follows DNS reaches our edge. If DNS does not show which zone the hostname points to, the edge's
 * response decides.
 */
function reachesEdge(facts: Facts): boolean {
  if (arrivesAtEdge(facts)) return true;
  return readRouting(facts) === 'edge' && ifKnown(facts.token)?.reachedOrigin === true;
}

/** Converts a finding about the HTTP token path to an obstacle. */
function before({ cause, who, remedy }: Omit<Finding, 'id'>): Obstacle {
  return { known: true, reason: cause, who, remedy };
}

const byMail: Obstacle = {
  known: false,
  reason: "Someone must follow the link in the authority's email.",
  who: 'customer',
  remedy: {
    text: 'The customer must answer the email. Alternatively, validate by TXT and ask the customer to delegate validation.',
  },
};

function byTexts(facts: Facts): ProofAhead {
  const certificate = exactRecord(facts)?.ssl;
  const open = ['pending_validation', 'pending_expiration', 'initializing'].includes(
    certificate?.status ?? '',
  );
  const wanted = (certificate?.validation_records ?? []).flatMap(({ txt_value }) => txt_value ?? []);
  const found = ifKnown(facts.dns.challengeTxt);
  if (open && wanted.length > 0 && found !== undefined && wanted.every((text) => found.includes(text)))
    return { method: 'txt' };
  const unread = open && found === undefined;
  return {
    method: 'txt',
    obstacle: {
      known: !unread,
      reason: unread
        ? 'The TXT tokens cannot be looked up.'
        : 'The TXT tokens change at each renewal, and have not been set.',
      who: 'customer',
      remedy: {
        text: 'The customer must delegate validation with this CNAME, once, instead of setting TXT records at that name.',
        records: delegationAdvice(facts),
      },
    },
  };
}

function wildcardByHttp(facts: Facts): Obstacle {
  return {
    known: true,
    reason: 'A wildcard certificate cannot be validated over HTTP.',
    who: 'us',
    remedy: {
      text: 'Validate by TXT, and ask the customer to delegate validation.',
      command: editCommand(facts, 'method', 'txt'),
    },
  };
}

function notHere(facts: Facts): Obstacle {
  const routing = readRouting(facts);
  const records = routeRecords(facts);
  if (routing === 'edge' || routing === 'unclear') {
    return {
      known: false,
      reason: 'DNS does not show which zone serves the hostname.',
      who: 'customer',
      remedy: { text: 'For the hostname to be served here, the customer must create this record.', records },
    };
  }
  if (routing === 'dangling') {
    const text = 'Create a proxied record for the target in your zone.';
    return {
      known: true,
      reason: 'The hostname points to our target, which does not resolve.',
      who: 'us',
      remedy: { text },
    };
  }
  if (routing === 'unknown') {
    const theirs =
      facts.dns.chain.why === 'servfail' || (ifKnown(facts.dns.targetAddresses.v4) ?? []).length > 0;
    return {
      known: theirs,
      reason: `DNS does not answer for the hostname (${facts.dns.chain.detail ?? 'no answer'}).`,
      who: 'customer',
      remedy: { text: 'The customer must correct the NS records, or the DS record at the registrar.' },
    };
  }
  return {
    known: true,
    reason: 'DNS does not point here, so the authority cannot fetch the token over HTTP.',
    who: 'customer',
    remedy: { text: 'The customer must create this record.', records },
  };
}

/** Returns the authority's refusal of the open order, unless the refusal is expected to end before the platform abandons the order. */
export function refusedAhead(facts: Facts): Obstacle | undefined {
  const refusal = authorityRefusal(facts);
  if (refusal === undefined) return undefined;
  const { id, cause: reason, who, remedy } = refusal;
  const age = timeSinceOrder(facts) ?? 0;
  // Rate limits apply per week, and the platform retries an order for more than a week. A failure at the authority ends within a day or is
  // permanent.
  if (id === 'F16' && age < 7 * dayMilliseconds) return undefined;
  return { known: id !== 'F17' || age >= dayMilliseconds, reason, who, remedy };
}

/** Forecasts which authority will issue, or returns the obstacle. */
export function authorityAhead(
  facts: Facts,
  way: ProofWay | undefined,
): { readonly authority?: string; readonly obstacle?: Obstacle } {
  const question = caaQuestion(facts);
  const record = exactRecord(facts);
  if (question === undefined || record === undefined) return {};
  const methods = way === 'http' ? (['http-01'] as const) : (['dns-01'] as const);
  const { choice, wildcard, decision } = question;
  const named = allowedAuthorities(facts.dns.caa, choice, wildcard, methods)[0];
  if (named !== undefined) return { authority: named };
  if (decision.base.reason === 'lookup-failed') {
    const text = "The customer's DNS provider must answer CAA queries.";
    const reason = `The CAA records cannot be looked up (${decision.detail}), so authorities refuse to issue.`;
    return { obstacle: { known: true, reason, who: 'customer', remedy: { text } } };
  }
  const others = allowedAuthorities(facts.dns.caa, 'default', wildcard, methods);
  const tag =
    wildcard && foundRecords(facts).some((one) => one.tag.toLowerCase() === 'issuewild')
      ? 'issuewild'
      : 'issue';
  const owner = recordsOwner(decision, facts);
  const ours = isOurs(facts, owner);
  if (others.length > 0 && choice !== 'default') {
    return {
      obstacle: {
        // If the choice was left to the platform, the record shows the authority that the platform chose.
        known: hasCaaError(record),
        reason: `CAA at ${owner} does not allow ${listIssuers(choice)}, but it allows other authorities.`,
        who: 'us',
        remedy: {
          text: 'Let the platform choose the authority.',
          command: editCommand(facts, 'ca', 'default'),
        },
      },
    };
  }
  return {
    obstacle: {
      known: true,
      reason: `CAA at ${owner} allows none of the platform's authorities to issue the ${wildcard ? 'wildcard ' : ''}certificate.`,
      who: ours ? 'us' : 'customer',
      remedy: {
        text: `${ours ? 'Add' : 'The customer must add'} this record and keep the others.`,
        records: [caaAdvice(owner, tag, choice)],
      },
    },
  };
}
