import { isWithin } from '../../dns/dns.ts';
import type { ZoneDnsRecord } from '../../zones/zone.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { AdvisedCommand, Finding, NextStep, RecordAdvice } from '../finding.ts';
import { type Fix, type Judgement, type Rule, waitRemedy } from '../finding.ts';
import { setRecord } from '../remedy.ts';
import { exactRecord, formatUnits } from './reading.ts';

/** B1 to B9: requirements of the zone itself, reported once for all custom hostnames. */
export const prerequisiteRules: readonly Rule[] = [
  { id: 'B1', judge: noFallback },
  { id: 'B2', judge: fallbackUnderWay },
  { id: 'B3', judge: fallbackBroken },
  { id: 'B4', judge: fallbackRecord },
  { id: 'B5', judge: originRecordMissing },
  { id: 'B6', judge: zoneItself },
  { id: 'B7', judge: quotaUsed },
  { id: 'B8', judge: rateLimited },
  { id: 'B9', judge: zoneNotServed },
];

/** Returns the fallback origin if it is known and used. A hostname with a custom origin does not use the fallback origin. */
function fallbackInUse(facts: Facts) {
  return ownOrigin(facts) === undefined ? ifKnown(facts.fallback) : undefined;
}

/** Returns the hostname's custom origin, even after the hostname was deleted. */
function ownOrigin(facts: Facts): string | undefined {
  const record = exactRecord(facts);
  return record === undefined ? facts.history.lost?.origin : record.custom_origin_server;
}

function setFallback(origin: string): AdvisedCommand {
  return { kind: 'set-fallback', origin };
}

function noFallback(facts: Facts): Judgement {
  if (fallbackInUse(facts) !== null) return undefined;
  const zone = ifKnown(facts.zone)?.name;
  const candidate = ifKnown(facts.originRecord);
  const common = { severity: 'error' as const, who: 'us' as const };
  const unset = `fallback origin of ${zone ?? 'the zone'}: not set`;
  if (candidate === null) {
    const name = ownTarget(facts) ?? `origin.${zone ?? '<zone>'}`;
    return {
      ...common,
      cause:
        'The zone has no fallback origin and no proxied record that could serve as one, so requests for its custom hostnames fail with error 1016.',
      evidence: [unset, `no A, AAAA or CNAME record in the zone is proxied`],
      remedy: makeOrigin(
        name,
        'Create a proxied record for your origin; then set its name as the fallback origin.',
      ),
    };
  }
  const origin = candidate?.name ?? ownTarget(facts);
  const isUnproxied = candidate?.proxied === false;
  const fix: Fix | undefined =
    origin !== undefined && origin === ownTarget(facts) && !isUnproxied
      ? { kind: 'set-fallback', origin }
      : undefined;
  return {
    ...common,
    cause: 'The zone has no fallback origin, so requests for its custom hostnames fail with error 1016.',
    evidence: [
      unset,
      ...(candidate === undefined ? [] : [`${candidate.name} ${candidate.type} ${candidate.content}`]),
    ],
    remedy: isUnproxied
      ? switchOn(
          candidate,
          'Turn on proxying for this record in your zone; then set its name as the fallback origin.',
        )
      : origin === undefined
        ? {
            text: 'Create a proxied A, AAAA or CNAME record for the origin, and set its name as the fallback origin.',
            command: setFallback(`<origin in ${zone ?? 'the zone'}>`),
          }
        : {
            text: `Set the fallback origin to a name that has a proxied DNS record in the zone, for example ${origin}.`,
            command: setFallback(origin),
          },
    ...(fix !== undefined && { fix }),
  };
}

/** Returns the name to which customers point, if it is in our zone. Names in other zones cannot be the fallback origin. */
function ownTarget(facts: Facts): string | undefined {
  const target = ifKnown(facts.target);
  const zone = ifKnown(facts.zone)?.name;
  return target !== undefined && zone !== undefined && isWithin(target, zone) ? target : undefined;
}

function fallbackUnderWay(facts: Facts): Judgement {
  const fallback = fallbackInUse(facts);
  const status = fallback?.status ?? '';
  if (!['initializing', 'pending_deployment'].includes(status) || (fallback?.errors ?? []).length > 0)
    return undefined;
  return {
    severity: 'progress',
    cause: 'The fallback origin is being deployed.',
    evidence: [`fallback origin ${fallback?.origin}: ${status}`],
    ...waitRemedy(
      'Wait until the fallback origin is active. Pending hostnames are then checked automatically.',
    ),
  };
}

function fallbackBroken(facts: Facts): Judgement {
  const fallback = fallbackInUse(facts);
  if (fallback === undefined || fallback === null) return undefined;
  const bad = ['deployment_timed_out', 'deletion_timed_out', 'pending_deletion', 'deleted'];
  const errors = fallback.errors ?? [];
  if (errors.length === 0 && !bad.includes(fallback.status ?? '')) return undefined;
  return {
    severity: 'error',
    cause: 'The fallback origin does not work, so requests fail with error 1016.',
    evidence: [`fallback origin ${fallback.origin}: ${fallback.status ?? 'no status'}`, ...errors],
    who: 'us',
    remedy: { text: 'Set the fallback origin again.', command: setFallback(fallback.origin) },
    fix: { kind: 'set-fallback', origin: fallback.origin },
  };
}

