import { forecast, isBroken } from '../../forecast/forecast.ts';
import { isReady } from '../../hostnames/hostname.ts';
import type { Facts } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { exactRecord } from './reading.ts';

/** F39: the forecast that an active hostname will lose its certificate. */
export const renewalRules: readonly Rule[] = [{ id: 'F39', judge: judgeRenewal }];

function judgeRenewal(facts: Facts): Judgement {
  const record = exactRecord(facts);
  if (record === undefined || !isReady(record)) return undefined;
  const ahead = forecast(facts);
  if (ahead?.remedy === undefined || !isBroken(ahead)) return undefined;
  const { at, endsAt, reason, who, remedy, method } = ahead;
  const way = method === undefined ? '' : `, validated by ${method}`;
  return {
    severity: 'warn',
    cause: `The certificate will not be renewed in the current state. ${reason}`,
    evidence: [
      `renewal due ${formatDay(Math.max(facts.now, at))}${way}`,
      ...(endsAt === undefined ? [] : [`the certificate expires ${formatDay(endsAt)}`]),
    ],
    who,
    remedy,
  };
}

function formatDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
