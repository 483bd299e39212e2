import type { Exposure } from '../../model/sandbox/exposure.ts';
import type { Ready } from '../../model/sandbox/ready.ts';
import type { ZonePlan } from '../../model/zones/plan.ts';
import type { Send } from '../../v4/send.ts';
import type { NamedSeed } from './seed.ts';

export interface SandboxStart {
  /** Folder of the data; the user's own by default. */
  readonly dir: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** Port of the edge, where deployed workers answer; 0 for any free one. */
  readonly edgePort: number;
  /** Port of the edge over TLS; 0 for any free one. */
  readonly edgeTlsPort: number;
  /** Port of DNS; 0 for any free one. */
  readonly dnsPort: number;
  /** Port of the S3 API; 0 for any free one. */
  readonly s3Port: number;
  /** Port of the proxy for clients that know the platform's own host alone; 0 for any free one. None is served when left out. */
  readonly proxyPort?: number | undefined;
  /** Who may exposure it; this machine when left out. */
  readonly exposure?: Exposure | undefined;
  /** Loopback ports that serve as origins, by the origin's name. A sandbox that other machines reach accepts no others. */
  readonly origins?: Readonly<Record<string, number>> | undefined;
  /** Most certificates issued in a minute; the provider's own limit when undefined. */
  readonly issuanceLimit: number | undefined;
  /** The plan of its zones; Enterprise when left out. */
  readonly plan?: ZonePlan | undefined;
  /** Told what deployed workers write to their console. */
  readonly onWorkerLog: (log: { readonly level: string; readonly message: string }) => void;
  /** Fill it with demo data. */
  readonly demo: boolean;
  /** Its data end with it: no write waits for the disk. */
  readonly ephemeral?: boolean | undefined;
  /** Refuses what the platform merely tolerates. */
  readonly strict?: boolean | undefined;
  /** Filled into it, beside what is there. */
  readonly seed?: NamedSeed | undefined;
  /** Written when the sandbox answers; `-` is standard output. */
  readonly readyFile: string | undefined;
  /** Told of steps that could not be undone at the end, and of what the proxy has refused. */
  readonly warn: (message: string) => void;
  readonly version: string;
}

export interface RunningSandbox {
  readonly ready: Ready;
  readonly folder: string;
  /** The variables by which programs find it. Those that would lead elsewhere are undefined: they are to be taken away. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Asks it in this process, as whom it belongs to. What is asked so meets no fault and is not noted. */
  readonly send: Send;
  /** Whether the ready file is standard output, on which nothing else belongs then. */
  readonly isToldOnStdout: boolean;
  /** Stops listening, lets calls under way finish, gives the folder free: each of it, even where one of them fails. */
  close(): Promise<void>;
}
