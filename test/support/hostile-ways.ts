import { execFile } from 'node:child_process';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { presignedUrl, signatureHeaders } from '../../src/s3/sign.ts';
import type { AccessKey } from '../../src/s3/signature.ts';

/** The host that the guard's proxy replaces. */
const platformHost = 'api.cloudflare.com';
const proxyAddress = process.env['HTTPS_PROXY'] ?? '';

/** The knowledge of a hostile program, which is more than a real program would find out. */
export interface Knowledge {
  readonly guardPid: number;
  /** The folders of the guard's user. */
  readonly folders: { readonly config: string; readonly state: string };
  /** The addresses of the platform itself, which bypass the guard. */
  readonly platform: { readonly apiBaseUrl: string; readonly s3Endpoint: string };
  readonly namespace: string;
  /** The program `edgectl`. */
  readonly edgectl: string;
  /** The address of a person who approves the held request whose number is in the path. */
  readonly person: string;
  /** The names of the attacks to try, each with the key and object that the attack tries to delete or change. */
  readonly targets: Readonly<Record<string, string>>;
  /** The terminal of the guard, if it has one. */
  readonly terminal?: string | undefined;
  /** A folder that belongs to the program. */
  readonly folder: string;
}

/**
 * The settings in which an attack can succeed: with unlocked credentials, with a locked profile, or with a guard that runs as another user.
 * `maybe` means that the result depends on the system.
 */
export interface Possible {
  readonly unlocked: boolean | 'maybe';
  readonly locked: boolean | 'maybe';
  readonly otherUser: boolean;
}

/** An attack: a way to delete or change a key or an object without approval. */
export interface Way {
  readonly name: string;
  /** The result if the attack is refused: one status, several statuses, an error code of the system, or a sentence. */
  readonly refused: RegExp;
  /** Set if a guard that runs as the same user cannot refuse the attack. The threat model lists the attack by its name. */
  readonly notPrevented?: Possible;
  /** Whether the attack is tried only with the guard of an unlocked profile, where a person approves requests without a passphrase. */
  readonly needsPerson?: boolean;
  /** Whether the attack runs after all other attacks, because it disturbs the guard. */
  readonly isLast?: boolean;
  run(self: Hostile): Promise<string | number>;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly token?: string;
}

/** A program that can reach the platform only through a guard, and the data that one attack targets. */
class Hostile {
  readonly knows: Knowledge;
  readonly target: string;
  readonly base = process.env['CLOUDFLARE_BASE_URL'] ?? '';
  readonly token = process.env['CLOUDFLARE_API_TOKEN'] ?? '';
  readonly account = `/accounts/${process.env['CLOUDFLARE_ACCOUNT_ID']}`;
  readonly s3 = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
  readonly s3Key: AccessKey = {
    id: process.env['AWS_ACCESS_KEY_ID'] ?? '',
    secret: process.env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };

  constructor(knows: Knowledge, target: string) {
    this.knows = knows;
    this.target = target;
  }

  get kv(): string {
    return `${this.account}/storage/kv/namespaces/${this.knows.namespace}`;
  }

  /** Returns the path of the target. */
  get value(): string {
    return `${this.kv}/values/${this.target}`;
  }

