import { ownershipName } from '../hostnames/tokens.ts';
import { findProvider } from '../instructions/providers.ts';
import { type Facts, ifKnown } from './facts.ts';
import type { AdvisedCommand, CreatedSettings, Finding, RecordAdvice } from './finding.ts';
import { exactRecord, isZoneApex, targetName } from './rules/reading.ts';

export function refreshCommand({ hostname }: Facts): AdvisedCommand {
  return { kind: 'refresh', hostname };
}

/** Returns the command that restarts validation after someone else has acted, if the hostname is registered. */
export function refreshAfterwards(facts: Facts): { readonly command?: AdvisedCommand } {
  return exactRecord(facts) === undefined ? {} : { command: refreshCommand(facts) };
}

/** Returns the command that creates the hostname. Includes the known settings from before the hostname was deleted. */
export function createCommand(facts: Facts, branding = false): AdvisedCommand {
  return { kind: 'create', hostname: facts.hostname, branding, ...lostSettings(facts) };
}

/** Returns the saved settings of a hostname, if any. */
export function lostSettings({ history }: Facts): CreatedSettings {
  const { wildcard, origin } = history.lost ?? {};
  return { ...(wildcard === true && { wildcard }), ...(origin !== undefined && { origin }) };
}

export function editCommand({ hostname }: Facts, field: 'ca' | 'method', value: string): AdvisedCommand {
  return { kind: 'edit', hostname, field, value };
}

/**
 * Returns the records that route the hostname to us, usually a CNAME. At a zone apex, returns the record that proves ownership instead,
 * because the platform cannot see a CNAME that the DNS provider flattens. Returns an empty list if the target is unknown.
 */
export function routeRecords(facts: Facts): readonly RecordAdvice[] {
  if (isZoneApex(facts) && !supportsApexAlias(facts)) return ownershipRecords(facts);
  const value = ifKnown(facts.target);
  return value === undefined ? [] : [{ name: facts.hostname, type: 'CNAME', value }];
}

/** Returns whether the customer's DNS provider supports a CNAME at the zone apex that the platform can see. */
function supportsApexAlias(facts: Facts): boolean {
  return findProvider(ifKnown(facts.dns.zones)?.[0]?.nameServers ?? [])?.apexAlias?.type === 'CNAME';
}

/** Returns the record that proves ownership, if it is required and missing in DNS. */
export function ownershipRecords(facts: Facts): readonly RecordAdvice[] {
  const record = exactRecord(facts);
  const value = record?.ownership_verification?.value;
  if (value === undefined || record?.status === 'active') return [];
  if ((ifKnown(facts.dns.ownershipTxt) ?? []).includes(value)) return [];
  return [{ name: ownershipName(facts.hostname), type: 'TXT', value }];
}

/** Returns the command that sets a record in our zone. */
export function setRecord({ name, type, value }: RecordAdvice, proxied: boolean): AdvisedCommand {
  return { kind: 'set-record', name, type, value, proxied };
}

/** Returns the remedy that asks the customer to change the routing record. For a zone apex, the remedy explains the possible records. */
export function customerRemedy(facts: Facts, text: string): Pick<Finding, 'who' | 'remedy'> {
  return {
    who: 'customer',
    remedy: {
      text: isZoneApex(facts) ? apexText(facts) : targetedText(facts, text),
      records: routeRecords(facts),
    },
  };
}

/**
 * Returns the sentence about the record or, if the record's target is unknown, a sentence that advises the user to set the fallback origin
 * first.
 */
function targetedText(facts: Facts, text: string): string {
  return ifKnown(facts.target) === undefined
    ? 'Set the fallback origin first. Then the customer must point a CNAME to it.'
    : text;
}

type ApexProxying =
  | { readonly kind: 'ready'; readonly ranges: readonly string[] }
  | { readonly kind: 'possible' | 'none' };

/**
 * Returns whether customers can point a zone apex to the account's own addresses. `ready`: the account's ranges are known. `possible`: the
 * plan has the feature, or the plan is unknown (provider's documentation, "Apex proxying": an Enterprise feature).
 */
export function apexProxying(facts: Facts): ApexProxying {
  const ranges = ifKnown(facts.apexRanges) ?? [];
  if (ranges.length > 0) return { kind: 'ready', ranges };
  const plan = ifKnown(facts.plan);
  return { kind: plan === undefined || plan === 'enterprise' ? 'possible' : 'none' };
}

/** Explains how to point the customer's zone apex here. */
export function apexText(facts: Facts): string {
  const { hostname } = facts;
  const target = targetName(facts);
  const provider = findProvider(ifKnown(facts.dns.zones)?.[0]?.nameServers ?? []);
  const alias = provider?.apexAlias;
  if (alias?.type === 'CNAME')
    return `The customer must set a CNAME at ${hostname} to ${target}, and remove other A, AAAA and CNAME records there. ${provider?.label} flattens the CNAME.`;
  const proof =
    ownershipRecords(facts).length > 0
      ? ' The platform cannot see this record, so the TXT record proves ownership.'
      : '';
  const proxied = apexProxying(facts);
  const fixed =
    proxied.kind === 'none'
      ? ''
      : proxied.kind === 'ready'
        ? `, or set A and AAAA records to your account's own addresses (apex proxying, ${proxied.ranges.join(', ')})`
        : ", or set A and AAAA records to your account's own addresses once your account has apex proxying (Enterprise)";
  const instead = `redirect ${hostname} to www.${hostname} and have www.${hostname} added as a custom hostname, or move the DNS of ${hostname} to a provider with ALIAS records or flattening${fixed}`;
  if (alias !== undefined)
    return `A CNAME is not allowed at a zone apex. The customer must set an ${alias.type} record at ${hostname} to ${target} instead of other A and AAAA records.${proof}`;
  if (provider !== undefined)
    return `A CNAME is not allowed at a zone apex, and ${provider.label} does not support ALIAS records for names of other providers. The customer can ${instead}.`;
  return (
    `A CNAME is not allowed at a zone apex. The customer must set an ALIAS or ANAME record, or a flattened CNAME, at ${hostname} ` +
    `to ${target} instead of other A and AAAA records.${proof} If the DNS provider supports none of these, the customer can ${instead}.`
  );
}
