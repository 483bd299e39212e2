import type { Diagnosis, MissingFact } from '../diagnosis/diagnose.ts';
import { type Facts, ifKnown, unknownReason, type ZoneApex } from '../diagnosis/facts.ts';
import type { Finding, RecordAdvice, Responsible } from '../diagnosis/finding.ts';
import { asksToAct } from '../diagnosis/order.ts';
import { apexProxying } from '../diagnosis/remedy.ts';
import {
  arrivesAtEdge,
  exactRecord,
  isServedWithoutFault,
  pointsHere,
  readRouting,
} from '../diagnosis/rules/reading.ts';
import { httpIsBarred } from '../diagnosis/rules/token-path.ts';
import { delegationAdvice, isDelegatedHere, txtAdvice } from '../diagnosis/rules/validation.ts';
import { forecast } from '../forecast/forecast.ts';
import { dayMilliseconds, type HostnameCertificate } from '../hostnames/hostname.ts';
import { ownershipName } from '../hostnames/tokens.ts';
import type { FieldValues } from '../shape.ts';
import type { instructedRecordFields } from './instructions-shape.ts';
import { toCustomer } from './letter-voice.ts';
import { type DnsProvider, findProvider, relativeName } from './providers.ts';

/**
 * A record to enter in a DNS panel. Names and values have no trailing dot. `ALIAS` and `ANAME` records point the zone apex to a name that
 * the provider resolves. The record's name is relative to the zone if the zone is known; the zone apex is in the provider's notation.
 */
export type InstructedRecord = FieldValues<typeof instructedRecordFields>;

/**
 * The link with which the DNS provider can enter the records itself (draft-ietf-dconn-domainconnect-01), or the reason why there is no
 * link. Contains untrusted data.
 */
export interface DomainConnect {
  /** The provider's display name; if it has none, the host of its API. */
  readonly label: string;
  /** The page where the customer signs in and approves the records. */
  readonly apply?: { readonly link: string; readonly host: string };
  /** If there is no link, one sentence that explains to the operator what is missing. */
  readonly lacks?: string;
  /** The part that the operator must still provide: a template, or a key that signs the link. */
  readonly needs?: 'template' | 'key';
}

/** The instructions for a customer about one hostname. Contains untrusted data. */
export interface Instructions {
  readonly hostname: string;
  /** The customer's zone, if DNS shows it. */
  readonly zone?: string;
  readonly nameServers: readonly string[];
  readonly provider?: DnsProvider;
  /** Whether edgectl recognized the provider from the zone's name servers. False if the caller specified the provider. */
  readonly recognised: boolean;
  readonly turn: Responsible;
  /** One or two sentences that state who must act next, and why. */
  readonly state: string;
  readonly records: readonly InstructedRecord[];
  /** Required facts that are unknown, and why. If there are any, the instructions may be incomplete. */
  readonly missing: readonly MissingFact[];
  /** Sentences that prevent mistakes. */
  readonly notes: readonly string[];
  /** Instructions for pointing the zone apex here. The notes contain the same sentence. Undefined for other names. */
  readonly topNote?: string;
  /** Set if the provider can enter records itself, and some records are still missing. */
  readonly domainConnect?: DomainConnect;
}

/** A short time to live, so that DNS caches soon drop a mistake. Every provider accepts this value or offers its own minimum. */
const ttlSeconds = 600;

/** Returns the records that a customer must enter, based on the facts. `chosen` is the provider if the caller specified it. */
export function createInstructions(facts: Facts, diagnosis: Diagnosis, chosen?: DnsProvider): Instructions {
  const apex = zoneOfCustomer(facts);
  const nameServers = apex?.nameServers ?? [];
  const provider = chosen ?? findProvider(nameServers);
  const top = apex?.name === facts.hostname.replace(/^\*\./, '');
  const entry = entryIn(apex?.name, provider);
  const records = [
    ...routing(facts, top, provider),
    ...ownership(facts, top),
    ...certificate(facts),
    ...authorities(diagnosis),
  ].map(entry);
  const { turn, state } = findTurn(facts, diagnosis, records);
  const note = top ? topNote(facts, provider) : undefined;
  return {
    hostname: facts.hostname,
    ...(apex !== undefined && { zone: apex.name }),
    nameServers,
    ...(provider !== undefined && { provider }),
    recognised: chosen === undefined && provider !== undefined,
    turn,
    state,
    records,
    missing: findMissing(facts, diagnosis),
    notes: createNotes(facts, records, apex?.name, { provider, topNote: note }),
    ...(note !== undefined && { topNote: note }),
  };
}

