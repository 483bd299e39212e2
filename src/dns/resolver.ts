import pLimit from 'p-limit';
import {
  type Alias,
  type DnsOutcome,
  longestAliasChain,
  nameFault,
  plainName,
  type RecordType,
  type Resolver,
} from '../model/dns/dns.ts';
import { askTcp, askUdp, type DnsExchange } from './exchange.ts';
import { type DnsQuestion, type DnsReply, failed } from './message.ts';
import { parseServer, type ServerAddress } from './server-address.ts';

export interface ResolverOptions {
  /** Server addresses, with a port if it is not 53, in query order. */
  readonly servers: readonly string[];
  /** Cryptographically strong random bytes, for query ids (`World.random`). */
  readonly random: (bytes: number) => Uint8Array;
  /** Milliseconds to wait for one server's answer. */
  readonly timeout?: number;
  /** Number of times to try all servers. */
  readonly rounds?: number;
  /** Maximum number of concurrent queries; each uses a socket. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

interface Asking extends Omit<ResolverOptions, 'servers'> {
  readonly servers: readonly ServerAddress[];
  readonly timeout: number;
  readonly rounds: number;
}

/**
 * Returns a resolver for the given servers. Uses UDP first, TCP if an answer does not fit, and the next server if one fails;
 * follows CNAMEs that a server left unfollowed. Equal concurrent queries are sent once. Refuses an invalid server address with
 * `invalid-input`; without servers every query fails.
 */
export function openResolver(options: ResolverOptions): Resolver {
  const asking: Asking = {
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
    const asked = limit(() => askServers(question, asking)).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
  return { resolve: (name, type) => follow({ name: plainName(name), type }, ask) };
}

/** Follows an alias that the server did not follow, until there is a result. */
async function follow(
  question: DnsQuestion,
  ask: (question: DnsQuestion) => Promise<DnsOutcome>,
): Promise<DnsOutcome> {
  const aliases: Alias[] = [];
  const visited = new Set([question.name]);
  let name = question.name;
  for (;;) {
    const fault = nameFault(name);
    if (fault !== undefined) return failed('bad-name', fault, aliases);
    const outcome = await ask({ name, type: question.type });
    for (const alias of outcome.aliases) {
      aliases.push(alias);
      if (visited.has(alias.target)) return failed('loop', `CNAME loop from ${question.name}`, aliases);
      visited.add(alias.target);
    }
    if (aliases.length > longestAliasChain) {
      return failed('too-long', `more than ${longestAliasChain} CNAMEs from ${question.name}`, aliases);
    }
    const last = outcome.aliases.at(-1);
    const open = outcome.kind === 'nodata' || outcome.kind === 'nxdomain';
    if (last === undefined || !open) return { ...outcome, aliases };
    name = last.target;
  }
}

type Failure = Extract<DnsOutcome, { kind: 'failed' }>;

/** Queries the servers in turn until one answers; servers that did not answer are queried again. */
async function askServers(question: DnsQuestion, asking: Asking): Promise<DnsOutcome> {
  const failures: Failure[] = [];
  let servers = asking.servers;
  for (let round = 0; round < asking.rounds; round += 1) {
    const silent: ServerAddress[] = [];
    for (const server of servers) {
      const outcome = await askServer(question, server, asking);
      if (outcome.kind !== 'failed' || ['loop', 'interrupted'].includes(outcome.why)) return outcome;
      failures.push(outcome);
      if (['timeout', 'malformed'].includes(outcome.why)) silent.push(server);
    }
    servers = silent;
  }
  return summaryOf(failures);
}

/** Returns the failure of a query that no server answered: the most informative one, with the details of all of them. */
function summaryOf(failures: readonly Failure[]): DnsOutcome {
  const telling =
    failures.find((failure) => !['timeout', 'unreachable'].includes(failure.why)) ?? failures[0];
  if (telling === undefined) return failed('unreachable', 'no DNS server is given');
  return { ...telling, detail: [...new Set(failures.map((failure) => failure.detail))].join('; ') };
}

async function askServer(question: DnsQuestion, server: ServerAddress, asking: Asking): Promise<DnsOutcome> {
  const exchange = (edns: boolean): DnsExchange => ({
    server,
    question,
    edns,
    id: randomId(asking.random),
    timeout: asking.timeout,
    signal: asking.signal,
  });
  const first = await askBoth(exchange(true));
  const dislikesEdns = first.kind === 'failed' && /^(?:FORMERR|NOTIMP|BADVERS)/.test(first.detail);
  return dislikesEdns ? askBoth(exchange(false)) : first;
}

/** Queries over UDP, then over TCP if the UDP answer is truncated. A truncated answer is never used. */
async function askBoth(exchange: DnsExchange): Promise<DnsOutcome> {
  const overUdp: DnsReply = await askUdp(exchange);
  if (overUdp.kind !== 'truncated') return overUdp;
  const overTcp = await askTcp(exchange);
  return overTcp.kind === 'truncated' ? failed('malformed', 'the answer is cut off over TCP too') : overTcp;
}

function randomId(random: (bytes: number) => Uint8Array): number {
  const [high = 0, low = 0] = random(2);
  return (high << 8) | low;
}

/** Maximum number of cached answers: many times those of the hostnames in progress and the answers they share. */
const rememberedAnswers = 2048;

/** Returns a resolver that caches the most recently requested answers: for one run, never for a watch. */
export function remembering(resolver: Resolver): Resolver {
  /** Least recently requested first. */
  const answers = new Map<string, Promise<DnsOutcome>>();
  return {
    resolve(name: string, type: RecordType) {
      const key = `${type} ${plainName(name)}`;
      const asked = answers.get(key) ?? resolver.resolve(name, type);
      answers.delete(key);
      answers.set(key, asked);
      const [oldest] = answers.keys();
      if (oldest !== undefined && answers.size > rememberedAnswers) answers.delete(oldest);
      return asked;
    },
  };
}
