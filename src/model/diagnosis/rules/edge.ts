import { type Facts, ifKnown } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { createCommand, customerRemedy, setRecord } from '../remedy.ts';
import {
  addressLines,
  chainLine,
  exactRecord,
  inRanges,
  originName,
  pageCodes,
  readRouting,
} from './reading.ts';

/** C19 to C23: edge errors that concern DNS (1000, 1034, 1001 and 1023), and two proxying zones in a row. */
export const edgeRules: readonly Rule[] = [
  { id: 'C19', judge: prohibitedAddress },
  { id: 'C20', judge: restrictedAddress },
  { id: 'C21', judge: unresolved },
  { id: 'C22', judge: unknownHost },
  { id: 'C23', judge: behindOwnZone },
];

/** Reports an origin whose address belongs to the platform: the edge would send requests back to itself. */
function prohibitedAddress(facts: Facts): Judgement {
  const record = ifKnown(facts.originRecord);
  const ranges = ifKnown(facts.edgeRanges) ?? [];
  const ours =
    record !== undefined &&
    record !== null &&
    ['A', 'AAAA'].includes(record.type) &&
    record.name === originName(facts);
  if (ours && inRanges(ranges)(record.content)) {
    const { name, content } = record;
    const wanted = { name, type: 'A', value: '<address of your origin>' } as const;
    return {
      severity: 'error',
      cause: "Error 1000: the origin's record contains one of the platform's own addresses.",
      evidence: [`${name} ${record.type} ${content}`, ...codeLine(facts, 1000)],
      who: 'us',
      remedy: {
        text: "Replace the address in the record with the origin's own address.",
        records: [wanted],
        command: setRecord(wanted, true),
      },
    };
  }
  if (!pageCodes(facts).includes(1000)) return undefined;
  return {
    severity: 'error',
    cause: "Error 1000: in a zone on the platform, the name has one of the platform's own addresses.",
    evidence: [...codeLine(facts, 1000), chainLine(facts), ...addressLines(facts)],
    ...customerRemedy(
      facts,
      'The customer must replace the A and AAAA records in that zone with this CNAME.',
    ),
  };
}

function codeLine(facts: Facts, code: number): readonly string[] {
  return pageCodes(facts).includes(code) ? [`the edge answers with error ${code}`] : [];
}

function restrictedAddress(facts: Facts): Judgement {
  if (!pageCodes(facts).includes(1034)) return undefined;
  return {
    severity: 'error',
    cause: 'Error 1034: instead of a CNAME, the name has an edge address that is not assigned to this zone.',
    evidence: [...codeLine(facts, 1034), ...addressLines(facts)],
    ...customerRemedy(
      facts,
      'The customer must replace the A and AAAA records with this CNAME, because edge addresses change.',
    ),
  };
}

function unresolved(facts: Facts): Judgement {
  if (!pageCodes(facts).includes(1001)) return undefined;
  const wildcard = ifKnown(facts.wildcardRecord);
  const direct = facts.dns.chain.hops.length === 0;
  const evidence = [...codeLine(facts, 1001), chainLine(facts), ...addressLines(facts)];
  if (wildcard && direct) {
    return {
      severity: 'error',
      cause: `Error 1001: the wildcard ${wildcard.hostname} serves only names with a CNAME, but this name has addresses.`,
      evidence,
      ...customerRemedy(facts, 'The customer must replace the A and AAAA records with this CNAME.'),
    };
  }
  return {
    severity: 'error',
    cause: 'Error 1001: the edge cannot resolve the name to a hostname that it serves.',
    evidence,
    who: 'us',
    remedy: { text: 'Create a separate custom hostname for this name.', command: createCommand(facts) },
  };
}

function unknownHost(facts: Facts): Judgement {
  if (!pageCodes(facts).includes(1023)) return undefined;
  return {
    severity: 'progress',
    cause:
      'Error 1023: the edge does not know the host yet; a new configuration takes a few minutes to reach the edge.',
    evidence: codeLine(facts, 1023),
    who: 'nobody',
    remedy: {
      text: 'Wait a few minutes. If that does not help, set the fallback origin again, then contact the platform.',
    },
  };
}

/** Matches the platform's name servers, regardless of the provider's name. */
const platformServer = /\.ns\.[a-z0-9-]+\.com$/;

/**
 * Reports "orange to orange": the customer's own zone on the platform proxies the hostname to our zone, so the rules of the customer's zone
 * apply first.
 */
function behindOwnZone(facts: Facts): Judgement {
  const [zone] = ifKnown(facts.dns.zones) ?? [];
  const own = ifKnown(facts.zone)?.name;
  const theirs =
    zone !== undefined && zone.name !== own && zone.nameServers.some((name) => platformServer.test(name));
  if (exactRecord(facts)?.status !== 'active' || readRouting(facts) !== 'edge' || !theirs) return undefined;
  const answers = [ifKnown(facts.http), ifKnown(facts.https)].filter((answer) => answer !== undefined);
  const stopped = answers.filter(({ status }) => [301, 302, 307, 308, 401, 403, 429, 503].includes(status));
  return {
    severity: stopped.length > 0 ? 'warn' : 'info',
    cause: `The name is proxied in the customer's own zone ${zone.name}, whose rules, firewall and TLS mode apply before ours.`,
    evidence: [
      `${zone.name}: ${zone.nameServers.join(', ')}`,
      ...addressLines(facts),
      ...stopped.map(
        ({ url, status, location }) => `${url}: ${status}${location === undefined ? '' : ` to ${location}`}`,
      ),
    ],
    ...customerRemedy(
      facts,
      stopped.length > 0
        ? 'The customer must check the rules of that zone, or set the record to "DNS only".'
        : 'No action needed while the hostname works. If it fails, the customer must first check that zone, or set the record to "DNS only".',
    ),
  };
}
