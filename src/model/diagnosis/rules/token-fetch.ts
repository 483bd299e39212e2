import { isBeingProved } from '../../hostnames/hostname.ts';
import { truncate } from '../../long-text.ts';
import type { Facts, TokenAnswer } from '../facts.ts';
import type { Finding, Judgement, NextStep, RecordAdvice, Rule } from '../finding.ts';
import { editCommand, refreshCommand } from '../remedy.ts';
import { exactRecord, strayV6 } from './reading.ts';
import { barrier, barrierV6, type FetchedToken, fetchedToken, isToken } from './token-path.ts';
import { delegationAdvice, isDelegatedHere } from './validation.ts';

/** F31 to F36: an obstacle between a certificate authority and the HTTP token. */
export const tokenFetchRules: readonly Rule[] = [
  { id: 'F31', judge: redirected },
  { id: 'F32', judge: challengedVisitor },
  { id: 'F33', judge: otherContent },
  { id: 'F34', judge: oldToken },
  { id: 'F35', judge: redirectedWell },
  { id: 'F36', judge: elsewhereOverV6 },
];

function lines({ url, redirects, status, body }: TokenAnswer): readonly string[] {
  const start = truncate(body.trim(), 80).replace(/\s+/g, ' ');
  return [
    `${[url, ...redirects].join(' \u2192 ')}: ${status}`,
    ...(start === '' ? [] : [`the response starts with: ${start}`]),
  ];
}

