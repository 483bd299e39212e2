import type { Exposure } from '../../model/sandbox/exposure.ts';
import type { Ready } from '../../model/sandbox/ready.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import type { Send } from '../../v4/send.ts';
import type { NamedSeed } from './seed.ts';

export interface SandboxStartOptions {
  /** Folder of the sandbox's data (default: as for `sandboxFolder`). */
  readonly dir: string | undefined;
  /** Port of the API; 0 selects a free port. */
  readonly port: number;
  /** Port of the edge, for workers and custom hostnames over HTTP; 0 selects a free port. */
  readonly edgePort: number;
  /** Port of the edge over TLS; 0 selects a free port. */
  readonly edgeTlsPort: number;
  /** Port of the DNS server; 0 selects a free port. */
  readonly dnsPort: number;
  /** Port of the S3 API; 0 selects a free port. */
  readonly s3Port: number;
  /** Port of the proxy for clients with a fixed base URL; 0 selects a free port (default: no proxy). */
  readonly proxyPort?: number | undefined;
  /** Which machines can reach the servers (default: only this machine). */
  readonly exposure?: Exposure | undefined;
  /** Loopback ports that serve as origins, by the origin's name. If other machines can reach the sandbox, it connects only to these ports. */
  readonly origins?: Readonly<Record<string, number>> | undefined;
  /** Maximum number of certificates per minute (default: the provider's limit). */
  readonly issuanceLimit: number | undefined;
  /** The plan of the sandbox's zones (default: Enterprise). */
  readonly plan?: ZonePlan | undefined;
  /** Receives the console output of deployed workers. */
  readonly onWorkerLog: (log: { readonly level: string; readonly message: string }) => void;
  /** Whether to fill the sandbox with demo data. */
  readonly demo: boolean;
  /** Whether the sandbox's data is temporary. Writes to temporary data do not wait for the disk. */
  readonly ephemeral?: boolean | undefined;
  /** Whether to reject requests that the platform tolerates but does not document, or may reject. */
  readonly strict?: boolean | undefined;
  /** Seed to add to the existing data. */
  readonly seed?: NamedSeed | undefined;
  /** File to write when the sandbox is ready; `-` is standard output. */
  readonly readyFile: string | undefined;
  /** Called for each request to the sandbox's API. */
  readonly onRequest?: (() => void) | undefined;
  /** Receives warnings: failed cleanup steps, requests that the proxy refused, and settings that the proxy ignores. */
  readonly warn: (message: string) => void;
  readonly version: string;
}

export interface RunningSandbox {
  readonly ready: Ready;
  readonly folder: string;
  /**
   * The environment variables that make programs use the sandbox. A variable is undefined if it must be removed, because it would make
   * programs use another platform.
   */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Handles calls in this process, with the owner's credentials. Such calls bypass faults and the request log. */
  readonly send: Send;
  /** Whether the ready file is standard output; if so, nothing else may be printed to standard output. */
  readonly isReadyOnStdout: boolean;
  /** Stops listening, waits for calls in progress, and releases the folder. Continues with the remaining steps if a step fails. */
  close(): Promise<void>;
}
