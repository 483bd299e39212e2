import { count, object, oneOf, optional, text, texts, time } from '../shape.ts';
import { callEffects, nouns } from './effect.ts';
import { heldRefusals } from './held.ts';
import { decisions } from './policy.ts';

/** The fields of a request in the audit log. */
export const auditedRequest = {
  number: count('Number of the record; outcome records are numbered too'),
  at: time('When the request was decided'),
  user: text('Name of the user on this machine'),
  client: text('edgectl, console, or the program that guard exec started'),
  command: optional(text('Words of the edgectl command')),
  parent: optional(text('Name of the process that started edgectl')),
  place: text('Profile, environment or sandbox that was used'),
  url: optional(text('Base URL of the platform')),
  target: text('production or preview'),
  effect: oneOf(
    [...callEffects, 'unknown'],
    'unknown: a write to a route that is not in the table of routes',
  ),
  method: text('Method of the request'),
  route: optional(text('Route, such as /zones/:zone; absent if unknown')),
  path: optional(text('Path without its query, if the route is unknown')),
  noun: optional(oneOf(nouns, 'Kind of resource')),
  account: optional(text('Id of the account')),
  zone: optional(text('Id of the zone')),
  namespace: optional(text('Id of the namespace')),
  bucket: optional(text('Name of the bucket')),
  worker: optional(text('Name of the worker')),
  hostname: optional(text('Hostname in the body')),
  name: optional(text('Name or id of the resource')),
  names: optional(texts('The first names in the body, if it contains several: up to 100 names and 4 KiB')),
  count: optional(count('Number of resources, if known')),
  decision: oneOf(decisions, 'ask: the request required approval, and was refused without it'),
  rule: text('Name of the rule that decided'),
  rules: optional(texts('Names of all rules that required approval, if several did')),
  policy: text('The policy that contains the rule: a file, or built-in'),
  digest: optional(text('SHA-256 of the policy file')),
  approver: optional(text('Who approved the request, if the rule requires approval')),
  held: optional(text('Number of the held request, if a guard asked for approval')),
  refusal: optional(oneOf(heldRefusals, 'Why a request that required approval was not sent')),
  refusals: optional(
    count(
      'Number of refused requests that this record counts, if a guard refused too many to record each; the other fields describe the last of these requests',
    ),
  ),
};

/** A request in the audit log, with its outcome. */
export const auditEntry = object({
  ...auditedRequest,
  outcome: oneOf(
    ['answered', 'refused', 'unknown'],
    'refused: a policy refused the request, so it was not sent; unknown: no answer, or edgectl was killed',
  ),
  status: optional(count('HTTP status of the answer')),
  requestId: optional(text('Request id of the platform')),
});
