/** From where the servers of a sandbox are reached. */
export interface Exposure {
  /** IP address that they listen at, beside 127.0.0.1; `0.0.0.0` and `::` are all of this machine. */
  readonly address: string;
  /** Names, without a port, that the API answers to in addition to those of loopback. */
  readonly hosts: readonly string[];
}

/** The loopback ports that serve as origins. */
export interface NamedOrigins {
  /** By the origin's name. */
  readonly ports: Readonly<Record<string, number>>;
  /**
   * Whether no others are accepted: so of a sandbox that other machines reach, because the edge would hand them any port of
   * this machine.
   */
  readonly only: boolean;
}

export const loopbackOnly: Exposure = { address: '127.0.0.1', hosts: [] };

/** The addresses to listen on: edgectl on this machine uses 127.0.0.1, whatever others use. */
export function addressesOf(address: string): readonly [string, ...string[]] {
  const isEverywhere = address === '0.0.0.0' || address === '::' || address === loopbackOnly.address;
  return isEverywhere ? [address] : [loopbackOnly.address, address];
}
