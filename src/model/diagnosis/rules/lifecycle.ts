import {
  dayMilliseconds,
  hasHoldMessage,
  hostnameLimits,
  isCertificateStatus,
  isHostnameStatus,
} from '../../hostnames/hostname.ts';
import { findProvider } from '../../instructions/providers.ts';
import { holdsNow } from '../../zones/zone.ts';
import { type Facts, ifKnown } from '../facts.ts';
import { type Judgement, type Rule, waitRemedy } from '../finding.ts';
import { apexText, createCommand, refreshCommand, routeRecords } from '../remedy.ts';
import {
  addressLines,
  chainLine,
  daysLeftInMoved,
  exactRecord,
  formatUnits,
  isZoneApex,
  pointsHere,
  readRouting,
  timeSinceValidation,
} from './reading.ts';

/** A0 to A10: the hostname's record and its lifecycle. */
export const lifecycleRules: readonly Rule[] = [
  { id: 'A0', judge: notRegistered },
  { id: 'A1', judge: unknownStatus },
  { id: 'A2', judge: deleted },
  { id: 'A3', judge: beingDeleted },
  { id: 'A4', judge: movedButBack },
  { id: 'A5', judge: movedAway },
  { id: 'A6', judge: movedAgain },
  { id: 'A7', judge: neverValidated },
  { id: 'A8', judge: held },
  { id: 'A9', judge: flagged },
  { id: 'A10', judge: redeploying },
];

function notRegistered(facts: Facts): Judgement {
  if (ifKnown(facts.record) !== null || ifKnown(facts.wildcardRecord) !== null) return undefined;
  if (facts.hostname.length > hostnameLimits.commonName) return undefined;
  return {
    severity: 'error',
    cause:
      'The hostname is not registered as a custom hostname: it was never registered, or was deleted after 7 days in Moved.',
    evidence: [`no custom hostname is named ${facts.hostname}, and no wildcard covers it`],
    who: 'us',
    ...(isFull(facts)
      ? { remedy: { text: 'Create the hostname when the quota allows.' } }
      : {
          remedy: {
            text: 'Create the hostname again, and send its new tokens to the customer.',
            command: createCommand(facts),
          },
          fix: { kind: 'create', branding: false },
        }),
  };
}

/** Returns whether the platform would refuse to create another custom hostname (1404, 1405). */
function isFull(facts: Facts): boolean {
  const { used, hard_cap } = ifKnown(facts.quota) ?? { used: 0 };
  return used >= (hard_cap ?? Number.POSITIVE_INFINITY);
}

function unknownStatus(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const odd = [
    ...(record?.status === undefined || isHostnameStatus(record.status) ? [] : [`status: ${record.status}`]),
    ...(record?.ssl?.status === undefined || isCertificateStatus(record.ssl.status)
      ? []
      : [`ssl.status: ${record.ssl.status}`]),
  ].filter((line) => !line.includes('caa_error') && !line.endsWith('timed_out'));
  if (odd.length === 0) return undefined;
  return {
    severity: 'warn',
    cause: 'The platform reports a status that this version does not know.',
    evidence: odd,
    who: 'us',
    remedy: {
      text: 'Read the raw record, and check whether a newer version of edgectl knows the status.',
    },
  };
}

function deleted(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record?.status !== 'deleted' && record?.ssl?.status !== 'deleted') return undefined;
  return {
    severity: 'critical',
    cause: 'The custom hostname was deleted and is no longer served.',
    evidence: [`status: ${record.status}, certificate: ${record.ssl?.status ?? 'none'}`],
    who: 'us',
    remedy: {
      text: 'Restart validation while the record can still be read. If the platform refuses, create the hostname again.',
      command: refreshCommand(facts),
    },
    fix: { kind: 'refresh' },
  };
}

function beingDeleted(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const certificate = record?.ssl?.status;
  const going = certificate === 'pending_deletion' || certificate === 'pending_cleanup';
  if (record?.status !== 'pending_deletion' && !going) return undefined;
  return {
    severity: 'progress',
    cause: 'Deletion is in progress.',
    evidence: [`status: ${record?.status}, certificate: ${certificate ?? 'none'}`],
    ...waitRemedy(
      'Wait until the hostname is deleted; until then, the platform refuses to create the hostname again (1406, duplicate).',
    ),
  };
}

