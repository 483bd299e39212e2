import { dayMilliseconds } from '../../hostnames/hostname.ts';
import { ownershipName } from '../../hostnames/tokens.ts';
import { inPanel } from '../../instructions/providers.ts';
import { type Facts, ifKnown } from '../facts.ts';
import { type Judgement, type NextStep, type RecordAdvice, type Rule, waitRemedy } from '../finding.ts';
import { refreshCommand } from '../remedy.ts';
import { findDamagedToken } from './mangled.ts';
import { originIsDeployed } from './prerequisites.ts';
import {
  addressLines,
  chainLine,
  exactRecord,
  formatUnits,
  hourMilliseconds,
  isZoneApex,
  minuteMilliseconds,
  originFault,
  pointsElsewhere,
  pointsHere,
  readRouting,
  timeSinceValidation,
} from './reading.ts';

/** D1 to D8: validation of the hostname itself. */
export const ownershipRules: readonly Rule[] = [
  { id: 'D1', judge: checkSoon },
  { id: 'D2', judge: checkLate },
  { id: 'D3', judge: tokenFound },
  { id: 'D4', judge: tokenDiffers },
  { id: 'D5', judge: nothingInPlace },
  { id: 'D6', judge: tokenMisplaced },
  { id: 'D7', judge: scheduleEnds },
  { id: 'D8', judge: tokenMangled },
];

function isPending(facts: Facts): boolean {
  return exactRecord(facts)?.status === 'pending';
}

function expectedToken(facts: Facts): string | undefined {
  return exactRecord(facts)?.ownership_verification?.value;
}

function ageLine(facts: Facts): string {
  const minutes = Math.floor((timeSinceValidation(facts) ?? 0) / minuteMilliseconds);
  if (minutes < 120) return `validation began ${formatUnits(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  return `validation began ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} ago`;
}

/** Returns whether the hostname is pending only because its next check is outstanding: everything else is in place. */
function waitsForCheck(facts: Facts): boolean {
  return isPending(facts) && pointsHere(facts) && originFault(facts) === undefined;
}

/**
 * Returns whether the platform will activate the hostname within hours without any action: everything is in place, or the origin is being
 * deployed.
 */
export function becomesActive(facts: Facts): boolean {
  const isSoon = (timeSinceValidation(facts) ?? 0) < 4 * hourMilliseconds;
  const hasOrigin = originFault(facts) === undefined || originIsDeployed(facts);
  return isPending(facts) && pointsHere(facts) && isSoon && hasOrigin;
}

function checkSoon(facts: Facts): Judgement {
  if (!waitsForCheck(facts) || (timeSinceValidation(facts) ?? 0) >= 4 * hourMilliseconds) return undefined;
  const early = (timeSinceValidation(facts) ?? 0) < 20 * minuteMilliseconds;
  if ((exactRecord(facts)?.verification_errors ?? []).length > 0) return checkedBefore(facts);
  return {
    severity: 'progress',
    cause: 'DNS is correct; the hostname is waiting for its next check.',
    evidence: [chainLine(facts), ageLine(facts)],
    who: 'nobody',
    remedy: {
      text: early ? 'Wait a few minutes.' : 'Wait, or restart validation to check again now.',
      command: refreshCommand(facts),
    },
  };
}

const deploying = /fallback origin is in a status of `?(?:initializing|pending_deployment)/i;