/** Returns the first finding about an obstacle between an authority and the HTTP token; undefined if there is none. */
export function tokenFetchFinding(facts: Facts): Judgement {
  for (const { id, judge } of tokenFetchRules) {
    const found = id === 'F35' ? undefined : judge(facts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns `error` while the certificate is pending. Returns `warn` if TXT records currently prove control, or if only the next renewal is
 * affected.
 */
function tokenSeverity(facts: Facts): 'error' | 'warn' {
  const ssl = exactRecord(facts)?.ssl;
  const inService = ssl?.status === 'active' || ssl?.status === 'pending_deployment';
  return inService || (isBeingProved(ssl) && ssl?.method === 'txt') ? 'warn' : 'error';
}

/** Returns the customer's remedy. Appends `next` only if the certificate is waiting for the remedy. */
function unblockTokenPath(
  facts: Facts,
  text: string,
  next: Omit<NextStep, 'text'> = { command: refreshCommand(facts) },
): Pick<Finding, 'severity' | 'who' | 'remedy'> {
  const severity = tokenSeverity(facts);
  const remedy = severity === 'error' ? { ...next, text } : orDelegate(facts, text);
  return { severity, who: 'customer', remedy };
}

/** Adds the delegation as an alternative: TXT values change at each renewal, but a delegation proves control permanently. */
function orDelegate(facts: Facts, text: string): NextStep {
  const records = delegationAdvice(facts);
  const renewed = `${text} Otherwise, the next renewal will fail.`;
  if (records.length === 0) return { text: renewed };
  const byText = exactRecord(facts)?.ssl?.method === 'txt';
  return {
    text: `${renewed} Or validate by TXT, and have the customer delegate validation with this CNAME.`,
    records,
    ...(!byText && { command: editCommand(facts, 'method', 'txt') }),
  };
}

/** Returns the response that an authority gets instead of the token; undefined if a delegation proves control without this path. */
function wrongAnswer(facts: Facts): FetchedToken | undefined {
  const ssl = exactRecord(facts)?.ssl;
  return ssl?.method === 'txt' && isDelegatedHere(facts) ? undefined : barrier(facts);
}

function expectedLine({ wanted }: FetchedToken): readonly string[] {
  return wanted === undefined ? [] : [`expected: ${wanted}`];
}

/**
 * Returns whether redirects lead an authority to another host or path, or form a loop. A redirect from HTTP to HTTPS is not an obstacle.
 */
function redirectsElsewhere({ url, redirects, isCircle }: TokenAnswer): boolean {
  const last = URL.parse(redirects.at(-1) ?? url);
  const first = URL.parse(url);
  return isCircle === true || last?.hostname !== first?.hostname || last?.pathname !== first?.pathname;
}

function redirected(facts: Facts): Judgement {
  const both = wrongAnswer(facts);
  if (both === undefined || both.answer.redirects.length === 0 || !redirectsElsewhere(both.answer))
    return undefined;
  return {
    cause: `The authority cannot fetch the HTTP token: ${both.answer.isCircle === true ? 'redirects form a loop' : 'a redirect points to another host or page'}.`,
    evidence: lines(both.answer),
    ...unblockTokenPath(
      facts,
      "Exclude /.well-known/ from the redirect, wherever it is set: a rule, a worker, or the customer's zone.",
    ),
  };
}

function challengedVisitor(facts: Facts): Judgement {
  const both = wrongAnswer(facts);
  if (both === undefined || redirectsElsewhere(both.answer)) return undefined;
  if (!both.answer.challenged && ![401, 403, 407, 429].includes(both.answer.status)) return undefined;
  return {
    cause: 'The authority cannot fetch the HTTP token: a login or a firewall intercepts the request.',
    evidence: lines(both.answer),
    ...unblockTokenPath(facts, 'Exclude /.well-known/ from the login, the firewall and the bot protection.'),
  };
}

/** Matches strings that look like a token for another order: long, and without spaces. */
const tokenLike = /^[\w-]{20,}(?:\.[\w-]{20,})?$/;

function oldToken(facts: Facts): Judgement {
  const both = wrongAnswer(facts);
  if (both === undefined || redirectsElsewhere(both.answer) || both.answer.status !== 200) return undefined;
  if (!both.answer.cached && !tokenLike.test(both.answer.body.trim())) return undefined;
  return {
    cause: both.answer.cached
      ? 'The authority gets an outdated response for the HTTP token from a cache.'
      : 'The authority gets the HTTP token of an earlier order.',
    evidence: [...lines(both.answer), ...expectedLine(both)],
    ...unblockTokenPath(
      facts,
      'The operator of the server must exclude /.well-known/ from the cache, and purge the cached responses.',
    ),
  };
}

function otherContent(facts: Facts): Judgement {
  const both = wrongAnswer(facts);
  if (both === undefined || redirectsElsewhere(both.answer) || challengedVisitor(facts) || oldToken(facts))
    return undefined;
  return {
    cause: 'The authority cannot fetch the HTTP token: another server or a rule answers at its URL.',
    evidence: [...lines(both.answer), ...expectedLine(both)],
    ...unblockTokenPath(
      facts,
      tokenSeverity(facts) === 'error'
        ? 'Change the server or rule that answers, so that it leaves /.well-known/ to the platform. Alternatively, validate by TXT.'
        : 'Change the server or rule that answers, so that it leaves /.well-known/ to the platform.',
      { command: editCommand(facts, 'method', 'txt') },
    ),
  };
}

function redirectedWell(facts: Facts): Judgement {
  const both = fetchedToken(facts);
  if (both === undefined || both.answer.redirects.length === 0 || !isToken(both.answer, both.wanted))
    return undefined;
  return {
    severity: 'info',
    cause: 'The HTTP token is reached through a redirect, which authorities follow.',
    evidence: lines(both.answer).slice(0, 1),
    who: 'nobody',
    remedy: { text: 'No action needed.' },
  };
}

/**
 * Reports that another server responds over IPv6. Authorities try IPv6 first, so a correct response over IPv4 does not help. A fault that
 * affects both families is reported for IPv4.
 */
function elsewhereOverV6(facts: Facts): Judgement {
  const both = barrierV6(facts);
  if (both === undefined || (exactRecord(facts)?.ssl?.method === 'txt' && isDelegatedHere(facts)))
    return undefined;
  const { answer } = both;
  const [first = '', ...more] = lines(answer);
  const records = strayV6(facts).map(
    (value): RecordAdvice => ({ name: facts.hostname, type: 'AAAA', value, remove: true }),
  );
  const severity = tokenSeverity(facts);
  return {
    severity,
    cause:
      'The authority cannot fetch the HTTP token: authorities use IPv6 first, and another server answers over IPv6.',
    evidence: [
      `over IPv6, at ${answer.address ?? 'its AAAA record'}: ${first}`,
      ...more,
      ...(fetchedToken(facts)?.wanted === undefined ? [] : ['over IPv4: the token']),
    ],
    who: 'customer',
    remedy: {
      text: 'The customer must remove these AAAA records; the edge answers over IPv6 automatically.',
      records,
      ...(severity === 'error' && { command: refreshCommand(facts) }),
    },
  };
}
