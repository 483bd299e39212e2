import { beginningOf } from '../../model/long-text.ts';
import { defaultApiBaseUrl } from '../../profiles/base-url.ts';
import { escapeText } from '../../text/escape.ts';

/** The host that clients of the platform go to where nobody tells them another. */
export const platformHost = new URL(defaultApiBaseUrl).hostname;

/** Why nobody is let through to a place, given as CONNECT names it (`host:port`); undefined for the platform's API. */
export function refusalOf(target: string): string | undefined {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/s.exec(target) ?? [];
  if (isPlatform(host)) return port === '443' ? undefined : usualOnly;
  return `${only} and nowhere else, not to ${shown(target)}. ${advice}`;
}

/** Where a request that names its whole URL to a proxy leads: to a path of the API, or nowhere, and why. */
export function routeOf(url: string): { readonly path: string } | { readonly refusal: string } {
  const parsed = URL.parse(url);
  if (parsed === null || url.startsWith('/'))
    return { refusal: 'This is the proxy of a sandbox: HTTPS_PROXY names it to a program.' };
  if (!isPlatform(parsed.hostname))
    return { refusal: `${only} and nowhere else, not to ${shown(parsed.host)}. ${advice}` };
  if (parsed.protocol !== 'https:' || parsed.port !== '') return { refusal: usualOnly };
  return { path: parsed.pathname + parsed.search };
}

const only = `The proxy of the sandbox leads to ${platformHost}`;
/** Nobody is told to name the platform itself in NO_PROXY: that leads to production. */
const usualOnly = `${platformHost} answers over https, at its usual port, and not otherwise.`;
const advice = 'To let a program go there, name it in NO_PROXY.';

function isPlatform(host: string): boolean {
  return host.toLowerCase().replace(/\.$/, '') === platformHost;
}

/** The place of a target as it can be shown: without credentials, on a line, and not long. */
function shown(target: string): string {
  return escapeText(beginningOf(target.slice(target.lastIndexOf('@') + 1), 200));
}
