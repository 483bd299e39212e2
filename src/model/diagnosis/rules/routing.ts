import { isWithin } from '../../dns/dns.ts';
import { inPanel } from '../../instructions/providers.ts';
import { type Facts, ifKnown, type ZoneApex } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { createCommand, customerRemedy, refreshCommand, setRecord } from '../remedy.ts';
import { addressRules } from './addresses.ts';
import { edgeRules } from './edge.ts';
import {
  addressLines,
  addressList,
  chainLine,
  exactRecord,
  pageCodes,
  pointsElsewhere,
  pointsHere,
  readRouting,
  targetName,
} from './reading.ts';

/** C1 to C23: where public DNS points. */
export const routingRules: readonly Rule[] = [
  { id: 'C1', judge: noName },
  { id: 'C2', judge: noRoutingRecord },
  { id: 'C3', judge: rightAlias },
  { id: 'C4', judge: otherTarget },
  { id: 'C5', judge: almostTarget },
  { id: 'C6', judge: danglingTarget },
  { id: 'C7', judge: endlessAlias },
  ...addressRules,
  { id: 'C13', judge: delegatedZone },
  { id: 'C14', judge: brokenDns },
  { id: 'C15', judge: activeElsewhere },
  { id: 'C16', judge: crossAccount },
  { id: 'C17', judge: doubledName },
  { id: 'C18', judge: bogusSignature },
  ...edgeRules,
];

function noName(facts: Facts): Judgement {
  const { chain } = facts.dns;
  if (chain.end !== 'nothing' || chain.hops.length > 0 || ifKnown(facts.dns.doubledAlias)) return undefined;
  return {
    severity: 'error',
    cause: 'The hostname does not exist in DNS.',
    evidence: [chainLine(facts)],
    ...customerRemedy(facts, 'The customer must create this record.'),
  };
}

function noRoutingRecord(facts: Facts): Judgement {
  const { chain } = facts.dns;
  if (chain.end !== 'name' || chain.hops.length > 0 || readRouting(facts) !== 'nowhere') return undefined;
  return {
    severity: 'error',
    cause: 'The hostname exists in DNS, but has no CNAME, A or AAAA record.',
    evidence: [chainLine(facts), 'A and AAAA: none'],
    ...customerRemedy(facts, 'The customer must create this record.'),
  };
}

function targetResolves(facts: Facts): boolean | undefined {
  const { v4, v6 } = facts.dns.addresses;
  if (addressList(facts.dns.addresses).length > 0) return true;
  return 'known' in v4 && 'known' in v6 ? false : undefined;
}

function rightAlias(facts: Facts): Judgement {
  if (readRouting(facts) !== 'here' || targetResolves(facts) === false) return undefined;
  return {
    severity: 'ok',
    cause: 'DNS points here by CNAME.',
    evidence: [chainLine(facts)],
    who: 'nobody',
    remedy: { text: 'No action needed.' },
  };
}

function otherTarget(facts: Facts): Judgement {
  const { hops, end, last } = facts.dns.chain;
  const ended = end === 'name' || end === 'nothing';
  if (hops.length === 0 || !ended || readRouting(facts) !== 'elsewhere') return undefined;
  if (nearMiss(facts) !== undefined) return undefined;
  return {
    severity: 'error',
    cause: 'The CNAME points elsewhere.',
    evidence: [chainLine(facts), `${last} is not in ${ifKnown(facts.zone)?.name}`],
    ...customerRemedy(facts, 'The customer must change the CNAME to this record.'),
  };
}

function almostTarget(facts: Facts): Judgement {
  const miss = readRouting(facts) === 'elsewhere' ? nearMiss(facts) : undefined;
  if (miss === undefined) return undefined;
  return {
    severity: 'error',
    cause: miss.cause,
    evidence: [chainLine(facts), `probably intended: ${miss.meant}`],
    ...customerRemedy(
      facts,
      `The customer must correct the CNAME; if the DNS panel appends the zone, the target needs a trailing dot: ${targetName(facts)}.`,
    ),
  };
}

function danglingTarget(facts: Facts): Judgement {
  const routing = readRouting(facts);
  const empty = routing === 'here' && targetResolves(facts) === false;
  if (routing !== 'dangling' && !empty) return undefined;
  const { last } = facts.dns.chain;
  const origin = ifKnown(facts.fallback)?.origin;
  const content = origin === undefined || origin === last ? undefined : origin;
  const record = { name: last, type: 'CNAME', value: content ?? '<your fallback origin>' } as const;
  return {
    severity: 'error',
    cause: "The customer's CNAME is correct, but its target in our zone does not resolve.",
    evidence: [chainLine(facts), ...addressLines(facts)],
    who: 'us',
    remedy: {
      text: 'Create a proxied record for the target in your zone.',
      records: [record],
      command: setRecord(record, true),
    },
    ...(content !== undefined && {
      fix: { kind: 'dns-record' as const, type: 'CNAME', name: last, content, proxied: true },
    }),
  };
}

function endlessAlias(facts: Facts): Judgement {
  const { end } = facts.dns.chain;
  if (end !== 'loop' && end !== 'too-long') return undefined;
  return {
    severity: 'error',
    cause: end === 'loop' ? 'The CNAMEs form a loop.' : 'The chain has more than 16 CNAMEs.',
    evidence: [chainLine(facts)],
    ...customerRemedy(facts, 'The customer must replace the CNAMEs with this record.'),
  };
}

/** Second-level suffixes under which domains are registered. The delegation of a zone below `co.uk`, for example, is not a mistake. */
const secondLevelSuffix = /^(?:co|com|net|org|gov|ac|edu)\.[a-z]{2}$/;

