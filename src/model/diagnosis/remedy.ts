import { ownershipName } from '../hostnames/tokens.ts';
import { providerOf } from '../instructions/providers.ts';
import { type Facts, ifKnown } from './facts.ts';
import type { AdvisedCommand, CreatedSettings, Finding, RecordAdvice } from './finding.ts';
import { isTop, recordOf, targetName } from './rules/reading.ts';

export function refreshCommand({ hostname }: Facts): AdvisedCommand {
  return { kind: 'refresh', hostname };
}

/** The command that restarts validation once somebody else has acted, where there is a record. */
export function thenRefresh(facts: Facts): { readonly command?: AdvisedCommand } {
  return recordOf(facts) === undefined ? {} : { command: refreshCommand(facts) };
}

/** The command that creates the hostname, with what it is known to have had before it was deleted. */
export function createCommand(facts: Facts, branding = false): AdvisedCommand {
  return { kind: 'create', hostname: facts.hostname, branding, ...lostSettings(facts) };
}

/** The settings that a hostname had when it was last seen out of service. */
export function lostSettings({ history }: Facts): CreatedSettings {
  const { wildcard, origin } = history.lost ?? {};
  return { ...(wildcard === true && { wildcard }), ...(origin !== undefined && { origin }) };
}

export function editCommand({ hostname }: Facts, field: 'ca' | 'method', value: string): AdvisedCommand {
  return { kind: 'edit', hostname, field, value };
}

/**
 * The records that route the hostname to us: a CNAME; at the top of a zone the one that proves ownership, because the
 * platform sees no record there that its provider resolves. None while the target is not known.
 */
export function routeRecords(facts: Facts): readonly RecordAdvice[] {
  if (isTop(facts) && !takesAlias(facts)) return ownershipRecords(facts);
  const value = ifKnown(facts.target);
  return value === undefined ? [] : [{ name: facts.hostname, type: 'CNAME', value }];
}

/** Whether the customer's DNS provider takes a CNAME at the top of a zone, which the platform sees through. */
function takesAlias(facts: Facts): boolean {
  return providerOf(ifKnown(facts.dns.zones)?.[0]?.nameServers ?? [])?.apexAlias?.type === 'CNAME';
}

/** The record that proves ownership, while it is wanted and not in DNS. */
export function ownershipRecords(facts: Facts): readonly RecordAdvice[] {
  const record = recordOf(facts);
  const value = record?.ownership_verification?.value;
  if (value === undefined || record?.status === 'active') return [];
  if ((ifKnown(facts.dns.ownershipTxt) ?? []).includes(value)) return [];
  return [{ name: ownershipName(facts.hostname), type: 'TXT', value }];
}

/** The command that sets a record in our zone. */
export function setRecord({ name, type, value }: RecordAdvice, proxied: boolean): AdvisedCommand {
  return { kind: 'set-record', name, type, value, proxied };
}

/** The remedy that asks the customer to change the routing record. At the top of a zone it says how that is done there. */
export function askCustomer(facts: Facts, text: string): Pick<Finding, 'who' | 'remedy'> {
  return {
    who: 'customer',
    remedy: { text: isTop(facts) ? topText(facts) : targetedText(facts, text), records: routeRecords(facts) },
  };
}

/** A sentence about a record, if there is one to name. */
function targetedText(facts: Facts, text: string): string {
  return ifKnown(facts.target) === undefined
    ? 'Set the fallback origin first. Then the customer points a CNAME to it.'
    : text;
}

type ApexProxying =
  | { readonly kind: 'ready'; readonly ranges: readonly string[] }
  | { readonly kind: 'possible' | 'none' };

/**
 * Whether customers can point the top of a zone to addresses of the account's own: `ready` with its ranges, `possible` where the plan
 * has the feature, or is not known (provider's documentation, "Apex proxying": an Enterprise feature).
 */
export function apexProxying(facts: Facts): ApexProxying {
  const ranges = ifKnown(facts.apexRanges) ?? [];
  if (ranges.length > 0) return { kind: 'ready', ranges };
  const plan = ifKnown(facts.plan);
  return { kind: plan === undefined || plan === 'enterprise' ? 'possible' : 'none' };
}

/** How the top of the customer's zone is pointed here. */
export function topText(facts: Facts): string {
  const { hostname } = facts;
  const target = targetName(facts);
  const provider = providerOf(ifKnown(facts.dns.zones)?.[0]?.nameServers ?? []);
  const alias = provider?.apexAlias;
  if (alias?.type === 'CNAME')
    return `The customer sets a CNAME at ${hostname} to ${target}: ${provider?.label} flattens it. No other A, AAAA or CNAME record stays there.`;
  const proof =
    ownershipRecords(facts).length > 0
      ? ' The platform cannot see it, so the TXT record proves ownership.'
      : '';
  const proxied = apexProxying(facts);
  const fixed =
    proxied.kind === 'none'
      ? ''
      : proxied.kind === 'ready'
        ? `, or set A and AAAA records to your account's own addresses (apex proxying, ${proxied.ranges.join(', ')})`
        : ", or set A and AAAA records to your account's own addresses once it has apex proxying (Enterprise)";
  const instead = `redirect ${hostname} to www.${hostname} and register that name, or move its DNS to a provider with ALIAS records or flattening${fixed}`;
  if (alias !== undefined)
    return `A CNAME is not allowed at the top of a zone. The customer sets an ${alias.type} record at ${hostname} to ${target} instead of other A and AAAA records.${proof}`;
  if (provider !== undefined)
    return `A CNAME is not allowed at the top of a zone, and ${provider.label} has no ALIAS record for a name of another provider. The customer can ${instead}.`;
  return (
    `A CNAME is not allowed at the top of a zone. The customer sets an ALIAS or ANAME record, or a flattened CNAME, at ${hostname} ` +
    `to ${target} instead of other A and AAAA records.${proof} Without such records: ${instead}.`
  );
}
