import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getCACertificates } from 'node:tls';
import { makePrivateFolder } from '../../files/folders.ts';
import { systemReason } from '../../files/system-reason.ts';
import type { Ready } from '../../model/sandbox/ready.ts';
import { escapeText } from '../../text/escape.ts';
import type { World } from '../../world.ts';
import { replaceStateFile } from '../session/state-file.ts';

/** The properties of a running proxy. */
export interface ProxyFacts {
  readonly url: string;
  /** The certificate of the proxy's certificate authority, in PEM. */
  readonly authority: string;
  /** The host of the platform's API, whose requests the proxy intercepts. */
  readonly host: string;
  readonly warn: (message: string) => void;
  /** The name in messages for the server that the proxy forwards requests to (default: the sandbox). */
  readonly of?: 'sandbox' | 'guard';
}

/** The files and environment variables that make programs use a proxy. */
export interface ProxyAccess {
  readonly ready: Required<Pick<Ready, 'proxyUrl' | 'caFile' | 'caBundleFile'>>;
  readonly variables: Readonly<Record<string, string>>;
  /** Deletes the files. */
  remove(): Promise<void>;
}

/** Variables that specify a CA bundle instead of the system's CA bundle: for OpenSSL and Go, curl, and Python's requests. */
const replacingVariables = ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'] as const;
/** Variables that specify a CA bundle in addition to the default bundle: for Node and Deno. */
const additionalVariables = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'] as const;
/**
 * Variables for individual programs: the AWS CLI and SDKs, and rclone. If these variables are not set, the programs use the variables
 * above.
 */
const programVariables = ['AWS_CA_BUNDLE', 'RCLONE_CA_CERT'] as const;

/**
 * Writes CA files to a folder, and returns variables that make programs use and trust a proxy. Programs still trust the certificate
 * authorities that the user's variables specify. They still connect directly to the hosts in NO_PROXY, but not to the platform's host: a
 * direct connection would reach production.
 */
export async function openProxyAccess(
  world: Pick<World, 'env' | 'cwd' | 'random'>,
  above: string,
  facts: ProxyFacts,
): Promise<ProxyAccess> {
  const folder = join(above, 'proxy');
  makePrivateFolder(folder);
  const write = async (name: string, authorities: string) => {
    const path = join(folder, `${name}.pem`);
    await replaceStateFile(world, path, authorities + facts.authority, false);
    return path;
  };
  const caFile = await write('ca', '');
  const caBundleFile = await write('bundle', readSystemAuthorities());
  const trusting: [string, string][] = [];
  for (const name of [...replacingVariables, ...additionalVariables]) {
    const own = await readOwnAuthorities(world, name, facts.warn);
    const usual = additionalVariables.some((one) => one === name) ? caFile : caBundleFile;
    trusting.push([name, own === undefined ? usual : await write(name.toLowerCase(), own)]);
  }
  for (const name of programVariables) {
    const own = await readOwnAuthorities(world, name, facts.warn);
    if (own !== undefined) trusting.push([name, await write(name.toLowerCase(), own)]);
  }
  return {
    ready: { proxyUrl: facts.url, caFile, caBundleFile },
    variables: { ...createProxyVariables(world.env, facts), ...Object.fromEntries(trusting) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Returns the certificate authorities of this machine in PEM. If the machine has none, for example in a small container, returns Node's
 * certificate authorities.
 */
function readSystemAuthorities(): string {
  const system = getCACertificates('system');
  const found = system.length > 0 ? system : getCACertificates('bundled');
  return [...new Set(found)].map((pem) => `${pem.trim()}\n`).join('');
}

/**
 * Reads the certificate authorities in the file that a variable specifies. Returns undefined if the variable is not set, or, with a warning,
 * if the file cannot be read.
 */
async function readOwnAuthorities(
  { env, cwd }: Pick<World, 'env' | 'cwd'>,
  name: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  const path = env[name];
  if (path === undefined || path === '') return undefined;
  try {
    return `${(await readFile(resolve(cwd, path), 'utf8')).trim()}\n`;
  } catch (error) {
    const why = `Cannot read ${escapeText(path)} in ${name}: ${systemReason(error)}`;
    warn(`${why}. Programs trust the default authorities instead.`);
    return undefined;
  }
}

/** Returns the proxy variables. Only HTTPS requests use the proxy, because the platform supports only HTTPS. */
function createProxyVariables(
  env: World['env'],
  { url, host, warn, of = 'sandbox' }: ProxyFacts,
): Record<string, string> {
  const named = `${env['NO_PROXY'] ?? ''},${env['no_proxy'] ?? ''}`
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  const dangerous = named.filter((name) => coversHost(name, host));
  if (dangerous.length > 0) {
    const names = dangerous.map((name) => escapeText(name)).join(', ');
    warn(`Ignoring ${names} in NO_PROXY, because requests to ${host} would bypass the ${of}.`);
  }
  const past = [...new Set(['localhost', '127.0.0.1', '::1', '.localhost', ...named])]
    .filter((name) => !dangerous.includes(name))
    .join(',');
  return {
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: past,
    no_proxy: past,
    // Without this variable, Node's fetch ignores the other variables.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Returns whether a client could apply a NO_PROXY entry to a host: the entry is `*`, the host, or a suffix of the host. */
function coversHost(name: string, host: string): boolean {
  const bare = name.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return host.endsWith(bare.replace(/^\*?\.?/, ''));
}
