import type { Exposure } from '../../model/sandbox/exposure.ts';
import type { Ready } from '../../model/sandbox/ready.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import type { Send } from '../../v4/send.ts';
import type { NamedSeed } from './seed.ts';

export interface SandboxStartOptions {
  /** Folder of the sandbox's data (default: the user's own). */
  readonly dir: string | undefined;
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** Port of the edge, for deployed workers; 0 selects any free port. */
  readonly edgePort: number;
  /** Port of the edge over TLS; 0 selects any free port. */
  readonly edgeTlsPort: number;
  /** Port of the DNS server; 0 selects any free port. */
  readonly dnsPort: number;
  /** Port of the S3 API; 0 selects any free port. */
  readonly s3Port: number;
  /** Port of the proxy for clients that can use only the platform's own host; 0 selects any free port (default: no proxy). */
  readonly proxyPort?: number | undefined;
  /** Who may reach the server (default: this machine). */
  readonly exposure?: Exposure | undefined;
  /** Loopback ports that serve as origins, by the origin's name. A sandbox that other machines can reach accepts only these origins. */
  readonly origins?: Readonly<Record<string, number>> | undefined;
  /** Maximum number of certificates per minute (default: the provider's own limit). */
  readonly issuanceLimit: number | undefined;
  /** The plan of the sandbox's zones (default: Enterprise). */
  readonly plan?: ZonePlan | undefined;
  /** Receives the console output of deployed workers. */
  readonly onWorkerLog: (log: { readonly level: string; readonly message: string }) => void;
  /** Whether to fill the sandbox with demo data. */
  readonly demo: boolean;
  /** Whether the sandbox's data is temporary. Writes to temporary data do not wait for the disk. */
  readonly ephemeral?: boolean | undefined;
  /** Whether to refuse requests that the platform only tolerates, or may reject. */
  readonly strict?: boolean | undefined;
  /** Data to add to existing data. */
  readonly seed?: NamedSeed | undefined;
  /** File to write when the sandbox is ready; `-` is standard output. */
  readonly readyFile: string | undefined;
  /** Called for each request to the sandbox's API. */
  readonly onRequest?: (() => void) | undefined;
  /** Receives warnings about failed cleanup steps, and about requests that the proxy refused. */
  readonly warn: (message: string) => void;
  readonly version: string;
}

export interface RunningSandbox {
  readonly ready: Ready;
  readonly folder: string;
  /**
   * The environment variables that point programs to the sandbox. A variable that would point elsewhere is undefined, and must be removed.
   */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Handles calls in this process, with the sandbox's own credentials. Such calls bypass faults and the request log. */
  readonly send: Send;
  /** Whether the ready file is standard output. If so, nothing else may be printed to standard output. */
  readonly isReadyOnStdout: boolean;
  /** Stops listening, waits for calls in progress, and releases the folder. Runs all of these steps, even if one of them fails. */
  close(): Promise<void>;
}
