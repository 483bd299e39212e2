import { basename, resolve } from 'node:path';
import type { Policies } from '../../model/guard/policy.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { credentialVariable } from '../../profiles/credential-variables.ts';
import { sha256 } from '../../s3/signature.ts';
import type { World } from '../../world.ts';
import { checkProgram, runProgram } from '../program.ts';
import type { ApiAccess, Session } from '../session/session.ts';
import { type Door, openDoor } from './door.ts';
import { openForwarder } from './forward.ts';
import { loadPolicies } from './policy-file.ts';
import { findPolicyPaths } from './policy-paths.ts';
import { type GuardProxy, openGuardProxy } from './proxy.ts';
import { listReadableCredentials } from './readable-credentials.ts';
import { openRecorder } from './recorder.ts';
import { openS3Door, type S3Door } from './s3-door.ts';
import { openTails } from './tails.ts';

export interface GuardExecOptions {
  readonly command: readonly string[];
  /** A policy file, which is used instead of the user's own. */
  readonly policy: string | undefined;
  /** Whether to serve a proxy for programs that only know the platform's own host. */
  readonly proxy: boolean;
  /** Opens the session whose credentials the guard adds. */
  openSession(): Promise<Session>;
  /** Receives a sentence about each refused request, and about each danger that the guard cannot prevent. */
  readonly warn: (message: string) => void;
  readonly note: (message: string) => void;
  readonly version: string;
}

/**
 * Runs a program behind a guard: it gets an address and a token that are valid only there, without the real credentials. The
 * guard ends when the program ends. Returns its exit code, or 128 plus the number of the signal that killed it.
 */
export async function execGuarded(world: World, options: GuardExecOptions): Promise<number> {
  const { command, warn } = options;
  checkProgram(command);
  const paths = findPolicyPaths(world);
  const { session, access, close } = await openPlace(world, options);
  const secrets = listSecrets(access.auth);
  refuseSecretArguments(command, secrets);
  const token = Buffer.from(world.random(30)).toString('base64url');
  const forwarder = openForwarder(access, world.env);
  const recorder = openRecorder(world, {
    command: undefined,
    place: session.label,
    url: session.where.baseUrl,
  });
  let door: Door | undefined;
  let s3Door: S3Door | undefined;
  let proxy: GuardProxy | undefined;
  try {
    const policies = await loadPolicies(paths, {
      named: options.policy && resolve(world.cwd, options.policy),
      readOnly: session.readOnlyReason?.description,
      otherwise: 'guard',
    });
    const facts = { target: session.target, client: basename(command[0] ?? '') };
    const common = { policies, recorder, facts, port: 0, onRefusal: warn };
    const tails = openTails(world, access.apiBaseUrl);
    door = await openDoor({ ...common, token, forwarder, tails });
    s3Door = await openS3Door({ ...common, world, session });
    const ids = { accountId: await findAccountId(session), zoneId: await session.zoneId() };
    options.note(describeStart(session, door, policies));
    const readable = listReadableCredentials(world, session);
    if (readable.length > 0)
      warn(`The program can read credentials that the guard does not protect: ${readable.join(', ')}.`);
    proxy = options.proxy ? await openGuardProxy(world, door, warn) : undefined;
    const guarded = { apiBaseUrl: door.apiBaseUrl, token, s3: s3Door, ...ids };
    const env = { ...createGuardedEnvironment(world.env, guarded, secrets), ...proxy?.variables };
    const run = () => runProgram(world, command, env);
    // A terminal sends Ctrl-C to the program too, which decides what to do.
    return await (world.stdin.isTTY && world.lending ? world.lending(run) : run());
  } finally {
    await proxy?.close();
    await door?.close();
    await s3Door?.close();
    await recorder.close();
    forwarder.close();
    await close();
  }
}

/** A platform with an HTTP address, opened for a guard. */
interface Place {
  readonly session: Session;
  readonly access: ApiAccess;
  close(): Promise<void>;
}

