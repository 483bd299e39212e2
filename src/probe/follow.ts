import { type Fact, known, type RedirectTrail, type TokenAnswer, unknown } from '../model/diagnosis/facts.ts';
import { type Probe, type ProbedPage, probePage } from './probe.ts';

/** Maximum number of redirects that a certificate authority follows. */
const maxRedirects = 10;

interface Place {
  readonly address: string;
  readonly port: number;
}

/** A probe that follows redirects, and the servers to contact over HTTP and over TLS. */
export type FollowingProbe = Omit<Probe, 'port' | 'address' | 'path' | 'secure'> & {
  readonly http: Place;
  readonly https: Place;
  /** The hostname's address in DNS, if the connection uses a different address. */
  readonly shownAddress?: string;
  /** Returns whether the same edge serves another host. A redirect to any other host is reported, but not followed. */
  isHere(hostname: string): Promise<boolean>;
};

interface Followed {
  /** URLs of the redirects, in order. */
  readonly redirects: readonly string[];
  /** Whether the last URL was already fetched. */
  readonly isCircle: boolean;
  readonly last: ProbedPage;
  /** The first response that is not a redirect to the same path on the same host. For example, a redirect from HTTP to HTTPS is skipped. */
  readonly decisive: ProbedPage;
}

/** Fetches a URL, and follows its redirects as long as they stay on the same edge. */
async function follow(probe: FollowingProbe, start: string): Promise<Fact<Followed>> {
  const asked = new Set<string>();
  const redirects: string[] = [];
  let decisive: ProbedPage | undefined;
  for (let url = URL.parse(start); url !== null; ) {
    asked.add(url.href);
    const secure = url.protocol === 'https:';
    const path = `${url.pathname}${url.search}`;
    const at = secure ? probe.https : probe.http;
    const found = await probePage({ ...probe, ...at, hostname: url.hostname, secure, path });
    if ('unknown' in found) return found;
    const last = found.known;
    const next = redirectTarget(last, url);
    if (next !== undefined) redirects.push(next.href);
    if (next?.hostname !== url.hostname || next.pathname !== url.pathname) decisive ??= last;
    const isCircle = next !== undefined && asked.has(next.href);
    const ends = next === undefined || isCircle || redirects.length > maxRedirects;
    if (ends || !(await mayFetch(probe, next)))
      return known({ redirects, isCircle, last, decisive: decisive ?? last });
    url = next;
  }
  return unknown(`${start} is not a URL`);
}

function redirectTarget({ status, location }: ProbedPage, url: URL): URL | undefined {
  if (location === undefined || status < 300 || status > 399) return undefined;
  return URL.parse(location, url.href) ?? undefined;
}

/** Returns whether a URL may be fetched: the same edge must serve its host, and the port must be the default port. */
async function mayFetch(probe: FollowingProbe, { protocol, port, hostname }: URL): Promise<boolean> {
  if (!/^https?:$/.test(protocol) || port !== '') return false;
  return hostname === probe.hostname || probe.isHere(hostname);
}

/**
 * Fetches the URL of an HTTP validation token as a certificate authority does: follows redirects, and does not verify certificates. Stops at a
 * redirect to a host that the same edge does not serve.
 */
export async function fetchToken(probe: FollowingProbe, start: string): Promise<Fact<TokenAnswer>> {
  const found = await follow(probe, start);
  return 'unknown' in found ? found : known(tokenAnswer(probe, start, found.known));
}

function tokenAnswer(
  probe: FollowingProbe,
  start: string,
  { redirects, isCircle, last: { status, body, headers } }: Followed,
): TokenAnswer {
  return {
    url: start,
    address: probe.shownAddress ?? probe.http.address,
    redirects,
    ...(isCircle && { isCircle }),
    status,
    body: body.slice(0, 512),
    cached:
      Number(headers['age'] ?? 0) > 0 ||
      /hit/i.test(String(headers['x-cache'] ?? headers['cf-cache-status'] ?? '')),
    challenged: headers['cf-mitigated'] !== undefined,
  };
}

/**
 * Fetches the URL of a token that does not exist, to determine whether such requests pass through the edge to the origin; the edge itself
 * responds to requests for existing tokens. Only responses from an origin have a cache status. If this response has no cache status, requests
 * for another path and for the zone's own names (`own`) show whether the platform sends a cache status at all.
 */
export async function fetchTokenPath(
  probe: FollowingProbe,
  start: string,
  own: readonly string[],
): Promise<Fact<TokenAnswer>> {
  const found = await follow(probe, start);
  if ('unknown' in found) return found;
  const answer = tokenAnswer(probe, start, found.known);
  const { decisive } = found.known;
  if (isFromOrigin(decisive)) return known({ ...answer, reachedOrigin: true });
  if (routingCodes.includes(decisive.pageCode ?? 0)) return known(answer);
  const path = URL.parse(start)?.pathname ?? '/';
  const others = [
    [probe.hostname, `/${path.split('/').at(-1)}`],
    ...own.map((name) => [name, path]),
  ] as const;
  for (const [hostname = '', path] of others) {
    const other = await probePage({ ...probe, ...probe.http, hostname, secure: false, path });
    if ('known' in other && isFromOrigin(other.known)) return known({ ...answer, reachedOrigin: false });
  }
  return known(answer);
}

/**
 * Error numbers with which the edge reports that it does not serve the hostname, or does not serve it yet. Other error pages that the edge
 * sends come from a firewall.
 */
const routingCodes: readonly number[] = [1000, 1001, 1014, 1016, 1023, 1034];

/** Returns whether the edge contacted an origin for a response: it has a cache status, or is one of the edge's errors 520 to 527. */
function isFromOrigin({ status, headers }: ProbedPage): boolean {
  const word = String(headers['cf-cache-status'] ?? 'none');
  return !/^(?:none|unknown)/i.test(word) || (status >= 520 && status <= 527);
}

/** Follows the redirects from a URL as long as they stay on the same edge, and returns the URLs in order. */
export async function followTrail(probe: FollowingProbe, start: string): Promise<Fact<RedirectTrail>> {
  const found = await follow(probe, start);
  if ('unknown' in found) return found;
  const { redirects, isCircle } = found.known;
  return known({ urls: [start, ...redirects], isCircle });
}
