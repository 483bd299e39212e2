import { isLoopback } from '../../model/loopback.ts';
import { asProblem } from '../../model/problem.ts';
import { closeBody, type Send } from '../../v4/send.ts';
import { once } from './once.ts';
import type { Server } from './server.ts';

export interface SandboxReads {
  readonly send: Send;
  close(): Promise<void>;
}

/**
 * Repeats a GET request below `/sandbox/` with the owner's token if the selected token is not permitted to send it. Applies only to the
 * user's own server on this machine. These requests return the sandbox's clock and the addresses of its DNS, edge and S3 servers, which are
 * public on a real platform. Changes use only the selected token.
 */
export function withSandboxReads(
  send: Send,
  apiBaseUrl: string,
  openOwner: () => Promise<Server | undefined>,
  note: (message: string) => void,
): SandboxReads {
  const owner = once(async () => {
    if (!isLoopback(new URL(apiBaseUrl).hostname)) return undefined;
    const own = await openOwner().catch((error: unknown) => {
      note(`Cannot query your own sandbox instead: ${asProblem(error).message}`);
      return undefined;
    });
    if (own === undefined || readPort(own.apiBaseUrl) === readPort(apiBaseUrl)) return own;
    own.close();
    return undefined;
  });
  let isAsked = false;
  return {
    async send(call) {
      const answer = await send(call);
      if (answer.status !== 403 || call.method !== 'GET' || !call.path.startsWith('/sandbox/')) return answer;
      isAsked = true;
      const own = await owner();
      if (own === undefined) return answer;
      await closeBody(answer);
      return own.send(call);
    },
    async close() {
      if (isAsked) (await owner())?.close();
    },
  };
}

function readPort(url: string): string {
  return new URL(url).port;
}
