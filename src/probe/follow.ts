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
}

/** Fetches a URL, and what its redirects lead to while that is served at the same place. */
async function follow(probe: FollowingProbe, start: string): Promise<Fact<Followed>> {
  const asked = new Set<string>();
  const redirects: string[] = [];
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
    const isCircle = next !== undefined && asked.has(next.href);
    const ends = next === undefined || isCircle || redirects.length > mostRedirects;
    if (ends || !(await isAsked(probe, next))) return known({ redirects, isCircle, last });
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
 * Fetches the URL of an HTTP validation token as a certificate authority does: redirects are followed, whatever the certificates
 * on the way are; one to a host that is not served at the same place ends it.
 */
export async function fetchToken(probe: FollowingProbe, start: string): Promise<Fact<TokenAnswer>> {
  const found = await follow(probe, start);
  if ('unknown' in found) return found;
  const { redirects, isCircle, last } = found.known;
  const { status, body, headers } = last;
  return known({
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
  });
}

/** The URLs through which a visitor is sent from this one, as far as they are served at the same place. */
export async function followTrail(probe: FollowingProbe, start: string): Promise<Fact<RedirectTrail>> {
  const found = await follow(probe, start);
  if ('unknown' in found) return found;
  const { redirects, isCircle } = found.known;
  return known({ urls: [start, ...redirects], isCircle });
}
