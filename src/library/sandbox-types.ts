/// <reference lib="esnext.disposable" preserve="true" />
import type { Fault, FaultRequest } from '../model/sandbox/fault.ts';
import type { LogFilter, LoggedRequest } from '../model/sandbox/logged-request.ts';
import type { Ready } from '../model/sandbox/ready.ts';
import type { Seed } from '../model/sandbox/seed.ts';

export type {
  Fault,
  FaultEffects,
  FaultRate,
  FaultRequest,
} from '../model/sandbox/fault.ts';
export type { LogFilter, LoggedRequest } from '../model/sandbox/logged-request.ts';
export type { Ready } from '../model/sandbox/ready.ts';
export type {
  Seed,
  SeedBinding,
  SeedBucket,
  SeedCertificate,
  SeedDns,
  SeedHostname,
  SeedKey,
  SeedNamespace,
  SeedObject,
  SeedRecord,
  SeedWorker,
  SeedZone,
} from '../model/sandbox/seed.ts';

/** Options of a sandbox. All options are optional. */
export interface StartOptions {
  /** Folder of the data, which is kept when the sandbox stops (default: a temporary folder, which is deleted when the sandbox stops). */
  readonly dir?: string;
  /** Whether to fill the sandbox with demo data: namespaces, buckets, workers and custom hostnames in all states. */
  readonly demo?: boolean;
  /**
   * Initial data, or the path of a YAML or JSON file that contains it. If the data is invalid, `startSandbox` rejects with an Error whose
   * message has one line per invalid field.
   */
  readonly seed?: Seed | string;
  /**
   * Whether to reject requests that the platform tolerates, or will reject in the future: unknown fields, deprecated routes, and a second
   * write to a key within a second. Also shorten the pages of lists. In `requests()`, the field `rule` of a rejected request contains the
   * reason.
   */
  readonly strict?: boolean;
  /**
   * Whether to start a proxy (`proxyUrl`, `caFile`) for programs that support only the platform's own host. `env` makes such programs use
   * the proxy. The proxy rejects requests to other hosts, and emits a process warning.
   */
  readonly proxy?: boolean;
  /** Port of the API on loopback (default: a free port). */
  readonly port?: number;
  /** Maximum number of certificates issued per minute (default: the platform's limit of 15). */
  readonly issuanceLimit?: number;
  /** Receives the console output of deployed workers. */
  readonly onWorkerLog?: (log: { readonly level: string; readonly message: string }) => void;
}

/** A running sandbox: the v4 API, the edge and DNS on loopback, with its own account, zone and credentials. */
export interface TestSandbox extends Ready, AsyncDisposable {
  /** Environment variables for programs that a test starts, which make edgectl, wrangler and the SDKs use the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the logged requests, up to the last 10,000, oldest first. */
  requests(filter?: LogFilter): Promise<LoggedRequest[]>;
  /** Clears the request log. */
  clearRequests(): Promise<void>;
  /** Adds a fault, which makes requests fail. If the fault is invalid, rejects with an Error that names the invalid field. */
  addFault(fault: FaultRequest): Promise<Fault>;
  /** Returns all faults, each with the number of requests that it has affected. */
  faults(): Promise<Fault[]>;
  /** Removes one fault, or all faults. Returns the number of removed faults. */
  clearFaults(id?: string): Promise<number>;
  /** Advances the sandbox's clock, and applies the changes to custom hostnames that are due in that time. */
  advanceClock(seconds: number): Promise<void>;
  /**
   * Adds data, or the data in a YAML or JSON file. If the data is invalid, changes nothing and rejects with an Error that lists all invalid fields.
   */
  load(seed: Seed | string): Promise<void>;
  /** Returns all data as a seed. Loading the seed restores the data. */
  snapshot(): Promise<Seed>;
  /** Deletes all data, except the account, the zone and the credentials. */
  reset(): Promise<void>;
  /** Stops the sandbox, and deletes its folder if it is temporary. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Starts the embedded platform in this process, and resolves when it accepts requests. Any number of sandboxes can run in parallel.
 *
 * await using sandbox = await startSandbox(); const client = new Cloudflare({ baseURL: sandbox.apiBaseUrl, apiToken: sandbox.apiToken });
 */
export declare function startSandbox(options?: StartOptions): Promise<TestSandbox>;
