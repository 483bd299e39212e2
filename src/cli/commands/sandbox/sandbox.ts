import { once } from 'node:events';
import { limitYoungHeap } from '../../../heap.ts';
import { isLoopback } from '../../../model/loopback.ts';
import { Problem } from '../../../model/problem.ts';
import { version } from '../../../model/version.ts';
import { zonePlans } from '../../../model/zones/plan.ts';
import {
  findSandbox,
  readSandboxStatus,
  resetSandbox,
  startSandboxServer,
} from '../../../services/sandbox/sandbox.ts';
import type { NamedSeed } from '../../../services/sandbox/seed.ts';
import type { RunningSandbox, SandboxStartOptions } from '../../../services/sandbox/start-options.ts';
import { openTemporaryFolder } from '../../../services/sandbox/temporary.ts';
import { shellWord } from '../../../text/shell.ts';
import { type Context, command } from '../../parsing/command.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import { checkPort } from '../../parsing/port.ts';
import { chosenDir, formatSandboxFlag } from './choice.ts';
import type * as declared from './declarations.ts';
import { describeReach, parseExposure, parseOrigins } from './exposure.ts';

type StartFlags = Parameters<Parameters<typeof command<typeof declared.sandboxStart>>[0]['run']>[1]['flags'];

export const startCommand = command<typeof declared.sandboxStart>({
  async run(context, { flags }) {
    const options = { ...readPorts(flags), ...(await readStartOptions(context, flags)) };
    const own = flags.ephemeral ? openTemporaryFolder(context.world) : undefined;
    try {
      await serve(
        context,
        { ...options, dir: own?.folder ?? chosenDir(flags), ephemeral: flags.ephemeral },
        flags.quiet,
      );
    } finally {
      own?.remove();
    }
  },
});

/** Serves until the program is interrupted. */
async function serve(context: Context, options: SandboxStartOptions, quiet: boolean): Promise<void> {
  const { world } = context;
  const { exposure, readyFile } = options;
  const running = await startSandboxServer(world, options);
  try {
    if (exposure !== undefined && !isLoopback(exposure.address)) {
      context.output.warn(
        `The sandbox listens on ${exposure.address}: anyone who can reach this machine and has the sandbox's token can use the sandbox. Traffic is not encrypted.`,
      );
    }
    if (!running.isReadyOnStdout) {
      await printReady(context, running, { readyFile, quiet, others: describeReach(exposure, running) });
    }
    if (!world.interrupted.aborted) await once(world.interrupted, 'abort');
  } finally {
    context.output.note('Stopping.');
    await running.close();
  }
}

async function readStartOptions({ world, output }: Context, flags: StartFlags) {
  if (flags.ephemeral && chosenDir(flags) !== undefined)
    throw new Problem('usage', '--ephemeral uses a temporary folder: omit --dir and --sandbox=DIR.');
  return {
    exposure: parseExposure({ listen: flags.listen, 'allow-host': flags['allow-host'] }),
    origins: parseOrigins(flags.origin),
    issuanceLimit: readIssuanceLimit(flags),
    plan: parseOneOf('--plan', flags.plan, zonePlans),
    onWorkerLog: (log: Parameters<SandboxStartOptions['onWorkerLog']>[0]) =>
      output.note(log.message, { level: log.level }),
    onRequest: limitYoungHeap(),
    demo: flags.demo,
    strict: flags.strict,
    seed: await readSeedFlag({ world, output }, flags.seed),
    readyFile: flags['ready-file'],
    warn: output.warn,
    version,
  };
}

function readPorts(flags: StartFlags) {
  if (!flags.proxy && flags['proxy-port'] !== undefined)
    throw new Problem('usage', '--proxy-port requires --proxy.');
  const port = checkPort('--port', flags.port ?? 8787);
  const after = (count: number): number => (port === 0 ? 0 : port + count);
  return {
    port,
    edgePort: checkPort('--edge-port', flags['edge-port'] ?? after(1)),
    dnsPort: checkPort('--dns-port', flags['dns-port'] ?? after(2)),
    edgeTlsPort: checkPort('--edge-tls-port', flags['edge-tls-port'] ?? after(3)),
    s3Port: checkPort('--s3-port', flags['s3-port'] ?? after(4)),
    proxyPort: flags.proxy ? checkPort('--proxy-port', flags['proxy-port'] ?? after(5)) : undefined,
  };
}

/** Reads the seed file that `--seed` specifies. */
export async function readSeedFlag(
  { world, output }: Pick<Context, 'world' | 'output'>,
  name: string | undefined,
): Promise<NamedSeed | undefined> {
  if (name === undefined) return undefined;
  const { readSeedFile } = await import('../../../services/sandbox/seed.ts');
  return readSeedFile(world, name, (message) => output.note(message));
}

