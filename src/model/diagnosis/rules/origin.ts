import { type Facts, ifKnown, type ProbeAnswer } from '../facts.ts';
import type { Finding, Judgement, NextStep, Rule } from '../finding.ts';
import { setRecord } from '../remedy.ts';
import { exactRecord, hasExpired, inRanges, inService, originName } from './reading.ts';
import { findWorkerRoute } from './worker-route.ts';

/** G7 to G13, G15 and G16: faults at the origin (errors 520 to 526, and endless redirects). */
export const originRules: readonly Rule[] = [
  { id: 'G7', judge: down },
  { id: 'G8', judge: withoutWorker },
  { id: 'G9', judge: unreachable },
  { id: 'G10', judge: handshakeFails },
  { id: 'G11', judge: certificateRefused },
  { id: 'G12', judge: noAnswer },
  { id: 'G13', judge: endlessRedirect },
  { id: 'G15', judge: hostRedirectLoop },
  { id: 'G16', judge: schemeRedirectLoop },
];

function listAnswers(facts: Facts): readonly ProbeAnswer[] {
  return [ifKnown(facts.http), ifKnown(facts.https)].filter((answer) => answer !== undefined);
}

/**
 * Returns the responses with one of these statuses. Returns an empty list unless the hostname is active and its certificate has not
 * expired, because errors caused by an expired certificate are not the origin's fault.
 */
function withStatus(facts: Facts, ...statuses: readonly number[]): readonly ProbeAnswer[] {
  if (exactRecord(facts)?.status !== 'active' || hasExpired(facts)) return [];
  return listAnswers(facts).filter((answer) => statuses.includes(answer.status));
}

function lines(facts: Facts, answers: readonly ProbeAnswer[]): readonly string[] {
  const record = ifKnown(facts.originRecord);
  const where = record ? `: ${record.type} ${record.content}` : '';
  return [
    ...answers.map(({ url, status }) => `${url}: ${status}`),
    `${whichOrigin(facts)} ${originName(facts) ?? 'unknown'}${where}`,
  ];
}

function whichOrigin(facts: Facts): string {
  return exactRecord(facts)?.custom_origin_server === undefined ? 'fallback origin' : 'custom origin';
}

function ours(remedy: NextStep): Pick<Finding, 'severity' | 'who' | 'remedy'> {
  return { severity: 'error', who: 'us', remedy };
}

/** Returns the remedy that changes the origin's address. */
function otherAddress(facts: Facts, text: string): NextStep {
  const name = originName(facts);
  if (name === undefined) return { text };
  const record = { name, type: 'A', value: '<address of your origin>' } as const;
  return { text, command: setRecord(record, true) };
}

function down(facts: Facts): Judgement {
  const answers = withStatus(facts, 521);
  if (answers.length === 0) return undefined;
  return {
    cause: `Error 521: the ${whichOrigin(facts)} refuses connections, because its web server is down or a firewall blocks the edge.`,
    evidence: lines(facts, answers),
    ...ours(
      otherAddress(
        facts,
        "Start the web server and allow the edge's addresses in the firewall, or change the address in the origin's DNS record.",
      ),
    ),
  };
}

/**
 * Address ranges reserved for documentation and discard. Records for hostnames that a worker serves often contain such an address as a
 * placeholder.
 */
const originless = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '100::/64', '2001:db8::/32'];

function isOriginless(facts: Facts): boolean {
  const record = ifKnown(facts.originRecord);
  return (
    record !== undefined &&
    record !== null &&
    ['A', 'AAAA'].includes(record.type) &&
    inRanges(originless)(record.content)
  );
}

function withoutWorker(facts: Facts): Judgement {
  const answers = withStatus(facts, 522);
  if (answers.length === 0 || !isOriginless(facts) || findWorkerRoute(facts) !== undefined) return undefined;
  return {
    cause:
      'Error 522: the record of the origin is only a placeholder for a worker, but no worker handles the request.',
    evidence: lines(facts, answers),
    ...ours(
      otherAddress(
        facts,
        'Add a route that matches the hostname to the worker (the route */* also matches custom hostnames), or set the record to the address of a server.',
      ),
    ),
  };
}

function unreachable(facts: Facts): Judgement {
  const answers = withStatus(facts, 522, 523);
  if (answers.length === 0 || withoutWorker(facts) !== undefined) return undefined;
  return {
    cause: `Error ${answers[0]?.status}: the edge cannot reach the ${whichOrigin(facts)} at its address.`,
    evidence: lines(facts, answers),
    ...ours(
      otherAddress(
        facts,
        "Check the origin's address and network, and whether its firewall drops traffic from the edge.",
      ),
    ),
  };
}

function originSni(facts: Facts): string {
  const { custom_origin_sni: sni, custom_origin_server: own } = exactRecord(facts) ?? {};
  return sni ?? own ?? facts.hostname;
}

