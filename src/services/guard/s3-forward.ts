import { type Agent, type IncomingMessage, request as openHttp, type ServerResponse } from 'node:http';
import { request as openHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3Refusal } from '../../s3/refusal.ts';
import { resignBody } from '../../s3/resign.ts';
import { signRequest } from '../../s3/sign.ts';
import { sha256 } from '../../s3/signature.ts';
import type { Claim } from '../../s3/verify.ts';
import { openAgent } from '../../v4/agent.ts';
import type { World } from '../../world.ts';
import type { S3Access } from '../session/session.ts';
import {
  connectionHeaders,
  decodeHeader,
  describeUnreachable,
  type ForwardOutcome,
  hasBody,
  isRead,
  replacedHeaders,
  sendDown,
  silenceMs,
} from './forward.ts';
import type { SharedReads } from './shared-reads.ts';

/** A request with a valid signature, to be forwarded to the platform. */
export interface S3Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The verified signature of the client, and the secret of the client's access key. */
  readonly claim: Claim;
  readonly secret: string;
  /** The path in AWS's encoding, with the query but without signature parameters. */
  readonly path: string;
  /** The body, if it has already been read. */
  readonly body: Uint8Array | undefined;
  /** The platform's S3 endpoint and access key. */
  readonly upstream: S3Access;
}

/** A forwarder of S3 API requests, which signs the requests with the platform's access key. */
export interface S3Forwarder {
  /**
   * Forwards a request and its answer, both streamed. Resolves when the answer has been sent. Rejects only before an answer has started:
   * with an `S3Refusal` if the body differs from the signed body, or with the network error if the platform cannot be reached.
   */
  forward(visit: S3Visit): Promise<ForwardOutcome>;
  close(): void;
}

/** Opens connections to a platform's S3 API: with verified TLS, the user's certificate authorities, and the proxy from the environment. */
export function openS3Forwarder(
  { env, now }: Pick<World, 'env' | 'now'>,
  reads: Pick<SharedReads, 'forget'>,
): S3Forwarder {
  const agents = new Map<string, Agent>();
  return {
    async forward(visit) {
      const endpoint = new URL(visit.upstream.endpoint);
      const agent = agents.get(endpoint.origin) ?? openAgent(endpoint.protocol, endpoint.hostname, env, 256);
      agents.set(endpoint.origin, agent);
      const answer = await sendUpstream(visit, { endpoint, agent, now: now() }).finally(() => {
        if (!isRead(visit.request)) reads.forget();
      });
      const requestId = answer.headers['cf-ray'] ?? answer.headers['x-amz-request-id'];
      const outcome = {
        status: answer.statusCode,
        requestId: Array.isArray(requestId) ? requestId[0] : requestId,
        etag: /^"(.+)"$/.exec(answer.headers.etag ?? '')?.[1],
      };
      await sendDown(answer, visit).catch(() => visit.response.destroy());
      return outcome;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

interface Target {
  readonly endpoint: URL;
  readonly agent: Agent;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
}

/** Headers that are replaced, in addition to the headers replaced in every forwarded request. */
const signatureHeaderNames = new Set([
  ...replacedHeaders,
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
]);

/** Sends the request and resolves when the answer starts. */
async function sendUpstream(visit: S3Visit, { endpoint, agent, now }: Target): Promise<IncomingMessage> {
  const { request, response, claim, secret, upstream, body } = visit;
  const { payload } = claim;
  if (!hasBody(request) && /^[0-9a-f]{64}$/.test(payload) && payload !== sha256(''))
    throw new S3Refusal('XAmzContentSHA256Mismatch');
  const path = endpoint.pathname.replace(/\/$/, '') + visit.path;
  const headers = listHeaders(request);
  const { method = '' } = request;
  // The signature covers the bytes of the headers.
  const signedBytes = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, decodeHeader(value)]),
  );
  const signed = signRequest(
    { host: endpoint.host, method, path, headers: signedBytes, payload },
    upstream.key,
    now,
  );
  const bytes = body === undefined ? request.iterator({ destroyOnReturn: false }) : Readable.from([body]);
  const renewed = { ...signed, secret: upstream.key.secret };
  const sending = hasBody(request) ? resignBody(bytes, claim, secret, renewed) : undefined;
  const open = endpoint.protocol === 'https:' ? openHttps : openHttp;
  const sent = open({
    agent,
    protocol: endpoint.protocol,
    hostname: endpoint.hostname.replace(/^\[|\]$/g, ''),
    port: endpoint.port,
    method,
    path,
    headers: { ...headers, host: endpoint.host, ...signed.headers },
    timeout: silenceMs,
  });
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('timeout', () => sent.destroy(new Error('no data in time')));
    sent.on('error', (error) =>
      reject(new Error(describeUnreachable(endpoint.host, error), { cause: error })),
    );
    response.once('close', () => sent.destroy());
    if (sending === undefined) sent.end();
    // If the body differs from the signed body, destroys the request before the platform has received all of it.
    else pipeline(sending, sent).catch(reject);
  });
}

/** Returns the headers to forward. Headers with the same name are joined, exactly as in the value that the policy checked. */
function listHeaders(request: IncomingMessage): Record<string, string> {
  const named = (request.headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  return Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ||
      connectionHeaders.has(name) ||
      signatureHeaderNames.has(name) ||
      named.includes(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