function movedLines(facts: Facts): readonly string[] {
  const days = daysLeftInMoved(facts);
  const seen = facts.history.movedSeenAt;
  const since =
    seen === undefined ? '' : `; first seen in Moved on ${new Date(seen).toISOString().slice(0, 10)}`;
  return [`deleted in at most ${formatUnits(days, 'day')}${since}`, chainLine(facts), ...addressLines(facts)];
}

function isMoved(facts: Facts): boolean {
  return exactRecord(facts)?.status === 'moved';
}

/**
 * Maximum time in milliseconds between a refresh without effect and the hostname's return to Moved. If the hostname returns to Moved later,
 * the customer may have changed DNS again.
 */
const soonMilliseconds = dayMilliseconds;

/** Returns whether the hostname returned to Moved within a day after a refresh, although the last check did not report a missing CNAME. */
function refreshHadNoEffect(facts: Facts): boolean {
  const { movedSeenAt, revivedAt } = facts.history;
  if (movedSeenAt === undefined || revivedAt === undefined) return false;
  const left = (exactRecord(facts)?.verification_errors ?? []).some((message) =>
    /does not CNAME/i.test(message),
  );
  return !left && movedSeenAt - revivedAt < soonMilliseconds;
}

function movedButBack(facts: Facts): Judgement {
  const proved = provesByToken(facts);
  if (!isMoved(facts) || !canReturnFromMoved(facts) || refreshHadNoEffect(facts)) return undefined;
  return {
    severity: 'critical',
    cause: proved
      ? 'The hostname has the status Moved although its ownership token is in DNS.'
      : 'The hostname has the status Moved although DNS points here again.',
    evidence: movedLines(facts),
    who: 'us',
    remedy: {
      text: 'Restart validation now, before the hostname is deleted.',
      command: refreshCommand(facts),
    },
    fix: { kind: 'refresh' },
  };
}

/** Returns whether the ownership token in DNS proves ownership of a zone apex, where the platform cannot see a CNAME. */
function provesByToken(facts: Facts): boolean {
  const wanted = exactRecord(facts)?.ownership_verification?.value;
  const found = ifKnown(facts.dns.ownershipTxt) ?? [];
  return (
    ['unseen', 'flattened'].includes(readRouting(facts)) &&
    isZoneApex(facts) &&
    wanted !== undefined &&
    found.includes(wanted)
  );
}

/**
 * Returns whether restarting validation can move a hostname out of Moved. Our addresses alone are not enough: the platform requires a
 * CNAME, and cannot see a CNAME that another provider's DNS flattens.
 */
function canReturnFromMoved(facts: Facts): boolean {
  if (readRouting(facts) !== 'flattened') return pointsHere(facts) || provesByToken(facts);
  const [zone] = ifKnown(facts.dns.zones) ?? [];
  return provesByToken(facts) || findProvider(zone?.nameServers ?? [])?.apexAlias?.type === 'CNAME';
}

function movedAway(facts: Facts): Judgement {
  if (!isMoved(facts) || canReturnFromMoved(facts)) return undefined;
  // If one of our names does not resolve, we must create the record of that name.
  if (readRouting(facts) === 'dangling') return undefined;
  return {
    severity: 'critical',
    cause:
      isZoneApex(facts) || readRouting(facts) === 'unknown'
        ? 'The hostname has the status Moved: the platform cannot confirm that its DNS points here.'
        : 'The hostname has the status Moved: its DNS no longer points here.',
    evidence: movedLines(facts),
    who: 'customer',
    remedy: {
      text: isZoneApex(facts)
        ? `${apexText(facts)} Then restart validation.`
        : 'The customer must restore the record; then restart validation. If the customer has left, delete the hostname.',
      records: routeRecords(facts),
      command: refreshCommand(facts),
    },
  };
}

function movedAgain(facts: Facts): Judgement {
  if (!isMoved(facts) || !pointsHere(facts) || !refreshHadNoEffect(facts)) return undefined;
  return {
    severity: 'error',
    cause:
      'The hostname has the status Moved again after a refresh. It is probably active in another zone: the zone that validated it last wins.',
    evidence: movedLines(facts),
    who: 'customer',
    remedy: {
      text: 'The customer must have the hostname removed from the other zone. Then restart validation once, but not before.',
      command: refreshCommand(facts),
    },
  };
}

