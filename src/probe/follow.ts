import { type Fact, known, type RedirectTrail, type TokenAnswer, unknown } from '../model/diagnosis/facts.ts';
import { type Probe, type ProbedPage, probePage } from './probe.ts';

/** Redirects that an authority follows. */
const mostRedirects = 10;

interface Place {
  readonly address: string;
  readonly port: number;
}

/** Where URLs are fetched, over HTTP and over TLS. */
export type FollowingProbe = Omit<Probe, 'port' | 'address' | 'path' | 'secure'> & {
  readonly http: Place;
  readonly https: Place;
  /** The address as DNS has it, where that is not the one that is connected to. */
  readonly shownAddress?: string;
  /** Whether another host is served at the same place: others are named and not asked. */
  isHere(hostname: string): Promise<boolean>;
};

interface Followed {
  /** URLs to which redirects led, in their order. */
  readonly redirects: readonly string[];
  /** Whether the last of them was asked before. */
  readonly isCircle: boolean;
  readonly last: ProbedPage;
  /** The first answer that is not a redirect to the same path of the same host: later content does not count. */
  readonly decisive: ProbedPage;
}

/** Fetches a URL, and what its redirects lead to while that is served at the same place. */
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
    const next = targetOf(last, url);
    if (next !== undefined) redirects.push(next.href);
    if (next?.hostname !== url.hostname || next.pathname !== url.pathname) decisive ??= last;
    const isCircle = next !== undefined && asked.has(next.href);
    const ends = next === undefined || isCircle || redirects.length > mostRedirects;
    if (ends || !(await isAsked(probe, next)))
      return known({ redirects, isCircle, last, decisive: decisive ?? last });
    url = next;
  }
  return unknown(`${start} is no URL`);
}

function targetOf({ status, location }: ProbedPage, url: URL): URL | undefined {
  if (location === undefined || status < 300 || status > 399) return undefined;
  return URL.parse(location, url.href) ?? undefined;
}

/** A stranger's server is never asked, nor another port. */
async function isAsked(probe: FollowingProbe, { protocol, port, hostname }: URL): Promise<boolean> {
  if (!/^https?:$/.test(protocol) || port !== '') return false;
  return hostname === probe.hostname || probe.isHere(hostname);
}

/**
 * Fetches the URL of an HTTP validation token as a certificate authority does: redirects are followed whatever the
 * certificates; a redirect to a host that is not served at the same place ends it.
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
 * Fetches a random URL next to those of tokens, to find out whether the request passes the edge, which answers real tokens
 * there: only answers of the origin have a cache status. If the answer has none, another path and names of the zone itself
 * (`own`) show whether this platform sends one at all.
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
  if (isFromBehind(decisive)) return known({ ...answer, reachedOrigin: true });
  if (routingCodes.includes(decisive.pageCode ?? 0)) return known(answer);
  const path = URL.parse(start)?.pathname ?? '/';
  const others = [
    [probe.hostname, `/${path.split('/').at(-1)}`],
    ...own.map((name) => [name, path]),
  ] as const;
  for (const [hostname = '', path] of others) {
    const other = await probePage({ ...probe, ...probe.http, hostname, secure: false, path });
    if ('known' in other && isFromBehind(other.known)) return known({ ...answer, reachedOrigin: false });
  }
  return known(answer);
}

/** Errors by which the edge says that it does not serve the hostname, or not yet; others of its pages are a firewall's. */
const routingCodes: readonly number[] = [1000, 1001, 1014, 1016, 1023, 1034];

/** Errors 520 to 527 are the edge's own, about an origin that it has asked. */
function isFromBehind({ status, headers }: ProbedPage): boolean {
  const word = String(headers['cf-cache-status'] ?? 'none');
  return !/^(?:none|unknown)/i.test(word) || (status >= 520 && status <= 527);
}

/** The URLs through which a visitor is redirected, as long as they are served at the same place. */
export async function followTrail(probe: FollowingProbe, start: string): Promise<Fact<RedirectTrail>> {
  const found = await follow(probe, start);
  if ('unknown' in found) return found;
  const { redirects, isCircle } = found.known;
  return known({ urls: [start, ...redirects], isCircle });
}