/** Opens the platform. A sandbox that no server holds is served meanwhile. */
async function openPlace(world: World, options: GuardExecOptions): Promise<Place> {
  const session = await options.openSession();
  if (session.apiAccess !== undefined)
    return { session, access: session.apiAccess(), close: () => session.close() };
  await session.close();
  if (session.where.kind !== 'sandbox')
    throw new Problem('usage', 'A guard protects an account on a platform, and local data has none.');
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

async function serveSandbox(world: World, dir: string, { warn, version }: GuardExecOptions) {
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

/** The secret of the S3 API is derived from the token. */
function listSecrets(auth: Auth): readonly string[] {
  return 'token' in auth ? [auth.token, sha256(auth.token)] : [auth.apiKey];
}

/** Other users can read the arguments of a program. */
function refuseSecretArguments(command: readonly string[], secrets: readonly string[]): void {
  const index = command.findIndex((argument) => secrets.some((secret) => argument.includes(secret)));
  if (index === -1) return;
  throw new Problem(
    'usage',
    `Argument ${index} of the program contains the credentials that the guard protects.`,
    {
      hint: 'Remove it: the program gets its own token in CLOUDFLARE_API_TOKEN.',
    },
  );
}

/** The account for the program; undefined if several exist and none is chosen. */
async function findAccountId(session: Session): Promise<string | undefined> {
  try {
    return await session.accountId();
  } catch (error) {
    if (isProblem(error) && error.code === 'account-not-chosen') return undefined;
    throw error;
  }
}

function describeStart(
  session: Session,
  { apiBaseUrl }: Door,
  { deciding, tightening = [] }: Policies,
): string {
  const files = [...deciding, ...tightening].flatMap(({ path, digest }) =>
    path === undefined ? [] : [`${path} (SHA-256 ${digest})`],
  );
  const policy = files.length === 0 ? 'the built-in policy' : `the policy ${files.join(', ')}`;
  return `Guarding ${session.label} at ${apiBaseUrl} with ${policy}.`;
}

interface GuardedAccess {
  readonly apiBaseUrl: string;
  readonly token: string;
  readonly s3: Pick<S3Door, 'endpoint' | 'key'>;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
}

/** Variables with which a program would bypass the guard: other addresses and profiles, and access keys of S3 clients. */
const removedVariables = new Set([
  'AWS_ACCESS_KEY_ID',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_S3',
  'AWS_PROFILE',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CF_ACCOUNT_ID',
  'CF_API_BASE_URL',
  'CLOUDFLARE_API_ENVIRONMENT',
  'EDGECTL_PROFILE',
  'EDGECTL_SANDBOX_DIR',
  'R2_ENDPOINT',
  'WRANGLER_API_ENVIRONMENT',
]);

/** Credentials of rclone's remotes. */
const rcloneCredential = /^RCLONE_\w*(?:ACCESS_KEY|ACCESS_KEY_ID|SESSION_TOKEN)$/;

/**
 * Returns the environment of a guarded program: the variables with which edgectl, wrangler, Terraform and the SDKs find the guard.
 * Removes every other variable of the platform, and every variable that contains a real secret.
 */
export function createGuardedEnvironment(
  env: World['env'],
  { apiBaseUrl, token, s3, accountId, zoneId }: GuardedAccess,
  secrets: readonly string[],
): Record<string, string | undefined> {
  const isSafe = ([name, value = '']: readonly [string, string | undefined]) =>
    !removedVariables.has(name) &&
    !rcloneCredential.test(name) &&
    !credentialVariable.test(name) &&
    !secrets.some((secret) => value.includes(secret));
  return {
    ...Object.fromEntries(Object.entries(env).filter(isSafe)),
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
    // A remote of rclone, `guard:`. Variables for all remotes would redirect those of other providers.
    RCLONE_CONFIG_GUARD_TYPE: 's3',
    RCLONE_CONFIG_GUARD_PROVIDER: 'Cloudflare',
    RCLONE_CONFIG_GUARD_ENV_AUTH: 'true',
    RCLONE_CONFIG_GUARD_REGION: 'auto',
    RCLONE_CONFIG_GUARD_ENDPOINT: s3.endpoint,
    RCLONE_CONFIG_GUARD_NO_CHECK_BUCKET: 'true',
  };
}
