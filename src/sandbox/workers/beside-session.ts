import type { World } from '../../world.ts';
import { hostnameHandler } from '../edge/hostnames.ts';
import type { Sandbox } from '../http/app.ts';
import { leaseFolder, newToken } from '../http/running.ts';
import { serve } from '../http/serve.ts';
import { serveSandboxEdge } from './edge.ts';
import { requireRuntime } from './runtime.ts';

/** The workers of a sandbox that is acted on in this process. */
export interface WorkersHere {
  /** Where the workers answer: `http://localhost:<port>`. */
  readonly edgeUrl: string;
  close(): Promise<void>;
}

/**
 * Runs the workers of a sandbox that is acted on in this process, so that their logs can be told: as its server does, on
 * ports of this machine, with the lease of the folder. Refuses where no runtime is installed, or another process holds it.
 */
export async function runWorkersHere(
  sandbox: Sandbox,
  world: Pick<World, 'pid' | 'now' | 'random'>,
): Promise<WorkersHere> {
  await requireRuntime();
  const undo: (() => unknown)[] = [];
  const close = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const server = await serve(sandbox, { port: 0, token: newToken(world) });
    undo.push(() => server.close());
    const lease = leaseFolder(sandbox.folder, server, world);
    undo.push(() => lease.release());
    const edge = await serveSandboxEdge(sandbox, {
      port: 0,
      more: () => [hostnameHandler(sandbox.platform)],
    });
    undo.push(() => edge.close());
    return { edgeUrl: edge.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
