import { isUtf8 } from 'node:buffer';
import type { CallEffect } from '../../model/guard/effect.ts';
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
import { type Answer, type Body, type Call, type Method, readBody } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { Tails } from '../workers/tails/tails.ts';
import { codes } from './codes.ts';
import type { Visit } from './forward.ts';

/** The state of an embedded platform, as routes see it. Stores are opened on first use. */
export interface Platform {
  /** The complete platform, if this object is the view of an additional account. */
  readonly root?: Platform;
  /** `local`: any namespace id and account id is accepted, without sign-in. `sandbox`: the registry defines which resources exist. */
  readonly kind: 'local' | 'sandbox';
  /** The response of `/sandbox/info`. */
  readonly info: Readonly<Record<string, unknown>>;
  /** Whether to send an empty page with a cursor before each page of keys, for tests of clients. */
  readonly emptyPages: boolean;
  /** Returns the local namespaces that the configuration declares. */
  known(): Promise<readonly Namespace[]>;
  kv(): KvStore;
  objects(): ObjectStore;
  /** Opens the registry, which is read-only for local data. Throws Problem 'not-found' if there is no local data. */
  registry(): Registry;
  /** Returns the time in milliseconds since the UNIX epoch; `clockNow` adds the time by which the sandbox's clock was advanced. */
  now(): number;
  /** Returns cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Must be called before each API call by a caller with access (see `Room.enter`). Absent in the view of an additional account. */
  enter?(effect: CallEffect): void;
  /** Maximum number of certificates issued per minute (default: the provider's own limit). */
  readonly issuanceLimit?: number;
  /** The plan of the sandbox's zones (default: Enterprise). */
  readonly plan?: ZonePlan;
  /**
   * Replaces all data with what `fill` writes to an empty platform of the same account: completely or, if `fill` fails or the process is
   * killed, not at all. Local data cannot be replaced.
   */
  replace?(fill: (beside: Platform) => Promise<void>): Promise<void>;
  /** See `SandboxOptions.endable`. */
  readonly endable?: World['endable'];
  /** The origins that were named when the sandbox started. If undefined, any loopback port can be set as an origin. */
  readonly origins?: NamedOrigins;
  /** The running edge; undefined if no edge is served. */
  edge?: RunningEdge | undefined;
  /** Addresses of DNS, TLS and S3, while they are served. `dns` is `127.0.0.1:<port>`. */
  served?: { readonly dns?: string; readonly edgeTlsUrl?: string; readonly s3Endpoint?: string } | undefined;
  /** The traffic of the platform's server, while a server runs. */
  traffic?: Traffic | undefined;
  /** The tails of workers at the platform's server, while a server runs. */
  tails?: Tails | undefined;
}

/** Returns the complete platform for the view of an account. */
export function rootPlatform(platform: Platform): Platform {
  return platform.root ?? platform;
}

/** An edge that accepts requests. */
export interface RunningEdge {
  /** `http://localhost:<port>`; in the address of a worker, the worker's name precedes `localhost`. */
  readonly url: string;
  /** Passes a request to a worker. Resolves to false if no worker has this name. */
  visitWorker?(name: string, visit: Visit): Promise<boolean>;
  /**
   * After the set of workers with a tail has changed, passes these workers to the runtime. Resolves once every later run of these workers
   * will be reported.
   */
  tailsChanged?(): Promise<void>;
  /** Must be called after every change to the workers, so that the next request uses the changed workers. */
  workersChanged(): void;
  /** Replaces the running workers immediately, before the data that they use is deleted. */
  refreshWorkers(): Promise<void>;
  /** Runs `work`, which writes to the data of workers, while no worker handles a request; if this takes too long, runs `work` anyway. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** A call to a route. `params` contains the decoded parameters of the route's pattern. */
export interface Exchange {
  readonly platform: Platform;
  readonly call: Call;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The caller's token with policies; undefined for unrestricted access. */
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
  /** `user`, or the id of the account that owns the token. */
  readonly owner: string;
  /** Returns whether the token may be used from an address. */
  isAddressAllowed(address: string): boolean;
  /** Returns whether the token has any permission for an account or one of its zones. */
  reaches(target: PolicyTarget): boolean;
  /**
   * Returns whether the token grants a right of a permission group, such as `Zone`, for a target. Used for calls whose target is only in
   * the body.
   */
  allows(group: string, right: Right, target: PolicyTarget): boolean;
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/**
 * An entry of the route table. In a pattern, `:name` matches one segment, and a final `*name` matches the rest of the path including
 * slashes.
 */
export interface Route {
  readonly method: Method;
  readonly pattern: string;
  readonly handle: Handler;
}

/** Creates a refusal to throw, with the HTTP status, the provider's error code and the message. */
export function refusal(status: number, code: number, message: string): Problem {
  return new Problem('refused', message, { status, platformCode: code });
}

/** Returns the answer for an unknown path or a malformed id. `more` is appended to the last message. */
export function unroutableAnswer(path: string, more?: string): Answer {
  return refusedAll(404, [
    {
      code: codes.notRouted,
      message: `Could not route to ${path}, perhaps your object identifier is invalid?`,
    },
    { code: codes.noRoute, message: `No route for that URI${more === undefined ? '' : `: ${more}`}` },
  ]);
}

/** Returns a parameter of a route's pattern. */
export function param(exchange: Exchange, name: string): string {
  const value = exchange.params[name];
  if (value === undefined) throw new Error(`The route has no parameter "${name}".`);
  return value;
}

/** Maximum length in bytes of a request body with only a few fields. */
export const smallBodyBytes = 64 * 1024;

/** Reads the whole body. Throws `tooLong()`, by default a refusal with 413, if the body is longer than `limit` bytes. */
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

/** Maximum number of values and names in a JSON body. `JSON.parse` takes well under a second for this number. */
const maxValues = 1_000_000;

/** Maximum number of values and names in a seed: enough for a million keys, which take a few seconds to parse. */
const maxSeedValues = 5_000_000;

/**
 * Parses the body as JSON. Refuses invalid JSON with 400 (provider's code 10012) and a message that names the expected content, `what`.
 * Refuses a body with more than `limit` bytes or a million values with 413.
 */
export async function readJson(exchange: Exchange, what: string, limit = smallBodyBytes): Promise<unknown> {
  return parseJson(await readLimited(exchange.call.body, limit), what, maxValues);
}

/**
 * Parses the body as the JSON of a seed, which may have up to `maxSeedValues` values. If the platform has `endable`, a signal can end the
 * process meanwhile, because nothing has been changed yet.
 */
export async function readSeedJson(exchange: Exchange, limit: number): Promise<unknown> {
  const bytes = await readLimited(exchange.call.body, limit);
  const { endable = (work) => work() } = exchange.platform;
  return endable(() => parseJson(bytes, 'seed', maxSeedValues));
}

function parseJson(bytes: Uint8Array, what: string, limit: number): unknown {
  if (bytes.length > limit && hasMoreValues(bytes, limit)) {
    const message = `${what} has more than ${limit} values: send it in several requests`;
    throw refusal(413, codes.bodyTooLong, message);
  }
  if (!isUtf8(bytes)) throw unreadableBody(what, 'it is not UTF-8');
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    throw unreadableBody(what, error instanceof Error ? error.message : String(error));
  }
}

/** Creates the refusal (400) of a body that cannot be parsed as the expected content, `what`. */
export function unreadableBody(what: string, why: string): Problem {
  return refusal(400, codes.requestInvalid, `could not parse ${what} from request body: '${why}'`);
}

/** Converts any JSON value to a string, even an object whose `toString` is not a function. */
export function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
