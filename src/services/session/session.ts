import type { RequestsLeft } from '../../model/budget.ts';
import type { Capabilities } from '../../model/capability.ts';
import type { Project } from '../../model/config.ts';
import type { Target } from '../../model/target.ts';
import type { Where } from '../../model/where.ts';
import type { AccessKey } from '../../s3/signature.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { ReadOnlyReason } from './guards.ts';
import type { Confirm } from './trust.ts';

/** Where to act and as whom, as chosen by flags or in the console. */
export interface Choice {
  /** Act on local data instead of an account. */
  readonly local: boolean;
  /** Take preview ids of bindings instead of production ones. */
  readonly preview: boolean;
  /** Folder of local data, absolute or from the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the sandbox, absolute or relative to the working directory (default: the environment's or the user's own). */
  readonly sandboxDir: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly apiBaseUrl: string | undefined;
  readonly configPath: string | undefined;
  readonly jsonConfig: boolean;
  /** `[env.NAME]` of the configuration. */
  readonly environment: string | undefined;
  readonly readOnly: boolean;
}

/** A choice in which nothing is chosen. */
export const plainChoice: Choice = {
  local: false,
  preview: false,
  persistTo: undefined,
  profile: undefined,
  sandboxDir: undefined,
  accountId: undefined,
  zoneId: undefined,
  apiBaseUrl: undefined,
  configPath: undefined,
  jsonConfig: false,
  environment: undefined,
  readOnly: false,
};

/** Receives events on the way, in words that may contain outside data. */
export type Note = (message: string) => void;

/** The receiver of events on the way. Messages may contain outside data. */
export interface Listener {
  /** Worth knowing: a retry, a wrangler file read instead of an edgectl one. */
  note(message: string): void;
  /** One line per request; if omitted, requests are not logged. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Asks the person at a terminal a yes-or-no question; undefined without a terminal. Omitted, nobody is asked. */
  readonly confirm?: Confirm | undefined;
  /** Receives the credentials of a platform, to redact them, before anything is sent there. */
  readonly conceal?: ((secrets: readonly string[]) => void) | undefined;
}

/** An API token, or an e-mail and a key. */
export type CredentialKind = 'token' | 'key';

/** A connection to the platform, and who acts: every service takes one. Closed by its opener. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  readonly target: Target;
  /** The place where it acts, for code that asks by kind. */
  readonly where: Where;
  /** Capabilities of the backend. */
  readonly can: Capabilities;
  /** Never the credential itself; undefined where none is needed. */
  readonly credential: CredentialKind | undefined;
  /** Where it acts, in words, for people: "profile acme", "the sandbox", "local data in /x/.edgectl/state". */
  readonly label: string;
  /** The file that binds the profile to the folder, where that is why it acts as this profile. */
  readonly boundBy?: string | undefined;
  readonly readOnly: boolean;
  /** Why it only reads; undefined if it may change data. */
  readonly readOnlyReason?: ReadOnlyReason | undefined;
  /** Account acted on. Refuses with account-not-chosen when there are several and none is chosen. */
  accountId(): Promise<string>;
  /** The account's name where it is known without asking, else its id. */
  accountLabel(): Promise<string>;
  /** The zone chosen by flag, environment, file or profile, if any. */
  zoneId(): Promise<string | undefined>;
  /** The configuration as the chosen environment sees it, read at first use; undefined where there is no file. */
  project(): Promise<Project | undefined>;
  /** Brand word of the platform's field names. */
  readonly brand: string;
  /** Bytes of a bulk request's body that suit the backend: many are few requests, few are little memory. */
  readonly bulkBytes: number;
  /** Where the S3 API of the buckets answers, for a link. Refuses where nothing does over HTTP. */
  s3Access(): Promise<S3Access>;
  /**
   * Runs the workers of an embedded platform in this process until the signal fires; in the demo, visitors call them meanwhile.
   * Resolves with the address of their edge: `http://localhost:<port>`. Absent if they run elsewhere.
   */
  runWorkers?(until: AbortSignal): Promise<string>;
  /** Requests that have been repeated so far, for progress. */
  retries(): number;
  /** Requests that the platform's budget allows now; undefined or absent without a limit. */
  requestsLeft?(): RequestsLeft | undefined;
  /** Reports useful events to the opener. */
  note(message: string): void;
  close(): Promise<void>;
}

/** Where the S3 API of a platform's buckets answers, and with which key. */
export interface S3Access {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly key: AccessKey;
}
