import type { DomainConnect, InstructedRecord, Instructions } from '../../model/instructions/instructions.ts';
import { keyForm } from '../../model/instructions/link-key.ts';
import { templateForm } from '../../model/instructions/template.ts';

/** Returns the heading of the instructions: who must act next, from the customer's point of view. */
export function describeTurn({ turn }: Instructions): string {
  switch (turn) {
    case 'customer':
    case 'zone-owner':
      return 'You must act';
    case 'nobody':
      return 'Nothing is left to do';
    default:
      return 'We must act';
  }
}

/** Returns the state of one record in one or two words. */
export function describeState({ state, optional }: InstructedRecord): string {
  const words = {
    missing: 'to create',
    there: 'in place',
    unknown: 'not known',
    'to-remove': 'to remove',
  };
  return state === 'missing' && optional ? 'optional' : words[state];
}

/** Returns the fields of a record, with the labels of the provider's form. */
export function toFields(
  { provider }: Instructions,
  { type, name, value, ttl }: InstructedRecord,
): readonly (readonly [label: string, value: string])[] {
  const {
    name: nameLabel,
    value: valueLabel,
    ttl: ttlLabel,
  } = provider?.fields ?? { name: 'Name', value: 'Value', ttl: 'TTL' };
  return [
    ['Type', type],
    [nameLabel, name],
    [valueLabel, value],
    [
      ttlLabel,
      `${ttl} (${ttl / 60} ${ttl === 60 ? 'minute' : 'minutes'}), or the minimum that the provider allows`,
    ],
  ];
}

/** Describes where the records are entered. */
export function describePlace({ provider, recognised, nameServers, zone }: Instructions): string {
  const where = zone === undefined ? 'your DNS provider' : `the DNS provider of ${zone}`;
  if (provider === undefined)
    return nameServers.length === 0 ? `At ${where}` : `At ${where} (name servers ${nameServers.join(', ')})`;
  return recognised
    ? `At ${provider.label}, which hosts the DNS of ${zone ?? 'the domain'}`
    : `At ${provider.label}`;
}

/** Returns the sentence that introduces the link through which the customer's provider sets the records. */
export function describeLink(label: string, host: string): string {
  return `Or in one step: sign in and agree at ${host}, and ${label} enters the records itself:`;
}

/** The flag or command with which the operator provides each part of a link, without its argument. */
export type LinkWays = Readonly<Record<NonNullable<DomainConnect['needs']>, string>>;

/**
 * Explains why no link can be offered, and how the operator can fix this; undefined if there is a link, or if the provider does not support
 * links.
 */
export function describeMissingLink({ domainConnect }: Instructions, ways: LinkWays): string | undefined {
  if (domainConnect?.lacks === undefined) return undefined;
  const { label, lacks, needs } = domainConnect;
  const mending = {
    template: ` Specify a template: ${ways.template} ${templateForm}.`,
    key: ` Specify your key: ${ways.key} ${keyForm}.`,
  };
  const why = `${label} supports Domain Connect, but there is no link that lets ${label} enter the records: ${lacks}.`;
  return needs === undefined ? why : why + mending[needs];
}
