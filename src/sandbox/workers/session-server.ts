import type { World } from '../../world.ts';
import { hostnameHandler } from '../edge/hostnames.ts';
import type { Sandbox } from '../http/app.ts';
import { leaseFolder, newToken } from '../http/running.ts';
import { type Served, serve } from '../http/serve.ts';
import { serveS3 } from '../s3/serve.ts';
import { serveSandboxEdge } from './edge.ts';
import { requireRuntime } from './runtime.ts';

/** The running workers of a sandbox that a session uses in this process. */
export interface SessionWorkers {
  /** Address of the workers: `http://localhost:<port>`. */
  readonly edgeUrl: string;
  close(): Promise<void>;
}

/** The servers of a sandbox that a session uses in this process. */
export interface SessionServer {
  /**
   * Runs the workers on local ports while holding the lease of the folder, as the sandbox's server does. Commands can then read the logs of
   * the workers. Throws a Problem if no runtime is installed, or if another process holds the folder. Must not be called again before
   * `close`.
   */
  runWorkers(): Promise<SessionWorkers>;
  close(): Promise<void>;
}

type ServerParts = Pick<World, 'pid' | 'now' | 'random'>;

/**
 * Serves a sandbox next to the session that uses it in this process. Sessions that are opened while workers run find the server through the
 * lease, and keep using it. The server therefore answers until `close`, even after the workers have stopped.
 */
export function openSessionServer(sandbox: Sandbox, world: ServerParts): SessionServer {
  let server: Served | undefined;
  return {
    async runWorkers() {
      await requireRuntime();
      server ??= await serveApis(sandbox, world);
      return runWorkers(sandbox, server, world);
    },
    close: async () => server?.close(),
  };
}

/** Serves the v4 API and the S3 API, because a session expects both. */
async function serveApis(sandbox: Sandbox, world: ServerParts): Promise<Served> {
  const server = await serve(sandbox, { port: 0, token: newToken(world) });
  try {
    const { endpoint, close } = await serveS3(sandbox, { port: 0 });
    sandbox.platform.served = { ...sandbox.platform.served, s3Endpoint: endpoint };
    return { ...server, close: async () => void (await Promise.all([server.close(), close()])) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function runWorkers(sandbox: Sandbox, server: Served, world: ServerParts): Promise<SessionWorkers> {
  const lease = leaseFolder(sandbox.folder, server, world);
  try {
    const edge = await serveSandboxEdge(sandbox, {
      port: 0,
      more: () => [hostnameHandler(sandbox.platform)],
    });
    return { edgeUrl: edge.url, close: () => edge.close().finally(lease.release) };
  } catch (error) {
    lease.release();
    throw error;
  }
}
