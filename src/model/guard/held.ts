import { truncate } from '../long-text.ts';
import type { HeldRequest } from './held-shape.ts';
import type { Decided, RequestFacts } from './policy.ts';

/** Answers to a held request. `approve-same` also approves all identical requests until the guard stops. */
export const heldAnswers = ['approve', 'approve-same', 'refuse'] as const;

export type HeldAnswer = (typeof heldAnswers)[number];

/** Why a request that required approval was not sent. */
export const heldRefusals = ['refused', 'unanswered', 'nobody', 'disconnected', 'ended'] as const;

export type HeldRefusal = (typeof heldRefusals)[number];

/**
 * Identifies the requests that an approval for the guard's whole run covers, once for each rule that asks. The covered requests match the
 * same rule, method, route and query, in the same account, zone, namespace, bucket, jurisdiction and worker, with any name. Requests of an unknown
 * route must have the same path, and copies must have the same source. A request is covered if it is covered for each rule that asks.
 */
export function findSameRequests(request: RequestFacts, { asking }: Pick<Decided, 'asking'>): string[] {
  const { method, route, path, query, account, zone, namespace, bucket, jurisdiction, worker, source } =
    request;
  const place = [account, zone, namespace, bucket, jurisdiction, worker, source, findBoundQuery(query)];
  // The name of a rule is not enough: rules of a file can have the same name.
  return asking.map(({ rule, policy }) => JSON.stringify([policy.path, rule, method, route ?? path, place]));
}

/** Returns the query without the times at which a key expires: like the values in the body, they differ from key to key. */
function findBoundQuery(query = ''): string {
  const bound = new URLSearchParams(query);
  bound.delete('expiration');
  bound.delete('expiration_ttl');
  return bound.toString();
}

/** Describes, for the question, the requests that an approval for the guard's whole run covers. */
export function describeSameRequests(request: RequestFacts): string {
  const { method, route, query, source, count } = request;
  if (route === undefined) return formatHeldRequest(request);
  const kind = (['bucket', 'namespace', 'worker', 'zone', 'account'] as const).find(
    (place) => request[place] !== undefined,
  );
  const from = source === undefined ? '' : `, copied from ${source}`;
  const bound = findBoundQuery(query);
  return `${method} ${route}${bound && `?${bound}`}, ${count === 1 ? 'with any name' : 'with any number of items'}${kind === undefined ? '' : ` in the same ${kind}`}${from}`;
}

/** Maximum number of names in a question. */
const maxNames = 5;

/**
 * Returns the names to show in the question about a request that affects several, in turn for each rule that asks: a name for which approval
 * is required must not be hidden by names that need none.
 */
export function listShownNames({ listed }: RequestFacts, { asking }: Pick<Decided, 'asking'>): string[] {
  const all = new Set(listed?.name);
  const shown = new Set<string>();
  for (let turn = 0; turn < maxNames; turn += 1)
    for (const { names } of asking) {
      const name = names[turn];
      if (name !== undefined && all.has(name)) shown.add(name);
    }
  return [...new Set([...shown, ...all])].slice(0, maxNames);
}

/** Formats the number of resources that a held request affects; undefined if the request affects one. */
export function formatItems({ count }: Pick<HeldRequest, 'count'>): string | undefined {
  if (count === undefined) return 'unknown number of items';
  if (count === 1) return undefined;
  return count === 0 ? 'no items' : `${count.toLocaleString('en')} items`;
}

/** Formats the names that a held request affects: `"a", "b" and 98 more`; undefined if they are unknown. */
export function formatAffected({ name, names, count }: HeldRequest): string | undefined {
  const known = names ?? (name === undefined ? [] : [name]);
  const more = (count ?? known.length) - known.length;
  const shown = known.map((one) => JSON.stringify(truncate(one, 80))).join(', ');
  return known.length === 0 ? undefined : `${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats what a held request sends: its method, path and query, and the source and the jurisdiction in its headers. */
export function formatHeldRequest({
  method,
  path,
  query = '',
  source,
  jurisdiction,
}: Pick<RequestFacts, 'method' | 'path' | 'query' | 'source' | 'jurisdiction'>): string {
  const from = source === undefined ? '' : `, copied from ${source}`;
  return `${method} ${path}${query}${from}${jurisdiction === undefined ? '' : `, jurisdiction ${jurisdiction}`}`;
}

/** The number of a refused request, and how its guard waits. */
interface Waiting {
  readonly number: string;
  /** Milliseconds. */
  readonly waitMs: number;
  /** Whether the guard, with its approvals, ends with the program that it runs. */
  readonly endsWithProgram: boolean;
}

/** Explains to a client why a request that required approval was not sent. `rule` describes the rule that required approval. */
export function describeHeldRefusal(
  why: HeldRefusal,
  rule: string,
  { number, waitMs, endsWithProgram }: Waiting,
): string {
  const asked = `${rule} requires the approval of a person`;
  const approval = `use the console or edgectl guard approve ${number}, then repeat the request`;
  const later = endsWithProgram
    ? `To approve request ${number} while this program runs, ${approval}. The guard ends with the program: for a single command, open the console and add --wait 120, or use edgectl guard start.`
    : `To approve request ${number} within 10 minutes, ${approval}.`;
  if (why === 'refused') return `${asked}, who refused request ${number}.`;
  if (why === 'ended') return `${asked}, and the guard is stopping.`;
  if (why === 'disconnected') return `${asked}, and the program closed the connection.`;
  if (why === 'unanswered') return `${asked}, and nobody answered in ${waitMs / 1000} s. ${later}`;
  return `${asked}, and nobody can be asked: no console is open, and the guard has no terminal for questions. ${later}`;
}
