import { type Fact, known, type TokenAnswer, unknown } from '../model/diagnosis/facts.ts';
import { type Probe, probePage } from './probe.ts';

/** Redirects that an authority follows. */
const mostRedirects = 10;

/** Where the edge answers, over HTTP and over TLS. */
export type TokenProbe = Omit<Probe, 'port' | 'address' | 'path' | 'secure'> & {
  readonly http: { readonly address: string; readonly port: number };
  readonly https: { readonly address: string; readonly port: number };
};

/**
 * Fetches the URL of an HTTP validation token as a certificate authority does: redirects are followed within the hostname,
 * whatever its certificate is; one to another host ends it, because a stranger's server is never asked.
 */
export async function fetchToken(probe: TokenProbe, start: string): Promise<Fact<TokenAnswer>> {
  const redirects: string[] = [];
  for (let url = URL.parse(start); url !== null; ) {
    const secure = url.protocol === 'https:';
    const at = secure ? probe.https : probe.http;
    const asked = await probePage({ ...probe, ...at, secure, path: `${url.pathname}${url.search}` });
    if ('unknown' in asked) return asked;
    const { status, location, body, headers } = asked.known;
    const next =
      location === undefined || status < 300 || status > 399 ? null : URL.parse(location, url.href);
    if (next !== null) redirects.push(next.href);
    if (next === null || next.hostname !== probe.hostname || redirects.length > mostRedirects) {
      return known({
        url: start,
        redirects,
        status,
        body: body.slice(0, 512),
        cached:
          Number(headers['age'] ?? 0) > 0 ||
          /hit/i.test(String(headers['x-cache'] ?? headers['cf-cache-status'] ?? '')),
        challenged: headers['cf-mitigated'] !== undefined,
      });
    }
    url = next;
  }
  return unknown(`${start} is no URL`);
}
