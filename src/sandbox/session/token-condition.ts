import { BlockList, isIP } from 'node:net';
import { isObject } from '../../model/json-object.ts';

/** The addresses from which a token may be used. Source: SDK user/tokens, Condition. */
export interface TokenCondition {
  readonly request_ip?: { readonly in?: readonly string[]; readonly not_in?: readonly string[] };
}

/** Explains why a value is not a token condition; undefined for a valid condition. */
export function conditionFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object';
  const { request_ip: addresses = {}, ...more } = value;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) return `unknown field ${unknown}; only request_ip is allowed`;
  if (!isObject(addresses)) return 'request_ip must be an object';
  for (const [name, list] of Object.entries(addresses)) {
    if (name !== 'in' && name !== 'not_in')
      return `unknown field request_ip.${name}; only in and not_in are allowed`;
    if (!Array.isArray(list)) return `request_ip.${name} must be a list`;
    const wrong = list.find((entry) => typeof entry !== 'string' || parseSubnet(entry) === undefined);
    if (wrong !== undefined) return `request_ip.${name}: ${JSON.stringify(wrong)} is not an address or CIDR`;
  }
  return undefined;
}

/** Returns whether a token may be used from an address. A disconnected caller has no address, which no condition allows. */
export function isAddressAllowed(
  { request_ip: { in: allowed, not_in: denied } = {} }: TokenCondition,
  address: string,
): boolean {
  if (isIP(address) === 0) return allowed === undefined && denied === undefined;
  return (
    (allowed === undefined || isInSubnets(allowed, address)) &&
    (denied === undefined || !isInSubnets(denied, address))
  );
}

interface Subnet {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parseSubnet(text: string): Subnet | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  const bits = length === undefined ? maxBits : Number(length);
  if (version === 0 || bits > maxBits) return undefined;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

function isInSubnets(list: readonly string[], address: string): boolean {
  const known = new BlockList();
  for (const { address: start, bits, family } of list.flatMap((text) => parseSubnet(text) ?? []))
    known.addSubnet(start, bits, family);
  return known.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
