import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as openRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Visit } from '../http/forward.ts';

/** How to speak TLS to an origin. */
export interface TlsOrigin {
  readonly port: number;
  /** Name that is sent and, with `strict`, that the certificate must have. */
  readonly servername: string;
  readonly strict: boolean;
  readonly authority?: string | undefined;
}

/** Errors that say that a certificate is not for the name, not trusted, or not valid now. */
const certificateFaults = /^(?:ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/**
 * Passes a visit on to a port over TLS and its answer back. Returns the status of the page to show where that fails: 521 is
 * refused, 525 no handshake, 526 a certificate that cannot be trusted, 520 an answer that is none.
 */
export async function forwardOverTls(
  { request, response }: Visit,
  { port, servername, strict, authority }: TlsOrigin,
): Promise<number | undefined> {
  let connected = false;
  const sent = openRequest({
    host: '127.0.0.1',
    port,
    servername,
    agent: false,
    rejectUnauthorized: strict,
    method: request.method,
    path: request.url,
    headers: { ...request.headers, connection: 'close' },
    ...(authority !== undefined && { ca: authority }),
  });
  sent.once('socket', (socket) => socket.once('secureConnect', () => (connected = true)));
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  request.pipe(sent);
  try {
    const [answer] = await answered;
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
    return undefined;
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
      return undefined;
    }
    return statusOf(error, connected);
  }
}

function statusOf(error: unknown, connected: boolean): number {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 521;
  if (certificateFaults.test(code)) return 526;
  return connected ? 520 : 525;
}
