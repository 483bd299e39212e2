import { createSocket } from 'node:dgram';
import { request } from 'node:http';
import { connect, type PeerCertificate } from 'node:tls';
import { decode, encode, type RecordType } from 'dns-packet';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Stage } from './stage.ts';

/** An HTTP response of the API. */
export interface ApiAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly result: CustomHostname | null;
  readonly list: readonly CustomHostname[];
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** A served sandbox as seen by clients: its API and edge over HTTP, its DNS over UDP, its certificates over TLS. */
export interface Outside {
  /** Calls the API, with a path below the zone. */
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Lists the hostnames with this name; the first is in `result`. */
  listed(hostname: string): Promise<ApiAnswer>;
  /** Returns the edge's response to a visitor of the hostname. */
  visit(hostname: string): Promise<{ readonly status: number; readonly body: string }>;
  /** Sends one query over UDP, and returns its status and each record as a line of a zone file. */
  dns(
    name: string,
    type: RecordType,
  ): Promise<{ readonly code: string; readonly answers: readonly string[] }>;
  /** Returns the certificate that the edge presents for a hostname. */
  certificate(hostname: string): Promise<PeerCertificate>;
}

export function outsideOf(stage: Stage): Outside {
  const { ready } = stage;
  if (ready === undefined) throw new Error('the stage is not served');
  const base = `${ready.apiBaseUrl}/zones/${stage.zoneId}`;
  const api = (method: string, path: string, body?: unknown) =>
    call(base + path, ready.apiToken, method, body);
  return {
    api,
    async listed(hostname) {
      const answer = await api('GET', `/custom_hostnames?hostname=${hostname}`);
      return { ...answer, result: answer.list[0] ?? null };
    },
    visit: (hostname) => visit(Number(new URL(ready.edgeUrl).port), hostname),
    dns: (name, type) => ask(Number(ready.dns.split(':')[1]), name, type),
    certificate: (hostname) => shown(Number(new URL(ready.edgeTlsUrl).port), hostname),
  };
}

async function call(url: string, token: string, method: string, body: unknown): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { result, errors } = (await response.json()) as {
    readonly result: CustomHostname | readonly CustomHostname[] | null;
    readonly errors: ApiAnswer['errors'];
  };
  const many = Array.isArray(result) ? (result as readonly CustomHostname[]) : [];
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    result: Array.isArray(result) ? null : (result as CustomHostname | null),
    list: many,
    errors,
  };
}

function visit(port: number, hostname: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((settle, reject) => {
    const sent = request({ host: '127.0.0.1', port, headers: { host: hostname } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => settle({ status: response.statusCode ?? 0, body }));
    });
    sent.once('error', reject).end();
  });
}

function ask(port: number, name: string, type: RecordType): ReturnType<Outside['dns']> {
  return new Promise((settle, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', reject).once('message', (message) => {
      socket.close();
      const { rcode, answers } = decode(message) as ReturnType<typeof decode> & { readonly rcode: string };
      settle({ code: rcode, answers: (answers ?? []).map(getLine) });
    });
    const question = encode({ type: 'query', id: 7, flags: 0x100, questions: [{ type, name, class: 'IN' }] });
    socket.send(question, port, '127.0.0.1');
  });
}

function getLine(answer: NonNullable<ReturnType<typeof decode>['answers']>[number]): string {
  if (answer.type === 'CNAME' || answer.type === 'A') return `${answer.name} ${answer.type} ${answer.data}`;
  if (answer.type !== 'CAA') return `${answer.name} ${answer.type}`;
  return `${answer.name} CAA ${answer.data.flags ?? 0} ${answer.data.tag} "${answer.data.value}"`;
}

function shown(port: number, hostname: string): Promise<PeerCertificate> {
  return new Promise((settle, reject) => {
    const options = { host: '127.0.0.1', port, servername: hostname, rejectUnauthorized: false };
    const socket = connect(options, () => {
      settle(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