function findMissing({ target }: Facts, { missing }: Diagnosis): readonly MissingFact[] {
  const reason = unknownReason(target);
  return [...missing, ...(reason === undefined ? [] : [{ fact: 'target', reason }])];
}

/** Returns the nearest zone above the hostname that is not ours. */
function zoneOfCustomer(facts: Facts): ZoneApex | undefined {
  const own = ifKnown(facts.zone)?.name;
  return ifKnown(facts.dns.zones)?.find(({ name }) => name !== own);
}

interface Wanted {
  readonly record: Omit<RecordAdvice, 'type'> & { readonly type: InstructedRecord['type'] };
  readonly purpose: string;
  readonly state: InstructedRecord['state'];
  readonly optional?: boolean;
}

function entryIn(
  zone: string | undefined,
  provider: DnsProvider | undefined,
): (wanted: Wanted) => InstructedRecord {
  return ({ record: { type, name, value }, purpose, state, optional = false }) => ({
    type,
    name: relativeName(name, zone, provider),
    fullName: name,
    value: type === 'TXT' && provider?.quotes === true ? `"${value}"` : value,
    ttl: ttlSeconds,
    purpose,
    state,
    optional,
  });
}

/**
 * Returns the record that points the hostname here. At the zone apex, the record has the type that the provider supports there. If the
 * provider supports no such type, the record is omitted, and notes explain the alternatives.
 */
function routing(facts: Facts, top: boolean, provider: DnsProvider | undefined): readonly Wanted[] {
  const target = ifKnown(facts.target);
  if (target === undefined) return [];
  // If our name does not resolve, the customer's record is still correct, and we must create the name.
  const here = readRouting(facts) === 'dangling' || (top ? arrivesAtEdge(facts) : pointsHere(facts));
  const state = facts.dns.chain.end === 'unknown' ? 'unknown' : 'missing';
  if (here) return inPlace(facts);
  if (top) {
    const type = provider === undefined ? 'ALIAS' : provider.apexAlias?.type;
    if (type === undefined) return [];
    const record = { name: facts.hostname.replace(/^\*\./, ''), type, value: target } as const;
    return [{ record, purpose: 'This record sends visitors to us.', state }];
  }
  const record = { name: facts.hostname.replace(/^\*\./, ''), type: 'CNAME', value: target } as const;
  return [{ record, purpose: cnamePurpose, state }];
}

const cnamePurpose = 'This record sends visitors to us, and proves that we may serve the hostname.';

/** Returns the DNS records that already point here. Their targets may differ from the target that we ask for. */
function inPlace({ dns }: Facts): readonly Wanted[] {
  const [hop] = dns.chain.hops;
  if (hop !== undefined) {
    const record = { name: hop.name, type: 'CNAME', value: hop.target } as const;
    return [{ record, purpose: cnamePurpose, state: 'there' }];
  }
  const purpose =
    'This record sends visitors to us. If your panel shows an ALIAS record or a CNAME here instead, do not change that record.';
  const found = { A: ifKnown(dns.addresses.v4) ?? [], AAAA: ifKnown(dns.addresses.v6) ?? [] };
  return (['A', 'AAAA'] as const).flatMap((type) =>
    found[type].map(
      (value): Wanted => ({ record: { name: dns.chain.last, type, value }, purpose, state: 'there' }),
    ),
  );
}

function ownership(facts: Facts, top: boolean): readonly Wanted[] {
  const record = exactRecord(facts);
  const value = record?.ownership_verification?.value;
  if (record?.status === 'active' || value === undefined || pointsHere(facts)) return [];
  const found = ifKnown(facts.dns.ownershipTxt);
  return [
    {
      record: { name: ownershipName(facts.hostname), type: 'TXT', value },
      purpose: top
        ? 'This record proves ownership, because the platform cannot see a CNAME at a zone apex.'
        : 'Needed only for validation before the DNS change: this record proves ownership until the CNAME is set.',
      state: found === undefined ? 'unknown' : found.includes(value) ? 'there' : 'missing',
      optional: !top,
    },
  ];
}

