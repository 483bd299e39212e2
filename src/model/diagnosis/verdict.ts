import type { Forecast } from '../forecast/ahead.ts';
import { forecast } from '../forecast/forecast.ts';
import {
  type Attention,
  currentVerdict,
  findAttention,
  recordState,
  type Verdict,
} from '../hostnames/attention.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import type { Facts } from './facts.ts';
import type { NextStep } from './finding.ts';
import { exactRecord } from './rules/reading.ts';

/** Milliseconds for which a diagnosis with an edge probe outranks a newer diagnosis without a probe. */
const edgeResultLifeMs = 60 * 60 * 1000;

/**
 * Converts a diagnosis to the result that is stored for other parts of the program. Returns undefined if the hostname has no record. If the
 * diagnosis is undecided, returns the earlier result if it is still valid. If the edge was not probed, an earlier result with a probe
 * remains valid for an hour.
 */
export function toVerdict(
  facts: Facts,
  { exit, headline }: Diagnosis = diagnose(facts),
): Verdict | undefined {
  const record = exactRecord(facts);
  if (record === undefined) return undefined;
  const evidence = { record, readAt: facts.now, verdict: facts.earlier };
  const earlier = currentVerdict(evidence);
  if (headline === undefined || exit === 1) return earlier;
  const edge = 'known' in facts.http || 'known' in facts.https;
  if (!edge && earlier?.edge === true && facts.now - earlier.at < edgeResultLifeMs) return earlier;
  const { id, severity, who, cause, remedy } = headline;
  return {
    at: facts.now,
    record: recordState(record),
    edge,
    finding: id,
    severity,
    who,
    cause,
    next: remedy.text,
  };
}

/** Returns the reason why the hostname needs attention; undefined if it does not. */
export function attentionFrom(facts: Facts, diagnosis?: Diagnosis): Attention | undefined {
  const record = exactRecord(facts);
  if (record === undefined) return undefined;
  const { movedSeenAt } = facts.history;
  return findAttention({ record, readAt: facts.now, movedSeenAt, verdict: toVerdict(facts, diagnosis) });
}

/**
 * Returns a forecast with the same responsible party and next step as the diagnosis of these facts. Does not change the forecast outcome of
 * the renewal.
 */
export function agreedForecast(facts: Facts): Forecast | undefined {
  const found = forecast(facts);
  const diagnosis = diagnose(facts);
  const attention = attentionFrom(facts, diagnosis);
  if (found === undefined || attention === undefined || attention.who === found.who) return found;
  const { remedy: _other, ...rest } = found;
  const { who, cause, next } = attention;
  const own = toVerdict(facts, diagnosis)?.at === facts.now ? diagnosis.headline?.remedy : undefined;
  const remedy: NextStep | undefined = own ?? (next === undefined ? undefined : { text: next });
  return { ...rest, who, reason: reasonWith(found, cause, attention), ...(remedy && { remedy }) };
}

function reasonWith({ reason, outcome }: Forecast, cause: string, { who }: Attention): string {
  if (who === 'nobody') return reason;
  return outcome === 'renews' ? `${reason} At present, ${cause}.` : `${cause}. ${reason}`;
}
