import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { serveDns } from '../dns/server.ts';
import type { Sandbox } from '../http/app.ts';
import { internetOf } from './internet.ts';
import { startTicker } from './ticker.ts';
import { serveTlsEdge } from './tls.ts';

export interface HostnamePorts {
  /** 0 for any free port. */
  readonly dnsPort: number;
  /** Of the edge over TLS; 0 for any free port. */
  readonly tlsPort: number;
  /** As in `Exposure`; 127.0.0.1 when left out. */
  readonly address?: string | undefined;
}

export interface ServedHostnames {
  /** `127.0.0.1:<port>`, over UDP and TCP. */
  readonly dns: string;
  /** `https://localhost:<port>`. */
  readonly edgeTlsUrl: string;
  close(): Promise<void>;
}

/**
 * Serves what custom hostnames need beside the API and the edge over HTTP: DNS, the edge over TLS, and time. Refuses
 * when a port is in use.
 */
export async function serveHostnames(
  { platform }: Pick<Sandbox, 'platform'>,
  { dnsPort, tlsPort, address = loopbackOnly.address }: HostnamePorts,
): Promise<ServedHostnames> {
  const dns = await serveDns({ port: dnsPort, address, zones: () => internetOf(platform).dns });
  const tls = await serveTlsEdge(platform, { port: tlsPort, address, of: 'edge-tls' }).catch(
    async (error: unknown) => {
      await dns.close();
      throw error;
    },
  );
  const stopTicker = startTicker(platform);
  const served = { dns: dns.address, edgeTlsUrl: tls.url };
  platform.served = served;
  return {
    ...served,
    async close() {
      platform.served = undefined;
      await Promise.all([stopTicker(), tls.close(), dns.close()]);
    },
  };
}
