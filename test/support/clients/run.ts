import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TestSandbox } from '../../../src/library/sandbox-types.ts';
import { scratchFolder } from '../world.ts';
import type { CallLine, CallResult, Client, Reporter } from './client.ts';
import { zone } from './declared.ts';

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Milliseconds before a call counts as failed. The slowest call, a deployment by an old wrangler, takes ten seconds. */
const timeoutMs = 180_000;

function runBash(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  const { promise, resolve: settle } = Promise.withResolvers<Ran>();
  const options = { cwd, env, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
  const child = execFile('bash', ['-c', line], options, (error, stdout, stderr) => {
    settle({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}\n${stderr}` });
  });
  child.stdin?.end();
  return promise;
}

/** The folder where packages are installed, in one subfolder per version, so that the next run finds them. */
const packages = resolve('node_modules/.cache/edgectl/clients');

/** Installs an npm package without running its scripts, and returns the folder with its `node_modules`. */
async function installed(spec: string): Promise<string> {
  const folder = join(packages, spec.replaceAll(/[ /]/g, '+'));
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = '--no-save --no-package-lock --no-audit --no-fund --ignore-scripts';
  const { code, output } = await runBash(`npm install ${flags} ${spec}`, folder, process.env);
  if (code !== 0) throw new Error(`npm cannot install ${spec}:\n${output}`);
  writeFileSync(done, '');
  return folder;
}

/** Returns the version of a client, or the reason why the client cannot run here. */
export async function findVersion({
  npm,
  version,
  from,
}: Client): Promise<{ version: string } | { lack: string }> {
  if (npm !== undefined) return { version: /.@(\S+)/.exec(npm)?.[1] ?? '' };
  if (version === undefined) return { lack: from };
  const { code, output } = await runBash(version, '/', process.env);
  const found = /\d+(?:\.\d+)+/.exec(output)?.[0];
  return code === 0 && found !== undefined ? { version: found } : { lack: from };
}

/** Runs all calls of a client in a new folder, with the variables of a sandbox. */
export async function runCalls(
  client: Client,
  variables: Readonly<Record<string, string>>,
  cwd = scratchFolder('client'),
): Promise<readonly CallResult[]> {
  for (const [name, text] of Object.entries(client.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const folder = client.npm === undefined ? undefined : await installed(client.npm);
  const env = createEnvironment(cwd, folder, client, variables);
  return 'line' in client.calls ? runReporter(client.calls, cwd, env) : runLines(client.calls, cwd, env);
}

/**
 * Returns only the variables that the system's programs need: this machine's certificate authorities and proxies do not apply to a sandbox.
 */
function createEnvironment(
  cwd: string,
  folder: string | undefined,
  { byProxy = false }: Client,
  variables: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const own = Object.entries(variables).filter(([name]) => !(byProxy && name.endsWith('_BASE_URL')));
  return {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: cwd,
    LANG: 'C.UTF-8',
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLIENT: folder === undefined ? '' : join(folder, 'node_modules'),
    PROGRAMS: resolve(import.meta.dirname, 'programs'),
    ...Object.fromEntries(own),
  };
}

async function runLines(
  calls: readonly CallLine[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<CallResult[]> {
  const saved: Record<string, string> = {};
  const results: CallResult[] = [];
  for (const call of calls) {
    const { code, output } = await runBash(call.line, cwd, { ...env, ...saved });
    for (const [name, pattern] of Object.entries(call.saves ?? {}))
      saved[name] = pattern.exec(output)?.[1] ?? '';
    const isRight = code === 0 && (call.prints?.test(output) ?? true);
    results.push({ does: call.does, fault: isRight ? undefined : `exit ${code}: ${output.trim()}` });
  }
  return results;
}

async function runReporter({ line }: Reporter, cwd: string, env: NodeJS.ProcessEnv): Promise<CallResult[]> {
  const { code, output } = await runBash(line, cwd, env);
  const results = output
    .split('\n')
    .filter((one) => one.startsWith('{"does"'))
    .map((one): CallResult => ({ fault: undefined, ...JSON.parse(one) }));
  return code === 0
    ? results
    : [...results, { does: 'run to its end', fault: `exit ${code}: ${output.trim()}` }];
}

/** Returns the id of the zone that the seed created. */
export async function findZoneId({
  apiBaseUrl,
  apiToken,
}: Pick<TestSandbox, 'apiBaseUrl' | 'apiToken'>): Promise<string> {
  const response = await fetch(`${apiBaseUrl}/zones?name=${zone}`, {
    headers: { authorization: `Bearer ${apiToken}` },
  });
  const { result } = (await response.json()) as { result: readonly { id: string }[] };
  return result[0]?.id ?? '';
}

/** Returns the known difference of a call, if one is declared. */
export function knownDifference({ calls }: Client, does: string): string | undefined {
  return 'line' in calls ? calls.differs?.[does] : calls.find((call) => call.does === does)?.differs;
}
