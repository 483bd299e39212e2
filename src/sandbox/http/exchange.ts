import { isUtf8 } from 'node:buffer';
import type { Namespace } from '../../model/kv/kv.ts';
import type { PolicyTarget, Right } from '../../model/permissions/policies.ts';
import { Problem } from '../../model/problem.ts';
import type { NamedOrigins } from '../../model/sandbox/exposure.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import type { KvStore } from '../../store/kv/kv.ts';
import type { ObjectStore } from '../../store/objects/objects.ts';
import type { Registry } from '../../store/registry.ts';
import { hasMoreValues } from '../../text/json.ts';
import { refusedAll } from '../../v4/envelope.ts';
import type { CallEffect } from '../../v4/routes.ts';
import { type Answer, type Body, type Call, type Method, readBody } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { Tails } from '../workers/tails/tails.ts';
import { codes } from './codes.ts';
import type { Visit } from './forward.ts';

/** The state of an embedded platform, as routes see it. Stores open at their first use: an unused one costs nothing. */
export interface Platform {
  /** Of a platform as a further account sees it, the whole. */
  readonly whole?: Platform;
  /** `local`: any namespace and account id exists and nobody signs in. `sandbox`: the registry says what exists. */
  readonly kind: 'local' | 'sandbox';
  /** The answer of `/sandbox/info`. */
  readonly info: Readonly<Record<string, unknown>>;
  /** For tests of clients: an empty page with a cursor comes before each page of keys. */
  readonly emptyPages: boolean;
  /** Local namespaces that a configuration names. */
  known(): Promise<readonly Namespace[]>;
  kv(): KvStore;
  objects(): ObjectStore;
  /** Of local data: only to read, and Problem 'not-found' where there is none. */
  registry(): Registry;
  /** Milliseconds since the UNIX epoch, on the platform's clock. */
  now(): number;
  /** Cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /**
   * Called before each call of an API by an authenticated caller, as `Room.enter`. Absent from a platform as a further account
   * sees it.
   */
  enter?(effect: CallEffect): void;
  /** Maximum number of certificates issued per minute (default: the provider's own limit). */
  readonly issuanceLimit?: number;
  /** The plan of its zones (default: Enterprise). */
  readonly plan?: ZonePlan;
  /**
   * Replaces all data by what `fill` writes to an empty platform of the same account: completely or, if that fails or the
   * process is killed, not at all. Not for local data.
   */
  replace?(fill: (beside: Platform) => Promise<void>): Promise<void>;
  /** As in `SandboxOptions`. */
  readonly endable?: World['endable'];
  /** Origins named at the start; any loopback port can be set as one where this is undefined. */
  readonly origins?: NamedOrigins;
  /** The edge, while one is served over this platform. */
  edge?: RunningEdge | undefined;
  /** Where DNS, TLS and S3 are served over this platform, while they are. `dns` is `127.0.0.1:<port>`. */
  served?: { readonly dns?: string; readonly edgeTlsUrl?: string; readonly s3Endpoint?: string } | undefined;
  /** The talk of its server with clients, while one runs. */
  traffic?: Traffic | undefined;
  /** Who listens at its server to what workers do, while one runs. */
  tails?: Tails | undefined;
}

/** The platform of all accounts, of one as an account sees it. */
export function wholeOf(platform: Platform): Platform {
  return platform.whole ?? platform;
}

