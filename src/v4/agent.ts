import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isOwnMachine } from '../model/loopback.ts';

/**
 * Returns an agent that keeps connections to a host open. The agent uses the proxy in the environment unless the host is this machine. The
 * agent supports only one protocol, because redirects are not followed.
 */
export function openAgent(
  protocol: string,
  hostname: string,
  env: Readonly<Record<string, string | undefined>>,
  maxSockets = 32,
): HttpAgent {
  const proxy = isOwnMachine(hostname) ? {} : { proxyEnv: env };
  const options = { keepAlive: true, maxSockets, ...proxy };
  return protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}
