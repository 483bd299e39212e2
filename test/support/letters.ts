import { diagnose } from '../../src/model/diagnosis/diagnose.ts';
import type { Facts } from '../../src/model/diagnosis/facts.ts';
import { forecast } from '../../src/model/forecast/forecast.ts';
import { dayMilliseconds } from '../../src/model/hostnames/hostname.ts';
import { instructionsOf } from '../../src/model/instructions/instructions.ts';

/** What the customer's letter conceals of the diagnosis or the forecast of the same facts; undefined where they agree. */
export function contradictionIn(facts: Facts): string | undefined {
  const diagnosis = diagnose(facts);
  const { turn, state } = instructionsOf(facts, diagnosis);
  const ahead = forecast(facts);
  const theirs = (who: string | undefined) => who === 'customer' || who === 'zone-owner';
  const named = diagnosis.findings.find(({ who, severity }) => theirs(who) && severity !== 'info');
  const isForeseen = theirs(ahead?.who) && (ahead?.at ?? 0) <= facts.now + 90 * dayMilliseconds;
  const promises = /is renewed by/.test(state) && ahead?.outcome !== 'renews';
  const isWrong = (turn !== 'customer' && (named !== undefined || isForeseen)) || promises;
  return isWrong ? `${facts.hostname}: ${state} But ${named?.id ?? ahead?.reason}` : undefined;
}
