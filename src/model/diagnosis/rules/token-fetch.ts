import { beginningOf } from '../../long-text.ts';
import { type Facts, ifKnown, type TokenAnswer } from '../facts.ts';
import type { Finding, Judgement, RecordAdvice, Rule } from '../finding.ts';
import { editCommand, refreshCommand } from '../remedy.ts';
import { recordOf, strayV6 } from './reading.ts';

/** F31 to F36: the URL of the HTTP token as a certificate authority finds it, where something stands before it. */
export const tokenFetchRules: readonly Rule[] = [
  { id: 'F31', judge: redirected },
  { id: 'F32', judge: guarded },
  { id: 'F33', judge: otherContent },
  { id: 'F34', judge: oldToken },
  { id: 'F35', judge: redirectedWell },
  { id: 'F36', judge: elsewhereOverV6 },
];

/** The token as it was found, and as it is wanted. Undefined where it is not known, or not waited for. */
function fetched(
  facts: Facts,
  found = facts.token,
): { readonly answer: TokenAnswer; readonly wanted: string } | undefined {
  const answer = ifKnown(found);
  const records = recordOf(facts)?.ssl?.validation_records ?? [];
  const wanted = records.find((one) => one.http_url === answer?.url)?.http_body;
  return answer === undefined || wanted === undefined ? undefined : { answer, wanted };
}

/** As `fetched`, where what was found is not the token. */
function wrongly(facts: Facts): ReturnType<typeof fetched> {
  const both = fetched(facts);
  return both === undefined || isToken(both.answer, both.wanted) ? undefined : both;
}

function isToken({ status, body }: TokenAnswer, wanted: string): boolean {
  return status === 200 && body.trim() === wanted;
}

function lines({ url, redirects, status, body }: TokenAnswer): readonly string[] {
  const start = beginningOf(body.trim(), 80).replace(/\s+/g, ' ');
  return [
    `${[url, ...redirects].join(' \u2192 ')}: ${status}`,
    ...(start === '' ? [] : [`it begins with: ${start}`]),
  ];
}

function outOfTheWay(facts: Facts, text: string): Pick<Finding, 'severity' | 'who' | 'remedy'> {
  return { severity: 'error', who: 'customer', remedy: { text, command: refreshCommand(facts) } };
}

/** A redirect within the hostname, as from HTTP to HTTPS, is allowed; the authority follows it, unless it never ends. */
function leaves({ url, redirects, isCircle }: TokenAnswer): boolean {
  const last = URL.parse(redirects.at(-1) ?? url);
  const first = URL.parse(url);
  return isCircle === true || last?.hostname !== first?.hostname || last?.pathname !== first?.pathname;
}

function redirected(facts: Facts): Judgement {
  const both = wrongly(facts);
  if (both === undefined || both.answer.redirects.length === 0 || !leaves(both.answer)) return undefined;
  return {
    cause: `The authority cannot fetch the HTTP token: ${both.answer.isCircle === true ? 'redirects lead in a circle' : 'a redirect leads to another host or page'}.`,
    evidence: lines(both.answer),
    ...outOfTheWay(
      facts,
      'The redirect leaves /.well-known/ alone, whoever sets it: a rule, a worker, or the zone of the customer.',
    ),
  };
}

function guarded(facts: Facts): Judgement {
  const both = wrongly(facts);
  if (both === undefined || leaves(both.answer)) return undefined;
  if (!both.answer.challenged && ![401, 403, 407, 429].includes(both.answer.status)) return undefined;
  return {
    cause: 'The authority cannot fetch the HTTP token: a login or a firewall stands before it.',
    evidence: lines(both.answer),
    ...outOfTheWay(facts, 'Login, firewall and bot protection let /.well-known/ through.'),
  };
}

/** Tokens of other orders look alike: letters and digits without a blank. */
const tokenLike = /^[\w-]{20,}(?:\.[\w-]{20,})?$/;

function oldToken(facts: Facts): Judgement {
  const both = wrongly(facts);
  if (both === undefined || leaves(both.answer) || both.answer.status !== 200) return undefined;
  if (!both.answer.cached && !tokenLike.test(both.answer.body.trim())) return undefined;
  return {
    cause: both.answer.cached
      ? 'The authority gets an old answer for the HTTP token: it comes from a cache.'
      : 'The authority gets the HTTP token of an earlier order.',
    evidence: [...lines(both.answer), `expected: ${both.wanted}`],
    ...outOfTheWay(
      facts,
      'Whoever serves it keeps nothing under /.well-known/ in a cache, and purges what is there.',
    ),
  };
}

function otherContent(facts: Facts): Judgement {
  const both = wrongly(facts);
  if (both === undefined || leaves(both.answer) || guarded(facts) || oldToken(facts)) return undefined;
  return {
    cause: 'The authority cannot fetch the HTTP token: something else answers at its URL.',
    evidence: [...lines(both.answer), `expected: ${both.wanted}`],
    severity: 'error',
    who: 'customer',
    remedy: {
      text: 'Whatever answers leaves /.well-known/ to the platform; or validate by TXT.',
      command: editCommand(facts, 'method', 'txt'),
    },
  };
}

function redirectedWell(facts: Facts): Judgement {
  const both = fetched(facts);
  if (both === undefined || both.answer.redirects.length === 0 || !isToken(both.answer, both.wanted))
    return undefined;
  return {
    severity: 'info',
    cause: 'The HTTP token is reached by a redirect, which authorities follow.',
    evidence: lines(both.answer).slice(0, 1),
    who: 'nobody',
    remedy: { text: 'Nothing to do.' },
  };
}

/** Authorities ask over IPv6 first: what is right over IPv4 does not help. What is wrong at both is told of the first. */
function elsewhereOverV6(facts: Facts): Judgement {
  const both = fetched(facts, facts.tokenV6);
  if (both === undefined || isToken(both.answer, both.wanted) || wrongly(facts) !== undefined)
    return undefined;
  const { answer } = both;
  const [first = '', ...more] = lines(answer);
  const records = strayV6(facts).map(
    (value): RecordAdvice => ({ name: facts.hostname, type: 'AAAA', value, remove: true }),
  );
  return {
    severity: 'error',
    cause:
      'The authority cannot fetch the HTTP token: it asks over IPv6 first, where another server answers.',
    evidence: [
      `over IPv6, at ${answer.address ?? 'its AAAA record'}: ${first}`,
      ...more,
      ...(fetched(facts) === undefined ? [] : ['over IPv4: the token']),
    ],
    who: 'customer',
    remedy: {
      text: 'The customer removes these AAAA records; the edge answers over IPv6 by itself.',
      records,
      command: refreshCommand(facts),
    },
  };
}