/** Returns the TXT records for the certificate, or the single CNAME that permanently replaces TXT records. */
function certificate(facts: Facts): readonly Wanted[] {
  const { ssl } = exactRecord(facts) ?? {};
  const isBarred = httpIsBarred(facts);
  const needsText = ssl?.wildcard === true || !arrivesAtEdge(facts) || isBarred;
  if (ssl === undefined || !needsText) return [];
  const [delegation] = delegationAdvice(facts);
  const isOptional = ssl.method !== 'txt';
  if (isOptional && !isBarred) return [];
  const texts = isOptional || ssl.status === 'active' ? [] : tokenRecords(facts, ssl);
  if (delegation === undefined) return texts;
  const state = isDelegatedHere(facts) ? 'there' : 'missing';
  if (state === 'missing' && texts.length > 0 && texts.every((text) => text.state === 'there')) {
    const purpose =
      'This record replaces the TXT records of the same name, and also validates every renewal.';
    return [...texts, { record: delegation, purpose, state, optional: true }];
  }
  const purpose = isOptional
    ? 'Only if the URL of the HTTP token cannot be made reachable: ask us to validate by TXT; this record then renews the certificate.'
    : 'This record validates the certificate, now and at every renewal.';
  return [{ record: delegation, purpose, state, optional: isOptional }];
}

function tokenRecords(facts: Facts, ssl: HostnameCertificate): readonly Wanted[] {
  const found = ifKnown(facts.dns.challengeTxt);
  const values = (ssl.validation_records ?? []).flatMap(({ txt_value }) => txt_value ?? []);
  return txtAdvice(facts, values).map((record) => ({
    record,
    purpose: 'This record validates the certificate. If there are several such records, set all of them.',
    state: found === undefined ? 'unknown' : found.includes(record.value) ? 'there' : 'missing',
  }));
}

/** Returns the records to remove, of any type, and the CAA records to add. */
function authorities({ findings }: Diagnosis): readonly Wanted[] {
  const advised = findings
    .filter(({ who, severity }) => who === 'customer' && (severity === 'error' || severity === 'critical'))
    .flatMap(({ remedy }) => remedy.records ?? []);
  return advised.flatMap((record): readonly Wanted[] => {
    if (record.remove === true)
      return [{ record, purpose: 'This record conflicts with the new records.', state: 'to-remove' }];
    if (record.type !== 'CAA') return [];
    return [
      {
        record,
        purpose: 'This record allows the certificate authority to issue; keep other CAA records.',
        state: 'missing',
      },
    ];
  });
}

/** Number of days, as in `forecast`. Someone must act if a certificate that is not renewed expires within this time. */
const foreseenDays = 90;

/** Returns who must act next, consistent with the findings of `diagnose` and the forecast of `forecast`. */
function findTurn(
  facts: Facts,
  { headline, findings, missing, verdict }: Diagnosis,
  records: readonly InstructedRecord[],
): Pick<Instructions, 'turn' | 'state'> {
  const open = records.filter(
    ({ state, optional }) => !optional && (state === 'missing' || state === 'to-remove'),
  );
  if (open.length > 0) {
    const many = open.length === 1 ? 'Change one record' : `Change ${open.length} records`;
    const records = `${many} in your DNS: ${open.map(({ type, fullName }) => `${type} ${fullName}`).join(', ')}.`;
    const hold = findings.find(({ who }) => who === 'zone-owner');
    return { turn: 'customer', state: hold === undefined ? records : `${records} ${toLetter(hold)}` };
  }
  const named = findings.find(({ who, severity }) => isCustomer(who) && severity !== 'info');
  if (named !== undefined) return { turn: named.who, state: toLetter(named) };
  const ahead = forecast(facts);
  const isSoon = ahead !== undefined && ahead.at <= facts.now + foreseenDays * dayMilliseconds;
  const renews = ahead === undefined || ahead.outcome === 'renews' || ahead.outcome === 'none' || !isSoon;
  if (!renews && isCustomer(ahead.who))
    return {
      turn: ahead.who,
      state: toLetter({ cause: ahead.reason, who: ahead.who, remedy: ahead.remedy ?? { text: '' } }),
    };
  const isServed = isServedWithoutFault(facts);
  const other = findings.find(asksToAct);
  if (other !== undefined) return { turn: other.who, state: toCustomer(other.cause) };
  if (missing.length > 0 || facts.edgeSilence !== undefined)
    return { turn: 'us', state: 'Not everything could be checked; we will check again.' };
  if (!renews) return { turn: ahead.who === 'nobody' ? 'us' : ahead.who, state: toCustomer(ahead.reason) };
  if (headline?.severity === 'progress' || verdict === 'pending' || !isServed)
    return {
      turn: 'nobody',
      state: 'Your DNS is correct. The rest happens automatically within a few minutes.',
    };
  const isRenewed = ahead?.outcome === 'renews';
  return {
    turn: 'nobody',
    state: `Everything is in place. Do not change the records${isRenewed ? ': they are needed to renew the certificate.' : '.'}`,
  };
}