function delegatedZone(facts: Facts): Judgement {
  const zones: readonly ZoneApex[] = ifKnown(facts.dns.zones) ?? [];
  const [near, ...above] = zones;
  const parent = above.find((zone) => !secondLevelSuffix.test(zone.name));
  if (near === undefined || parent === undefined || pointsHere(facts)) return undefined;
  if (!isWithin(facts.hostname, near.name)) return undefined;
  return {
    severity: 'warn',
    cause: `${near.name} is delegated to other name servers, so records in ${parent.name} have no effect.`,
    evidence: zones.map((zone) => `${zone.name}: ${zone.nameServers.join(', ')}`),
    who: 'customer',
    remedy: {
      text: `The customer must create the records at the name servers of ${near.name}, or remove the delegation.`,
    },
  };
}

/** Returns whether DNS returned the addresses of our target. If so, a failed query concerns only the hostname. */
function dnsWorks(facts: Facts): boolean {
  return addressList(facts.dns.targetAddresses).length > 0;
}

function doubledName(facts: Facts): Judgement {
  const alias = ifKnown(facts.dns.doubledAlias);
  if (alias === undefined || alias === null || pointsHere(facts)) return undefined;
  return {
    severity: 'error',
    cause: 'The CNAME is at the wrong name: the DNS panel appended the zone to it.',
    evidence: [chainLine(facts), `${alias.name} CNAME ${alias.target}`],
    ...customerRemedy(
      facts,
      `The customer must create the CNAME at this name (many DNS panels expect the name without the zone).${inPanel(ifKnown(facts.dns.zones)?.[0], facts.hostname)}`,
    ),
  };
}

/** Matches the words for DNSSEC errors in messages from validating resolvers (RFC 8914) and certificate authorities. */
const signatureFault = /DNSSEC|DNSKEY|RRSIG|NSEC/i;

function bogusSignature(facts: Facts): Judgement {
  const { end, detail = '' } = facts.dns.chain;
  if (end !== 'unknown' || !signatureFault.test(detail)) return undefined;
  return {
    severity: 'error',
    cause:
      "DNSSEC: the customer's signatures do not match the DS record, so resolvers and authorities reject the answers.",
    evidence: [chainLine(facts)],
    who: 'customer',
    remedy: {
      text: 'The customer must replace the DS record at the registrar with the DS record of the current name servers, or remove it.',
    },
  };
}

function brokenDns(facts: Facts): Judgement {
  const { end, why = 'timeout' } = facts.dns.chain;
  const theirs = why === 'servfail' || dnsWorks(facts);
  if (end !== 'unknown' || bogusSignature(facts) !== undefined) return undefined;
  if (why === 'interrupted' || why === 'unreachable' || !theirs) return undefined;
  return {
    severity: 'error',
    cause: "The customer's name servers do not answer for the hostname.",
    evidence: [chainLine(facts), ...addressLines(facts)],
    who: 'customer',
    remedy: {
      text: 'The customer must correct the NS records, or the DS record at the registrar (dnsviz.net shows which record is wrong).',
    },
  };
}

function activeElsewhere(facts: Facts): Judgement {
  if (exactRecord(facts)?.status !== 'active' || !pointsElsewhere(facts)) return undefined;
  return {
    severity: 'warn',
    cause:
      'The hostname is active, but DNS does not point here: it was validated in advance, or is about to enter Moved.',
    evidence: [chainLine(facts), ...addressLines(facts)],
    ...customerRemedy(facts, 'If the changeover is due, the customer must create this record.'),
  };
}

function crossAccount(facts: Facts): Judgement {
  if (!pageCodes(facts).includes(1014)) return undefined;
  const missing = ifKnown(facts.record) === null;
  return {
    severity: 'error',
    cause: 'Error 1014: a CNAME between two accounts requires an active custom hostname here.',
    evidence: ['the edge answers with error 1014'],
    who: 'us',
    remedy: {
      text: missing
        ? 'Create the custom hostname.'
        : 'Restart validation, and check that the hostname becomes active.',
      command: missing ? createCommand(facts) : refreshCommand(facts),
    },
    fix: missing ? { kind: 'create', branding: false } : { kind: 'refresh' },
  };
}

/** A CNAME target that is almost right, and the intended target. */
interface NearMiss {
  readonly cause: string;
  readonly meant: string;
}

/** Finds common mistakes in a CNAME that does not point into the zone: the zone appended, labels missing, a typing error. */
function nearMiss(facts: Facts): NearMiss | undefined {
  const zone = ifKnown(facts.zone)?.name;
  const written = facts.dns.chain.hops[0]?.target;
  if (zone === undefined || written === undefined) return undefined;
  const target = ifKnown(facts.target) ?? zone;
  const appended = written.lastIndexOf(`${zone}.`);
  if (appended === 0 || (appended > 0 && written[appended - 1] === '.')) {
    const meant = written.slice(0, appended + zone.length);
    return { cause: "The DNS panel appended the customer's zone to the target.", meant };
  }
  if (zone.startsWith(`${written}.`) || target.startsWith(`${written}.`)) {
    return { cause: 'The end of the target is missing.', meant: target };
  }
  if (differences(written, target) <= 2 || isMisspeltTail(written, zone)) {
    return { cause: 'The target is misspelled.', meant: target };
  }
  return undefined;
}

/** Returns whether a name ends with the zone's name, with one or two wrong letters. */
function isMisspeltTail(written: string, zone: string): boolean {
  const labels = zone.split('.').length;
  const tail = written.split('.').slice(-labels).join('.');
  return tail !== zone && zone.length > 6 && differences(tail, zone) <= 2;
}

/** Returns the number of letters to insert, delete or replace (Levenshtein distance); 3 for all larger numbers. */
export function differences(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return Math.min(3, previous.at(-1) ?? 3);
}
