import type { World } from '../../world.ts';
import { loadProxy } from '../sandbox/embedded-platform.ts';
import { openProxyAccess } from '../sandbox/proxy.ts';
import { openTemporaryFolder } from '../sandbox/temporary.ts';
import type { Door } from './door.ts';

/** A proxy that forwards requests for the platform's own host to a guard. */
export interface GuardProxy {
  /** The variables that make programs use and trust the proxy. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Serves a proxy for programs whose API host cannot be configured. The certificate of the proxy is from a separate authority. Requests to
 * the platform's host require the guard's token, as at the guard's own address; requests to other hosts are refused.
 */
export async function openGuardProxy(
  world: World,
  door: Pick<Door, 'answerBy'>,
  warn: (message: string) => void,
): Promise<GuardProxy> {
  const { serveProxy } = await loadProxy();
  const { now, random } = world;
  const served = await serveProxy(door, { port: 0, now, random, warn, of: 'guard' });
  const temporary = openTemporaryFolder(world);
  try {
    const { variables } = await openProxyAccess(world, temporary.folder, { ...served, warn, of: 'guard' });
    return {
      variables,
      async close() {
        await served.close();
        temporary.remove();
      },
    };
  } catch (error) {
    await served.close();
    temporary.remove();
    throw error;
  }
}
