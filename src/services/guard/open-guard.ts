import { resolve } from 'node:path';
import { type GuardPolicy, lockedPolicy, type Policies } from '../../model/guard/policy.ts';
import { listPolicyWarnings } from '../../model/guard/policy-warnings.ts';
import { asProblem, isProblem, Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { sha256 } from '../../s3/signature.ts';
import { openRequestPacer, type RequestPacer, type WaitReason } from '../../v4/budget.ts';
import type { World } from '../../world.ts';
import type { SessionLock } from '../session/lock.ts';
import { findPaceLimits, findPaceStore, waitReasons } from '../session/server.ts';
import type { ApiAccess, Session } from '../session/session.ts';
import { loadSettings } from '../session/settings.ts';
import { chooseGuardName, serveApprovals } from './approvals.ts';
import { describeHeld } from './describe-held.ts';
import { openDoor } from './door.ts';
import { openForwarder } from './forward.ts';
import { HeldRequests } from './held.ts';
import { loadPolicies } from './policy-file.ts';
import { findPolicyPaths } from './policy-paths.ts';
import { openGuardProxy } from './proxy.ts';
import { listReadableCredentials } from './readable-credentials.ts';
import { openRecorder } from './recorder.ts';
import { openS3Door, type S3Door } from './s3-door.ts';
import { SharedReads } from './shared-reads.ts';
import { openTails } from './tails.ts';
import { openGuardUndo, withoutUndo } from './undo.ts';

/** Options of every guard. */
export interface GuardOptions {
  /** A policy file that replaces the user's own policy. */
  readonly policy: string | undefined;
  /** Whether to serve a proxy for programs that can use only the platform's own host. */
  readonly proxy: boolean;
  /** The client's name in rules and in the log. */
  readonly client: string;
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** Maximum time that a request waits for approval by a person, in milliseconds. */
  readonly waitMs: number;
  /** Whether the guard ends with the program that it runs. */
  readonly endsWithProgram: boolean;
  /** How long a locked profile stays unlocked, in milliseconds (default: until the guard ends). */
  readonly unlockedMs?: number | undefined;
  /** Whether to save what clients delete or overwrite for undo. Ignored if the setting `undo` is off. */
  readonly undo: boolean;
  /** Opens the session whose credentials the guard adds. */
  openSession(): Promise<Session>;
  /** Receives a sentence about each refused request, and about each risk that the guard cannot prevent. */
  readonly warn: (message: string) => void;
  readonly version: string;
}

/** A running guard. */
export interface Guard {
  /** A sentence that describes the guard's platform, account, address and policies. */
  readonly description: string;
  readonly apiBaseUrl: string;
  /** The token that clients must send. The token is valid only for this guard. */
  readonly token: string;
  readonly accountId: string | undefined;
  /** Endpoint and access key of the guard's S3 API. */
  readonly s3: Pick<S3Door, 'endpoint' | 'key'>;
  /** The variables that point edgectl, wrangler, Terraform and the SDKs to the guard; undefined for a variable that must not be set. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The real credentials, which clients must never get. */
  readonly secrets: readonly string[];
  /** Paths of credential files that a client of the same user can read. */
  readonly readableCredentials: readonly string[];
  /** The requests that wait for approval by a person. */
  readonly held: HeldRequests;
  /** A description of what a program of the same user can do while the credentials are not locked; undefined if there is no such risk. */
  readonly danger: string | undefined;
  /** Stops listening, waits for requests in progress, and closes the session. */
  close(): Promise<void>;
}

/** Opens a guard in front of the platform of a session. */
export async function openGuard(world: World, options: GuardOptions): Promise<Guard> {
  const paths = findPolicyPaths(world);
  const { session, access, close: closePlace } = await openPlace(world, options);
  const { lock } = session;
  /** Cleanup steps, which run from last to first. */
  const closing: (() => unknown)[] = [closePlace];
  const close = async () => {
    for (let step = closing.pop(); step !== undefined; step = closing.pop()) await step();
  };
  try {
    // The guard's token has the length of a platform token. The token is hexadecimal, because a token that starts with "-" would be parsed
    // as an option.
    const token = Buffer.from(world.random(20)).toString('hex');
    if (lock !== undefined) closing.push(await unlockFor(lock, access, options));
    const auth = (isRead: boolean) =>
      lock === undefined || (isRead && access.auth !== undefined) ? access.auth : lock.auth();
    const pacer = openPacers(world, access, options.warn);
    const reads = new SharedReads();
    const forwarder = openForwarder({ apiBaseUrl: access.apiBaseUrl, auth, pacer, reads }, world.env);
    closing.push(() => forwarder.close());
    const actor = { command: undefined, place: session.label, url: session.where.baseUrl };
    const recorder = openRecorder(world, actor);
    closing.push(() => recorder.close());
    const loaded = await loadPolicies(paths, {
      named: options.policy && resolve(world.cwd, options.policy),
      readOnly: session.readOnlyReason?.description,
      otherwise: 'guard',
    });
    for (const message of listPolicyWarnings(loaded)) options.warn(message);
    // Without credentials for reading, the guard must refuse every request.
    const locked = lockedPolicy(`profile ${lock?.profile} is locked`, access.auth !== undefined);
    const tightening = [...(loaded.tightening ?? []), locked];
    const policies = () =>
      lock === undefined || lock.auth() !== undefined ? loaded : { ...loaded, tightening };
    const held = await openHeld(world, session, options, closing);
    const facts = { target: session.target, client: options.client };
    const keeps = options.undo && loadSettings(world).undo === 'on';
    const undo = keeps ? openGuardUndo(session, options.client) : withoutUndo;
    closing.push(() => undo.close());
    const common = { policies, recorder, facts, held, undo, world, onRefusal: options.warn };
    const tails = openTails(world, access.apiBaseUrl);
    const door = await openDoor({ ...common, token, forwarder, tails, port: options.port });
    closing.push(() => door.close());
    closing.push(() => held.close());
    const s3 = await openS3Door({ ...common, session, reads, port: 0 });
    closing.push(() => s3.close());
    const ids = { accountId: await findAccountId(session), zoneId: await session.zoneId() };
    const proxy = options.proxy ? await openGuardProxy(world, door, options.warn) : undefined;
    if (proxy !== undefined) closing.push(() => proxy.close());
    const { apiBaseUrl } = door;
    return {
      description: describeGuard(session, apiBaseUrl, loaded),
      apiBaseUrl,
      token,
      accountId: ids.accountId,
      s3,
      variables: { ...listVariables({ apiBaseUrl, token, s3, ...ids }), ...proxy?.variables },
      secrets: [access.auth, lock?.auth()].flatMap((one) => (one === undefined ? [] : listSecrets(one))),
      readableCredentials: listReadableCredentials(world, session),
      held,
      danger: describeDanger(session),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Minimum time between two warnings about waits, in milliseconds. */
const waitWarningMs = 60_000;

/** Returns one pacer for each set of the guard's credentials. */
function openPacers(
  world: World,
  { apiBaseUrl, budget }: ApiAccess,
  warn: (message: string) => void,
): (auth: Auth) => RequestPacer {
  const pacers = new Map<string, RequestPacer>();
  let warnedAt = Number.NEGATIVE_INFINITY;
  const onWait = (milliseconds: number, reason: WaitReason) => {
    if (world.now() < warnedAt + waitWarningMs) return;
    warnedAt = world.now();
    warn(`${waitReasons[reason]}: waiting ${(milliseconds / 1000).toFixed(1)} s.`);
  };
  return (auth) => {
    const name = JSON.stringify(auth);
    const pacer =
      pacers.get(name) ??
      openRequestPacer({
        ...findPaceLimits(apiBaseUrl, budget),
        limitsCertificates: true,
        store: findPaceStore(world, apiBaseUrl, auth),
        now: world.now,
        sleep: world.sleep,
        onWait,
      });
    pacers.set(name, pacer);
    return pacer;
  };
}

/** Opens the list of held requests, and the socket through which the console answers them. */
async function openHeld(
  world: World,
  session: Session,
  { waitMs, endsWithProgram, warn }: GuardOptions,
  closing: (() => unknown)[],
): Promise<HeldRequests> {
  const name = await chooseGuardName(world);
  const held = new HeldRequests({
    name,
    place: session.label,
    waitMs,
    endsWithProgram,
    world,
    lock: session.lock,
  });
  const describe = (number: string) => describeHeld(held, session, number);
  try {
    closing.push(await serveApprovals(world, { held, name, describe }));
  } catch (error) {
    warn(`The console cannot approve requests that this guard holds: ${asProblem(error).message}`);
  }
  return held;
}

/**
 * Unlocks a profile while a guard runs. Without a terminal, the profile stays locked and the guard allows only reads; throws if the locked
 * profile cannot be used for reads. Returns a function that locks the profile again.
 */
async function unlockFor(
  lock: SessionLock,
  { auth }: ApiAccess,
  { unlockedMs, warn }: GuardOptions,
): Promise<() => void> {
  try {
    await lock.unlock();
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-signed-in' || auth === undefined) throw error;
    warn(`${error.message} This guard allows only reads.`);
    return () => undefined;
  }
  const end = () => {
    lock.forget();
    warn(
      `Profile "${lock.profile}" is locked again: this guard ${auth === undefined ? 'refuses every request' : 'only reads'}.`,
    );
  };
  const timer = unlockedMs === undefined ? undefined : setTimeout(end, unlockedMs);
  return () => {
    clearTimeout(timer);
    lock.forget();
  };
}

/** A platform with an HTTP address, opened for one guard. */
interface Place {
  readonly session: Session;
  readonly access: ApiAccess;
  close(): Promise<void>;
}

/** Opens the platform. If a sandbox has no running server, serves the sandbox while the guard runs. */
async function openPlace(world: World, options: GuardOptions): Promise<Place> {
  const session = await options.openSession();
  if (session.apiAccess !== undefined)
    return { session, access: session.apiAccess(), close: () => session.close() };
  await session.close();
  if (session.where.kind !== 'sandbox')
    throw new Problem('usage', 'A guard protects an account on a platform; local data has no account.');
  const server = await serveSandbox(world, session.where.folder, options);
  const served = await options.openSession();
  return {
    session: served,
    access: served.apiAccess?.() ?? {
      apiBaseUrl: server.ready.apiBaseUrl,
      auth: { token: server.ready.apiToken },
    },
    close: () => served.close().finally(() => server.close()),
  };
}

async function serveSandbox(world: World, dir: string, { warn, version }: GuardOptions) {
  const { startSandboxServer } = await import('../sandbox/sandbox.ts');
  return startSandboxServer(world, {
    dir,
    port: 0,
    edgePort: 0,
    edgeTlsPort: 0,
    dnsPort: 0,
    s3Port: 0,
    issuanceLimit: undefined,
    onWorkerLog: () => undefined,
    demo: false,
    readyFile: undefined,
    warn,
    version,
  });
}

/** Lists the credentials to hide. The S3 API secret is included, because it is derived from the token. */
function listSecrets(auth: Auth): readonly string[] {
  return 'token' in auth ? [auth.token, sha256(auth.token)] : [auth.apiKey];
}

/** Returns the account for the program; undefined if several accounts exist and none is selected. */
async function findAccountId(session: Session): Promise<string | undefined> {
  try {
    return await session.accountId();
  } catch (error) {
    if (isProblem(error) && error.code === 'account-not-chosen') return undefined;
    throw error;
  }
}

/** Describes the risk of unlocked credentials. The credentials of a sandbox are not worth locking. */
function describeDanger({ where, lock }: Session): string | undefined {
  if (lock !== undefined || where.kind !== 'remote') return undefined;
  const fix =
    where.profile === undefined
      ? 'Only the credentials of a profile can be locked.'
      : `To prevent this, lock the profile ${where.profile}.`;
  return `The credentials are not locked, so a program that the same user runs can approve its own requests. ${fix}`;
}

function describeGuard(
  session: Session,
  apiBaseUrl: string,
  { deciding, tightening = [] }: Policies,
): string {
  const formatPolicy = ({ path, digest }: GuardPolicy) =>
    path === undefined ? 'the built-in policy' : `the policy ${path} (SHA-256 ${digest})`;
  const policies = deciding.map(formatPolicy).join(', then ');
  const files = tightening.filter(({ path }) => path !== undefined).map(formatPolicy);
  const stricter = files.length === 0 ? '' : `, made stricter by ${files.join(', ')}`;
  return `Guarding ${session.label} at ${apiBaseUrl} with ${policies}${stricter}.`;
}

interface GuardedAccess {
  readonly apiBaseUrl: string;
  readonly token: string;
  readonly s3: Pick<S3Door, 'endpoint' | 'key'>;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
}

function listVariables({
  apiBaseUrl,
  token,
  s3,
  accountId,
  zoneId,
}: GuardedAccess): Record<string, string | undefined> {
  return {
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_API_TOKEN: token,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_ZONE_ID: zoneId,
    CLOUDFLARE_API_BASE_URL: apiBaseUrl,
    CLOUDFLARE_BASE_URL: apiBaseUrl,
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_ZONE_ID: zoneId,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.key.id,
    AWS_SECRET_ACCESS_KEY: s3.key.secret,
    AWS_REGION: 'auto',
    AWS_DEFAULT_REGION: 'auto',
    R2_ENDPOINT: s3.endpoint,
    R2_ACCESS_KEY_ID: s3.key.id,
    R2_SECRET_ACCESS_KEY: s3.key.secret,
    // An rclone remote named `guard:`. Variables for all remotes would also redirect remotes of other providers.
    RCLONE_CONFIG_GUARD_TYPE: 's3',
    RCLONE_CONFIG_GUARD_PROVIDER: 'Cloudflare',
    RCLONE_CONFIG_GUARD_ENV_AUTH: 'true',
    RCLONE_CONFIG_GUARD_REGION: 'auto',
    RCLONE_CONFIG_GUARD_ENDPOINT: s3.endpoint,
    RCLONE_CONFIG_GUARD_NO_CHECK_BUCKET: 'true',
  };
}
