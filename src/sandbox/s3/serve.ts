import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freezeYoungHeap } from '../../heap.ts';
import { loopbackOnly } from '../../model/sandbox/exposure.ts';
import type { Method } from '../../v4/send.ts';
import type { Sandbox } from '../http/app.ts';
import { listen, stopServer } from '../http/listen.ts';
import { clientAddress } from '../http/loopback.ts';
import { bodyReader, readHeaders, writeAnswer } from '../http/serve.ts';
import type { S3Call } from './call.ts';

export interface ServedS3 {
  /** `http://127.0.0.1:<port>`; the bucket is the first path segment. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Serves the S3 API of a sandbox's buckets, by default on 127.0.0.1. The handler is loaded on the first request, because loading it would
 * slow down other uses. Every request must be signed, so web pages cannot use the API.
 */
export async function serveS3(
  sandbox: Sandbox,
  {
    port: wanted,
    address = loopbackOnly.address,
  }: { readonly port: number; readonly address?: string | undefined },
): Promise<ServedS3> {
  let count = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    count += 1;
    // The size of the heap's young generation is fixed at the first request, because S3 clients may transfer gigabytes.
    if (count === 1) freezeYoungHeap();
    respond(sandbox, request, response, String(count)).catch(() => response.destroy());
  };
  const server = createServer(answer);
  // Ignores an unknown expectation, as S3 does.
  server.on('checkExpectation', answer);
  // A part of 5 GiB may take longer than Node's default timeout.
  server.requestTimeout = 0;
  const port = await listen(server, { port: wanted, address, of: 'api' });
  const endpoint = `http://127.0.0.1:${port}`;
  return { endpoint, close: () => stopServer(server, 3000) };
}

async function respond(
  { platform, onBug }: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  // The address is read before any await, because it is unknown after the client has disconnected.
  const call = toS3Call(request);
  const { answerS3 } = await import('./answer.ts');
  const send = (asked: S3Call) => answerS3(platform, asked, onBug);
  const method = methods.find((known) => known === call.method);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer =
    platform.traffic === undefined || method === undefined
      ? await send(call)
      : await platform.traffic.answer(
          { ...call, api: 's3', method, repeatable: false, signal: gone.signal },
          send,
        );
  const headers = { ...answer.headers, 'x-amz-request-id': id.padStart(16, '0') };
  await writeAnswer(request, response, { ...answer, headers });
}

const methods: readonly Method[] = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

function toS3Call(request: IncomingMessage): S3Call {
  return {
    method: request.method ?? '',
    path: request.url ?? '/',
    headers: readHeaders(request),
    body: bodyReader(request),
    from: clientAddress(request),
  };
}
