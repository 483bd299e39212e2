import type { RequestBudget, RequestsLeft } from '../../model/budget.ts';
import type { Capabilities } from '../../model/capability.ts';
import type { Project } from '../../model/config.ts';
import type { credentialKind } from '../../model/session/session-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import type { Auth, Target } from '../../model/target.ts';
import type { Where } from '../../model/where.ts';
import type { AccessKey } from '../../s3/signature.ts';
import type { Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';
import type { AskWrite } from '../guard/ask-write.ts';
import type { ReadOnlyReason } from './guards.ts';
import type { BucketJurisdictions } from './jurisdictions.ts';
import type { AskSecret, SessionLock } from './lock.ts';
import type { Confirm } from './trust.ts';

/** The place and the credentials, as chosen by flags or in the console. */
export interface Choice {
  /** Whether to act on local data instead of an account. */
  readonly local: boolean;
  /** Whether to use the preview ids of bindings instead of the production ids. */
  readonly preview: boolean;
  /** Folder of local data, absolute or relative to the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  /**
   * Folder of the sandbox, absolute or relative to the working directory (default: the folder from the environment, or the
   * user's own).
   */
  readonly sandboxDir: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly apiBaseUrl: string | undefined;
  readonly configPath: string | undefined;
  readonly jsonConfig: boolean;
  /** The environment: `[env.NAME]` of the configuration. */
  readonly environment: string | undefined;
  readonly readOnly: boolean;
}

/** A choice without any selection. */
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

/** Receives status messages that may contain outside data. */
export type Note = (message: string) => void;

/** Receives events during requests. Messages may contain outside data. */
export interface Listener {
  /** Receives notable events: a retry, or a wrangler file read instead of an edgectl one. */
  note(message: string): void;
  /** One line per request; if omitted, requests are not logged. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Asks the user at a terminal a yes-or-no question; returns undefined without a terminal. If omitted, nobody is asked. */
  readonly confirm?: Confirm | undefined;
  /** Asks the user in the console to approve a write, if a policy rule requires it (default: `confirm`). */
  readonly askWrite?: AskWrite | undefined;
  /** Asks the user at a terminal for the passphrase of a locked profile; if omitted, nobody is asked. */
  readonly askSecret?: AskSecret | undefined;
  /** Words of the command that opens the session, for the audit log. */
  readonly command?: string | undefined;
  /** Receives the credentials of a platform before any request, to redact them. */
  readonly conceal?: ((secrets: readonly string[]) => void) | undefined;
}

/** An API token, or an e-mail address and a key. */
export type CredentialKind = ValueOf<typeof credentialKind>;

/** A connection to the platform with its credentials, which every service takes. The code that opens it must close it. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  readonly target: Target;
  /** The place where the session acts, for code that checks its kind. */
  readonly where: Where;
  /** Capabilities of the backend. */
  readonly can: Capabilities;
  /** Kind of credential, never the credential itself; undefined if none is needed. */
  readonly credential: CredentialKind | undefined;
  /** Describes the place for people: "profile acme", "the sandbox", "local data in /x/.edgectl/state". */
  readonly label: string;
  /** The file that binds the folder to the profile, if it was chosen that way. */
  readonly boundBy?: string | undefined;
  readonly readOnly: boolean;
  /** Why the session is read-only; undefined if it can change data. */
  readonly readOnlyReason?: ReadOnlyReason | undefined;
  /** The account to act on. Fails with account-not-chosen if there are several and none is chosen. */
  accountId(): Promise<string>;
  /** The account's name if known without a request, otherwise its id. */
  accountLabel(): Promise<string>;
  /** The zone chosen by flag, environment, file or profile, if any. */
  zoneId(): Promise<string | undefined>;
  /** The configuration of the chosen environment, read at first use; undefined if there is no file. */
  project(): Promise<Project | undefined>;
  /** The brand in the platform's field names. */
  readonly brand: string;
  /** Preferred size of a bulk request's body, in bytes: larger bodies need fewer requests, smaller ones less memory. */
  readonly bulkBytes: number;
  /**
   * The endpoint of the buckets' S3 API in a jurisdiction, for links. Fails if no HTTP server provides it. With a locked profile, `read`
   * needs no passphrase if there are credentials for reading.
   */
  s3Access(jurisdiction?: string, purpose?: 'read'): Promise<S3Access>;
  /** The address and the credentials of the v4 API, for a program that forwards requests. Absent if no HTTP server provides it. */
  apiAccess?(): ApiAccess;
  /** The lock of the profile; undefined if it is not locked. */
  readonly lock?: SessionLock | undefined;
  /** The jurisdictions of buckets. Absent for local data, which has none. */
  readonly jurisdictions?: BucketJurisdictions | undefined;
  /**
   * Runs the workers of an embedded platform in this process until the signal fires; in the demo, simulated visitors call them
   * meanwhile. Resolves with the address of their edge: `http://localhost:<port>`. Absent if they run elsewhere.
   */
  runWorkers?(until: AbortSignal): Promise<string>;
  /** Number of requests that have been repeated so far, for progress. */
  retries(): number;
  /** The number of requests that the platform's budget allows now; undefined or absent without a limit. */
  requestsLeft?(): RequestsLeft | undefined;
  /** Reports useful events to the opener. */
  note(message: string): void;
  close(): Promise<void>;
}

/** The address of a platform's v4 API, and the credentials for it. */
export interface ApiAccess {
  /** The base URL, which ends in `/client/v4`, without a trailing slash. */
  readonly apiBaseUrl: string;
  /** Undefined if the profile is locked, and has no credentials for reading. */
  readonly auth: Auth | undefined;
  /** The request budget; undefined for a sandbox. */
  readonly budget?: (RequestBudget & { readonly isChosen: boolean }) | undefined;
}

/** The endpoint and the key of the S3 API of a platform's buckets. */
export interface S3Access {
  /** The endpoint without a trailing slash. */
  readonly endpoint: string;
  readonly key: AccessKey;
}
