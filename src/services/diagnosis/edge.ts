import { isIP } from 'node:net';
import {
  type Fact,
  type Facts,
  ifKnown,
  known,
  type ProbeAnswer,
  type TokenAnswer,
  unknown,
} from '../../model/diagnosis/facts.ts';
import { addressList, leadsHere } from '../../model/diagnosis/rules/reading.ts';
import { probeEdge } from '../../probe/probe.ts';
import { fetchToken } from '../../probe/token.ts';
import type { PlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';

/** Where an embedded platform's edge listens. */
interface EdgePort {
  readonly address: string;
  readonly port: number;
}

/** The edge's answers for a hostname, over HTTP and TLS. */
export interface EdgeFacts {
  readonly http: Fact<ProbeAnswer>;
  readonly https: Fact<ProbeAnswer>;
  /** The HTTP token, where one is waited for. */
  readonly token: Fact<TokenAnswer>;
}

/** The facts where the edge was not asked. */
export const notProbed: EdgeFacts = {
  http: unknown('the edge was not asked'),
  https: unknown('the edge was not asked'),
  token: unknown('the edge was not asked'),
};

/**
 * Asks the edge for a hostname as a visitor would. The edge is the sandbox's own, or where the zone's target leads, or
 * where the hostname leads if that is here; a stranger's server is never asked.
 */
export async function probeHostname(
  session: Session,
  info: PlatformInfo,
  facts: Omit<Facts, keyof EdgeFacts>,
): Promise<EdgeFacts> {
  const [plain, secure] = [edgeOf(info, facts, false), edgeOf(info, facts, true)];
  const [http, https, token] = await Promise.all([
    probeAt(session, facts.hostname, false, plain),
    probeAt(session, facts.hostname, true, secure),
    tokenAt(session, facts, plain, secure),
  ]);
  return { http, https, token };
}

/** The URL at which an authority looks for the token of a certificate that waits for it. */
function tokenUrl(facts: Omit<Facts, keyof EdgeFacts>): string | undefined {
  const ssl = ifKnown(facts.record)?.ssl;
  if (ssl === undefined || !['pending_validation', 'pending_expiration'].includes(ssl.status ?? ''))
    return undefined;
  return ssl.validation_records?.find(({ http_url }) => http_url !== undefined)?.http_url;
}

async function tokenAt(
  { world }: Session,
  facts: Omit<Facts, keyof EdgeFacts>,
  http: Fact<EdgePort>,
  https: Fact<EdgePort>,
): Promise<Fact<TokenAnswer>> {
  const url = tokenUrl(facts);
  if (url === undefined) return unknown('no HTTP token is waited for');
  if ('unknown' in http) return http;
  if ('unknown' in https) return https;
  const hostname = facts.hostname.replace(/^\*\./, '');
  const probe = { hostname, http: http.known, https: https.known, now: world.now, signal: world.interrupted };
  return fetchToken(probe, url);
}

function probeAt(
  { world }: Session,
  hostname: string,
  secure: boolean,
  edge: Fact<EdgePort>,
): Promise<Fact<ProbeAnswer>> {
  if ('unknown' in edge) return Promise.resolve(edge);
  const { address, port } = edge.known;
  const name = hostname.replace(/^\*\./, '');
  return probeEdge({ hostname: name, address, port, secure, now: world.now, signal: world.interrupted });
}

function edgeOf(info: PlatformInfo, facts: Omit<Facts, keyof EdgeFacts>, secure: boolean): Fact<EdgePort> {
  if (info.sandbox) return sandboxEdge(secure ? info.edgeTlsUrl : info.edgeUrl, secure);
  const here = leadsHere({ ...facts, ...notProbed });
  const found = [
    ...addressList(facts.dns.targetAddresses),
    ...(here ? addressList(facts.dns.addresses) : []),
  ];
  const [address] = found;
  if (address === undefined) return unknown('no address of the edge is known');
  return known({ address, port: secure ? 443 : 80 });
}

function sandboxEdge(url: string | undefined, secure: boolean): Fact<EdgePort> {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed === null) return unknown(`the sandbox serves no edge over ${secure ? 'TLS' : 'HTTP'}`);
  const address = parsed.hostname === 'localhost' ? '127.0.0.1' : parsed.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return unknown(`${url} is not the address of an edge`);
  return known({ address, port: Number(parsed.port) || (secure ? 443 : 80) });
}
