import { diagnose } from '../../src/model/diagnosis/diagnose.ts';
import type { Facts } from '../../src/model/diagnosis/facts.ts';
import { forecast } from '../../src/model/forecast/forecast.ts';
import { dayMilliseconds } from '../../src/model/hostnames/hostname.ts';
import { createInstructions } from '../../src/model/instructions/instructions.ts';
import { instructionsText } from '../../src/text/instructions/written.ts';

/** Returns how the customer's letter contradicts the diagnosis or the forecast of the same facts; undefined if it contradicts neither. */
export function findContradiction(facts: Facts): string | undefined {
  const diagnosis = diagnose(facts);
  const { turn, state } = createInstructions(facts, diagnosis);
  const ahead = forecast(facts);
  const theirs = (who: string | undefined) => who === 'customer' || who === 'zone-owner';
  const named = diagnosis.findings.find(({ who, severity }) => theirs(who) && severity !== 'info');
  const isForeseen = theirs(ahead?.who) && (ahead?.at ?? 0) <= facts.now + 90 * dayMilliseconds;
  const promises = /is renewed by/.test(state) && ahead?.outcome !== 'renews';
  const isWrong = (!theirs(turn) && (named !== undefined || isForeseen)) || promises;
  return isWrong ? `${facts.hostname}: ${state} But ${named?.id ?? ahead?.reason}` : undefined;
}

/** Words about the reader of the letter, or about actions that only our side can take. */
const foreignWords =
  /\bthe customer\b|\brestart validation|(?<!ask us to )\bvalidate by\b|\bupload it\b|\bleave the choice\b|\buse (?:that|another) authority\b|\bset the fallback origin\b|\bedgectl\b|\bask the platform\b/i;

/** Returns the first phrase that customers cannot act on; undefined if all phrases are allowed. */
export function findForeignWord(words: string): string | undefined {
  const found = foreignWords.exec(words)?.[0];
  return found === undefined ? undefined : `"${found}" in: ${words}`;
}

/** Returns the fault in the letter about a hostname: a forbidden phrase, or a missing or unnecessary request to release the zone's hold. */
export function findLetterFault(facts: Facts): string | undefined {
  const diagnosis = diagnose(facts);
  const letter = instructionsText(createInstructions(facts, diagnosis));
  const isHeld = diagnosis.findings.some(({ who }) => who === 'zone-owner');
  const asks = /If you own the zone, release the hold .* ask the owner/.test(letter);
  return (
    findForeignWord(letter) ?? (isHeld === asks ? undefined : `${facts.hostname}: held ${isHeld}: ${letter}`)
  );
}
