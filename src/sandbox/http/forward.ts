import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../model/problem.ts';

/** A request and the response that waits for it. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Headers that belong to one connection and not to what goes over it (RFC 9110, 7.6.1). */
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);

/** A connection for each visit: one that is kept may be closed by the other side just when it is used again. */
const agent = new Agent({ keepAlive: false });

/**
 * Passes a request on to a loopback port and its answer back, both streamed and otherwise unchanged: path and headers
 * go as they came. A connection that is cut before the answer is answered with 502; rejects with Problem 'unreachable'
 * when nobody listens at the port.
 */
export async function forward({ request, response }: Visit, port: number): Promise<void> {
  const sent = openRequest({
    host: '127.0.0.1',
    port,
    agent,
    method: request.method,
    path: request.url,
    headers: endToEnd(request.rawHeaders),
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // Once the answer has begun, its reader learns of a cut connection; before, `answered` rejects.
  sent.on('error', () => undefined);
  response.once('close', () => sent.destroy());
  sendBody(request, sent, answered).catch(() => sent.destroy());
  try {
    await giveAnswer(response, await answered);
  } catch (error) {
    if (isRefused(error)) {
      throw new Problem('unreachable', 'The runtime of workers has ended.', { cause: error });
    }
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) plain(response, 502, 'The worker gave no answer.\n');
  }
  request.resume();
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

/** Answers with a short text. */
export function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain;charset=UTF-8' }).end(text);
}

/** How long a worker may take to answer without reading a long body, in milliseconds. */
const earlyAnswer = 50;

/**
 * Sends the body until the answer begins. workerd closes a connection when it has answered and more than 64 KiB of the body
 * were not read, and then the answer is lost. So after the first chunk (64 KiB at most) the rest waits a moment for an early
 * answer, and later sockets are checked between two writes.
 */
async function sendBody(
  request: IncomingMessage,
  sent: ClientRequest,
  answered: Promise<unknown>,
): Promise<void> {
  let isAnswered = false;
  const end = () => {
    isAnswered = true;
  };
  const answer = answered.then(end, end);
  let count = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (count === 1) await Promise.race([answer, sleep(earlyAnswer)]);
    if (isAnswered) return;
    count += 1;
    if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), answer]);
    await poll();
  }
  sent.end();
}

/** Lets the event loop check its sockets, as it does between two turns. */
async function poll(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

async function giveAnswer(response: ServerResponse, [answer]: [IncomingMessage]): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
  await pipeline(answer, response);
}

/** Names and values in turn, without those of the connection. */
function endToEnd(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, at) => !connectionHeaders.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()),
  );
}
