import { type Facts, ifKnown, unknownReason } from '../diagnosis/facts.ts';
import { certificateRules } from '../diagnosis/rules/certificate.ts';
import { exactRecord, timeToExpiry } from '../diagnosis/rules/reading.ts';
import {
  type CustomHostname,
  dayMilliseconds,
  hasCustomCertificate,
  isTimedOut,
} from '../hostnames/hostname.ts';
import { renewalDays } from '../hostnames/state.ts';
import type { Ahead, Forecast, Obstacle } from './ahead.ts';
import { lostHostname } from './lifetime.ts';
import { authorityAhead, proofAhead, refusedAhead } from './renewal.ts';

/** Forecasts the next renewal of a hostname's certificate from the current DNS, CAA, delegation and origin. */
export function forecast(facts: Facts): Forecast | undefined {
  const record = exactRecord(facts);
  if (record === undefined) return undefined;
  const endsAt = findEnd(facts);
  const common = {
    hostname: facts.hostname,
    id: record.id,
    status: record.status ?? 'no status',
    certificate: record.ssl?.status ?? 'none',
    ...(endsAt !== undefined && { endsAt }),
  };
  return { ...common, ...findOutcome(facts, record) };
}

function findOutcome(facts: Facts, record: CustomHostname): Ahead {
  const lost = lostHostname(facts);
  if (lost !== undefined) return lost;
  const { ssl } = record;
  if (ssl === undefined)
    return { outcome: 'none', at: facts.now, reason: 'The hostname has no certificate.', who: 'nobody' };
  const at = findRenewal(facts);
  const notServed = heldBack(facts);
  if (notServed !== undefined) return notServed;
  if (hasCustomCertificate(record)) {
    const reason = 'The certificate was uploaded; the platform does not renew it.';
    const text = 'The customer must provide a new certificate; then upload it.';
    return { outcome: 'ends', at: findEnd(facts) ?? at, reason, who: 'customer', remedy: { text } };
  }
  return standing(facts, ssl.status ?? '') ?? renewal(facts, at);
}

/** Findings about a certificate that makes no progress until someone acts: an order without tokens, and uploaded certificates. */
const waiting: readonly string[] = ['F3', 'F25', 'F27'];

function heldBack(facts: Facts): Ahead | undefined {
  const found = certificateRules
    .filter(({ id }) => waiting.includes(id))
    .flatMap(({ judge }) => judge(facts) ?? []);
  const first = found.find(({ severity }) => severity === 'error' || severity === 'warn');
  if (first === undefined) return undefined;
  const { cause: reason, who, remedy } = first;
  return { outcome: 'fails', at: facts.now, reason, who, remedy };
}

/** Returns the forecast for a certificate that the platform no longer tries to issue; undefined for all others. */
function standing(facts: Facts, status: string): Ahead | undefined {
  const over = ['expired', 'inactive', 'deactivating', 'deleted'].includes(status);
  if (!over && !isTimedOut(status)) return undefined;
  const reason = over
    ? 'The hostname no longer has a valid certificate, and no new certificate has been ordered.'
    : 'The platform no longer tries to issue the certificate.';
  const { method, obstacle } = proofAhead(facts);
  const command = { kind: 'refresh', hostname: facts.hostname } as const;
  const next =
    obstacle === undefined
      ? ''
      : ` A new order ${obstacle.known ? 'would' : 'could'} also fail. ${obstacle.reason}`;
  return {
    outcome: 'fails',
    at: facts.now,
    ...(method !== undefined && { method }),
    reason: `${reason}${next}`,
    who: obstacle?.who ?? 'us',
    remedy: {
      ...obstacle?.remedy,
      text: `Restart validation.${obstacle === undefined ? '' : ` ${obstacle.remedy.text}`}`,
      command,
    },
  };
}

function renewal(facts: Facts, at: number): Ahead {
  const proof = proofAhead(facts);
  const method = proof.method === undefined ? {} : { method: proof.method };
  if (proof.obstacle !== undefined) return { at, ...method, ...stopped(proof.obstacle) };
  const refused = refusedAhead(facts);
  if (refused !== undefined) return { at, ...method, ...stopped(refused) };
  const issuer = authorityAhead(facts, proof.method);
  const authority = issuer.authority === undefined ? {} : { authority: issuer.authority };
  if (issuer.obstacle !== undefined) return { at, ...method, ...authority, ...stopped(issuer.obstacle) };
  const unchecked = proof.method === 'http' ? unknownReason(facts.token) : undefined;
  // If the edge answers but the token path does not, an authority may also get no answer.
  const isSilent = facts.edgeSilence !== undefined;
  if (unchecked !== undefined && (isSilent || ifKnown(facts.http) !== undefined)) {
    const reason = `The path of the HTTP token could not be checked: ${facts.edgeSilence ?? unchecked}.`;
    const remedy = {
      text: isSilent
        ? 'Repeat the forecast from a network that can reach the edge.'
        : 'Repeat the forecast. If the result stays the same, find out why requests for /.well-known/ get no response.',
    };
    return { outcome: 'unclear', at, ...method, ...authority, reason, who: 'nobody', remedy };
  }
  const reason =
    unchecked === undefined
      ? 'DNS, CAA and the origin allow the renewal.'
      : `DNS, CAA and the origin allow the renewal; the path of the HTTP token was not checked (${unchecked}).`;
  return { outcome: 'renews', at, ...method, ...authority, reason, who: 'nobody' };
}

function stopped({
  known,
  reason,
  who,
  remedy,
}: Obstacle): Pick<Ahead, 'outcome' | 'reason' | 'who' | 'remedy'> {
  return { outcome: known ? 'fails' : 'unclear', reason, who, remedy };
}

function findEnd(facts: Facts): number | undefined {
  const left = timeToExpiry(facts);
  return left === undefined ? undefined : facts.now + left;
}

/**
 * Returns the time of the renewal: 30 days before the certificate expires, or now if the certificate is missing and therefore being issued.
 */
function findRenewal(facts: Facts): number {
  const end = findEnd(facts);
  return end === undefined ? facts.now : Math.max(facts.now, end - renewalDays * dayMilliseconds);
}

/** Returns the forecasts for the next `days` days, sorted by time and then by hostname. */
export function within(forecasts: Iterable<Forecast>, now: number, days: number): readonly Forecast[] {
  const until = now + days * dayMilliseconds;
  return [...forecasts]
    .filter(({ outcome, at }) => outcome !== 'none' && at <= until)
    .sort((left, right) => left.at - right.at || (left.hostname < right.hostname ? -1 : 1));
}

/** Returns whether someone must act before a hostname loses its certificate. */
export function isBroken({ outcome }: Pick<Forecast, 'outcome'>): boolean {
  return outcome === 'fails' || outcome === 'ends' || outcome === 'gone';
}
