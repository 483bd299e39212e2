import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getCACertificates } from 'node:tls';
import { makePrivateFolder } from '../../files/folders.ts';
import { systemReason } from '../../files/system-reason.ts';
import type { Ready } from '../../model/sandbox/ready.ts';
import { escapeText } from '../../text/escape.ts';
import type { World } from '../../world.ts';
import { replaceStateFile } from '../session/state-file.ts';

/** A proxy that answers. */
export interface ProxyFacts {
  readonly url: string;
  /** The certificate of its authority, in PEM. */
  readonly authority: string;
  /** The host that it stands for. */
  readonly host: string;
  readonly warn: (message: string) => void;
}

/** Leads programs through a proxy. */
export interface ProxyAccess {
  readonly ready: Required<Pick<Ready, 'proxyUrl' | 'caFile' | 'caBundleFile'>>;
  readonly variables: Readonly<Record<string, string>>;
  /** Removes its files. */
  remove(): Promise<void>;
}

/** Variables that name a file of authorities which count in the place of the system's: OpenSSL and Go, curl, Python's requests. */
const inPlace = ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'] as const;
/** Variables that name a file of authorities which count beside the usual ones: Node, Deno. */
const beside = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'] as const;

/**
 * Writes the files by which programs trust a proxy into a folder, and gives the variables that lead them there. What the
 * environment lets them trust, they trust as well; and what its NO_PROXY lets them reach, they reach, but for the
 * platform's own host: that would be production.
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
  const caBundleFile = await write('bundle', systemAuthorities());
  const trusting: [string, string][] = [];
  for (const name of [...inPlace, ...beside]) {
    const own = await ownAuthorities(world, name, facts.warn);
    const usual = beside.some((one) => one === name) ? caFile : caBundleFile;
    trusting.push([name, own === undefined ? usual : await write(name.toLowerCase(), own)]);
  }
  return {
    ready: { proxyUrl: facts.url, caFile, caBundleFile },
    variables: { ...proxyVariables(world.env, facts), ...Object.fromEntries(trusting) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The authorities of this machine in PEM; those that Node brings where it has none, as in a small container. */
function systemAuthorities(): string {
  const system = getCACertificates('system');
  const found = system.length > 0 ? system : getCACertificates('bundled');
  return [...new Set(found)].map((pem) => `${pem.trim()}\n`).join('');
}

/** The authorities in the file that a variable names; undefined where it names none that can be read. */
async function ownAuthorities(
  { env, cwd }: Pick<World, 'env' | 'cwd'>,
  name: string,
  warn: (message: string) => void,
): Promise<string | undefined> {
  const path = env[name];
  if (path === undefined || path === '') return undefined;
  try {
    return `${(await readFile(resolve(cwd, path), 'utf8')).trim()}\n`;
  } catch (error) {
    const why = `${name} names ${escapeText(path)}, which cannot be read: ${systemReason(error)}`;
    warn(`${why}. Programs trust what they usually trust in its place.`);
    return undefined;
  }
}

/** Variables that lead to the proxy, and past it. Only HTTPS goes there: the platform answers nothing else. */
function proxyVariables(env: World['env'], { url, host, warn }: ProxyFacts): Record<string, string> {
  const named = `${env['NO_PROXY'] ?? ''},${env['no_proxy'] ?? ''}`
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  const dangerous = named.filter((name) => covers(name, host));
  if (dangerous.length > 0) {
    const names = dangerous.map((name) => escapeText(name)).join(', ');
    warn(`NO_PROXY names ${names}: that would bypass the sandbox and reach ${host}, and is omitted.`);
  }
  const past = [...new Set(['localhost', '127.0.0.1', '::1', '.localhost', ...named])]
    .filter((name) => !dangerous.includes(name))
    .join(',');
  return {
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: past,
    no_proxy: past,
    // Node's fetch looks at the others only where this is set.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Whether a name of NO_PROXY is, for some client, one for this host: `*`, the host, or an end of it. */
function covers(name: string, host: string): boolean {
  const bare = name.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return host.endsWith(bare.replace(/^\*?\.?/, ''));
}
