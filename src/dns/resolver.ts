import pLimit from 'p-limit';
import {
  type Alias,
  type DnsOutcome,
  maxAliasChain,
  nameFault,
  plainName,
  type RecordType,
  type Resolver,
} from '../model/dns/dns.ts';
import { type DnsExchange, queryTcp, queryUdp } from './exchange.ts';
import { type DnsQuestion, type DnsReply, failedOutcome } from './message.ts';
import { parseServer, type ServerAddress } from './server-address.ts';

export interface ResolverOptions {
  /** Server addresses in the order in which they are queried, with a port unless it is 53. */
  readonly servers: readonly string[];
  /** Returns cryptographically strong random bytes, for query ids (`World.random`). */
  readonly random: (bytes: number) => Uint8Array;
  /** Milliseconds to wait for a server's response (default: 2,000). */
  readonly timeout?: number;
  /** Number of rounds (default: 2). The first round tries all servers, later rounds only servers that did not send a valid response. */
  readonly rounds?: number;
  /** Maximum number of concurrent queries (default: 64). Each query uses a socket. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

interface QueryContext extends Omit<ResolverOptions, 'servers'> {
  readonly servers: readonly ServerAddress[];
  readonly timeout: number;
  readonly rounds: number;
}

/**
 * Returns a resolver for the given servers. The resolver uses UDP first, TCP if a response does not fit in a UDP packet, and the next server
 * if a server fails. The resolver follows CNAMEs that a server did not follow, and sends identical concurrent queries only once. Throws
 * `invalid-input` for an invalid server address. If there are no servers, every query fails.
 */
export function openResolver(options: ResolverOptions): Resolver {
  const asking: QueryContext = {
    ...options,
    servers: options.servers.map(parseServer),
    timeout: options.timeout ?? 2000,
    rounds: options.rounds ?? 2,
  };
  const limit = pLimit(options.concurrency ?? 64);
  const underWay = new Map<string, Promise<DnsOutcome>>();
  const ask = (question: DnsQuestion): Promise<DnsOutcome> => {
    const key = `${question.type} ${question.name}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const asked = limit(() => queryServers(question, asking)).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
  return { resolve: (name, type) => followAlias({ name: plainName(name), type }, ask) };
}

/** Queries a name. If the server returns only aliases, also queries the target of the last alias, until there is a result. */
async function followAlias(
  question: DnsQuestion,
  ask: (question: DnsQuestion) => Promise<DnsOutcome>,
): Promise<DnsOutcome> {
  const aliases: Alias[] = [];
  const visited = new Set([question.name]);
  let name = question.name;
  for (;;) {
    const fault = nameFault(name);
    if (fault !== undefined) return failedOutcome('bad-name', fault, aliases);
    const outcome = await ask({ name, type: question.type });
    for (const alias of outcome.aliases) {
      aliases.push(alias);
      if (visited.has(alias.target))
        return failedOutcome('loop', `CNAME loop from ${question.name}`, aliases);
      visited.add(alias.target);
    }
    if (aliases.length > maxAliasChain) {
      return failedOutcome('too-long', `more than ${maxAliasChain} CNAMEs from ${question.name}`, aliases);
    }
    const last = outcome.aliases.at(-1);
    const open = outcome.kind === 'nodata' || outcome.kind === 'nxdomain';
    if (last === undefined || !open) return { ...outcome, aliases };
    name = last.target;
  }
}

type Failure = Extract<DnsOutcome, { kind: 'failed' }>;

/** Queries the servers in turn until one responds. In the next round, retries only the servers that did not send a valid response. */
async function queryServers(question: DnsQuestion, asking: QueryContext): Promise<DnsOutcome> {
  const failures: Failure[] = [];
  let servers = asking.servers;
  for (let round = 0; round < asking.rounds; round += 1) {
    const silent: ServerAddress[] = [];
    for (const server of servers) {
      const outcome = await queryServer(question, server, asking);
      if (outcome.kind !== 'failed' || ['loop', 'interrupted'].includes(outcome.why)) return outcome;
      failures.push(outcome);
      if (['timeout', 'malformed'].includes(outcome.why)) silent.push(server);
    }
    servers = silent;
  }
  return summarizeFailures(failures);
}

/** Returns the outcome of a query that failed at all servers: the most informative failure, with the details of all failures. */
function summarizeFailures(failures: readonly Failure[]): DnsOutcome {
  const telling =
    failures.find((failure) => !['timeout', 'unreachable'].includes(failure.why)) ?? failures[0];
  if (telling === undefined) return failedOutcome('unreachable', 'no DNS server is configured');
  return { ...telling, detail: [...new Set(failures.map((failure) => failure.detail))].join('; ') };
}

async function queryServer(
  question: DnsQuestion,
  server: ServerAddress,
  asking: QueryContext,
): Promise<DnsOutcome> {
  const exchange = (edns: boolean): DnsExchange => ({
    server,
    question,
    edns,
    id: randomId(asking.random),
    timeout: asking.timeout,
    signal: asking.signal,
  });
  const first = await queryWithTcpFallback(exchange(true));
  const dislikesEdns = first.kind === 'failed' && /^(?:FORMERR|NOTIMP|BADVERS)/.test(first.detail);
  return dislikesEdns ? queryWithTcpFallback(exchange(false)) : first;
}

/** Queries over UDP, then over TCP if the response over UDP is truncated. Never uses a truncated response. */
async function queryWithTcpFallback(exchange: DnsExchange): Promise<DnsOutcome> {
  const overUdp: DnsReply = await queryUdp(exchange);
  if (overUdp.kind !== 'truncated') return overUdp;
  const overTcp = await queryTcp(exchange);
  return overTcp.kind === 'truncated'
    ? failedOutcome('malformed', 'the response is also truncated over TCP')
    : overTcp;
}

function randomId(random: (bytes: number) => Uint8Array): number {
  const [high = 0, low = 0] = random(2);
  return (high << 8) | low;
}

/** Maximum number of cached outcomes. This is far more than the hostnames being diagnosed at the same time need. */
const maxCachedAnswers = 2048;

/**
 * Returns a resolver that caches the most recently requested outcomes. Cached outcomes do not expire, so use this resolver for a single run,
 * never for a watch.
 */
export function cachingResolver(resolver: Resolver): Resolver {
  /** Cached outcomes, least recently requested first. */
  const answers = new Map<string, Promise<DnsOutcome>>();
  return {
    resolve(name: string, type: RecordType) {
      const key = `${type} ${plainName(name)}`;
      const asked = answers.get(key) ?? resolver.resolve(name, type);
      answers.delete(key);
      answers.set(key, asked);
      const [oldest] = answers.keys();
      if (oldest !== undefined && answers.size > maxCachedAnswers) answers.delete(oldest);
      return asked;
    },
  };
}