/** The addresses of an edge that is served. */
export interface RunningEdge {
  /** `http://localhost:<port>`; a worker's own address puts its name before the host. */
  readonly url: string;
  /** Passes a visit to a worker, where hostnames are served beside workers; whether there is one of that name. */
  visitWorker?(name: string, visit: Visit): Promise<boolean>;
  /** Resolves when the runs of all workers with a tail are reported. */
  tailsChanged?(): Promise<void>;
  /** Called after every change of workers: the next visitor sees it. */
  workersChanged(): void;
  /** Replaces the running workers immediately, before the data that they use is deleted. */
  refreshWorkers(): Promise<void>;
  /** Runs a write to the data of workers while no worker is visited, as far as possible. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** One call while a route answers it. Parameters are decoded segments of its path. */
export interface Exchange {
  readonly platform: Platform;
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The token with policies that signs in; of one that may do everything undefined. */
  readonly token?: CallerToken | undefined;
}

/** A token with policies, as routes see it. */
export interface CallerToken {
  readonly verified: {
    readonly id: string;
    readonly status: string;
    readonly expires_on?: string;
    readonly not_before?: string;
  };
  /** `user`, or the id of the account whose token it is. */
  readonly owner: string;
  /** Whether it may be used from an address. */
  mayComeFrom(address: string): boolean;
  /** Whether it reaches an account, or a zone of it, with any permission. */
  reaches(target: PolicyTarget): boolean;
  /** Whether it may do what a group of permissions is for (`Zone`) there: where only the body of a call names the target. */
  allows(group: string, right: Right, target: PolicyTarget): boolean;
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/**
 * One line of the route table. In a pattern `:name` is one segment and a last `*name` is the rest of the path, slashes
 * included.
 */
export interface Route {
  readonly method: Method;
  readonly pattern: string;
  readonly handle: Handler;
}

/** A refusal to throw: the HTTP status, the provider's error code and its sentence. */
export function refusal(status: number, code: number, message: string): Problem {
  return new Problem('refused', message, { status, platformCode: code });
}

/** The answer to an unknown path, or one with a malformed id. `more` follows its last sentence. */
export function unroutable(path: string, more?: string): Answer {
  return refusedAll(404, [
    {
      code: codes.notRouted,
      message: `Could not route to ${path}, perhaps your object identifier is invalid?`,
    },
    { code: codes.noRoute, message: `No route for that URI${more === undefined ? '' : `: ${more}`}` },
  ]);
}

/** The parameter of a route's pattern. */
export function param(exchange: Exchange, name: string): string {
  const value = exchange.params[name];
  if (value === undefined) throw new Error(`The route has no parameter "${name}".`);
  return value;
}

/** Bytes of a body of a few fields, more than any client has to say. */
export const smallBody = 64 * 1024;

/** The whole body, at most `limit` bytes; a longer one is refused with 413. */
export async function readLimited(
  body: Body | undefined,
  limit: number,
  tooLong: () => Problem = () => bodyTooLong(limit),
): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array(0);
  try {
    return await readBody(typeof body === 'function' ? body() : body, limit);
  } catch (error) {
    throw error instanceof RangeError ? tooLong() : error;
  }
}

function bodyTooLong(limit: number): Problem {
  return refusal(413, codes.bodyTooLong, `request body is longer than ${limit} bytes`);
}

/** Values and names in a body that `JSON.parse` takes well under a second for; no fewer than the platform accepts. */
const mostValues = 1_000_000;

/** The same of a seed, for a few seconds: a million keys. */
const mostSeedValues = 5_000_000;

/**
 * The body as JSON. Another body is refused with 400, naming `what` was expected (provider's code 10012), and one whose
 * parsing would take seconds with 413.
 */
export async function readJson(exchange: Exchange, what: string, limit = smallBody): Promise<unknown> {
  return parsedJson(await readLimited(exchange.call.body, limit), what, mostValues);
}

/** The same of a seed, which has more values. Where a signal may end this work, it does: nothing has been changed yet. */
export async function readSeedJson(exchange: Exchange, limit: number): Promise<unknown> {
  const bytes = await readLimited(exchange.call.body, limit);
  const { endable = (work) => work() } = exchange.platform;
  return endable(() => parsedJson(bytes, 'seed', mostSeedValues));
}

function parsedJson(bytes: Uint8Array, what: string, most: number): unknown {
  if (bytes.length > most && hasMoreValues(bytes, most)) {
    const message = `${what} has more than ${most} values: send it in several requests`;
    throw refusal(413, codes.bodyTooLong, message);
  }
  if (!isUtf8(bytes)) throw unreadable(what, 'it is not UTF-8');
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    throw unreadable(what, error instanceof Error ? error.message : String(error));
  }
}

/** The refusal of a body that is not `what` it should be. */
export function unreadable(what: string, why: string): Problem {
  return refusal(400, codes.requestInvalid, `could not parse ${what} from request body: '${why}'`);
}

/** A JSON value as text, also of an object whose own `toString` is none to call. */
export function plainText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