function handshakeFails(facts: Facts): Judgement {
  const answers = withStatus(facts, 525);
  if (answers.length === 0) return undefined;
  return {
    cause: `Error 525: the TLS handshake failed between the edge and the ${whichOrigin(facts)}.`,
    evidence: [...lines(facts, answers), `name sent (SNI): ${originSni(facts)}`],
    ...ours({
      text: 'Make the origin accept TLS on port 443 for the name sent (SNI), with a version and ciphers that the edge supports.',
    }),
  };
}

function certificateRefused(facts: Facts): Judgement {
  const answers = withStatus(facts, 526);
  // The edge returns the same error if its own certificate for the hostname has expired or was never issued.
  if (answers.length === 0 || !inService(facts)) return undefined;
  const origin = exactRecord(facts)?.custom_origin_server;
  const named = origin !== undefined && originSni(facts) !== origin;
  return {
    cause: `Error 526: the certificate of the ${whichOrigin(facts)} does not match the requested name, has expired, or is not trusted.`,
    evidence: [...lines(facts, answers), `name sent (SNI): ${originSni(facts)}`],
    ...ours({
      text: named
        ? "Send the origin's name as the SNI, or install a certificate for the current SNI at the origin."
        : "Install a certificate for the name sent (SNI) at the origin. Alternatively, send a name from the origin's certificate as the SNI; this requires a custom origin.",
      ...(named && {
        command: { kind: 'edit', hostname: facts.hostname, field: 'origin-sni', value: origin } as const,
      }),
    }),
  };
}

function noAnswer(facts: Facts): Judgement {
  const answers = withStatus(facts, 520, 524);
  const [first] = answers;
  if (first === undefined) return undefined;
  return {
    cause:
      first.status === 524
        ? `Error 524: the ${whichOrigin(facts)} accepted the request but did not answer in time.`
        : `Error 520: the ${whichOrigin(facts)} closed the connection, or its answer is not valid HTTP.`,
    evidence: lines(facts, answers),
    ...ours({
      text: 'Check the web server and its log: the server is reachable, but does not answer correctly.',
    }),
  };
}

/** Reports a redirect to the same URL: either the origin requires HTTPS but is contacted over HTTP, or the reverse. */
function endlessRedirect(facts: Facts): Judgement {
  const { status } = exactRecord(facts) ?? {};
  const answers = listAnswers(facts).filter(
    ({ url, location, status: code }) =>
      code >= 300 && code < 400 && location !== undefined && isSameUrl(url, location),
  );
  if (status !== 'active' || answers.length === 0) return undefined;
  return {
    severity: 'error',
    cause:
      'A URL redirects to itself: the origin requires HTTPS, but the edge contacts it over HTTP (TLS mode "flexible").',
    evidence: answers.map(({ url, status: code, location }) => `${url}: ${code} to ${location}`),
    who: 'us',
    remedy: {
      text: 'Make the edge connect to the origin over TLS (TLS mode full or strict), or remove the redirect at the origin.',
    },
  };
}

function isSameUrl(url: string, location: string): boolean {
  return URL.parse(location, url)?.href === URL.parse(url)?.href;
}

/** Returns the URLs of a redirect loop that visitors to an active hostname encounter: at least two URLs. */
function redirectLoop(facts: Facts): readonly URL[] | undefined {
  const trail = ifKnown(facts.trail);
  if (exactRecord(facts)?.status !== 'active' || trail?.isCircle !== true) return undefined;
  const first = trail.urls.indexOf(trail.urls.at(-1) ?? '');
  const urls = trail.urls.slice(first).flatMap((url) => URL.parse(url) ?? []);
  return urls.length > 2 ? urls : undefined;
}

function formatLoop(urls: readonly URL[]): string {
  return urls.map(({ href }) => href).join(' \u2192 ');
}

function hostRedirectLoop(facts: Facts): Judgement {
  const urls = redirectLoop(facts);
  const hosts = [...new Set(urls?.map(({ hostname }) => hostname))];
  if (urls === undefined || hosts.length < 2) return undefined;
  return {
    cause: `Redirects form a loop: ${hosts.join(' and ')} send visitors to each other.`,
    evidence: [formatLoop(urls)],
    ...ours({
      text: 'Remove one of the redirects at its source: the origin, a worker, or a zone rule. If the origin sends both redirects because the edge contacts it over HTTP, make the edge use TLS.',
    }),
  };
}

function schemeRedirectLoop(facts: Facts): Judgement {
  const urls = redirectLoop(facts);
  const hosts = new Set(urls?.map(({ hostname }) => hostname));
  const schemes = new Set(urls?.map(({ protocol }) => protocol));
  if (urls === undefined || hosts.size > 1 || schemes.size < 2) return undefined;
  return {
    cause:
      'Redirects form a loop between HTTP and HTTPS: one server or rule redirects visitors to HTTPS, another back to HTTP.',
    evidence: [formatLoop(urls)],
    ...ours({
      text: 'The origin must not redirect TLS requests to HTTP: change the redirect at the origin, or change the TLS mode.',
    }),
  };
}
