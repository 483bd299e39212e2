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

/** Where to act and as whom, as it was chosen by flags or in the console. */
export interface Choice {
  /** Act on local data instead of an account. */
  readonly local: boolean;
  /** Take preview ids of bindings instead of production ones. */
  readonly preview: boolean;
  /** Folder of local data, absolute or from the working directory. */
  readonly persistTo: string | undefined;
  readonly profile: string | undefined;
  /** Folder of the sandbox, absolute or from the working directory; left out, the environment's or the user's own. */
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

/** Is told what happens on the way, in words that may hold bytes from outside. */
export type Note = (message: string) => void;

/** Who is told of what happens on the way. Messages may hold bytes from outside. */
export interface Listener {
  /** Worth knowing: a retry, a wrangler file read instead of an edgectl one. */
  note(message: string): void;
  /** One line a request; left out, requests are not watched. */
  readonly debug?: ((message: string) => void) | undefined;
  /** Asks the person at a terminal a yes-or-no question; undefined without a terminal. Omitted, nobody is asked. */
  readonly confirm?: Confirm | undefined;
  /** Told the credentials of a platform, to keep them out of what is shown, before anything is sent there. */
  readonly conceal?: ((secrets: readonly string[]) => void) | undefined;
}

/** An API token, or an e-mail and a key. */
export type CredentialKind = 'token' | 'key';

/** A way to the platform, and who asks: every service takes one. Closed by whoever opened it. */
export interface Session {
  readonly world: World;
  readonly choice: Choice;
  readonly send: Send;
  readonly target: Target;
  /** Where it acts, for whoever asks by kind. */
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
   * Runs the workers of an embedded platform in this process until the signal fires; in the demo somebody visits them
   * meanwhile. Resolves with where their edge answers: `http://localhost:<port>`. Left out where they run elsewhere.
   */
  runWorkers?(until: AbortSignal): Promise<string>;
  /** Requests that have been repeated so far, for progress. */
  retries(): number;
  /** Requests that the platform's budget lets out at once; undefined, as where it is left out, where nothing limits them. */
  requestsLeft?(): RequestsLeft | undefined;
  /** Tells whoever opened it what is worth knowing on the way. */
  note(message: string): void;
  close(): Promise<void>;
}

/** Where the S3 API of a platform's buckets answers, and with which key. */
export interface S3Access {
  /** Without a slash behind it. */
  readonly endpoint: string;
  readonly key: AccessKey;
}
