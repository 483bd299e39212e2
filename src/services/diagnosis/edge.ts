import { isIP } from 'node:net';
import { lookUpAddresses } from '../../dns/lookup.ts';
import {
  type Fact,
  type Facts,
  ifKnown,
  known,
  type ProbeAnswer,
  type RedirectTrail,
  type TokenAnswer,
  unknown,
} from '../../model/diagnosis/facts.ts';
import {
  addressList,
  arrivesAtEdge,
  pointsHere,
  readRouting,
  strayV6,
} from '../../model/diagnosis/rules/reading.ts';
import { isWithin, type Resolver } from '../../model/dns/dns.ts';
import { hasCustomCertificate, isBeingProved } from '../../model/hostnames/hostname.ts';
import { type FollowingProbe, fetchToken, fetchTokenPath, followTrail } from '../../probe/follow.ts';
import { isSilence, probeEdge } from '../../probe/probe.ts';
import type { PlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { connectionPlace, type ServerPlace } from './server-place.ts';

/** The edge's responses for a hostname, over HTTP and TLS. */
export interface EdgeFacts {
  readonly http: Fact<ProbeAnswer>;
  readonly https: Fact<ProbeAnswer>;
  /** The response from the URL from which a certificate authority fetches the HTTP token. */
  readonly token: Fact<TokenAnswer>;
  readonly tokenV6: Fact<TokenAnswer>;
  readonly trail: Fact<RedirectTrail>;
}

/** The facts to use if the edge was not probed. */
export const notProbed: EdgeFacts = unprobed('the edge was not probed');

function unprobed(reason: string): EdgeFacts {
  const not = unknown<never>(reason);
  return { http: not, https: not, token: not, tokenV6: not, trail: not };
}

/** The responses of the edge. `isReached` is false if the edge sent no response. `edgeSilence` is set if the requests timed out. */
interface ProbedEdge {
  readonly facts: EdgeFacts & Pick<Facts, 'edgeSilence'>;
  readonly isReached: boolean;
}

/** Number of consecutive hostnames for which the edge may time out before edgectl stops probing it. */
const maxSilent = 5;

/**
 * A counter of consecutive hostnames for which the edge times out. On a network that drops all requests, each probe would take the entire
 * timeout, so probing stops.
 */
export class EdgeTimeouts {
  readonly timeout: number | undefined;
  #silent = 0;

  /** `timeout` is the maximum time to wait for one response, in milliseconds (default: a probe's default). */
  constructor(timeout?: number) {
    this.timeout = timeout;
  }

  /** Why the edge is no longer probed; undefined while the edge is probed. */
  get end(): string | undefined {
    if (this.#silent < maxSilent) return undefined;
    return `the edge was not probed, because it did not respond in time for ${maxSilent} consecutive hostnames`;
  }

  note(isSilent: boolean): void {
    if (this.end === undefined) this.#silent = isSilent ? this.#silent + 1 : 0;
  }
}

type Gathered = Omit<Facts, keyof EdgeFacts>;

/**
 * Requests a hostname from the edge, as a visitor would. Uses the sandbox's edge, the address of the name that customers point to, or the
 * hostname's own address if the hostname points here. Contacts only one other server: fetches a certificate's token at one of the
 * hostname's IPv6 addresses, as a certificate authority does.
 */
export async function probeHostname(
  session: Session,
  info: PlatformInfo,
  facts: Gathered,
  { resolver, edgeTimeouts }: { readonly resolver: Resolver; readonly edgeTimeouts: EdgeTimeouts },
): Promise<ProbedEdge> {
  const { end } = edgeTimeouts;
  if (end !== undefined) return { facts: { ...unprobed(end), edgeSilence: end }, isReached: false };
  const { timeout } = edgeTimeouts;
  const [plain, secure] = [findEdge(info, facts, false), findEdge(info, facts, true)];
  const following = followingProbe(session, facts, { plain, secure, resolver, timeout });
  const [http, https, token, tokenV6] = await Promise.all([
    probeAt(session, facts.hostname, false, { edge: plain, timeout }),
    probeAt(session, facts.hostname, true, { edge: secure, timeout }),
    tokenAt(facts, following),
    fetchTokenOverV6(session, info, facts),
  ]);
  // The request over TLS fails for a hostname without a certificate. If both requests fail, the edge did not respond.
  const isAsked = 'known' in plain && 'known' in secure;
  const isReached = !isAsked || 'known' in http || 'known' in https;
  const isSilent = !isReached && isSilence(http) && isSilence(https);
  if (isAsked) edgeTimeouts.note(isSilent);
  const trail = await readTrail([https, http], following);
  // Ignores the token requests, because an origin may not respond at the token's path although the edge does.
  const edgeSilence = isSilent ? { edgeSilence: 'the edge did not respond in time' } : {};
  return { facts: { http, https, token, tokenV6, trail, ...edgeSilence }, isReached };
}

/**
 * The URL from which a certificate authority fetches a token. `isReal` means that the token belongs to a pending certificate. If `isReal`
 * is false, the token does not exist, and the URL shows whether the next certificate can be validated.
 */
interface TokenPlace {
  readonly url: string;
  readonly isReal: boolean;
}

/** Returns the URL of the token; undefined if the certificate authority cannot or need not validate over HTTP. */
function tokenPlace(facts: Gathered): TokenPlace | undefined {
  const record = ifKnown(facts.record) ?? undefined;
  const { ssl } = record ?? {};
  if (record === undefined || ssl === undefined || hasCustomCertificate(record)) return undefined;
  const real = ssl.validation_records?.find(({ http_url }) => http_url !== undefined)?.http_url;
  if (isBeingProved(ssl) && real !== undefined) return { url: real, isReal: true };
  const unprobed = { ...facts, ...notProbed };
  const arrives = arrivesAtEdge(unprobed) || readRouting(unprobed) === 'edge';
  if (ssl.wildcard === true || !arrives) return undefined;
  const name = `edgectl-${facts.now.toString(36)}`;
  const path =
    ssl.certificate_authority === 'ssl_com' ? `pki-validation/${name}.txt` : `acme-challenge/${name}`;
  return { url: `http://${plainHostname(facts)}/.well-known/${path}`, isReal: false };
}

interface Around {
  readonly plain: Fact<ServerPlace>;
  readonly secure: Fact<ServerPlace>;
  readonly resolver: Resolver;
  readonly timeout: number | undefined;
}

function followingProbe(
  { world }: Session,
  facts: Gathered,
  { plain, secure, resolver, timeout }: Around,
): Fact<FollowingProbe> {
  if ('unknown' in plain) return plain;
  if ('unknown' in secure) return secure;
  return known({
    hostname: plainHostname(facts),
    http: plain.known,
    https: secure.known,
    now: world.now,
    signal: world.interrupted,
    ...(timeout !== undefined && { timeout }),
    isHere: (hostname) => isServedHere(facts, resolver, hostname),
  });
}

/** Returns whether another hostname is in the zone, or resolves only to addresses of the name that customers point to. */
async function isServedHere(facts: Gathered, resolver: Resolver, hostname: string): Promise<boolean> {
  const zone = ifKnown(facts.zone)?.name;
  if (zone !== undefined && isWithin(hostname, zone)) return true;
  const ours = addressList(facts.dns.targetAddresses);
  const found = addressList(await lookUpAddresses(resolver, hostname));
  return found.length > 0 && found.every((address) => ours.includes(address));
}

function plainHostname({ hostname }: Gathered): string {
  return hostname.replace(/^\*\./, '');
}

async function tokenAt(facts: Gathered, probe: Fact<FollowingProbe>): Promise<Fact<TokenAnswer>> {
  const place = tokenPlace(facts);
  if (place === undefined) return edgeGivenUp;
  if ('unknown' in probe) return probe;
  if (place.isReal) return fetchToken(probe.known, place.url);
  const names = [ifKnown(facts.originRecord)?.name, ifKnown(facts.fallback)?.origin, ifKnown(facts.target)];
  const own = new Set(names.filter((name) => name !== undefined));
  return fetchTokenPath(probe.known, place.url, [...own]);
}

const edgeGivenUp = unknown<TokenAnswer>('no token was fetched over HTTP');

/** Fetches the token at the hostname's first IPv6 address that does not belong to the platform. */
async function fetchTokenOverV6(
  { world }: Session,
  info: PlatformInfo,
  facts: Gathered,
): Promise<Fact<TokenAnswer>> {
  const place = tokenPlace(facts);
  if (place === undefined) return edgeGivenUp;
  const [address] = strayV6({ ...facts, ...notProbed });
  if (address === undefined)
    return unknown('the hostname has no IPv6 address that belongs to another server');
  const [http, https] = [connectionPlace(info, address, 80), connectionPlace(info, address, 443)];
  if (http === undefined || https === undefined) return unknown(`edgectl cannot connect to ${address}`);
  const about = { hostname: plainHostname(facts), shownAddress: address, isHere: async () => false };
  return fetchToken({ ...about, http, https, now: world.now, signal: world.interrupted }, place.url);
}

/** Follows the first redirect among the responses, and returns all responses along the way. */
async function readTrail(
  answers: readonly Fact<ProbeAnswer>[],
  probe: Fact<FollowingProbe>,
): Promise<Fact<RedirectTrail>> {
  const sent = answers.map(ifKnown).find((answer) => answer?.location !== undefined && answer.status < 400);
  if (sent === undefined) return unknown('there is no redirect');
  return 'unknown' in probe ? probe : followTrail(probe.known, sent.url);
}

function probeAt(
  { world }: Session,
  hostname: string,
  secure: boolean,
  { edge, timeout }: { readonly edge: Fact<ServerPlace>; readonly timeout: number | undefined },
): Promise<Fact<ProbeAnswer>> {
  if ('unknown' in edge) return Promise.resolve(edge);
  const { address, port } = edge.known;
  const name = hostname.replace(/^\*\./, '');
  const limit = timeout === undefined ? {} : { timeout };
  const { now, interrupted: signal } = world;
  return probeEdge({ hostname: name, address, port, secure, now, signal, ...limit });
}

function findEdge(info: PlatformInfo, facts: Gathered, secure: boolean): Fact<ServerPlace> {
  if (info.sandbox) return sandboxEdge(secure ? info.edgeTlsUrl : info.edgeUrl, secure);
  const here = pointsHere({ ...facts, ...notProbed });
  const found = [
    ...addressList(facts.dns.targetAddresses),
    ...(here ? addressList(facts.dns.addresses) : []),
  ];
  const [address] = found;
  if (address === undefined) return unknown("the edge's address is unknown");
  return known({ address, port: secure ? 443 : 80 });
}

function sandboxEdge(url: string | undefined, secure: boolean): Fact<ServerPlace> {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null) return unknown(`the sandbox does not serve an edge over ${secure ? 'TLS' : 'HTTP'}`);
  const address = parsed.hostname === 'localhost' ? '127.0.0.1' : parsed.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return unknown(`${url} is not an edge address`);
  return known({ address, port: Number(parsed.port) || (secure ? 443 : 80) });
}