/** Checks `--issuance-limit`. */
export function readIssuanceLimit(flags: {
  readonly 'issuance-limit': number | undefined;
}): number | undefined {
  const limit = flags['issuance-limit'];
  if (limit === undefined || limit >= 1) return limit;
  throw new Problem('usage', '--issuance-limit must be at least 1.');
}

interface ReadyOptions {
  readonly readyFile: string | undefined;
  readonly quiet: boolean;
  /** Lines about how other machines reach the sandbox. */
  readonly others: readonly string[];
}

/** Prints the addresses and credentials. With a ready file or --quiet, no credentials are printed, because CI stores logs. */
async function printReady(
  { world, output }: Context,
  { ready, folder }: RunningSandbox,
  { readyFile, quiet, others }: ReadyOptions,
): Promise<void> {
  const { apiToken, email, apiKey, s3AccessKeyId, s3SecretAccessKey, ...addresses } = ready;
  const hidden = quiet || readyFile !== undefined;
  if (output.json) return output.answerJson(hidden ? addresses : ready);
  const credentials = hidden
    ? readyFile !== undefined && [`The credentials are in ${readyFile}.`]
    : [
        `  export CLOUDFLARE_API_TOKEN=${apiToken}   # token of the sandbox, required for paths below /sandbox/`,
        `or email address ${email} and API key ${apiKey}. For S3 clients:`,
        `  export AWS_ACCESS_KEY_ID=${s3AccessKeyId}`,
        `  export AWS_SECRET_ACCESS_KEY=${s3SecretAccessKey}`,
      ];
  const lines = [
    `The sandbox is available at ${ready.apiBaseUrl} (data in ${folder}).`,
    `Deployed workers are served at ${ready.edgeUrl.replace('://', '://<worker>.')}.`,
    `Custom hostnames are served at ${ready.edgeUrl} and ${ready.edgeTlsUrl} (by Host header), and their DNS at ${ready.dns}.`,
    `The S3 API is at ${ready.s3Endpoint} (path style, region auto).`,
    `In a browser: ${formatPageAddress(ready.apiBaseUrl, hidden ? undefined : apiToken)}`,
    `Use edgectl with ${formatSandboxFlag(world, folder)}. For other clients of the v4 API:`,
    `  export CLOUDFLARE_API_BASE_URL=${ready.apiBaseUrl}`,
    `  export CLOUDFLARE_ACCOUNT_ID=${ready.accountId}`,
    ...(credentials || []),
    ...formatProxyLines(ready),
    ...others,
    'Press Ctrl-C to stop.',
  ];
  for (const line of lines) await output.line(line);
}

/** Returns lines that explain how to reach the sandbox from clients that can use only the platform's host. */
function formatProxyLines({ proxyUrl, caFile, caBundleFile }: RunningSandbox['ready']): readonly string[] {
  if (proxyUrl === undefined) return [];
  return [
    'For clients that can only use api.cloudflare.com:',
    `  export HTTPS_PROXY=${proxyUrl} NODE_USE_ENV_PROXY=1 NODE_EXTRA_CA_CERTS=${shellWord(caFile ?? '')}`,
    `  export SSL_CERT_FILE=${shellWord(caBundleFile ?? '')}`,
    '  export CURL_CA_BUNDLE=$SSL_CERT_FILE REQUESTS_CA_BUNDLE=$SSL_CERT_FILE',
  ];
}

/** Returns the URL of a sandbox's page. The token is in the fragment, which is not sent to servers. */
function formatPageAddress(apiBaseUrl: string, apiToken: string | undefined): string {
  const { origin } = new URL(apiBaseUrl);
  return apiToken === undefined ? origin : `${origin}/#${apiToken}`;
}

export const statusCommand = command<typeof declared.sandboxStatus>({
  async run({ world, output }, { flags }) {
    const status = await readSandboxStatus(world, chosenDir(flags));
    const line = status.running
      ? `The sandbox in ${status.folder} is available at ${status.apiBaseUrl} (process ${status.pid}).`
      : `No sandbox server is running for ${status.folder}; ${formatSandboxFlag(world, status.folder)} uses the sandbox without a server.`;
    await output.result(line, status);
  },
});

export const resetCommand = command<typeof declared.sandboxReset>({
  async run({ world, output, ask, dryRun }, { flags }) {
    const folder = await findSandbox(world, chosenDir(flags));
    await ask.confirm(
      `Delete all sandbox data in ${folder}?`,
      `All sandbox data in ${folder} would be deleted.`,
    );
    dryRun?.end(folder, [{ does: 'remove', what: 'all data' }]);
    await resetSandbox(world, chosenDir(flags), { note: output.note });
    await output.result(`Deleted all sandbox data in ${folder}.`, { folder, reset: true });
  },
});
