import { truncate } from '../long-text.ts';
import type { HeldRequest } from './held-shape.ts';
import type { Decided, RequestFacts } from './policy.ts';

/**
 * Answers to a held request. `approve-same` also approves all requests that count as the same (`findSameRequests`) until the guard ends.
 */
export const heldAnswers = ['approve', 'approve-same', 'refuse'] as const;

export type HeldAnswer = (typeof heldAnswers)[number];

/** The reasons why a request that required approval was not sent. */
export const heldRefusals = ['refused', 'unanswered', 'nobody', 'disconnected', 'ended'] as const;

export type HeldRefusal = (typeof heldRefusals)[number];

/** Maximum number of requests that can wait at the same time, per guard and per program, so that one program cannot block all others. */
export const maxWaiting = { guard: 100, program: 50 };

export type WaitLimit = keyof typeof maxWaiting;

/**
 * Returns one string for each rule that asks. Each string identifies the requests that an approval for the guard's whole run covers. The
 * covered requests match the same rule, method, route and query, in the same account, zone, namespace, bucket, jurisdiction and worker,
 * with any names and any number of items. Requests for an unknown route must have the same path, and copies must have the same source. A
 * request is covered only if all of its strings are approved.
 */
export function findSameRequests(
  request: RequestFacts,
  { asking }: Pick<Decided, 'asking'>,
  digest: string | undefined,
): string[] {
  const { method, route, path, account, zone, namespace, bucket, jurisdiction, worker, source } = request;
  const body = isBoundToBody(request) ? [digest] : [];
  const place = [
    account,
    zone,
    namespace,
    bucket,
    jurisdiction,
    worker,
    source,
    findBoundQuery(request),
    body,
  ];
  // Includes the whole rule, because several rules in a file can have the same name.
  return asking.map(({ rule, policy }) => JSON.stringify([policy.path, rule, method, route ?? path, place]));
}

/**
 * Returns whether an approval for the guard's whole run covers only requests with the same body. The body of a request for a credential
 * contains the credential's permissions, and the body of an unknown write can determine its effect.
 */
export function isBoundToBody({ effect, noun }: RequestFacts): boolean {
  const isCredential = noun === 'token' || noun === 'access-key' || noun === 'member';
  return effect === 'unknown' || (isCredential && effect !== 'read');
}

/** Returns the query. For a request that writes a key's value, omits the expiration, which can differ from key to key, as values do. */
function findBoundQuery({ query = '', noun, route }: RequestFacts): string {
  if (noun !== 'key' || route === undefined) return query.replace(/^\?/, '');
  const bound = new URLSearchParams(query);
  bound.delete('expiration');
  bound.delete('expiration_ttl');
  return bound.toString();
}

/** Describes the requests that an approval for the guard's whole run covers. */
export function describeSameRequests(request: RequestFacts, { asking }: Pick<Decided, 'asking'>): string {
  const rules = formatRules({ rules: asking.map(({ rule }) => rule.name) });
  return `waiting and later requests under ${rules}: ${describeCovered(request)}`;
}

function describeCovered(request: RequestFacts): string {
  const { method, route, source, count, listed, bucket, jurisdiction } = request;
  const body = isBoundToBody(request) ? ', with the same body' : '';
  if (route === undefined) return `${formatHeldRequest(request)}${body}`;
  const kind = (['bucket', 'namespace', 'worker', 'zone', 'account'] as const).find(
    (place) => request[place] !== undefined,
  );
  const from = source === undefined ? '' : `, copied from ${quote(source)}`;
  const bound = findBoundQuery(request);
  // Approval of a list with one name also covers longer lists.
  const items = count === 1 && listed?.name === undefined ? 'any name' : 'any names and any number of items';
  const within = kind === undefined ? '' : `, in the same ${kind}`;
  const restricted =
    bucket === undefined || jurisdiction === undefined ? '' : ` of jurisdiction ${quote(jurisdiction)}`;
  return `${method} ${route}${bound && `?${bound}`}, with ${items}${within}${restricted}${from}${body}`;
}

/** Formats the rules that require approval: `rule "deletes"`, `rules "deletes" and "production"`. */
export function formatRules({ rules }: Pick<HeldRequest, 'rules'>): string {
  return `${rules.length === 1 ? 'rule' : 'rules'} ${rules.map((rule) => `"${rule}"`).join(' and ')}`;
}

