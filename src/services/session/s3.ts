import * as v from 'valibot';
import { allowsPlainHttp, isLoopback, plainHostsVariable } from '../../model/loopback.ts';
import { type Advice, isProblem, Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import type { Environment } from '../../profiles/environment.ts';
import type { AccessKey } from '../../s3/signature.ts';
import { callResult } from '../../v4/client.ts';
import type { Send } from '../../v4/send.ts';
import { verifyToken } from '../../v4/verify-token.ts';
import { isS3Endpoint, objstoreHeaders, s3Endpoint, s3EndpointIn } from '../../v4/wire.ts';
import type { World } from '../../world.ts';
import { once } from './once.ts';
import { openServer, type Server } from './server.ts';
import type { Listener, S3Access } from './session.ts';

/** A backend's connection to the S3 API, which is opened at its first use. */
export interface S3Connection {
  /** Sends S3 API calls over this connection, and passes other calls to `send`. */
  wrap(send: Send): Send;
  /** Returns the endpoint and access key. Throws if no HTTP server provides the S3 API. */
  access(jurisdiction?: string, purpose?: 'read'): Promise<S3Access>;
  /** Number of retries of S3 API calls. */
  retries(): number;
  close(): void;
}

/**
 * Sends S3 API calls to the embedded platform in this process, without signatures. `advice` explains to the user how to start a server, for
 * actions that require one.
 */
export function s3InProcess(open: () => Promise<Send>, advice: Advice): S3Connection {
  return {
    wrap: (send) => async (call) => (call.api === 's3' ? (await open())(call) : send(call)),
    async access() {
      throw new Problem('usage', 'A link requires a server, and no server is running here.', advice);
    },
    retries: () => 0,
    close: () => undefined,
  };
}

/** A platform that is reached over HTTP, and its credentials. */
export interface S3Platform {
  readonly send: Send;
  readonly apiBaseUrl: string;
  auth(): Promise<Auth>;
  /**
   * Whether the credentials come from environment variables. If false, access keys are read from these variables only if there is no API
   * token.
   */
  readonly byEnvironment: boolean;
  accountId(): Promise<string>;
}

/** Connects to a platform's S3 API with the access key from the environment, or with an access key derived from the token. */
export function s3Over(world: World, platform: S3Platform, listener: Listener): S3Connection {
  const opened: Server[] = [];
  const findDefault = once(() => findAccess(world, platform));
  const access = async (jurisdiction?: string) => {
    const found = await findDefault();
    if (jurisdiction === undefined) return found;
    return { ...found, endpoint: inJurisdiction(found.endpoint, await platform.accountId(), jurisdiction) };
  };
  const openEndpoint = async (jurisdiction: string | undefined) => {
    const [{ endpoint, key }, { signatureHeaders }] = await Promise.all([
      access(jurisdiction),
      import('../../s3/sign.ts'),
    ]);
    const { host, pathname } = new URL(endpoint);
    const below = pathname.replace(/\/$/, '');
    const signing = {
      secret: key.secret,
      sign: ({ method, path, headers, body }: Parameters<Send>[0]) => {
        const bytes = body instanceof Uint8Array ? body : undefined;
        return signatureHeaders({ host, method, path: below + path, headers, body: bytes }, key, world.now());
      },
    };
    const server = await openServer(world, endpoint, signing, listener);
    opened.push(server);
    return server;
  };
  const servers = new Map<string | undefined, () => Promise<Server>>();
  const open = (jurisdiction: string | undefined) => {
    const server = servers.get(jurisdiction) ?? once(() => openEndpoint(jurisdiction));
    servers.set(jurisdiction, server);
    return server();
  };
  return {
    wrap: (send) => async (call) => {
      if (call.api !== 's3') return send(call);
      const { [objstoreHeaders.jurisdiction]: jurisdiction, ...headers } = call.headers;
      return (await open(jurisdiction)).send({ ...call, headers });
    },
    access,
    retries: () => opened.reduce((sum, server) => sum + server.retries(), 0),
    close() {
      for (const server of opened) server.close();
    },
  };
}

/**
 * Returns the endpoint of a jurisdiction: a separate hostname on the platform ("Data location"), or a path in a sandbox. Returns any other
 * endpoint unchanged, such as an endpoint that already contains a jurisdiction.
 */
function inJurisdiction(endpoint: string, accountId: string, jurisdiction: string): string {
  const { protocol, host, hostname } = new URL(endpoint);
  if (isLoopback(hostname)) return `${protocol}//${host}/${accountId}.${jurisdiction}`;
  return s3EndpointIn(endpoint, jurisdiction);
}

async function findAccess({ env }: World, platform: S3Platform): Promise<S3Access> {
  const auth = await platform.auth();
  const counts = platform.byEnvironment || !('token' in auth);
  const own = counts ? readAccessKey(env, 'R2') : undefined;
  const named = own && env['R2_ENDPOINT'];
  const endpoint = named ? checkEndpoint(named, env) : await findEndpoint(platform);
  if (own !== undefined) return { endpoint, key: own };
  const theirs = counts ? readAccessKey(env, 'AWS') : undefined;
  const place = URL.parse(env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || '')?.origin;
  // Access keys for another endpoint belong to another service, so they are not used.
  if (theirs !== undefined && place !== undefined && isS3Endpoint(place, endpoint))
    return { endpoint: place, key: theirs };
  return { endpoint, key: await deriveAccessKey(platform, auth) };
}

function readAccessKey(env: Environment, prefix: 'R2' | 'AWS'): AccessKey | undefined {
  const [id, secret] = [env[`${prefix}_ACCESS_KEY_ID`], env[`${prefix}_SECRET_ACCESS_KEY`]];
  return id && secret ? { id, secret } : undefined;
}

function checkEndpoint(text: string, env: Environment): string {
  const url = URL.parse(text);
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && allowsPlainHttp(url.hostname, env));
  if (url !== null && isSafe && url.username === '' && url.pathname === '/') return url.origin;
  throw new Problem('usage', 'The S3 API endpoint (R2_ENDPOINT) must be an https:// URL without a path.', {
    hint: `Only this machine and the hosts in ${plainHostsVariable} can be reached without TLS.`,
  });
}