function fallbackRecord(facts: Facts): Judgement {
  const fallback = fallbackInUse(facts);
  const record = ifKnown(facts.originRecord);
  if (fallback === undefined || fallback === null || record === undefined) return undefined;
  if (record !== null && record.proxied !== false) return undefined;
  const { origin } = fallback;
  const common = { severity: 'error' as const, who: 'us' as const };
  if (record === null) {
    return {
      ...common,
      cause: 'The DNS record of the fallback origin is missing, so requests fail with error 1016.',
      evidence: [`no A, AAAA or CNAME record is named ${origin}`],
      remedy: makeOrigin(origin, 'Create a proxied record in your zone.'),
    };
  }
  const { id, type, name, content } = record;
  return {
    ...common,
    cause: 'The DNS record of the fallback origin is not proxied.',
    evidence: [`${name} ${type} ${content}: DNS only`],
    remedy: switchOn(record, 'Turn on proxying for this record in your zone.'),
    fix: { kind: 'dns-record', id, type, name, content, proxied: true },
  };
}

function switchOn({ type, name, content }: ZoneDnsRecord, text: string): NextStep {
  return { text, ...(isHost(type) && { command: setRecord({ name, type, value: content }, true) }) };
}

function isHost(type: string): type is 'A' | 'AAAA' | 'CNAME' {
  return ['A', 'AAAA', 'CNAME'].includes(type);
}

function makeOrigin(name: string, text: string): NextStep {
  const record: RecordAdvice = { name, type: 'A', value: '<address of your origin>' };
  return { text, records: [record], command: setRecord(record, true) };
}

/** Returns the remedy for a missing or broken origin, from the first rule that detects the fault. */
export function originRemedy(facts: Facts): Pick<Finding, 'who' | 'remedy' | 'fix'> | undefined {
  for (const judge of [noFallback, fallbackBroken, fallbackRecord, originRecordMissing, fallbackUnderWay]) {
    const found = judge(facts);
    if (found === undefined) continue;
    const { who, remedy, fix } = found;
    return { who, remedy, ...(fix !== undefined && { fix }) };
  }
  return undefined;
}

/** Returns whether the origin has no fault except that its deployment is still in progress. */
export function originIsDeployed(facts: Facts): boolean {
  return originRemedy(facts)?.who === 'nobody';
}

function originRecordMissing(facts: Facts): Judgement {
  const origin = ownOrigin(facts);
  if (origin === undefined || ifKnown(facts.originRecord) !== null) return undefined;
  return {
    severity: 'error',
    cause: "The DNS record of the hostname's custom origin is missing, so requests fail with error 1016.",
    evidence: [`custom_origin_server: ${origin}`, `no A, AAAA or CNAME record is named ${origin}`],
    who: 'us',
    remedy: makeOrigin(
      origin,
      'Create a proxied record in your zone, or set another origin for the hostname.',
    ),
  };
}

function zoneItself(facts: Facts): Judgement {
  const zone = ifKnown(facts.zone)?.name;
  if (zone === undefined || zone !== facts.hostname || exactRecord(facts) === undefined) return undefined;
  return {
    severity: 'error',
    cause: "The custom hostname is the SaaS zone's own name, so requests fail with status 403.",
    evidence: [`hostname and zone are both ${zone}`],
    who: 'us',
    remedy: {
      text: 'Delete the hostname, and use a subdomain of the zone instead.',
      command: { kind: 'delete', hostname: facts.hostname },
    },
  };
}

function quotaUsed(facts: Facts): Judgement {
  const quota = ifKnown(facts.quota);
  if (quota === undefined) return undefined;
  const { used, allocated, hard_cap, exceeded } = quota;
  const full = used >= (hard_cap ?? Number.POSITIVE_INFINITY);
  if (!full && exceeded !== true && used < allocated) return undefined;
  return {
    severity: full && exactRecord(facts) === undefined ? 'error' : 'warn',
    cause: full
      ? 'The quota of custom hostnames is used up, so the platform refuses new hostnames (1405).'
      : 'The quota of custom hostnames is used up.',
    evidence: [`${used} of ${allocated} used${hard_cap === undefined ? '' : `, hard limit ${hard_cap}`}`],
    who: 'us',
    remedy: {
      text: 'Delete unused hostnames (each counts until it is deleted), or ask the platform to raise the quota.',
      command: { kind: 'list-status', status: 'moved' },
    },
  };
}

function rateLimited(facts: Facts): Judgement {
  const seconds = ifKnown(facts.issuance)?.blockedSeconds ?? 0;
  if (seconds <= 0) return undefined;
  const wait = formatUnits(seconds, 'second');
  return {
    severity: 'progress',
    cause:
      'More than 15 certificates were requested within a minute: new requests are refused for 30 seconds.',
    evidence: [`${wait} left`],
    ...waitRemedy(`Wait ${wait}. Creating from a file stays below the limit automatically.`),
  };
}

function zoneNotServed(facts: Facts): Judgement {
  const zone = ifKnown(facts.zone);
  const inactive = zone?.status !== undefined && zone.status !== 'active';
  if (zone === undefined || (!inactive && zone.paused !== true)) return undefined;
  return {
    severity: 'warn',
    cause: zone.paused === true ? 'The SaaS zone is paused.' : 'The SaaS zone is not active.',
    evidence: [`zone ${zone.name}: ${zone.status ?? 'no status'}${zone.paused === true ? ', paused' : ''}`],
    who: 'us',
    remedy: { text: 'Activate the zone: its custom hostnames are not served until then.' },
  };
}