/** Quotes text that a program chose. Keeps control characters, because each interface shows them in its own way. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Formats the program that sent a request. The name that a program sends proves nothing. */
export function formatProgram({ client, agent }: Pick<HeldRequest, 'client' | 'agent'>): string {
  return agent === undefined ? client : `${client} (calls itself ${quote(agent)})`;
}

/** Maximum number of names in a question. */
const maxNames = 5;

/**
 * Returns the names to show in the question about a request that affects several resources. Takes names in turn from each rule that asks,
 * so that names that do not require approval cannot displace a name that does.
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
  const shown = known.map((one) => quote(truncate(one, 80))).join(', ');
  return known.length === 0 ? undefined : `${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Formats the state of a held request. `refused` is shown as "unanswered": no person answered, and a person can still approve the request.
 */
export function formatState({ state }: Pick<HeldRequest, 'state'>): string {
  return state === 'refused' ? 'unanswered' : state;
}

/** Formats the names that a held request affects; undefined if its path shows them. */
export function formatHiddenNames(request: HeldRequest): string | undefined {
  const { names, name, path } = request;
  return names === undefined && (name === undefined || path.includes(name))
    ? undefined
    : formatAffected(request);
}

/** Formats the effect of a request, as a prefix; empty if its method shows the effect. */
export function formatEffect({ method, effect }: Pick<HeldRequest, 'method' | 'effect'>): string {
  return method === 'DELETE' || effect === 'change' || effect === 'read' ? '' : `${effect}: `;
}

/** Formats a held request: its method, path and query, and the source and the jurisdiction in its headers. */
export function formatHeldRequest({
  method,
  path,
  query = '',
  source,
  jurisdiction,
}: Pick<RequestFacts, 'method' | 'path' | 'query' | 'source' | 'jurisdiction'>): string {
  const from = source === undefined ? '' : `, copied from ${quote(source)}`;
  return `${method} ${path}${query}${from}${jurisdiction === undefined ? '' : `, jurisdiction ${quote(jurisdiction)}`}`;
}

/** The number of a refused request, and the guard's settings for waiting requests. */
interface Waiting {
  readonly number: string;
  /** Milliseconds. */
  readonly waitMs: number;
  /** Whether the guard and its approvals end together with the guarded program. */
  readonly endsWithProgram: boolean;
  /** Whether the request can be approved after it was refused. */
  readonly isRepeatable: boolean;
  /** The limit of waiting requests that the request would have exceeded; undefined if the request waited. */
  readonly tooMany?: WaitLimit | undefined;
}

/** Explains to a client why a request that required approval was not sent. `rule` describes the rule that required approval. */
export function describeHeldRefusal(
  why: HeldRefusal,
  rule: string,
  { number, waitMs, endsWithProgram, isRepeatable, tooMany }: Waiting,
): string {
  const asked = `${rule} requires a person's approval`;
  const approval = `use the console or edgectl guard approve ${number}, then repeat the request`;
  const later = !isRepeatable
    ? 'This request cannot be approved later, because its client did not sign the SHA-256 of the body. Make the client sign the body, or answer while the request waits: open the console, and start the guard with --wait 120.'
    : endsWithProgram
      ? `To approve request ${number} while this program runs, ${approval}. The guard ends with the program: for a single command, open the console and add --wait 120, or use edgectl guard start.`
      : `To approve request ${number} within 10 minutes, ${approval}.`;
  if (why === 'refused') return `${asked}, and request ${number} was refused.`;
  if (why === 'ended') return `${asked}, and the guard is stopping.`;
  if (why === 'disconnected') return `${asked}, and the program closed the connection.`;
  if (why === 'unanswered' && tooMany !== undefined)
    return `${asked}, and ${describeTooMany(tooMany)}, so this request did not wait. ${later}`;
  if (why === 'unanswered') return `${asked}, and nobody answered in ${waitMs / 1000} s. ${later}`;
  return `${asked}, and nobody can be asked: no console is open, and the guard has no terminal for questions. ${later}`;
}

/** Explains that a request could not wait, as a clause: `100 other requests are already waiting`. */
export function describeTooMany(limit: WaitLimit): string {
  return `${maxWaiting[limit]} other requests${limit === 'program' ? ' from this program' : ''} are already waiting`;
}
