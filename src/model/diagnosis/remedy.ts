import type { Facts } from './facts.ts';
import type { Finding, RecordAdvice } from './finding.ts';
import { targetName } from './rules/reading.ts';

/** `edgectl hostname refresh`. */
export function refreshCommand(facts: Facts): readonly string[] {
  return ['hostname', 'refresh', facts.hostname];
}

export function createCommand(facts: Facts, branding = false): readonly string[] {
  return ['hostname', 'create', facts.hostname, ...(branding ? ['--branding'] : [])];
}

export function editCommand(facts: Facts, flag: '--ca' | '--method', value: string): readonly string[] {
  return ['hostname', 'edit', facts.hostname, flag, value];
}

/** The record that routes the hostname to us. */
export function aliasAdvice(facts: Facts): RecordAdvice {
  return { name: facts.hostname, type: 'CNAME', value: targetName(facts) };
}

/** The remedy that asks the customer to change the routing record. */
export function askCustomer(facts: Facts, text: string): Pick<Finding, 'who' | 'remedy'> {
  return { who: 'customer', remedy: { text, records: [aliasAdvice(facts)] } };
}
