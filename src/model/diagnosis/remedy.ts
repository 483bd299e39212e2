import type { Facts } from './facts.ts';
import type { AdvisedCommand, Finding, RecordAdvice } from './finding.ts';
import { targetName } from './rules/reading.ts';

export function refreshCommand({ hostname }: Facts): AdvisedCommand {
  return { kind: 'refresh', hostname };
}

export function createCommand({ hostname }: Facts, branding = false): AdvisedCommand {
  return { kind: 'create', hostname, branding };
}

export function editCommand({ hostname }: Facts, field: 'ca' | 'method', value: string): AdvisedCommand {
  return { kind: 'edit', hostname, field, value };
}

/** The record that routes the hostname to us. */
export function aliasAdvice(facts: Facts): RecordAdvice {
  return { name: facts.hostname, type: 'CNAME', value: targetName(facts) };
}

/** The command that sets a record of our own zone. */
export function setRecord({ name, type, value }: RecordAdvice, proxied: boolean): AdvisedCommand {
  return { kind: 'set-record', name, type, value, proxied };
}

/** The remedy that asks the customer to change the routing record. */
export function askCustomer(facts: Facts, text: string): Pick<Finding, 'who' | 'remedy'> {
  return { who: 'customer', remedy: { text, records: [aliasAdvice(facts)] } };
}