/**
 * Returns the sentences about one finding for the customer's letter. A hold must be released by the owner of the zone, who may not be the
 * customer.
 */
function toLetter({ who, cause, remedy }: Pick<Finding, 'who' | 'cause' | 'remedy'>): string {
  if (who !== 'zone-owner') return toCustomer(`${cause} ${remedy.text}`.trim());
  const zone = remedy.command?.kind === 'release-hold' ? remedy.command.zone : undefined;
  const named = zone === undefined || zone.startsWith('<') ? 'The DNS zone' : `The DNS zone ${zone}`;
  return (
    `${named} is under a hold that also prevents subdomains, so the hostname cannot be verified. If you own the zone, release ` +
    'the hold in your own account; for a subdomain it is enough to turn off "Also prevent subdomains". If someone else ' +
    'owns the zone, ask the owner to release the hold. Tell us when the hold is released. After we have checked the hostname again, you can set the hold again.'
  );
}

function isCustomer(who: Responsible): boolean {
  return who === 'customer' || who === 'zone-owner';
}

/** Describes the account's own addresses as an alternative (apex proxying), if they are available. */
function fixedAddresses(facts: Facts): string {
  const proxied = apexProxying(facts);
  if (proxied.kind === 'none') return '';
  return proxied.kind === 'ready'
    ? `, or ask us for our fixed addresses in ${proxied.ranges.join(', ')}, and set A and AAAA records to them`
    : ', or ask us whether we have fixed addresses for A records (apex proxying)';
}

/** Describes the record for the zone apex, and the alternatives if the customer's provider has no such record. */
function topNote(facts: Facts, provider: DnsProvider | undefined): string {
  const { hostname } = facts;
  const type = provider?.apexAlias?.type;
  const instead =
    `redirect ${hostname} to www.${hostname} and ask us to register that name, or move the DNS of ${hostname} to a provider ` +
    `with ALIAS records or CNAME flattening${fixedAddresses(facts)}`;
  if (type === 'CNAME')
    return `${hostname} is a zone apex. ${provider?.label} accepts a CNAME there, and flattens it.`;
  if (type !== undefined)
    return `${hostname} is a zone apex, where a CNAME is not allowed. Use the ${type} record of ${provider?.label} instead, and remove other A and AAAA records there.`;
  if (provider !== undefined)
    return `${hostname} is a zone apex, where a CNAME is not allowed, and ${provider.label} does not support ALIAS records that point to names at other providers. You can ${instead}.`;
  return `${hostname} is a zone apex, where a CNAME is not allowed. Use an ALIAS or ANAME record, or a flattened CNAME. If your provider has none of these, ${instead}.`;
}

function createNotes(
  facts: Facts,
  records: readonly InstructedRecord[],
  zone: string | undefined,
  { provider, topNote }: { readonly provider: DnsProvider | undefined; readonly topNote: string | undefined },
): readonly string[] {
  const { hostname } = facts;
  const routed = records.find(({ type, fullName }) => type === 'CNAME' && fullName === hostname);
  return [
    ...(zone === undefined
      ? ['Names are written in full. Most panels append the domain: omit it in the panel.']
      : [`Names are shown without ${zone}, which most panels append.`]),
    ...(topNote === undefined ? [] : [topNote]),
    ...(routed?.state === 'missing' && topNote === undefined
      ? [
          `Remove the A, AAAA and other CNAME records for ${hostname}: a CNAME must be the only record for its name.`,
        ]
      : []),
    ...(provider?.note === undefined ? [] : [provider.note]),
  ];
}
