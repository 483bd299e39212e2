import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import { serveDns } from '../dns/server.ts';
import type { Sandbox } from '../http/app.ts';
import type { Platform } from '../http/exchange.ts';
import { readInternet } from './internet.ts';
import { runUpToDate } from './run.ts';
import { serveTlsEdge } from './tls.ts';

export interface HostnamePorts {
  /** The port to listen on; 0 for any free port. */
  readonly dnsPort: number;
  /** Port of the edge over TLS; 0 for any free port. */
  readonly tlsPort: number;
  /** The addresses to listen on, as in `Exposure` (default: 127.0.0.1). */
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
 * Starts the services for custom hostnames, in addition to the API and the edge over HTTP: DNS, the edge over TLS, and a ticker. Throws a
 * Problem if a port is in use.
 */
export async function serveHostnames(
  { platform }: Pick<Sandbox, 'platform'>,
  { dnsPort, tlsPort, address = loopbackOnly.address }: HostnamePorts,
): Promise<ServedHostnames> {
  const dns = await serveDns({ port: dnsPort, address, zones: () => readInternet(platform).dns });
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

interface TickerOptions {
  /** Milliseconds between checks. */
  readonly every?: number;
  /** Receives every error of a check; the ticker continues with the next check. */
  readonly onBug?: (error: unknown) => void;
}

/** Keeps custom hostnames up to date while a platform is served. Returns a function that stops the updates. */
export function startTicker(
  platform: Platform,
  { every = 1000, onBug }: TickerOptions = {},
): () => Promise<void> {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    last = runUpToDate(platform, () => undefined)
      .catch((error: unknown) => onBug?.(error))
      .then(() => {
        if (!ended) timer = setTimeout(tick, every).unref();
      });
  };
  timer = setTimeout(tick, every).unref();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await last;
  };
}
