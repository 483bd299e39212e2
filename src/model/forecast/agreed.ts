import { diagnose } from '../diagnosis/diagnose.ts';
import type { Facts } from '../diagnosis/facts.ts';
import type { NextStep } from '../diagnosis/finding.ts';
import { attentionFrom, verdictOf } from '../diagnosis/verdict.ts';
import type { Attention } from '../hostnames/attention.ts';
import type { Forecast } from './ahead.ts';
import { forecast } from './forecast.ts';

/**
 * A forecast in which who acts, and what they do next, is what every other surface says of these facts. What the renewal itself
 * comes to stays as it was foreseen.
 */
export function agreedForecast(facts: Facts): Forecast | undefined {
  const found = forecast(facts);
  const diagnosis = diagnose(facts);
  const attention = attentionFrom(facts, diagnosis);
  if (found === undefined || attention === undefined || attention.who === found.who) return found;
  const { remedy: _other, ...rest } = found;
  const { who, cause, next } = attention;
  const own = verdictOf(facts, diagnosis)?.at === facts.now ? diagnosis.headline?.remedy : undefined;
  const remedy: NextStep | undefined = own ?? (next === undefined ? undefined : { text: next });
  return { ...rest, who, reason: reasonWith(found, cause, attention), ...(remedy && { remedy }) };
}

function reasonWith({ reason, outcome }: Forecast, cause: string, { who }: Attention): string {
  if (who === 'nobody') return reason;
  return outcome === 'renews' ? `${reason} But now: ${cause}.` : `${cause}. ${reason}`;
}
