import type { CaaAnswer, CaaFacts } from '../model/diagnosis/caa-facts.ts';
import { type DnsOutcome, namesUpwards, plainName, type Resolver } from '../model/dns/dns.ts';

/**
 * Asks for CAA at a name and, while there are none, at its parents up to the top-level domain. An alias is followed
 * at each of them, but only the asked name's own parents are climbed (RFC 8659, 3). A failed question ends the climb:
 * what lies above says nothing then.
 */
export async function climbCaa(resolver: Resolver, name: string): Promise<CaaFacts> {
  const start = plainName(name).replace(/^\*\./, '');
  const asked: CaaAnswer[] = [];
  for (const owner of namesUpwards(start)) {
    const answer = answerAt(owner, await resolver.resolve(owner, 'CAA'));
    asked.push(answer);
    if (answer.outcome !== 'none') break;
  }
  return { name: start, asked };
}

function answerAt(owner: string, outcome: DnsOutcome): CaaAnswer {
  if (outcome.kind === 'failed') return { owner, outcome: 'failed', detail: outcome.detail };
  if (outcome.kind !== 'records') return { owner, outcome: 'none' };
  const records = outcome.records.flatMap((record) => (record.type === 'CAA' ? [record.caa] : []));
  const alias = outcome.aliases.at(-1)?.target;
  return { owner, outcome: 'records', records, ...(alias !== undefined && { alias }) };
}
