/** From where the servers of a sandbox can be reached. */
export interface Exposure {
  /** IP address to listen on, in addition to 127.0.0.1; `0.0.0.0` and `::` are all addresses of this machine. */
  readonly address: string;
  /** Host names, without a port, that the API accepts in addition to those of loopback. */
  readonly hosts: readonly string[];
}

/** The loopback ports that serve as origins. */
export interface NamedOrigins {
  /** Ports by the origin's name. */
  readonly ports: Readonly<Record<string, number>>;
  /**
   * Whether no other ports are accepted. True if other machines can reach the sandbox, because the edge could otherwise expose
   * any port of this machine to them.
   */
  readonly only: boolean;
}

export const loopbackOnly: Exposure = { address: '127.0.0.1', hosts: [] };

/** Returns the addresses to listen on. The addresses always include 127.0.0.1, which edgectl on this machine uses. */
export function listenAddresses(address: string): readonly [string, ...string[]] {
  const isEverywhere = address === '0.0.0.0' || address === '::' || address === loopbackOnly.address;
  return isEverywhere ? [address] : [loopbackOnly.address, address];
}
