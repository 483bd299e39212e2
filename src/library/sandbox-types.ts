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
  /** Folder of the data, which is kept (default: a temporary one, deleted with the sandbox). */
  readonly dir?: string;
  /** Fill the sandbox with demo data: namespaces, buckets, workers and custom hostnames in all states. */
  readonly demo?: boolean;
  /**
   * Initial data, or the path of a YAML or JSON file that contains it. If the data is invalid, the promise rejects with an Error that
   * has a line for each fault.
   */
  readonly seed?: Seed | string;
  /**
   * Refuse requests that the platform only tolerates, or will refuse: unknown fields, deprecated routes, a second write to a key
   * within a second. Lists have short pages. The reason is `rule` in `requests()`.
   */
  readonly strict?: boolean;
  /**
   * Also serve a proxy (`proxyUrl`, `caFile`), for programs that only know the platform's own host; `env` points them to it. The
   * proxy refuses other hosts, with a process warning.
   */
  readonly proxy?: boolean;
  /** Port of the API on loopback (default: any free port). */
  readonly port?: number;
  /** Maximum number of certificates issued per minute (default: the platform's limit of 15). */
  readonly issuanceLimit?: number;
  /** Receives the console output of deployed workers. */
  readonly onWorkerLog?: (log: { readonly level: string; readonly message: string }) => void;
}

/** A running sandbox: the v4 API, the edge and DNS on loopback, with its own account, zone and credentials. */
export interface TestSandbox extends Ready, AsyncDisposable {
  /** Environment variables with which edgectl, wrangler and the SDKs find the sandbox, for programs that a test starts. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the requests so far, oldest first. The last 10,000 are kept. */
  requests(filter?: LogFilter): Promise<LoggedRequest[]>;
  /** Clears the request log. */
  clearRequests(): Promise<void>;
  /** Adds a fault, which makes requests fail. Rejects with an Error that names an invalid field. */
  addFault(fault: FaultRequest): Promise<Fault>;
  /** Returns the faults, with the number of requests that each affected. */
  faults(): Promise<Fault[]>;
  /** Removes one fault, or all. Returns their number. */
  clearFaults(id?: string): Promise<number>;
  /** Advances the sandbox's clock, with all changes to custom hostnames in that time. */
  advanceClock(seconds: number): Promise<void>;
  /**
   * Adds data, or the data in a YAML or JSON file. Invalid data rejects with an Error that lists all faults, and changes nothing.
   */
  load(seed: Seed | string): Promise<void>;
  /** Returns all data as a seed that restores it. */
  snapshot(): Promise<Seed>;
  /** Deletes all data. Account, zone and credentials stay. */
  reset(): Promise<void>;
  /** Stops the sandbox and deletes a temporary folder. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Starts the embedded platform in this process, and returns it once it answers. Any number can run in parallel.
 *
 *     await using sandbox = await startSandbox();
 *     const client = new Cloudflare({ baseURL: sandbox.apiBaseUrl, apiToken: sandbox.apiToken });
 */
export declare function startSandbox(options?: StartOptions): Promise<TestSandbox>;
