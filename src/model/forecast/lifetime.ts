import { type Facts, ifKnown } from '../diagnosis/facts.ts';
import { refreshCommand, routeRecords } from '../diagnosis/remedy.ts';
import { isReleased } from '../diagnosis/rules/lifecycle.ts';
import { originIsDeployed, originRemedy } from '../diagnosis/rules/prerequisites.ts';
import {
  daysLeftInMoved,
  exactRecord,
  originFault,
  pointsElsewhere,
  pointsHere,
  readRouting,
  timeSinceValidation,
} from '../diagnosis/rules/reading.ts';
import { backOffTotal, hostnameChecks } from '../hostnames/certificate.ts';
import { dayMilliseconds, hasHoldMessage, hostnameLimits } from '../hostnames/hostname.ts';
import { deletionAt } from '../hostnames/list.ts';
import type { Ahead } from './ahead.ts';

/**
 * Returns the forecast for a hostname that will be deleted or will stay blocked, regardless of its certificate; undefined for all other
 * hostnames.
 */
export function lostHostname(facts: Facts): Ahead | undefined {
  const status = exactRecord(facts)?.status ?? '';
  switch (status) {
    case 'moved':
      return moved(facts);
    case 'deleted':
    case 'pending_deletion':
      return { outcome: 'gone', at: facts.now, reason: 'The hostname is being deleted.', who: 'nobody' };
    case 'blocked':
    case 'pending_blocked':
      return blocked(facts);
    case 'pending':
      return pending(facts);
    default:
      return undefined;
  }
}

function moved(facts: Facts): Ahead {
  const at = facts.now + daysLeftInMoved(facts) * dayMilliseconds;
  const here = pointsHere(facts);
  return {
    outcome: 'gone',
    at,
    reason: `The hostname has the status Moved, and will be deleted in at most ${hostnameLimits.movedDays} days.`,
    who: here ? 'us' : 'customer',
    remedy: here
      ? { text: 'Restart validation: DNS points here again.', command: refreshCommand(facts) }
      : {
          text: 'The customer must restore the record; then restart validation. Alternatively, delete the hostname.',
          records: routeRecords(facts),
          command: refreshCommand(facts),
        },
  };
}

function blocked(facts: Facts): Ahead | undefined {
  const record = exactRecord(facts);
  const held = record !== undefined && hasHoldMessage(record);
  if (held && isReleased(facts)) return pending(facts);
  return {
    outcome: 'fails',
    at: facts.now,
    reason: held
      ? "The customer's zone is under a hold that also prevents subdomains."
      : 'The platform has blocked the hostname.',
    who: held ? 'zone-owner' : 'provider',
    remedy: {
      text: held
        ? 'The owner of the zone must release the hold; then restart validation.'
        : 'Contact the platform.',
      ...(held && { command: refreshCommand(facts) }),
    },
  };
}

/**
 * Returns the forecast for a hostname whose validation is pending; undefined if validation will succeed. If every check fails, the platform
 * moves the hostname to Moved at the end of the schedule, and deletes the hostname seven days later.
 */
function pending(facts: Facts): Ahead | undefined {
  const proved = pointsHere(facts) || (tokenStands(facts) && readRouting(facts) !== 'edge');
  const fault = originIsDeployed(facts) ? undefined : originFault(facts);
  if (proved && fault === undefined) return undefined;
  const at = givenUpAt(facts);
  if (proved) {
    const text = 'Set a fallback origin that has a proxied DNS record, then restart validation.';
    const remedy = originRemedy(facts)?.remedy ?? { text, command: refreshCommand(facts) };
    return {
      outcome: 'gone',
      at,
      reason: `The hostname cannot be validated while ${fault}.`,
      who: 'us',
      remedy,
    };
  }
  return {
    outcome: 'gone',
    at,
    reason: 'Ownership is not proved: validation will time out, and the hostname will be deleted.',
    who: 'customer',
    remedy: {
      text: 'The customer must create this record; then restart validation.',
      records: routeRecords(facts),
      command: refreshCommand(facts),
    },
  };
}

/**
 * Returns the time at which the platform deletes a hostname that is never validated. A refresh that finds DNS pointing elsewhere does not
 * restart the schedule or the countdown in Moved.
 */
function givenUpAt(facts: Facts): number {
  const { movedSeenAt } = facts.history;
  if (movedSeenAt !== undefined && pointsElsewhere(facts)) return deletionAt(movedSeenAt);
  const left = Math.max(0, backOffTotal(hostnameChecks) * 1000 - (timeSinceValidation(facts) ?? 0));
  return deletionAt(facts.now + left);
}

function tokenStands(facts: Facts): boolean {
  const value = exactRecord(facts)?.ownership_verification?.value;
  return value !== undefined && (ifKnown(facts.dns.ownershipTxt) ?? []).includes(value);
}
