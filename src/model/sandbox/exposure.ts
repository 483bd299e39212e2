/** The IP address and the hostnames at which the servers of a sandbox can be reached, in addition to loopback. */
export interface Exposure {
  /** The IP address to listen on, in addition to 127.0.0.1. `0.0.0.0` and `::` mean all addresses of this machine. */
  readonly address: string;
  /** Hostnames without a port that the API accepts in addition to loopback names. */
  readonly hosts: readonly string[];
}

/** The loopback ports that serve as origins. */
export interface NamedOrigins {
  /** Ports by the name of the origin. */
  readonly ports: Readonly<Record<string, number>>;
  /**
   * Whether other ports are refused. True if other machines can reach the sandbox, because they could otherwise reach any port on this
   * machine through the edge.
   */
  readonly only: boolean;
}

export const loopbackOnly: Exposure = { address: '127.0.0.1', hosts: [] };

/** Returns the addresses to listen on. They always cover 127.0.0.1, which edgectl on this machine uses. */
export function listenAddresses(address: string): readonly [string, ...string[]] {
  const isEverywhere = address === '0.0.0.0' || address === '::' || address === loopbackOnly.address;
  return isEverywhere ? [address] : [loopbackOnly.address, address];
}
