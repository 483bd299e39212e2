import { allowsPlainHttp, plainHostsVariable } from '../model/loopback.ts';
import { Problem } from '../model/problem.ts';

/** The base URL of the provider's API. */
export const defaultApiBaseUrl = 'https://api.cloudflare.com/client/v4';

const requiredPath = '/client/v4';

/**
 * Returns a base URL without a trailing slash. Throws for a URL without https (http is allowed for this machine, and for hosts that the
 * environment permits), for a URL that does not end in `/client/v4`, and for a URL with credentials, a query or a fragment. Error messages
 * contain at most the URL's scheme, host and port, because the rest may contain a secret.
 * @param from the source of the URL for messages: a flag, a variable, or a profile
 * @param env the environment variables, which can allow plain HTTP for other hosts (default: none)
 */
export function checkBaseUrl(
  text: string,
  from: string,
  env: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = URL.parse(text);
  if (url === null) throw refuseUrl(from, 'is not a URL', `Write it as ${defaultApiBaseUrl}.`);
  if (url.username !== '' || url.password !== '') {
    throw refuseUrl(
      from,
      'contains a user name or password',
      'Credentials belong in a profile or in the environment.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsPlainHttp(url.hostname, env))) {
    throw refuseUrl(
      from,
      `is not https: ${url.protocol}//${url.host}`,
      `Only this machine and the hosts in ${plainHostsVariable} can be reached without TLS.`,
    );
  }
  if (/[?#]/.test(text))
    throw refuseUrl(from, 'has a query or a fragment', 'Remove ? or # and everything after it.');
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith(requiredPath)) return url.origin + path;
  throw refuseUrl(from, `does not end in ${requiredPath}`, `Did you mean ${url.origin}${requiredPath}?`);
}

function refuseUrl(from: string, why: string, hint: string): Problem {
  return new Problem('usage', `The base URL of the platform (${from}) ${why}.`, { hint });
}
