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

/** Options of a sandbox. All are optional. */
export interface StartOptions {
  /** Folder of the data, which stays (default: a temporary one, deleted with the sandbox). */
  readonly dir?: string;
  /** Fill it with demo data: namespaces, buckets, workers and custom hostnames in all states. */
  readonly demo?: boolean;
  /**
   * Data to begin with, or the path of a YAML or JSON file of them. What is wrong rejects with an Error that has a line for
   * each fault.
   */
  readonly seed?: Seed | string;
  /**
   * Refuse requests that the platform merely tolerates, or will refuse: unknown fields, deprecated routes, a second write to a
   * key within a second. Lists have short pages. The reason is `rule` in `requests()`.
   */
  readonly strict?: boolean;
  /**
   * Also serve a proxy (`proxyUrl`, `caFile`), by which programs that only know the platform's own host reach the sandbox;
   * `env` points them there. It forwards nothing else, and reports such requests as a warning of the process.
   */
  readonly proxy?: boolean;
  /** Port of the API on loopback (default: any free one). */
  readonly port?: number;
  /** Maximum number of certificates issued per minute (default: the platform's limit of 15). */
  readonly issuanceLimit?: number;
  /** Receives the console output of deployed workers. */
  readonly onWorkerLog?: (log: { readonly level: string; readonly message: string }) => void;
}

/** A running sandbox: the v4 API, the edge and DNS, all on loopback, with its own account, zone and credentials. */
export interface TestSandbox extends Ready, AsyncDisposable {
  /** Variables by which edgectl, wrangler and the SDKs find it, for programs that a test starts. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests so far, the oldest first: the last 10,000 requests. */
  requests(filter?: LogFilter): Promise<LoggedRequest[]>;
  /** Forgets what was asked. */
  clearRequests(): Promise<void>;
  /** Makes requests fail from now on. Rejects with an Error that names an invalid field. */
  addFault(fault: FaultRequest): Promise<Fault>;
  /** The faults that are set, and how many requests each has met. */
  faults(): Promise<Fault[]>;
  /** Ends one fault, or all; gives how many. */
  clearFaults(id?: string): Promise<number>;
  /** Moves the sandbox's clock ahead, and lets everything happen that happens to custom hostnames in that time. */
  advanceClock(seconds: number): Promise<void>;
  /** Adds data, or those of a YAML or JSON file. Rejects with an Error that names each fault; nothing is changed then. */
  load(seed: Seed | string): Promise<void>;
  /** All that is in it, as a seed that gives the same again. */
  snapshot(): Promise<Seed>;
  /** Removes all data; account, zone and credentials stay. */
  reset(): Promise<void>;
  /** Ends it. A temporary folder is removed. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts the embedded platform in this process and gives it once it answers. As many as wanted run side by side.
 *
 *     await using sandbox = await startSandbox();
 *     const client = new Cloudflare({ baseURL: sandbox.apiBaseUrl, apiToken: sandbox.apiToken });
 */
export declare function startSandbox(options?: StartOptions): Promise<TestSandbox>;
