/** From where the servers of a sandbox are reached. */
export interface Exposure {
  /** IP address that they listen at, beside 127.0.0.1; `0.0.0.0` and `::` are all of this machine. */
  readonly address: string;
  /** Names, without a port, that the API answers to beside those of loopback. */
  readonly hosts: readonly string[];
}

export const loopbackOnly: Exposure = { address: '127.0.0.1', hosts: [] };

/** The addresses to listen at: edgectl on this machine looks at 127.0.0.1, wherever others do. */
export function addressesOf(address: string): readonly [string, ...string[]] {
  const isEverywhere = address === '0.0.0.0' || address === '::' || address === loopbackOnly.address;
  return isEverywhere ? [address] : [loopbackOnly.address, address];
}