/** Reports that the platform's last check failed although nothing is wrong now. The next check may be hours away. */
function checkedBefore(facts: Facts): Judgement {
  const common = {
    cause: "The platform's last check failed, but all facts that edgectl can check are now correct.",
    evidence: [chainLine(facts), ageLine(facts), ...(exactRecord(facts)?.verification_errors ?? [])],
  };
  // At first the platform checks every few minutes, so a check soon follows the end of the origin's deployment.
  const isOfOrigin = (exactRecord(facts)?.verification_errors ?? []).every((message) =>
    deploying.test(message),
  );
  if (isOfOrigin && (timeSinceValidation(facts) ?? 0) < 20 * minuteMilliseconds)
    return {
      severity: 'progress',
      ...common,
      ...waitRemedy('Wait a few minutes: the hostname is checked again automatically.'),
    };
  const { refreshedAt } = facts.history;
  if (refreshedAt !== undefined && facts.now - refreshedAt > 20 * minuteMilliseconds) {
    const text = 'Restarting validation had no effect: contact the platform with this evidence.';
    return { severity: 'error', ...common, who: 'provider', remedy: { text } };
  }
  return {
    severity: 'progress',
    ...common,
    who: 'us',
    remedy: { text: 'Restart validation to check again now.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function checkLate(facts: Facts): Judgement {
  if (!waitsForCheck(facts) || (timeSinceValidation(facts) ?? 0) < 4 * hourMilliseconds) return undefined;
  return {
    severity: 'warn',
    cause: 'DNS is correct, but the next check can be up to four hours away.',
    evidence: [chainLine(facts), ageLine(facts)],
    who: 'us',
    remedy: { text: 'Restart validation to check the hostname immediately.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function foundTokens(facts: Facts): readonly string[] {
  return ifKnown(facts.dns.ownershipTxt) ?? [];
}

function tokenFound(facts: Facts): Judgement {
  const expected = expectedToken(facts);
  if (!isPending(facts) || expected === undefined || !foundTokens(facts).includes(expected)) return undefined;
  if (pointsHere(facts) || readRouting(facts) === 'edge') return undefined;
  return {
    severity: 'progress',
    cause: 'The ownership token is in place; the hostname is waiting for its next check.',
    evidence: [`TXT ${ownershipName(facts.hostname)}: ${expected}`],
    who: 'us',
    remedy: { text: 'Restart validation to check again now.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}

function tokenAdvice(facts: Facts): readonly RecordAdvice[] {
  const value = expectedToken(facts);
  return value === undefined ? [] : [{ name: ownershipName(facts.hostname), type: 'TXT', value }];
}

function tokenDiffers(facts: Facts): Judgement {
  const found = foundTokens(facts);
  const expected = expectedToken(facts);
  if (!isPending(facts) || pointsHere(facts) || expected === undefined) return undefined;
  if (found.length === 0 || found.includes(expected) || findDamagedToken(found, [expected])) return undefined;
  return {
    severity: 'error',
    cause:
      'The ownership token in DNS is not the current token, which changes when a hostname is deleted and created again.',
    evidence: found.map((text) => `TXT ${ownershipName(facts.hostname)}: ${text}`),
    who: 'customer',
    remedy: replaceToken(facts),
  };
}

function replaceToken(facts: Facts): NextStep {
  return {
    text: 'The customer must replace the TXT record with this record; then restart validation.',
    records: tokenAdvice(facts),
    command: refreshCommand(facts),
  };
}

function tokenMangled(facts: Facts): Judgement {
  const found = foundTokens(facts);
  const expected = expectedToken(facts);
  if (!isPending(facts) || pointsHere(facts) || expected === undefined || found.includes(expected))
    return undefined;
  const mangled = findDamagedToken(found, [expected]);
  if (mangled === undefined) return undefined;
  return {
    severity: 'error',
    cause: `The ownership token ${mangled.how}`,
    evidence: [`TXT ${ownershipName(facts.hostname)}: ${mangled.found}`, `expected: ${expected}`],
    who: 'customer',
    remedy: replaceToken(facts),
  };
}

function nothingInPlace(facts: Facts): Judgement {
  const found = ifKnown(facts.dns.ownershipTxt);
  const isProvable = pointsElsewhere(facts) || readRouting(facts) === 'unseen';
  if (!isPending(facts) || !isProvable || found === undefined || found.length > 0) return undefined;
  if (facts.dns.misplacedOwnership.some((place) => place.texts.includes(expectedToken(facts) ?? '')))
    return undefined;
  const evidence = [
    ...(exactRecord(facts)?.verification_errors ?? []),
    `TXT ${ownershipName(facts.hostname)}: none`,
  ];
  if (isZoneApex(facts) && tokenAdvice(facts).length > 0)
    return {
      severity: 'error',
      cause:
        'Ownership is not proved: the platform cannot see a CNAME at a zone apex, and DNS contains no ownership token.',
      evidence: [...addressLines(facts), ...evidence],
      who: 'customer',
      remedy: {
        text: 'The customer must add this TXT record; then restart validation.',
        records: tokenAdvice(facts),
        command: refreshCommand(facts),
      },
    };
  return {
    severity: 'error',
    cause: 'Ownership is not proved: DNS contains neither a CNAME to this zone nor an ownership token.',
    evidence,
    who: 'customer',
    remedy: {
      text: 'The CNAME proves ownership. To validate before the changeover, the customer must create this TXT record first.',
      records: tokenAdvice(facts),
    },
  };
}

function tokenMisplaced(facts: Facts): Judgement {
  const expected = expectedToken(facts);
  if (!isPending(facts) || expected === undefined || foundTokens(facts).includes(expected)) return undefined;
  const places = facts.dns.misplacedOwnership.filter((place) => place.texts.includes(expected));
  if (places.length === 0) return undefined;
  return {
    severity: 'error',
    cause: 'The ownership token is at the wrong name.',
    evidence: places.map((place) => `TXT ${place.name}: ${expected}`),
    who: 'customer',
    remedy: {
      text: `The customer must move the token to this name (many DNS panels expect the name without the zone). Then restart validation.${inPanel(ifKnown(facts.dns.zones)?.[0], ownershipName(facts.hostname))}`,
      records: tokenAdvice(facts),
      command: refreshCommand(facts),
    },
  };
}

function scheduleEnds(facts: Facts): Judgement {
  const age = timeSinceValidation(facts) ?? 0;
  if (!isPending(facts) || age < 5 * dayMilliseconds) return undefined;
  const left = Math.max(0, 7.06 - age / dayMilliseconds).toFixed(1);
  return {
    severity: 'critical',
    cause: 'Validation is about to fail: its schedule ends after 7 days.',
    evidence: [ageLine(facts), `about ${left} days left`],
    who: 'us',
    remedy: { text: 'Restart validation.', command: refreshCommand(facts) },
    fix: { kind: 'refresh' },
  };
}
