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

/** How a sandbox is started. All of it may be left out. */
export interface StartOptions {
  /** Folder of the data, which stays; a temporary one that goes with the sandbox when left out. */
  readonly dir?: string;
  /** Fill it with demo data: namespaces, buckets, workers and custom hostnames in all states. */
  readonly demo?: boolean;
  /**
   * Data to begin with, or the path of a YAML or JSON file of them. What is wrong rejects with an Error that has a line for
   * each fault.
   */
  readonly seed?: Seed | string;
  /**
   * Refuse what the platform merely tolerates, or will refuse: unknown fields, deprecated routes, a second write to a key
   * within a second. Lists come in short pages. The reason stands as `rule` in `requests()`.
   */
  readonly strict?: boolean;
  /**
   * Serve a proxy as well (`proxyUrl`, `caFile`), by which programs that know the platform's own host alone reach the sandbox;
   * `env` leads them there. It lets nobody through to anything else, and tells of it as a warning of the process.
   */
  readonly proxy?: boolean;
  /** Port of the API on loopback; any free one when left out. */
  readonly port?: number;
  /** Certificates issued in a minute at most; the platform's own limit of 15 when left out. */
  readonly issuanceLimit?: number;
  /** Told what deployed workers write to their console. */
  readonly onWorkerLog?: (log: { readonly level: string; readonly message: string }) => void;
}

/** A running sandbox: the v4 API, the edge, DNS, all on loopback, with an account, a zone and credentials of its own. */
export interface TestSandbox extends Ready, AsyncDisposable {
  /** Variables by which edgectl, wrangler and the SDKs find it, for programs that a test starts. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests so far, the oldest first: the last 10,000 requests. */
  requests(filter?: LogFilter): Promise<LoggedRequest[]>;
  /** Forgets what was asked. */
  clearRequests(): Promise<void>;
  /** Lets requests fail from now on. Rejects with an Error that names what makes no sense. */
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
