import type { Answer, TxtData } from 'dns-packet';
import { type Alias, type DnsRecord, plainName, type RecordType } from '../model/dns/dns.ts';

/** The CNAMEs of an answer section that lead away from the asked name, in order, and where they end. */
export interface AliasesInAnswer {
  readonly aliases: readonly Alias[];
  readonly end: string;
  readonly loops: boolean;
}

/** Follows the CNAMEs within one answer section. A question for CNAME is not followed: it asks for one hop. */
export function aliasesIn(
  answers: readonly Answer[],
  question: { readonly name: string; readonly type: RecordType },
): AliasesInAnswer {
  const aliases: Alias[] = [];
  let end = question.name;
  if (question.type === 'CNAME') return { aliases, end, loops: false };
  const visited = new Set([end]);
  const targets = aliasTargets(answers);
  for (let target = targets.get(end); target !== undefined; target = targets.get(end)) {
    aliases.push({ name: end, target });
    end = target;
    if (visited.has(end)) return { aliases, end, loops: true };
    visited.add(end);
  }
  return { aliases, end, loops: false };
}

/** The target of each alias, by its name; of several of one name the first. */
function aliasTargets(answers: readonly Answer[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const answer of answers) {
    if (answer.type !== 'CNAME') continue;
    const name = plainName(answer.name);
    if (!targets.has(name)) targets.set(name, plainName(answer.data));
  }
  return targets;
}

/** The records of one type at one name. Undefined when one of them makes no sense: then none is to be trusted. */
export function recordsIn(
  answers: readonly Answer[],
  type: RecordType,
  name: string,
): readonly DnsRecord[] | undefined {
  const ours = answers.filter((answer) => answer.type === type && plainName(answer.name) === name);
  const records = ours.map((answer) => recordOf(answer, name));
  return records.some((record) => record === undefined)
    ? undefined
    : records.filter((record) => record !== undefined);
}

function recordOf(answer: Answer, name: string): DnsRecord | undefined {
  const ttl = 'ttl' in answer ? (answer.ttl ?? 0) : 0;
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { type: answer.type, name, ttl, address: answer.data };
    case 'CNAME':
    case 'NS':
      return { type: answer.type, name, ttl, target: plainName(answer.data) };
    case 'TXT':
      return { type: 'TXT', name, ttl, text: textOf(answer.data) };
    case 'SOA':
      return { type: 'SOA', name, ttl, primary: plainName(answer.data.mname) };
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data;
      return (tag as string) === '' ? undefined : { type: 'CAA', name, ttl, caa: { flags, tag, value } };
    }
    default:
      return undefined;
  }
}

/** The strings of one TXT record are one text (RFC 7208, 3.3, and everybody since). */
function textOf(data: TxtData): string {
  const parts = Array.isArray(data) ? data : [data];
  return Buffer.concat(parts.map((part) => Buffer.from(part))).toString('utf8');
}
