import { challengeName } from '../../hostnames/tokens.ts';
import { inPanel } from '../../instructions/providers.ts';
import { type Facts, ifKnown } from '../facts.ts';
import type { Judgement, Rule } from '../finding.ts';
import { findDamagedToken } from './mangled.ts';
import { txtAdvice, txtTokens } from './validation.ts';

/** F29 and F30: certificate TXT values that exist, but are damaged or at a wrong name. */
export const nearTextRules: readonly Rule[] = [
  { id: 'F29', judge: mangled },
  { id: 'F30', judge: misplaced },
];

function mangled(facts: Facts): Judgement {
  const text = txtTokens(facts);
  const near = text === undefined ? undefined : findDamagedToken(text.found, text.missing);
  if (text === undefined || near === undefined) return undefined;
  return {
    severity: 'error',
    cause: `A TXT token for the certificate ${near.how}`,
    evidence: [`TXT ${challengeName(facts.hostname)}: ${near.found}`, `expected: ${near.wanted}`],
    who: 'customer',
    remedy: {
      text: 'The customer must replace the TXT record with this record.',
      records: txtAdvice(facts, text.missing),
    },
  };
}

function misplaced(facts: Facts): Judgement {
  const text = txtTokens(facts);
  if (text === undefined || text.missing.length === 0) return undefined;
  const places = facts.dns.misplacedChallenge.filter((place) =>
    place.texts.some((one) => text.missing.includes(one)),
  );
  if (places.length === 0) return undefined;
  return {
    severity: 'error',
    cause: 'The TXT tokens for the certificate are at the wrong name: the DNS panel appended the zone.',
    evidence: places.flatMap((place) => place.texts.map((one) => `TXT ${place.name}: ${one}`)),
    who: 'customer',
    remedy: {
      text: `The customer must move the tokens to this name (many DNS panels expect the name without the zone).${inPanel(ifKnown(facts.dns.zones)?.[0], challengeName(facts.hostname))}`,
      records: txtAdvice(facts, text.missing),
    },
  };
}