function neverValidated(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const age = timeSinceValidation(facts) ?? 0;
  const issued = record?.ssl?.expires_on !== undefined || record?.ssl?.issuer !== undefined;
  if (record?.status !== 'moved' || issued || age < 7 * dayMilliseconds) return undefined;
  return {
    severity: 'critical',
    cause: 'Validation never succeeded: all 75 checks within 7 days failed.',
    evidence: [`created ${record.created_at}`, ...(record.verification_errors ?? [])],
    who: 'us',
    remedy: {
      text: 'Restart validation.',
      command: refreshCommand(facts),
    },
    fix: { kind: 'refresh' },
  };
}

function held(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record !== undefined && isCheckedSince(facts))
    return {
      severity: 'error',
      cause: "The hostname is still blocked, although the platform's last check no longer found a zone hold.",
      evidence: [`status: ${record.status}`, ...(record.verification_errors ?? [])],
      who: 'us',
      remedy: {
        text: 'Restart validation: the hostname stays blocked until then.',
        command: refreshCommand(facts),
      },
      fix: { kind: 'refresh' },
    };
  if (record === undefined || !hasHoldMessage(record)) return undefined;
  const hold = ifKnown(facts.hold);
  const released = isReleased(facts);
  const common = { severity: 'error' as const, evidence: record.verification_errors ?? [] };
  if (released) {
    return {
      ...common,
      cause: 'The hostname is blocked by a zone hold that has since been released.',
      who: 'us',
      remedy: { text: 'Restart validation.', command: refreshCommand(facts) },
      fix: { kind: 'refresh' },
    };
  }
  return {
    ...common,
    cause:
      "The customer's zone is under a hold that also prevents subdomains, so the hostname cannot be verified.",
    who: 'zone-owner',
    remedy: {
      text:
        'The owner of the zone must release the hold (for a subdomain, only "Also prevent subdomains") in their own account, ' +
        'with the command below. Then restart validation. Afterwards, the owner can set the hold again.',
      command: { kind: 'release-hold', zone: hold?.zone ?? heldZoneIn(common.evidence) ?? '<zone>' },
    },
  };
}

/** Returns whether the hold that blocked the hostname has been lifted. In that case, the next check activates the hostname. */
export function isReleased({ hold, now }: Facts): boolean {
  const found = ifKnown(hold);
  return found === null || (found !== undefined && !holdsNow(found, now));
}

/**
 * Returns whether a blocked hostname was checked after it was blocked, and now has a different fault. The platform does not check a
 * hostname that is blocked by a hold or for abuse.
 */
function isCheckedSince(facts: Facts): boolean {
  const record = exactRecord(facts);
  if (record?.status !== 'blocked' || hasHoldMessage(record)) return false;
  const said = /does not CNAME|DNS lookup|fallback origin|using cloudflare/i;
  return (record.verification_errors ?? []).some((message) => said.test(message));
}

function heldZoneIn(messages: readonly string[]): string | undefined {
  return messages
    .map((message) => /held zone \(([a-z0-9.-]+)\)/i.exec(message)?.[1])
    .find((zone) => zone !== undefined);
}

function flagged(facts: Facts): Judgement {
  const record = exactRecord(facts);
  const status = record?.status ?? '';
  if (record === undefined || hasHoldMessage(record) || isCheckedSince(facts)) return undefined;
  if (!['blocked', 'pending_blocked', 'test_blocked'].includes(status)) return undefined;
  return {
    severity: 'error',
    cause:
      'The platform has blocked the hostname for a reason other than a zone hold: it was probably flagged for abuse.',
    evidence: [`status: ${status}`, ...(record.verification_errors ?? [])],
    who: 'provider',
    remedy: {
      text: 'Contact the platform: your account manager, or its abuse desk. No API call unblocks the hostname.',
    },
  };
}

function redeploying(facts: Facts): Judgement {
  const status = exactRecord(facts)?.status ?? '';
  const passing = ['active_redeploying', 'provisioned', 'pending_provisioned', 'pending_migration'];
  const testing = status.startsWith('test_') && status !== 'test_blocked';
  if (!passing.includes(status) && !testing) return undefined;
  return {
    severity: 'progress',
    cause: 'A deployment or migration is in progress.',
    evidence: [`status: ${status}`],
    ...waitRemedy('Check again in a few minutes.'),
  };
}
