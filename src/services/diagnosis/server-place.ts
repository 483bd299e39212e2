import { BlockList, isIPv6 } from 'node:net';
import type { PlatformInfo } from '../session/platform-info.ts';

/** The address and port to connect to. */
export interface ServerPlace {
  /** IP address. */
  readonly address: string;
  readonly port: number;
}

/**
 * Returns where to connect for an IP address from a customer's DNS: in a sandbox, the loopback port of the address's server; otherwise the
 * address itself, if it is public. Returns undefined for any other address.
 */
export function connectionPlace(info: PlatformInfo, address: string, port: number): ServerPlace | undefined {
  if (!info.sandbox) return isPublic(address) ? { address, port } : undefined;
  const mapped = info.servers?.[address];
  return mapped === undefined ? undefined : { address: '127.0.0.1', port: mapped };
}

/**
 * Returns whether an IP address is public. The public IPv6 addresses are global unicast addresses (RFC 4291, 2.4), except 6to4 and Teredo
 * addresses, which contain IPv4 addresses. The public IPv4 addresses are all addresses except special-purpose addresses (RFC 6890),
 * multicast and reserved ranges.
 */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !createBlockList('ipv4', specialV4).check(address, 'ipv4');
  return (
    createBlockList('ipv6', globalV6).check(address, 'ipv6') &&
    !createBlockList('ipv6', tunnelsV6).check(address, 'ipv6')
  );
}

const globalV6 = ['2000::/3'];
const tunnelsV6 = ['2002::/16', '2001::/32'];
const specialV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

function createBlockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
