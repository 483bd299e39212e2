import type { Facts } from '../facts.ts';
import type { Judgement, RecordAdvice, Rule } from '../finding.ts';
import { customerRemedy, ownershipRecords } from '../remedy.ts';
import {
  addressLines,
  exactRecord,
  foreignAddresses,
  isZoneApex,
  pageCodes,
  readRouting,
  strayV6,
} from './reading.ts';

/** C8 to C12, and C24: hostnames that have addresses instead of a CNAME. */
export const addressRules: readonly Rule[] = [
  { id: 'C8', judge: flattened },
  { id: 'C9', judge: proxiedElsewhere },
  { id: 'C10', judge: foreignAddress },
  { id: 'C11', judge: mixedApex },
  { id: 'C12', judge: strayAddress },
  { id: 'C24', judge: copiedAddress },
];

function flattened(facts: Facts): Judgement {
  const routing = readRouting(facts);
  if (routing !== 'flattened' && routing !== 'apex') return undefined;
  const how =
    routing === 'apex' ? "the account's own addresses" : "the target's addresses, without a visible CNAME";
  return {
    severity: 'ok',
    cause: `DNS points here through ${how}.`,
    evidence: addressLines(facts),
    who: 'nobody',
    remedy: {
      text: 'No action needed. In DNS, a flattened or proxied CNAME looks like fixed addresses.',
    },
  };
}

function proxiedElsewhere(facts: Facts): Judgement {
  if (readRouting(facts) !== 'edge') return undefined;
  const record = exactRecord(facts);
  const said = (record?.verification_errors ?? []).filter((message) => /using cloudflare/i.test(message));
  if (said.length === 0 && record?.status === 'active') return undefined;
  if (pageCodes(facts).includes(1034)) return undefined;
  return {
    severity: said.length > 0 ? 'error' : 'warn',
    cause: 'The hostname is proxied in its own zone on the platform, so tokens cannot activate it.',
    evidence: [...addressLines(facts), ...said],
    ...customerRemedy(
      facts,
      'The customer must point the hostname here with a CNAME, and set the record to "DNS only" until the hostname is active.',
    ),
  };
}

function foreignAddress(facts: Facts): Judgement {
  const { hops, end } = facts.dns.chain;
  if (hops.length > 0 || end !== 'name' || readRouting(facts) !== 'elsewhere') return undefined;
  const apex = isZoneApex(facts);
  return {
    severity: 'error',
    cause: apex
      ? "The hostname is the apex of the customer's zone, where a CNAME is not allowed, and has A or AAAA records."
      : 'The hostname has A or AAAA records that point elsewhere, instead of a CNAME.',
    evidence: addressLines(facts),
    ...customerRemedy(facts, 'The customer must replace the A and AAAA records with this CNAME.'),
  };
}

function mixedApex(facts: Facts): Judgement {
  if (readRouting(facts) !== 'mixed') return undefined;
  const foreign = foreignAddresses(facts);
  const removed = foreign.map(
    (value): RecordAdvice => ({
      name: facts.hostname,
      type: value.includes(':') ? 'AAAA' : 'A',
      value,
      remove: true,
    }),
  );
  const proof = isZoneApex(facts) ? ownershipRecords(facts) : [];
  return {
    severity: 'error',
    cause:
      'Some addresses of the hostname are not ours, so some visitors and some checks reach another server.',
    evidence: foreign.map((address) => `not ours: ${address}`),
    who: 'customer',
    remedy: {
      text:
        proof.length === 0
          ? 'The customer must remove these records.'
          : 'The customer must remove these address records, and add the TXT record, which proves ownership.',
      records: [...removed, ...proof],
    },
  };
}

/** Reports that DNS contains copies of our addresses. The platform requires a CNAME instead or, at a zone apex, the ownership token. */
function copiedAddress(facts: Facts): Judgement {
  const isProvable = isZoneApex(facts) && exactRecord(facts)?.ownership_verification?.value !== undefined;
  if (readRouting(facts) !== 'unseen' || isProvable) return undefined;
  return {
    severity: 'error',
    cause:
      'The hostname has our addresses but no CNAME to this zone, so the platform does not accept the hostname.',
    evidence: [...addressLines(facts), ...(exactRecord(facts)?.verification_errors ?? [])],
    ...customerRemedy(facts, 'The customer must replace the A and AAAA records with this CNAME.'),
  };
}

function strayAddress(facts: Facts): Judgement {
  const stray = strayV6(facts);
  if (stray.length === 0 || readRouting(facts) === 'mixed') return undefined;
  return {
    severity: 'warn',
    cause: 'The AAAA records point elsewhere; HTTP validation and some visitors use them first.',
    evidence: stray.map((address) => `AAAA ${address}`),
    who: 'customer',
    remedy: {
      text: 'The customer must remove these AAAA records.',
      records: stray.map((value) => ({ name: facts.hostname, type: 'AAAA', value, remove: true })),
    },
  };
}
