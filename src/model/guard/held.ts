import { count, object, oneOf, optional, text, time, type ValueOf } from '../shape.ts';
import { callEffects, nouns } from './effect.ts';
import type { Decided, RequestFacts } from './policy.ts';

/** A request that a guard holds until a person decides, or that can be approved for a repetition. */
export const heldRequest = object({
  number: text('Number of the request, for guard approve'),
  state: oneOf(
    ['waiting', 'refused', 'approved'],
    'waiting: the program waits; refused: it can be approved for one repetition; approved: it can be repeated once',
  ),
  at: time('When it arrived'),
  until: time('When the state ends'),
  client: text('Name of the program for rules'),
  agent: optional(text('Name that the program sent; not verified')),
  place: text('Profile, environment or sandbox with which the guard acts'),
  effect: oneOf([...callEffects, 'unknown'], 'Effect of the request'),
  method: text('Method of the request'),
  path: text('Path without its query'),
  noun: optional(oneOf(nouns, 'Kind of thing')),
  name: optional(text('Name or id of the thing')),
  count: optional(count('Number of things, if known')),
  bytes: count('Size of its body'),
  rule: text('Name of the rule that asks'),
  policy: text('The policy of that rule: a file, or built-in'),
});

export type HeldRequest = ValueOf<typeof heldRequest>;

/** Answers to a held request. `approve-same` also approves the same requests until the guard ends. */
export const heldAnswers = ['approve', 'approve-same', 'refuse'] as const;

export type HeldAnswer = (typeof heldAnswers)[number];

/** Why a request that required approval was not sent. */
export const heldRefusals = ['refused', 'unanswered', 'nobody', 'disconnected', 'ended'] as const;

export type HeldRefusal = (typeof heldRefusals)[number];

/**
 * Identifies requests that an approval for the guard's run includes: the same rule, method and route, in the same account, zone,
 * namespace, bucket and worker, with any name. Of an unknown route, only the same path.
 */
export function findSameRequests(request: RequestFacts, { rule, policy }: Decided): string {
  const { method, route, path, account, zone, namespace, bucket, worker } = request;
  const place = [account, zone, namespace, bucket, worker];
  return JSON.stringify([policy.path, rule.name, method, route ?? path, place]);
}

/** Describes the requests that an approval for the guard's run includes, for the question. */
export function describeSameRequests({
  method,
  route,
  path,
}: Pick<RequestFacts, 'method' | 'route' | 'path'>) {
  return route === undefined ? `${method} ${path}` : `${method} ${route}, with any name in the same place`;
}

/** Explains to a client why a request that required approval was not sent. `rule` describes the deciding rule. */
export function describeHeldRefusal(
  why: HeldRefusal,
  rule: string,
  { number, waitMs }: { readonly number: string; readonly waitMs: number },
): string {
  const asked = `${rule} requires the approval of a person`;
  const later = `To approve request ${number} within 10 minutes, use the console or edgectl guard approve ${number}, then repeat the request.`;
  if (why === 'refused') return `${asked}, who refused request ${number}.`;
  if (why === 'ended') return `${asked}, and the guard ends.`;
  if (why === 'disconnected') return `${asked}, and the program closed the connection.`;
  if (why === 'unanswered') return `${asked}, and nobody answered in ${waitMs / 1000} s. ${later}`;
  return `${asked}, and nobody can be asked: no console is open, and the guard has no terminal for questions. ${later}`;
}
