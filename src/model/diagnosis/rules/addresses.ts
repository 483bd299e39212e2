import { type Facts, ifKnown } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { askCustomer } from '../remedy.ts';
import { addressLines, addressList, inRanges, pageCodes, recordOf, routingOf, strayV6 } from './reading.ts';

/** C8 to C12: hostnames that have addresses instead of a CNAME. */
export const addressRules: readonly Rule[] = [
  { id: 'C8', judge: flattened },
  { id: 'C9', judge: proxiedElsewhere },
  { id: 'C10', judge: foreignAddress },
  { id: 'C11', judge: mixedApex },
  { id: 'C12', judge: strayAddress },
];

function flattened(facts: Facts): Judgement {
  const routing = routingOf(facts);
  if (routing !== 'flattened' && routing !== 'apex') return undefined;
  const how =
    routing === 'apex' ? "the account's own addresses" : "the target's addresses, without a visible CNAME";
  return {
    severity: 'ok',
    cause: `DNS leads here by ${how}.`,
    evidence: addressLines(facts),
    who: 'nobody',
    remedy: {
      text: 'Nothing to do. From outside a flattened or proxied CNAME cannot be told from fixed addresses.',
    },
  };
}

function proxiedElsewhere(facts: Facts): Judgement {
  if (routingOf(facts) !== 'edge') return undefined;
  const record = recordOf(facts);
  const said = (record?.verification_errors ?? []).filter((message) => /using cloudflare/i.test(message));
  if (said.length === 0 && record?.status === 'active') return undefined;
  if (pageCodes(facts).includes(1034)) return undefined;
  return {
    severity: said.length > 0 ? 'error' : 'warn',
    cause: 'The hostname is proxied in a zone of its own on the platform; tokens cannot activate it then.',
    evidence: [...addressLines(facts), ...said],
    ...askCustomer(
      facts,
      'The customer points the hostname here by CNAME, DNS only while it is being tried.',
    ),
  };
}

function isApex(facts: Facts): boolean {
  return ifKnown(facts.dns.zones)?.[0]?.name === facts.hostname;
}

function foreignAddress(facts: Facts): Judgement {
  const { hops, end } = facts.dns.chain;
  if (hops.length > 0 || end !== 'name' || routingOf(facts) !== 'elsewhere') return undefined;
  if (mixedAddresses(facts).length > 0) return undefined;
  const apex = isApex(facts);
  return {
    severity: 'error',
    cause: apex
      ? "The name is the top of the customer's zone and has addresses of its own; a CNAME cannot stand there."
      : 'The hostname has addresses that are not ours instead of a CNAME.',
    evidence: addressLines(facts),
    ...askCustomer(
      facts,
      apex
        ? 'The customer uses flattening or an ALIAS record if the DNS provider has them, or www with a redirect.'
        : 'The customer replaces the A and AAAA records by this CNAME.',
    ),
  };
}

/** Addresses outside of the account's own ranges, beside others inside. */
function mixedAddresses(facts: Facts): readonly string[] {
  const ranges = ifKnown(facts.apexRanges) ?? [];
  if (ranges.length === 0) return [];
  const found = addressList(facts.dns.addresses);
  const strange = found.filter((address) => !inRanges(ranges)(address));
  return strange.length < found.length ? strange : [];
}

function mixedApex(facts: Facts): Judgement {
  const strange = facts.dns.chain.hops.length === 0 ? mixedAddresses(facts) : [];
  if (strange.length === 0) return undefined;
  return {
    severity: 'error',
    cause: "Some addresses are not in the account's own range; all A and AAAA records must be.",
    evidence: strange.map((address) => `not ours: ${address}`),
    who: 'customer',
    remedy: {
      text: 'The customer removes these records.',
      records: strange
        .filter((address) => !address.includes(':'))
        .map((value) => ({ name: facts.hostname, type: 'A', value, remove: true })),
    },
  };
}

function strayAddress(facts: Facts): Judgement {
  const stray = strayV6(facts);
  if (stray.length === 0) return undefined;
  return {
    severity: 'warn',
    cause: 'The AAAA records lead elsewhere: validation by HTTP and part of the visitors use them first.',
    evidence: stray.map((address) => `AAAA ${address}`),
    who: 'customer',
    remedy: { text: 'The customer removes these AAAA records.' },
  };
}
