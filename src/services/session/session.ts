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
import type { AskWrite } from '../guard/recorded-writes.ts';
import type { ReadOnlyReason } from './guards.ts';
import type { BucketJurisdictions } from './jurisdictions.ts';
import type { AskSecret, SessionLock } from './lock.ts';
import type { Confirm } from './trust.ts';

/** The user's choice of backend and credentials, by flags or in the console. */
export interface Choice {
  /** Whether to act on local data instead of an account. */
  readonly local: boolean;
  /** Whether to use the preview ids of bindings instead of the production ids. */
  readonly preview: boolean;
  /** Folder of local data: absolute, or relative to the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  /**
   * Folder of the sandbox: absolute, or relative to the working directory (default: the folder from the environment, or else the user's
   * sandbox).
   */
  readonly sandboxDir: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly apiBaseUrl: string | undefined;
  readonly configPath: string | undefined;
  readonly jsonConfig: boolean;
  /** The environment of the configuration: `[env.NAME]`. */
  readonly environment: string | undefined;
  readonly readOnly: boolean;
}

/** The choice of a user who specified nothing. */
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

/** Receives status messages that may contain untrusted data. */
export type Note = (message: string) => void;

/** A receiver of events during requests. Messages may contain untrusted data. */
export interface Listener {
  /** Receives notable events, for example a retry, or the use of a wrangler file because no edgectl file exists. */
  note(message: string): void;
  /** Receives one line per request; if omitted, requests are not logged. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Asks the user a yes-or-no question on the terminal; returns undefined if there is no terminal. If omitted, no question is asked. */
  readonly confirm?: Confirm | undefined;
  /** Asks the user in the console to approve a write, if a policy rule requires it (default: `confirm`). */
  readonly askWrite?: AskWrite | undefined;
  /** Asks the user for the passphrase of a locked profile on the terminal. If omitted, the profile remains locked. */
  readonly askSecret?: AskSecret | undefined;
  /** Words of the command, for the audit log. */
  readonly command?: string | undefined;
  /** Receives the credentials before the first request, so that all output can be redacted. */
  readonly conceal?: ((secrets: readonly string[]) => void) | undefined;
}

/** The kind of credential: an API token, or an email address with an API key. */
export type CredentialKind = ValueOf<typeof credentialKind>;

/** A connection to a platform with its credentials: the first argument of every service. The caller that opens a session must close it. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  readonly target: Target;
  /** The kind and address of the backend, for code. */
  readonly where: Where;
  /** Capabilities of the backend. */
  readonly can: Capabilities;
  /** The kind of credential, never the credential itself; undefined if the backend needs no credential. */
  readonly credential: CredentialKind | undefined;
  /** Description of the backend for the user, for example "profile acme", "the sandbox" or "local data in /x/.edgectl/state". */
  readonly label: string;
  /** The file that binds the folder to the profile; undefined if the profile was selected in another way. */
  readonly boundBy?: string | undefined;
  readonly readOnly: boolean;
  /** Why the session is read-only; undefined if the session can change data. */
  readonly readOnlyReason?: ReadOnlyReason | undefined;
  /**
   * Returns the id of the account to act on. Throws account-not-chosen if no account is selected and the credentials cannot access exactly
   * one account.
   */
  accountId(): Promise<string>;
  /** Returns the account's name if known without a request, otherwise the account's id. */
  accountLabel(): Promise<string>;
  /** Returns the id of the zone selected by flag, environment, file or profile; undefined if no zone is selected. */
  zoneId(): Promise<string | undefined>;
  /** Returns the configuration of the selected environment, read at first use; undefined if no configuration file exists. */
  project(): Promise<Project | undefined>;
  /** The brand, as used in the platform's field names. */
  readonly brand: string;
  /** Preferred size of a bulk request's body, in bytes. Larger bodies need fewer requests, and smaller bodies need less memory. */
  readonly bulkBytes: number;
  /**
   * Returns the S3 API endpoint of a jurisdiction's buckets, for presigned URLs. Throws if no HTTP server provides the S3 API. With a locked
   * profile, the purpose `read` does not require the passphrase if the profile has credentials for reading.
   */
  s3Access(jurisdiction?: string, purpose?: 'read'): Promise<S3Access>;
  /**
   * Returns the base URL and the credentials of the v4 API, for a program that forwards requests. Absent if no HTTP server provides the v4
   * API.
   */
  apiAccess?(): ApiAccess;
  /** The lock of the profile; undefined if the profile is not locked. */
  readonly lock?: SessionLock | undefined;
  /** The jurisdictions of buckets. Absent for local data, which has no jurisdictions. */
  readonly jurisdictions?: BucketJurisdictions | undefined;
  /**
   * Runs the workers of an embedded platform in this process until the signal is aborted. Resolves to the URL of the edge:
   * `http://localhost:<port>`. In the demo, simulated visitors send requests to the workers. Absent if another process runs the workers, or
   * if the platform is not embedded.
   */
  runWorkers?(until: AbortSignal): Promise<string>;
  /** Number of retries so far, for progress displays. */
  retries(): number;
  /** The number of requests that the platform's budget allows now; undefined or absent if the platform has no limit. */
  requestsLeft?(): RequestsLeft | undefined;
  /** Reports notable events to the code that opened the session. */
  note(message: string): void;
  close(): Promise<void>;
}

/** The base URL of a platform's v4 API, with credentials. */
export interface ApiAccess {
  /** The base URL, which ends in `/client/v4`, without a trailing slash. */
  readonly apiBaseUrl: string;
  /** The credentials; undefined if the profile is locked and has no credentials for reading. */
  readonly auth: Auth | undefined;
  /** The request budget; undefined for a sandbox. */
  readonly budget?: (RequestBudget & { readonly isChosen: boolean }) | undefined;
}

/** The S3 API endpoint of a platform's buckets, with the access key. */
export interface S3Access {
  /** The endpoint without a trailing slash. */
  readonly endpoint: string;
  readonly key: AccessKey;
}