  /** Sends a request with exactly this path below a base URL. */
  async ask(method: string, path: string, sent: Sent = {}, base = this.base): Promise<Answer> {
    const { pathname } = new URL(base);
    const { headers, body, token = this.token } = sent;
    return askAt(base, method, `${pathname}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      body,
    });
  }

  async status(method: string, path: string, sent: Sent = {}, base = this.base): Promise<number> {
    return (await this.ask(method, path, sent, base)).status;
  }

  /** Sends a signed S3 API request. */
  async sign(
    method: string,
    path: string,
    { headers = {}, body, key = this.s3Key, endpoint = this.s3 }: Signed = {},
  ) {
    const { host } = new URL(endpoint);
    const bytes = Buffer.from(body ?? '');
    const signed = signatureHeaders({ host, method, path, headers, body: bytes }, key, Date.now());
    return (await askAt(endpoint, method, path, { headers: { ...headers, ...signed }, body })).status;
  }

  /** Sends bytes to the guard, and returns the status of each answer. */
  async raw(text: string): Promise<string> {
    return sendRaw(this.base, text);
  }

  /** Sends bytes to the guard's proxy, and returns the status of each answer. */
  async rawProxy(text: string): Promise<string> {
    return sendRaw(proxyAddress, text);
  }

  /** Sends bytes through the tunnel to the platform that the proxy opens, and returns the status of each answer. */
  async tunnel(text: string): Promise<string> {
    return sendInTunnel(proxyAddress, text);
  }

  /** Returns a request with the token and an absolute address, as clients send it to a proxy. */
  proxied(address: string, more: readonly string[] = [], method = 'DELETE'): string {
    const lines = [`${method} ${address} HTTP/1.1`, `Host: ${platformHost}`, ...more];
    return `${[...lines, `Authorization: Bearer ${this.token}`].join('\r\n')}\r\n\r\n`;
  }

  /** Returns a complete request with the token. */
  head(method: string, path = this.value, more: readonly string[] = []): string {
    const { host, pathname } = new URL(this.base);
    const lines = [
      `${method} ${pathname}${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${this.token}`,
    ];
    return `${[...lines, ...more].join('\r\n')}\r\n\r\n`;
  }

  /** Returns a request with an absolute address. */
  absolute(base: string): string {
    const { pathname } = new URL(this.base);
    return this.head('DELETE').replace(`${pathname}${this.value}`, `${base}${this.value}`);
  }

  /** Returns the start of an allowed write. */
  put(headers: readonly string[]): string {
    return this.head('PUT', `${this.kv}/values/own-${this.target}`, headers);
  }

  /** Returns a presigned link of the guard. */
  link(method: 'GET' | 'PUT' | 'DELETE', key: string): string {
    return presignedUrl(this.s3, { method, bucket: 'data', key, seconds: 60 }, this.s3Key, Date.now());
  }

  /** Requests the deletion of the target, and returns the number of the held request. */
  async requestApproval(path = this.value): Promise<string> {
    const { text } = await this.ask('DELETE', path);
    const [, number] = /approve (\d{3}-\d+)/.exec(text) ?? [];
    if (number === undefined) throw new Error(`no number: ${text}`);
    return number;
  }

  /** Obtains a person's approval to delete another key, but does not delete that key. */
  async approvedPath(): Promise<string> {
    const path = `${this.kv}/values/own-${this.target}`;
    await this.ask('PUT', path, { body: 'x' });
    const number = await this.requestApproval(path);
    await askAt(this.knows.person, 'POST', `/${number}`, { body: '' });
    return path;
  }

  /** Searches the texts for strings that could be a token or an S3 secret, and uses each string as a credential for the platform itself. */
  async tryCredentials(texts: readonly string[]): Promise<string> {
    const whole = texts.join('\n');
    const { apiBaseUrl, s3Endpoint } = this.knows.platform;
    for (const token of new Set(whole.match(/(?<![\w-])[\w-]{40}(?![\w-])/g)))
      if (token !== this.token && (await this.status('DELETE', this.value, { token }, apiBaseUrl)) === 200)
        return 'deleted';
    const id = JSON.parse((await this.ask('GET', '/user/tokens/verify')).text).result?.id;
    for (const secret of new Set(whole.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g)))
      if (
        secret !== this.s3Key.secret &&
        (await this.sign('DELETE', `/data/${this.target}`, { endpoint: s3Endpoint, key: { id, secret } })) ===
          204
      )
        return 'deleted';
    return 'no credentials';
  }
}

interface Signed {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly key?: AccessKey;
  readonly endpoint?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

function askAt(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: Pick<Sent, 'headers' | 'body'>,
): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length }, agent: false });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      let text = '';
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode ?? 0, text, location: answer.headers.location });
    });
    sent.end(body);
  });
}

/** Sends bytes, and returns the status of each answer until the connection closes. */
function sendRaw(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname);
    const end = () => {
      socket.destroy();
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
      resolve(statuses.join(' ') || 'closed');
    };
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.on('close', end);
    socket.on('error', end);
    // A server that waits for more bytes than the program has sent does not close the connection.
    socket.setTimeout(6000, end);
    socket.write(text, 'latin1');
  });
}

/** Opens a tunnel with CONNECT, and sends bytes over TLS. */
function sendInTunnel(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const fail = () => resolve('closed');
    socket.once('error', fail);
    socket.write(`CONNECT ${platformHost}:443 HTTP/1.1\r\nHost: ${platformHost}:443\r\n\r\n`);
    socket.once('data', (first) => {
      if (!first.toString('latin1').startsWith('HTTP/1.1 200'))
        return resolve(`tunnel ${first.toString('latin1', 9, 12)}`);
      // The program accepts any certificate.
      const tls = connectTls({ socket, servername: platformHost, rejectUnauthorized: false });
      let answer = '';
      const end = () => {
        tls.destroy();
        resolve(
          [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status).join(' ') || 'closed',
        );
      };
      tls.on('data', (data) => {
        answer += data.toString('latin1');
        // A second answer follows within a second, or never.
        tls.setTimeout(1000, end);
      });
      tls.on('close', end);
      tls.on('error', end);
      tls.setTimeout(10_000, end);
      tls.write(text, 'latin1');
      return undefined;
    });
  });
}

/** Returns the contents of files; a file that cannot be read is represented by the system's error code. */
function readAll(paths: readonly string[]): string[] {
  return paths.map((path) => tryTo(() => readFileSync(path, 'latin1')));
}

function tryTo(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function listBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns names and contents of all files below a folder, or the system's error code. */
function readBelow(folder: string): string[] {
  const listed = tryTo(() => listBelow(folder).join('\n'));
  const paths = listed.startsWith('/') ? listed.split('\n') : [];
  return [listed, ...readAll(paths)];
}

/** Returns the code of the first error if the texts contain only error codes; otherwise undefined. */
function findError(texts: readonly string[]): string | undefined {
  return texts.every((text) => /^E[A-Z]+$/.test(text)) ? texts[0] : undefined;
}

/** Reads the writable memory of a process, which contains its strings. */
function readMemory(pid: number): string[] {
  const maps = tryTo(() => readFileSync(`/proc/${pid}/maps`, 'latin1'));
  if (findError([maps]) !== undefined) return [maps];
  const file = openSync(`/proc/${pid}/mem`, 'r');
  const found = new Set<string>();
  for (const [, from = '', to = ''] of maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)) {
    const bytes = Buffer.alloc(1 << 20);
    for (let at = Number.parseInt(from, 16); at < Number.parseInt(to, 16); at += bytes.length - 256) {
      const length = tryTo(() => String(readSync(file, bytes, 0, bytes.length, at)));
      const text = bytes.toString('latin1', 0, Number(length) || 0);
      for (const [, token = ''] of text.matchAll(/(?:Bearer |"token":")([\w-]{40})(?![\w-])/g))
        found.add(token);
    }
  }
  return [...found];
}

function run(file: string, args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(file, args, { timeout: 10_000 }, (_, out, err) => resolve(`${out}${err}`));
    // A command that ends without reading its input closes the pipe, which must not end this program.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Answers a held request through the guard's socket, as the console does. Returns the status, or the system's error. */
function answerAtSocket({ knows }: Hostile, number: string, answer: object): Promise<string> {
  const socketPath = join(knows.folders.state, 'guards', `${number.split('-')[0]}.sock`);
  return new Promise((resolve) => {
    const sent = request({ socketPath, path: `/held/${number}`, method: 'POST', agent: false });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    sent.on('response', (response) => {
      response.resume();
      resolve(String(response.statusCode));
    });
    sent.end(JSON.stringify({ user: 'you', by: 'console', ...answer }));
  });
}

const allowAll = '[[rule]]\nname = "all"\ndecision = "allow"\n';

const unlockedOnly: Possible = { unlocked: true, locked: false, otherUser: false };
const sameUser: Possible = { unlocked: true, locked: true, otherUser: false };

/** Creates an attack that sends a request with this path. */
const path = (
  name: string,
  refused: RegExp,
  toPath: (self: Hostile) => string,
  method = 'DELETE',
  sent: (self: Hostile) => Sent = () => ({}),
): Way => ({ name, refused, run: (self) => self.status(method, toPath(self), sent(self)) });

/** Creates an attack that sends raw bytes over a connection. */
const raw = (name: string, refused: RegExp, toText: (self: Hostile) => string): Way => ({
  name,
  refused,
  run: (self) => self.raw(toText(self)),
});

const s3 = (
  name: string,
  refused: RegExp,
  method: string,
  toPath: (target: string) => string,
  sent: (self: Hostile) => Signed = () => ({}),
): Way => ({ name, refused, run: (self) => self.sign(method, toPath(self.target), sent(self)) });

/** Creates an attack that searches texts for credentials, and uses them. */
const search = (name: string, texts: (self: Hostile) => string[], notPrevented?: Possible): Way => ({
  name,
  refused: /^(?:no credentials|EACCES|EPERM)$/,
  ...(notPrevented && { notPrevented }),
  async run(self) {
    const found = texts(self);
    return findError(found) ?? self.tryCredentials(found);
  },
});

const ownFiles = () => readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`);

const credentialWays: Way[] = [
  search('its own environment', () => readAll(['/proc/self/environ'])),
  search('its own arguments', () => readAll(['/proc/self/cmdline'])),
  search('its own open files', () =>
    ownFiles().map((path) => {
      const link = tryTo(() => readlinkSync(path));
      return /^\/(?!dev|proc)/.test(link) ? tryTo(() => readFileSync(path, 'latin1')) : link;
    }),
  ),
  search("the guard's arguments", ({ knows }) => readAll([`/proc/${knows.guardPid}/cmdline`])),
  search("the guard's files", ({ knows }) => readBelow(knows.folders.state)),
  search(
    "the guard's environment",
    ({ knows }) => readAll([`/proc/${knows.guardPid}/environ`]),
    unlockedOnly,
  ),
  search('profiles', ({ knows }) => readBelow(knows.folders.config), unlockedOnly),
  {
    ...search("the guard's memory", ({ knows }) => readMemory(knows.guardPid), {
      unlocked: 'maybe',
      locked: 'maybe',
      otherUser: false,
    }),
    isLast: true,
  },
  {
    name: "the guard's inspector",
    refused: /^(?:ECONNREFUSED|EPERM)$/,
    isLast: true,
    async run({ knows }) {
      const sent = tryTo(() => String(process.kill(knows.guardPid, 'SIGUSR1')));
      if (sent !== 'true') return sent;
      await pause(300);
      return askAt('http://127.0.0.1:9229', 'GET', '/json/list', {}).then(
        ({ text }) => (text.includes('edgectl') ? 'opened' : 'ECONNREFUSED'),
        (error: NodeJS.ErrnoException) => error.code ?? '',
      );
    },
  },
];

const portWays: Way[] = [
  {
    name: "the platform, with the guard's token",
    refused: /^40[13]$/,
    run: (self) => self.status('DELETE', self.value, {}, self.knows.platform.apiBaseUrl),
  },
  {
    name: 'the platform, without a token',
    refused: /^40[0-3]$/,
    run: (self) =>
      self.status('DELETE', self.value, { headers: { authorization: '' } }, self.knows.platform.apiBaseUrl),
  },
  {
    name: "the platform's S3 API, with the guard's key",
    refused: /^403$/,
    run: (self) => self.sign('DELETE', `/data/${self.target}`, { endpoint: self.knows.platform.s3Endpoint }),
  },
  {
    name: "the guard's S3 port, with its API token",
    refused: /^40[03]$/,
    run: (self) => self.status('DELETE', `/client/v4${self.value}`, {}, self.s3),
  },
  {
    name: "the guard's API port, with an S3 signature",
    refused: /^40[0-4]$/,
    run: (self) => self.sign('DELETE', `/data/${self.target}`, { endpoint: new URL(self.base).origin }),
  },
  {
    name: 'another scheme of credentials',
    refused: /^401$/,
    run: (self) =>
      self.status('DELETE', self.value, {
        headers: { authorization: '', 'x-auth-email': 'a@b.example', 'x-auth-key': self.token },
      }),
  },
  {
    name: 'a redirect of the platform',
    refused: /^307 40[13]$/,
    async run(self) {
      const { status, location = '' } = await self.ask('GET', `/zones?name=redirect-${self.target}`);
      const { origin, pathname } = new URL(location);
      const headers = { authorization: `Bearer ${self.token}` };
      return `${status} ${(await askAt(origin, 'DELETE', pathname, { headers })).status}`;
    },
  },
];

const throughProxy = (name: string, refused: RegExp, text: (self: Hostile) => string): Way => ({
  name: `the proxy, ${name}`,
  refused,
  run: (self) => self.rawProxy(text(self)),
});

const throughTunnel = (name: string, refused: RegExp, text: (self: Hostile) => string): Way => ({
  name: `a tunnel of the proxy, ${name}`,
  refused,
  run: (self) => self.tunnel(text(self)),
});

/** Creates an attack that sends CONNECT with another host or port, followed by a delete for the server that answers there. */
const connectWay = (name: string, target: (platform: URL) => string): Way =>
  throughProxy(`CONNECT to ${name}`, /^40[03]$/, (self) => {
    const { host, pathname } = new URL(self.knows.platform.apiBaseUrl);
    const named = target(new URL(self.knows.platform.apiBaseUrl));
    return `CONNECT ${named} HTTP/1.1\r\nHost: ${host}\r\n\r\n${self.head('DELETE').replace(new URL(self.base).pathname, pathname)}`;
  });

const apiAddress = `https://${platformHost}/client/v4`;
const platformAt = (self: Hostile) => self.knows.platform.apiBaseUrl;

const proxyWays: Way[] = [
  connectWay('the platform itself', ({ host }) => host),
  connectWay('the port of the platform at its name', ({ port }) => `${platformHost}:${port}`),
  connectWay('a name before another host', ({ host }) => `${platformHost}:443@${host}`),
  connectWay('two ports', ({ port }) => `${platformHost}:443:${port}`),
  connectWay('a mapped address', ({ port }) => `[::ffff:127.0.0.1]:${port}`),
  connectWay('a short address', ({ port }) => `127.1:${port}`),
  connectWay('a private address', () => '169.254.169.254:80'),
  connectWay('a subdomain of another host', ({ port }) => `${platformHost}.localhost:${port}`),
  throughProxy('a delete', /^403$/, (self) => self.proxied(apiAddress + self.value)),
  throughProxy('without a token', /^401$/, (self) =>
    self.proxied(apiAddress + self.value).replace(/Authorization: .*\r\n/, ''),
  ),
  throughProxy('the token for the proxy', /^401$/, (self) =>
    self.proxied(apiAddress + self.value).replace('Authorization', 'Proxy-Authorization'),
  ),
  throughProxy('the address of the platform', /^403$/, (self) => self.proxied(platformAt(self) + self.value)),
  throughProxy('the name before another host', /^403$/, (self) =>
    self.proxied(`https://${platformHost}@${new URL(platformAt(self)).host}/client/v4${self.value}`),
  ),
  throughProxy('a backslash before another host', /^40[0134]$/, (self) =>
    self.proxied(`https://${platformHost}\\@${new URL(platformAt(self)).host}/client/v4${self.value}`),
  ),
  throughProxy('another port of the name', /^403$/, (self) =>
    self.proxied(`https://${platformHost}:${new URL(platformAt(self)).port}/client/v4${self.value}`),
  ),
  throughProxy('without TLS', /^403$/, (self) =>
    self.proxied(apiAddress.replace('https', 'http') + self.value),
  ),
  throughProxy('a path without a host', /^403$/, (self) => self.proxied(`/client/v4${self.value}`)),
  ...(['..', '%2e%2E', '..\\'] as const).map((dots) =>
    throughProxy(`${dots} from an allowed name`, /^40[03]$/, (self) =>
      self.proxied(
        `${apiAddress}${self.kv}/values/own-${self.target}/${dots}/${self.target}`,
        ['Content-Length: 0'],
        'PUT',
      ),
    ),
  ),
  throughProxy('a header that replaces the method', /^40[03]$/, (self) =>
    self.proxied(apiAddress + self.value, ['X-HTTP-Method-Override: DELETE', 'Content-Length: 0'], 'POST'),
  ),
  throughTunnel('a delete', /^403$/, (self) => self.proxied(`/client/v4${self.value}`)),
  throughTunnel('a forged host', /^40[03]$/, (self) =>
    self.head('DELETE').replace(/Host: .*/, `Host: ${new URL(platformAt(self)).host}`),
  ),
  throughTunnel('two hosts', /^40[03]$/, (self) =>
    self.proxied(`/client/v4${self.value}`, [`Host: ${new URL(platformAt(self)).host}`]),
  ),
  throughTunnel('the address of the platform', /^40[0134]$/, (self) =>
    self.proxied(platformAt(self) + self.value),
  ),
  throughTunnel('CONNECT to the platform', /^40[03]$/, (self) => {
    const { host } = new URL(platformAt(self));
    return `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n${self.proxied(`/client/v4${self.value}`)}`;
  }),
  throughTunnel('a WebSocket', /^40[0134]$/, (self) =>
    self.proxied(`/client/v4${self.value}`, ['Connection: Upgrade', 'Upgrade: websocket']),
  ),
  {
    name: 'bytes after CONNECT without TLS',
    refused: /^200$|^200 40\d$/,
    run: (self) =>
      self.rawProxy(
        `CONNECT ${platformHost}:443 HTTP/1.1\r\nHost: ${platformHost}:443\r\n\r\n${self.proxied(`/client/v4${self.value}`)}`,
      ),
  },
  {
    name: 'a WebSocket instead of a delete',
    refused: /^40[0134]$/,
    run: (self) => self.raw(self.head('DELETE', self.value, ['Connection: Upgrade', 'Upgrade: websocket'])),
  },
  {
    name: 'a log stream that does not exist, with a delete after it',
    refused: /^403$/,
    async run(self) {
      const { host } = new URL(self.base);
      const handshake = `GET /tails/${self.target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      return self.raw(handshake + self.head('DELETE'));
    },
  },
  {
    name: 'the token in the query',
    refused: /^401$/,
    async run(self) {
      const query = ['token', 'access_token', 'api_token', 'authorization', 'x-auth-key'].map(
        (name) => `${name}=${self.token}`,
      );
      return (
        await self.ask('DELETE', `${self.value}?${query.join('&')}`, { headers: { authorization: '' } })
      ).status;
    },
  },
];

const approvalWays: Way[] = [
  path(
    'headers of an approval',
    /^403$/,
    ({ value }) => value,
    'DELETE',
    () => ({
      headers: {
        'x-approved': '1',
        'x-edgectl-approval': '100-1',
        'x-approver': 'root',
        'x-console': '1',
        'cf-access-authenticated-user-email': 'a@b.example',
      },
    }),
  ),
  {
    name: 'guard approve --yes',
    refused: /Only a person at a terminal|is not held by|EACCES|Cannot/,
    async run(self) {
      const { knows } = self;
      const number = await self.requestApproval();
      const args = [knows.edgectl, 'guard', 'approve', number, '--yes'];
      const said = await run(process.execPath, args, 'y\ny\n');
      return (await self.status('DELETE', self.value)) === 200 ? 'deleted' : said;
    },
  },
  {
    name: "approving at the guard's socket",
    refused: /^(?:409 409 403|EACCES EACCES 403)$/,
    notPrevented: unlockedOnly,
    async run(self) {
      const number = await self.requestApproval();
      const answers = [];
      for (const passphrase of [undefined, 'a guess at it'])
        answers.push(await answerAtSocket(self, number, { answer: 'approve', passphrase }));
      const status = await self.status('DELETE', self.value);
      return status === 200 ? 'deleted' : `${answers.join(' ')} ${status}`;
    },
  },
  {
    name: 'approving on its own terminal',
    refused: /^refused 403$/,
    notPrevented: { ...unlockedOnly, unlocked: 'maybe' },
    async run(self) {
      const number = await self.requestApproval();
      const command = `'${process.execPath}' '${self.knows.edgectl}' guard approve ${number}`;
      const typed = '(sleep 1.5; echo y; sleep 1; echo a guess at it; sleep 1)';
      await run('sh', ['-c', `${typed} | script -qec "${command}" /dev/null`], '');
      const status = await self.status('DELETE', self.value);
      return status === 200 ? 'deleted' : `refused ${status}`;
    },
  },
  {
    name: "typing into the guard's terminal",
    refused: /^(?:no terminal|refused) 403$/,
    notPrevented: { ...unlockedOnly, unlocked: 'maybe' },
    isLast: true,
    async run(self) {
      const { terminal } = self.knows;
      const removed = self.status('DELETE', self.value);
      if (terminal === undefined) return `no terminal ${await removed}`;
      await pause(1200);
      // TIOCSTI makes the terminal accept a character as if it had been typed.
      const script = 'open(T, "+<", $ARGV[0]) or exit 1; for (split //, "y\n") { ioctl(T, 0x5412, $_) }';
      await run('perl', ['-e', script, terminal], '');
      const status = await removed;
      return status === 200 ? 'deleted' : `refused ${status}`;
    },
  },
  {
    name: "reading what is typed into the guard's terminal",
    refused: /^(?:no terminal|EACCES)$/,
    notPrevented: { unlocked: 'maybe', locked: 'maybe', otherUser: false },
    isLast: true,
    run: async ({ knows: { terminal } }) =>
      terminal === undefined ? 'no terminal' : openForAll(terminal, 'r+'),
  },
  {
    name: 'showing fake requests on its own socket',
    refused: /^EACCES$/,
    notPrevented: sameUser,
    isLast: true,
    async run({ knows }) {
      const folder = join(knows.folders.state, 'guards');
      return tryTo(() => {
        const [name = ''] = readdirSync(folder);
        renameSync(join(folder, name), join(folder, 'moved'));
        renameSync(join(folder, 'moved'), join(folder, name));
        return 'replaced';
      });
    },
  },
];

const policyWays: Way[] = [
  {
    name: 'a policy of the project that allows everything',
    refused: /^403$/,
    run: (self) => self.status('DELETE', self.value),
  },
  {
    name: 'a policy that is edited while the guard runs',
    refused: /^403$/,
    isLast: true,
    run(self) {
      tryTo(() => String(writeFileSync(join(self.knows.folders.config, 'policy.toml'), allowAll)));
      return self.status('DELETE', self.value);
    },
  },
  {
    name: 'its own guard, with its own policy',
    refused: /^403$/,
    async run(self) {
      const file = join(self.knows.folder, 'policy.toml');
      writeFileSync(file, allowAll);
      const script = `fetch(process.env.CLOUDFLARE_BASE_URL + '${self.value}', { method: 'DELETE',
        headers: { authorization: 'Bearer ' + process.env.CLOUDFLARE_API_TOKEN } }).then(({ status }) => console.log('answered ' + status))`;
      const args = ['guard', 'exec', '--policy', file, '--', process.execPath, '-e', script];
      const said = await run(process.execPath, [self.knows.edgectl, ...args], '');
      return /answered (\d+)/.exec(said)?.[1] ?? said;
    },
  },
  {
    name: 'changing the policy for the next guard',
    refused: /^EACCES$/,
    notPrevented: sameUser,
    isLast: true,
    run: async ({ knows }) => openForAll(join(knows.folders.config, 'policy.toml'), 'r+'),
  },
  {
    name: 'changing the log and the undo journal',
    refused: /^EACCES$/,
    notPrevented: sameUser,
    isLast: true,
    run: async ({ knows }) =>
      tryTo(() => listBelow(knows.folders.state).map((one) => openForAll(one, 'r+'))[0] ?? ''),
  },
];

/** Opens a file; returns the system's error code if the file cannot be opened. */
function openForAll(file: string, flags: string): string {
  return tryTo(() => {
    closeSync(openSync(file, flags));
    return 'opened';
  });
}

/** Creates an attack that replays the approval for the deletion of another key. */
const replay = (
  name: string,
  refused: RegExp,
  attempt: (self: Hostile, approved: string) => Promise<string | number>,
): Way => ({
  name: `an approval, ${name}`,
  refused,
  needsPerson: true,
  run: async (self) => attempt(self, await self.approvedPath()),
});

const replayWays: Way[] = [
  replay('used a second time', /^200 200 403 200$/, async (self, approved) => {
    const statuses = [await self.status('DELETE', approved)];
    statuses.push(await self.status('PUT', approved, { body: 'x' }));
    statuses.push(await self.status('DELETE', approved));
    statuses.push(await self.status('GET', approved));
    return statuses.join(' ');
  }),
  replay('used by requests at the same time', /^1 of 10$/, async (self, approved) => {
    const statuses = await Promise.all(Array.from({ length: 10 }, () => self.status('DELETE', approved)));
    return `${statuses.filter((status) => status !== 403).length} of 10`;
  }),
  replay('for another path', /^403$/, (self) => self.status('DELETE', self.value)),
  replay('for another query', /^40[03]$/, (self, approved) => self.status('DELETE', `${approved}?x=1`)),
  replay('for another method', /^40[03]$/, (self, approved) => self.status('PATCH', approved, { body: '' })),
  replay('for another body', /^403$/, (self, approved) => self.status('DELETE', approved, { body: 'x' })),
];

const inOwn = (self: Hostile, rest: string) => `${self.kv}/values/own-${self.target}${rest}`;
const insert = (self: Hostile, part: string) => self.value.replace('/storage', part);

const pathWays: Way[] = [
  path('the unchanged path', /^403$/, ({ value }) => value),
  path('dot segments', /^400$/, ({ value }) => `/zones/..${value}`),
  path('a dot segment', /^400$/, ({ value }) => `/.${value}`),
  path('encoded dot segments', /^400$/, ({ value }) => `/zones/%2e%2E${value}`),
  path(
    'dot segments from an allowed name',
    /^400$/,
    (self) => inOwn(self, `/../${self.target}`),
    'PUT',
    () => ({ body: 'x' }),
  ),
  path(
    'encoded dot segments from an allowed name',
    /^400$/,
    (self) => inOwn(self, `%2f..%2F${self.target}`),
    'PUT',
    () => ({ body: 'x' }),
  ),
  path(
    'dot segments with a backslash',
    /^400$/,
    (self) => inOwn(self, `%5c..%5C${self.target}`),
    'PUT',
    () => ({ body: 'x' }),
  ),
  path('an encoded slash', /^400$/, (self) => insert(self, '%2Fstorage')),
  path('a doubly encoded slash', /^400$/, (self) => insert(self, '%252Fstorage')),
  path('an overlong encoding of a slash', /^40[03]$/, (self) => insert(self, '%c0%afstorage')),
  path('an encoded letter', /^400$/, (self) => insert(self, '/%73torage')),
  path('a malformed encoding', /^400$/, ({ value }) => `${value}%`),
  path('two slashes', /^400$/, (self) => insert(self, '//storage')),
  path('two slashes at the start', /^400$/, ({ value }) => `/${value}`),
  path('a parameter of a segment', /^400$/, (self) => insert(self, ';x=1/storage')),
  path('upper case', /^400$/, (self) => insert(self, '/STORAGE')),
  path('a slash at the end', /^40[03]$/, ({ value }) => `${value}/`),
  path('a query', /^403$/, ({ value }) => `${value}?force=true`),
  path('an encoded NUL', /^40[03]$/, ({ value }) => `${value}%00`),
  path('an encoded line break', /^40[03]$/, ({ value }) => `${value}%0d%0aX-A:%20b`),
  path('an encoded question mark', /^40[03]$/, ({ value }) => `${value}%3Fx`),
  raw('a fragment', /^400$/, (self) => self.head('DELETE', `${self.value}#x`)),
  raw('a NUL', /^400$/, (self) => self.head('DELETE', `${self.value}\0`)),
  raw('a backslash', /^400$/, (self) => self.head('DELETE', self.value.replace('/storage', '\\storage'))),
  raw('a space in the path', /^400$/, (self) => self.head('DELETE', `${self.value} x`)),
  raw('an absolute address of the guard', /^40[0-4]$/, (self) => self.absolute(self.base)),
  raw('an absolute address of the platform', /^40[0-4]$/, (self) =>
    self.absolute(self.knows.platform.apiBaseUrl),
  ),
  raw('an absolute address of another host', /^40[0-4]$/, (self) =>
    self.absolute('https://api.cloudflare.com/client/v4'),
  ),
  raw('an address with a user', /^40[0-4]$/, (self) => self.absolute(self.base.replace('//', '//a:b@'))),
  raw('CONNECT', /^(?:closed|40\d)$/, (self) => {
    const { host } = new URL(self.knows.platform.apiBaseUrl);
    return `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n${self.head('DELETE')}`;
  }),
  path(
    'the name of another host',
    /^403$/,
    ({ value }) => value,
    'DELETE',
    () => ({ headers: { host: 'api.cloudflare.com' } }),
  ),
  path(
    'a request of a web page',
    /^403$/,
    ({ value }) => value,
    'DELETE',
    () => ({ headers: { origin: 'http://127.0.0.1' } }),
  ),
];

const methodWays: Way[] = [
  ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) =>
    path(
      `the header ${name}`,
      /^400$/,
      ({ value }) => value,
      'POST',
      () => ({ headers: { [name]: 'DELETE' } }),
    ),
  ),
  path(
    'the method in an allowed request',
    /^400$/,
    (self) => inOwn(self, ''),
    'PUT',
    () => ({
      headers: { 'x-http-method-override': 'DELETE' },
      body: 'x',
    }),
  ),
  path('the method in the query', /^400$/, ({ value }) => `${value}?_method=DELETE`, 'POST'),
  path(
    'the method in a form',
    /^403$/,
    ({ value }) => value,
    'POST',
    () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '_method=DELETE',
    }),
  ),
  raw('a lower-case method', /^400$/, (self) => self.head('delete')),
  raw('an unknown method', /^400$/, (self) => self.head('DELETED')),
  raw('another method that deletes', /^400$/, (self) => self.head('PURGE')),
];

const close = ['Connection: close'];

const framingWays: Way[] = [
  raw(
    'Content-Length and Transfer-Encoding',
    /^400$/,
    (self) =>
      `${self.put(['Content-Length: 5', 'Transfer-Encoding: chunked'])}0\r\n\r\n${self.head('DELETE')}`,
  ),
  raw(
    'two values of Content-Length',
    /^400$/,
    (self) => `${self.put(['Content-Length: 1', 'Content-Length: 0'])}x${self.head('DELETE')}`,
  ),
  raw(
    'an unknown Transfer-Encoding',
    /^(?:400|501|200 40[03])$/,
    (self) => `${self.put(['Transfer-Encoding: chunked, identity'])}0\r\n\r\n${self.head('DELETE')}`,
  ),
  raw(
    'a space before a colon',
    /^400$/,
    (self) => `${self.put(['Content-Length : 1'])}x${self.head('DELETE')}`,
  ),
  raw(
    'a folded header',
    /^400$/,
    (self) =>
      `${self.put(['Content-Length: 1', 'X-A: b', ' Transfer-Encoding: chunked'])}x${self.head('DELETE')}`,
  ),
  raw('lines that end without a carriage return', /^400$/, (self) =>
    self.head('DELETE').replaceAll('\r\n', '\n'),
  ),
  raw(
    'a chunk of a wrong length',
    /^(?:400|closed|502)/,
    (self) => `${self.put(['Transfer-Encoding: chunked'])}ffffffffffffffffff\r\nx\r\n${self.head('DELETE')}`,
  ),
  raw('a request in the body of another', /^200$/, (self) => {
    const body = self.head('DELETE');
    return self.put([`Content-Length: ${body.length}`, ...close]) + body;
  }),
  raw('a request in the body of a read', /^200$/, (self) => {
    const body = self.head('DELETE');
    return self.head('GET', '/zones', [`Content-Length: ${body.length}`, ...close]) + body;
  }),
  raw('a body whose length is a header of the connection', /^400$/, (self) => {
    const body = self.head('DELETE');
    const names = `Content-Length: ${body.length}`;
    return self.head('GET', '/zones', [names, 'Connection: close, content-length']) + body;
  }),
  raw('a write whose length is a header of the connection', /^400$/, (self) => {
    const body = self.head('DELETE');
    return self.put([`Content-Length: ${body.length}`, 'Connection: close, content-length']) + body;
  }),
  raw(
    'bytes after the body',
    /^200 403$/,
    (self) => `${self.put(['Content-Length: 1'])}x${self.head('DELETE', self.value, close)}`,
  ),
  raw(
    'a pipelined second request',
    /^200 403$/,
    (self) => self.head('GET', '/zones') + self.head('DELETE', self.value, close),
  ),
  raw('an upgrade to a web socket', /^403$/, (self) =>
    self.head('DELETE', self.value, [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]),
  ),
  raw('an upgrade to HTTP/2', /^403$/, (self) =>
    self.head('DELETE', self.value, [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ]),
  ),
  raw('the preface of HTTP/2', /^(?:400|closed)$/, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  raw('HTTP/0.9', /^40[03]$/, (self) => `DELETE ${new URL(self.base).pathname}${self.value}\r\n\r\n`),
  raw('HTTP/1.0 without a host', /^40[03]$/, (self) =>
    self
      .head('DELETE')
      .replace('HTTP/1.1', 'HTTP/1.0')
      .replace(/Host: .*\r\n/, ''),
  ),
];

/** Creates an attack that sends a v4 API request that needs approval. */
const call = (
  name: string,
  method: string,
  toPath: (self: Hostile) => string,
  toBody?: (self: Hostile) => unknown,
): Way =>
  path(name, /^403$/, toPath, method, (self) => {
    const given = toBody?.(self);
    return given === undefined
      ? {}
      : {
          headers: { 'content-type': 'application/json' },
          body: typeof given === 'string' ? given : JSON.stringify(given),
        };
  });

const script = (self: Hostile) =>
  `export default { fetch: (request, env) => env.KV.delete('${self.target}') }`;

const callWays: Way[] = [
  call(
    'another value',
    'PUT',
    ({ value }) => value,
    () => 'changed',
  ),
  call(
    'another expiry',
    'PUT',
    ({ value }) => `${value}?expiration_ttl=60`,
    () => 'stays',
  ),
  call(
    'a bulk of values',
    'PUT',
    ({ kv }) => `${kv}/bulk`,
    ({ target }) => [{ key: target, value: 'changed' }],
  ),
  call(
    'a bulk that also contains an allowed name',
    'PUT',
    ({ kv }) => `${kv}/bulk`,
    ({ target }) => [
      { key: `own-${target}`, value: 'x' },
      { key: target, value: 'changed' },
    ],
  ),
  call(
    '/bulk/delete',
    'POST',
    ({ kv }) => `${kv}/bulk/delete`,
    ({ target }) => [target],
  ),
  call(
    'the old DELETE /bulk',
    'DELETE',
    ({ kv }) => `${kv}/bulk`,
    ({ target }) => [target],
  ),
  call('the namespace', 'DELETE', ({ kv }) => kv),
  call(
    'a batch of the account',
    'POST',
    ({ account }) => `${account}/batch`,
    ({ value }) => [{ method: 'DELETE', path: value }],
  ),
  call(
    'a batch',
    'POST',
    () => '/batch',
    ({ value }) => [{ method: 'DELETE', path: value }],
  ),
  call(
    'a mutation of GraphQL',
    'POST',
    () => '/graphql',
    ({ target }) => ({ query: `mutation { deleteKey(name: "${target}") }` }),
  ),
  call(
    'a new token of the user',
    'POST',
    () => '/user/tokens',
    () => ({ name: 'a', policies: [] }),
  ),
  call(
    'a new token of the account',
    'POST',
    ({ account }) => `${account}/tokens`,
    () => ({ name: 'a', policies: [] }),
  ),
  call(
    'another value of a token',
    'PUT',
    () => '/user/tokens/0123456789abcdef0123456789abcdef/value',
    () => ({}),
  ),
  call(
    'temporary S3 credentials',
    'POST',
    ({ account }) => `${account}/r2/temp-access-credentials`,
    () => ({
      bucket: 'data',
      permission: 'object-read-write',
      ttlSeconds: 900,
    }),
  ),
  call(
    'a worker with the namespace',
    'PUT',
    ({ account, target }) => `${account}/workers/scripts/${target}`,
    script,
  ),
  call(
    'an upload of static assets',
    'POST',
    ({ account, target }) => `${account}/workers/scripts/${target}/assets-upload-session`,
    () => ({}),
  ),
  call(
    'a member of the account',
    'POST',
    ({ account }) => `${account}/members`,
    () => ({ email: 'a@b.example', roles: [] }),
  ),
  call(
    'an object, by the v4 API',
    'DELETE',
    ({ account, target }) => `${account}/r2/buckets/data/objects/${target}`,
  ),
  call(
    'a rule that deletes objects',
    'PUT',
    ({ account }) => `${account}/r2/buckets/data/lifecycle`,
    () => ({ rules: [] }),
  ),
];

const invented: AccessKey = { id: 'f'.repeat(32), secret: 'e'.repeat(64) };
const list = (objects: string) => `<Delete>${objects}</Delete>`;
const object = (target: string) => `/data/${target}`;

const s3Ways: Way[] = [
  s3('an object', /^403$/, 'DELETE', object),
  s3('a signature of an invented key', /^403$/, 'DELETE', object, () => ({ key: invented })),
  s3("a signature of the guard's key with another secret", /^403$/, 'DELETE', object, ({ s3Key }) => ({
    key: { ...invented, id: s3Key.id },
  })),
  {
    name: 'an object without a signature',
    refused: /^403$/,
    run: async (self) => (await askAt(self.s3, 'DELETE', object(self.target), {})).status,
  },
  {
    name: 'a presigned link for GET, used for DELETE',
    refused: /^403$/,
    async run(self) {
      const { pathname, search } = new URL(self.link('GET', self.target));
      return (await askAt(self.s3, 'DELETE', pathname + search, {})).status;
    },
  },
  {
    name: 'a presigned link for another object',
    refused: /^403$/,
    async run(self) {
      const { search } = new URL(self.link('PUT', `own-${self.target}`));
      return (await askAt(self.s3, 'PUT', object(self.target) + search, { body: 'changed' })).status;
    },
  },
  {
    name: "a presigned link, at the platform's own S3 API",
    refused: /^403$/,
    async run(self) {
      const { pathname, search } = new URL(self.link('DELETE', self.target));
      return (await askAt(self.knows.platform.s3Endpoint, 'DELETE', pathname + search, {})).status;
    },
  },
  s3('a copy over an object', /^403$/, 'PUT', object, ({ target }) => ({
    headers: { 'x-amz-copy-source': `/data/own-${target}` },
  })),
  s3('another object of the same name', /^403$/, 'PUT', object, () => ({ body: 'changed' })),
  s3('an upload in parts over an object', /^403$/, 'POST', (target) => `${object(target)}?uploads=`),
  s3(
    'DeleteObjects',
    /^403$/,
    'POST',
    () => '/data?delete=',
    ({ target }) => ({ body: list(`<Object><Key>${target}</Key></Object>`) }),
  ),
  s3(
    'DeleteObjects with a comment',
    /^400$/,
    'POST',
    () => '/data?delete=',
    ({ target }) => ({
      body: list(`<!-- <Object><Key>own-a</Key></Object> --><Object><Key>${target}</Key></Object>`),
    }),
  ),
  s3(
    'DeleteObjects with an entity',
    /^400$/,
    'POST',
    () => '/data?delete=',
    ({ target }) => ({
      body: `<!DOCTYPE a [<!ENTITY b "${target}">]>${list('<Object><Key>&b;</Key></Object>')}`,
    }),
  ),
  s3(
    'dot segments in the name of an object',
    /^40[03]$/,
    'PUT',
    (target) => `/data/own-a/%2e%2e/${target}`,
    () => ({ body: 'changed' }),
  ),
  s3('the method of an S3 request in a header', /^400$/, 'POST', object, () => ({
    headers: { 'x-http-method-override': 'DELETE' },
  })),
  s3(
    'a policy of a bucket',
    /^403$/,
    'PUT',
    () => '/data?policy=',
    () => ({ body: '{}' }),
  ),
  s3(
    'rules that delete objects',
    /^403$/,
    'PUT',
    () => '/data?lifecycle=',
    () => ({ body: '<LifecycleConfiguration/>' }),
  ),
  s3('the bucket', /^403$/, 'DELETE', () => '/data'),
  {
    name: 'an upload of a form',
    refused: /^40[03]$/,
    async run(self) {
      const field = (name: string, value: string) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const body = `${field('key', self.target)}${field('AWSAccessKeyId', self.s3Key.id)}${field('file', 'changed')}--b--\r\n`;
      return (
        await askAt(self.s3, 'POST', '/data', {
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
          body,
        })
      ).status;
    },
  },
];

/** Attacks that run last, because later attacks could not reach a killed guard. */
const killWays: Way[] = [
  {
    name: 'killing the guard',
    refused: /^(?:ECONNREFUSED|ECONNRESET|EPERM 403)$/,
    isLast: true,
    async run(self) {
      const killed = tryTo(() => String(process.kill(self.knows.guardPid, 'SIGKILL')));
      await pause(200);
      const status = await self
        .status('DELETE', self.value)
        .catch((error: NodeJS.ErrnoException) => error.code ?? '');
      return killed === 'true' ? status : `${killed} ${status}`;
    },
  },
];

export const ways: readonly Way[] = [
  ...credentialWays,
  ...portWays,
  ...proxyWays,
  ...approvalWays,
  ...policyWays,
  ...replayWays,
  ...pathWays,
  ...methodWays,
  ...framingWays,
  ...callWays,
  ...s3Ways,
  ...killWays,
];

/** Tries the attacks that have a target, and writes their results. Runs in a separate program. */
export async function tryWays(knows: Knowledge): Promise<void> {
  const results: Record<string, string> = {};
  const written = join(knows.folder, 'results.json');
  const attempt = async (way: Way) => {
    const self = new Hostile(knows, knows.targets[way.name] ?? '');
    const late = pause(15_000).then(() => 'no result in time');
    const result = await Promise.race([way.run(self), late]).catch(
      (error: Error) => `failed: ${error.stack}`,
    );
    results[way.name] = String(result);
    writeFileSync(`${written}.part`, JSON.stringify(results));
  };
  // When a guard is killed, its terminal sends SIGHUP to its programs.
  process.on('SIGHUP', () => undefined);
  const chosen = ways.filter(({ name }) => name in knows.targets);
  await Promise.all(chosen.filter(({ isLast }) => !isLast).map(attempt));
  for (const way of chosen.filter(({ isLast }) => isLast)) await attempt(way);
  renameSync(`${written}.part`, written);
  process.exit();
}
