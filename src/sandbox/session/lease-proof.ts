import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Lease } from '../../store/lease.ts';
import type { World } from '../../world.ts';

// A lease contains a port, on which another program may now be listening. Before edgectl sends anything to that port, each side proves with
// a keyed hash of a nonce that it has the lease's token, without revealing the token.

/** Path of the proof, below the base URL of the API. */
export const proofPath = '/sandbox/lease';

const headers = { once: 'x-edgectl-once', proof: 'x-edgectl-proof' } as const;

/** Timeout of the proof, in milliseconds. A server responds late while it writes a lot of data. */
const timeoutMs = 5000;

/**
 * Returns whether the server at a lease's port is the server that took the lease. Sends one short request, which reveals nothing to another
 * program.
 */
export async function isLeaseHolder(lease: Lease, { random }: Pick<World, 'random'>): Promise<boolean> {
  const number = Buffer.from(random(16)).toString('hex');
  const sent = request(`${lease.apiBaseUrl}${proofPath}`, {
    agent: false,
    headers: { [headers.once]: number, [headers.proof]: computeProof(lease.token, 'client', number) },
  });
  // This listener also catches errors that occur after the response.
  sent.on('error', () => undefined);
  sent.end();
  const late = setTimeout(() => sent.destroy(new Error('no response in time')), timeoutMs);
  try {
    const [answer]: [IncomingMessage] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.statusCode === 204 && isProof(answer.headers[headers.proof], lease.token, 'server', number);
  } catch {
    return false;
  } finally {
    clearTimeout(late);
    sent.destroy();
  }
}

/** Returns the header with the server's proof, or undefined for a client without the token. */
export function answerProof(
  asked: IncomingMessage['headers'],
  token: string,
): Readonly<Record<string, string>> | undefined {
  const number = asked[headers.once];
  if (typeof number !== 'string' || !isProof(asked[headers.proof], token, 'client', number)) return undefined;
  return { [headers.proof]: computeProof(token, 'server', number) };
}

function computeProof(token: string, side: 'client' | 'server', number: string): string {
  return createHmac('sha256', token).update(`${side} ${number}`).digest('hex');
}

function isProof(
  given: string | string[] | undefined,
  token: string,
  side: 'client' | 'server',
  number: string,
): boolean {
  const expected = Buffer.from(computeProof(token, side, number));
  const shown = Buffer.from(String(given));
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}
