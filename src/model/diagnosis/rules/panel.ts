import { providerOf, relativeName } from '../../instructions/providers.ts';
import { type Facts, ifKnown } from '../facts.ts';

/**
 * One sentence, with a blank before it, that says what to type for a name in the panel of the customer's DNS provider; empty
 * where the provider is not known by its name servers.
 */
export function inPanel({ dns }: Facts, name: string): string {
  const [zone] = ifKnown(dns.zones) ?? [];
  const provider = providerOf(zone?.nameServers ?? []);
  if (zone === undefined || provider === undefined) return '';
  return ` At ${provider.label} the field "${provider.fields.name}" takes ${relativeName(name, zone.name, provider)}.`;
}