const infoShape = v.object({ s3Endpoint: v.optional(v.string()), accountId: v.optional(v.string()) });

async function findEndpoint({ send, apiBaseUrl, accountId }: S3Platform): Promise<string> {
  const { hostname, protocol } = new URL(apiBaseUrl);
  if (protocol !== 'http:' && !isLoopback(hostname)) {
    const endpoint = s3Endpoint(hostname, await accountId());
    if (endpoint !== undefined) return endpoint;
  } else {
    const call = { method: 'GET', path: '/sandbox/info', headers: {}, repeatable: true } as const;
    const info = await callResult(send, call, (result) => v.parse(infoShape, result)).catch(
      ignoreMissingInfo,
    );
    const reported = URL.parse(info?.result.s3Endpoint ?? '');
    // A sandbox reports a port on its loopback address. From another machine, the port is reached at the host of the sandbox's API. Any other
    // address could belong to someone else.
    if (reported?.protocol === 'http:' && isLoopback(reported.hostname)) {
      const origin = isLoopback(hostname) ? reported.origin : `http://${hostname}:${reported.port}`;
      // A sandbox with several accounts reports its main account. The path of each other account starts with the account's id.
      const own = info?.result.accountId;
      const account = own === undefined ? own : await accountId();
      return account === own ? origin : `${origin}/${account}`;
    }
  }
  throw new Problem('refused', `The S3 endpoint of ${hostname} is unknown.`, {
    hint: 'Set R2_ENDPOINT, R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY.',
  });
}

/**
 * Returns undefined for an error which means that the server lacks this route (and so is not a sandbox), or that a sandbox does not accept
 * the token for this route. Rethrows any other error.
 */
function ignoreMissingInfo(error: unknown): undefined {
  if (isProblem(error) && ['not-found', 'refused', 'not-permitted'].includes(error.code)) return undefined;
  throw error;
}

/** Derives the access key from the API token, as the provider documents: the token's id, and the SHA-256 of the token as the secret. */
async function deriveAccessKey({ send, accountId }: S3Platform, auth: Auth): Promise<AccessKey> {
  if (!('token' in auth)) {
    throw new Problem(
      'not-signed-in',
      'An S3 access key cannot be derived from an email address and an API key.',
      {
        hint: 'Authenticate with an API token, or set R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY.',
      },
    );
  }
  const { sha256 } = await import('../../s3/signature.ts');
  const { token } = await verifyToken(send, accountId);
  return { id: token.id, secret: sha256(auth.token) };
}
