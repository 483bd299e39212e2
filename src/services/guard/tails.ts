import { type ClientRequest, type IncomingMessage, request as openHttp } from 'node:http';
import { request as openHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { isObject } from '../../model/json-object.ts';
import { isLoopback } from '../../model/loopback.ts';
import { openAgent } from '../../v4/agent.ts';
import { findRoute } from '../../v4/routes.ts';
import type { Method } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import { connectionHeaders, replacedHeaders } from './forward.ts';

/** A relay for workers' log streams, whose addresses come from the platform. */
export interface TailRelay {
  /** Replaces the stream addresses in the platform's response with addresses of this guard. Throws if a stream address is not valid. */
  rewrite(answer: Buffer, host: string): Buffer;
  /** Connects a WebSocket to the log stream in the request's path. `hosts` are the addresses of this guard. */
  connect(request: IncomingMessage, socket: Duplex, head: Buffer, hosts: readonly string[]): void;
  close(): void;
}

const pathPrefix = '/tails/';

/** Maximum number of stream addresses to remember; the oldest address is forgotten first. */
const maxStreams = 1000;

/** Returns whether the answer to a request contains the address of a log stream. */
export function returnsTail(method: string, path: string): boolean {
  const route = findRoute({ method: method as Method, path });
  return method !== 'DELETE' && route?.path === '/accounts/:account/workers/scripts/:script/tails';
}

/** Returns whether a request opens a log stream. Other upgrades (to HTTP/2) are ignored, as HTTP allows. */
export function isTailUpgrade({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && url.startsWith(pathPrefix) && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Opens a relay for log streams. `apiBaseUrl` is the platform's base URL: only a platform on this machine may return stream addresses
 * without TLS.
 */
export function openTails({ random, env }: Pick<World, 'random' | 'env'>, apiBaseUrl: string): TailRelay {
  const streams = new Map<string, URL>();
  const sockets = new Set<Duplex>();
  const allowsPlain = isLoopback(new URL(apiBaseUrl).hostname);
  /** Replaces the address of one stream. The answer for a worker without a stream contains no address. */
  const replaceAddress = (result: unknown, host: string): unknown => {
    if (!isObject(result) || result['url'] === undefined) return result;
    const url = URL.parse(String(result['url']));
    const isSafe =
      url?.protocol === 'wss:' || (url?.protocol === 'ws:' && allowsPlain && isLoopback(url.hostname));
    if (url === null || !isSafe) throw new Error('the address of the log stream is not wss://');
    const id = Buffer.from(random(24)).toString('base64url');
    streams.set(id, url);
    for (const oldest of streams.keys()) if (streams.size > maxStreams) streams.delete(oldest);
    return { ...result, url: `ws://${host}${pathPrefix}${id}` };
  };
  return {
    rewrite(answer, host) {
      const body: unknown = JSON.parse(answer.toString('utf8'));
      // The answer to a refused request has no `result`.
      if (!isObject(body)) return answer;
      const { result } = body;
      const replaced = Array.isArray(result)
        ? result.map((one) => replaceAddress(one, host))
        : replaceAddress(result, host);
      return replaced === result ? answer : Buffer.from(JSON.stringify({ ...body, result: replaced }));
    },
    connect(request, socket, head, hosts) {
      const { url = '', headers } = request;
      const stream = streams.get(url.slice(pathPrefix.length));
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => sockets.delete(socket));
      const isPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
      if (stream === undefined || isPage || !hosts.includes(headers.host ?? '')) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      relay(openStream(stream, request, env), socket, head);
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openStream(stream: URL, { rawHeaders }: IncomingMessage, env: World['env']): ClientRequest {
  const isTls = stream.protocol === 'wss:';
  const kept = rawHeaders.filter((_, index) => {
    const name = (rawHeaders[index - (index % 2)] ?? '').toLowerCase();
    return !connectionHeaders.has(name) && !replacedHeaders.has(name) && name !== 'content-length';
  });
  const open = isTls ? openHttps : openHttp;
  return open({
    agent: openAgent(isTls ? 'https:' : 'http:', stream.hostname, env),
    hostname: stream.hostname.replace(/^\[|\]$/g, ''),
    port: stream.port,
    path: stream.pathname + stream.search,
    headers: [...kept, 'Host', stream.host, 'Connection', 'Upgrade', 'Upgrade', 'websocket'],
  });
}

function relay(sent: ClientRequest, socket: Duplex, head: Buffer): void {
  sent.on('error', () => socket.destroy());
  socket.once('close', () => sent.destroy());
  sent.once('response', (answer) => {
    socket.end(
      `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    answer.resume();
  });
  sent.once('upgrade', (answer, upstream, first) => {
    upstream.on('error', () => socket.destroy());
    upstream.once('close', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
    const { rawHeaders } = answer;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(first);
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  sent.end();
}
