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

/** A request and its response. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Headers that apply to a single connection (RFC 9110, 7.6.1). */
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);

/**
 * An agent that opens a new connection for each request, because the other side might close an idle connection just when the connection is
 * reused.
 */
const agent = new Agent({ keepAlive: false });

/**
 * Forwards a request to a loopback port, and the response to the client, both streamed, with unchanged path and headers. Answers 502 if the
 * connection is closed before the response. Rejects with Problem 'unreachable' if the port is closed.
 */
export async function forward({ request, response }: Visit, port: number): Promise<void> {
  const sent = openRequest({
    host: '127.0.0.1',
    port,
    agent,
    method: request.method,
    path: request.url,
    headers: withoutConnectionHeaders(request.rawHeaders),
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // Before the response, an error rejects `answered`. During the response, the pipeline that reads the response reports a closed
  // connection.
  sent.on('error', () => undefined);
  response.once('close', () => sent.destroy());
  sendBody(request, sent, answered).catch(() => sent.destroy());
  try {
    await sendAnswer(response, await answered);
  } catch (error) {
    if (isRefused(error)) {
      throw new Problem('unreachable', 'The workers runtime has stopped.', { cause: error });
    }
    if (response.headersSent) response.destroy();
    else if (!response.destroyed) sendText(response, 502, 'The worker did not respond.\n');
  }
  request.resume();
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

/** Sends a response of type text/plain. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain;charset=UTF-8' }).end(text);
}

/** Time in which a worker can respond without reading a long body, in milliseconds. */
const earlyAnswerMs = 50;

/**
 * Sends the body until the response starts. If workerd has responded while more than 64 KiB of the body are unread, workerd closes the
 * connection, and the response is lost. Therefore, after the first chunk (up to 64 KiB), the function waits briefly for an early response,
 * and then checks the sockets between writes.
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
    if (count === 1) await Promise.race([answer, sleep(earlyAnswerMs)]);
    if (isAnswered) return;
    count += 1;
    if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), answer]);
    await checkSockets();
  }
  sent.end();
}

/** Waits until the event loop has checked its sockets. */
async function checkSockets(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

async function sendAnswer(response: ServerResponse, [answer]: [IncomingMessage]): Promise<void> {
  response.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage,
    withoutConnectionHeaders(answer.rawHeaders),
  );
  await pipeline(answer, response);
}

/** Removes the headers of the connection from a list of alternating names and values. */
function withoutConnectionHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, at) => !connectionHeaders.has((rawHeaders[at - (at % 2)] ?? '').toLowerCase()),
  );
}
