import { bool, count, object, oneOf, optional, text, texts, time, type ValueOf } from '../shape.ts';
import { callEffects, nouns } from './effect.ts';

/** A request that a guard holds until a person decides, or that a person can approve before the client repeats it. */
export const heldRequest = object({
  number: text('Number of the request, for guard approve'),
  state: oneOf(
    ['waiting', 'refused', 'approved', 'disconnected'],
    'waiting: the program waits for a decision; refused: the request can be approved for one repetition; approved: the request can be repeated once; disconnected: the program closed the connection, so the request was dropped',
  ),
  at: time('When the request arrived'),
  until: time('When this state expires'),
  client: text('Name by which rules identify the program'),
  agent: optional(text('Name that the program sent; not verified')),
  place: text('Profile, environment or sandbox whose credentials the guard uses'),
  effect: oneOf([...callEffects, 'unknown'], 'Effect of the request'),
  method: text('Method of the request'),
  path: text('Path without its query'),
  query: optional(text('Query of the path, with its question mark')),
  source: optional(text('Object that the request copies, as specified in its header')),
  jurisdiction: optional(text('Jurisdiction of the bucket, if the request specifies one')),
  noun: optional(oneOf(nouns, 'Kind of resource')),
  name: optional(text('Name or id of the resource')),
  names: optional(texts('Up to 5 names from the body; the names that a rule asks about come first')),
  count: optional(count('Number of resources, if known')),
  bytes: count('Size of the request body'),
  undoable: bool('Whether undo can restore the data that the request deletes or overwrites'),
  lost: optional(text('Why undo cannot restore the data that the request deletes or overwrites')),
  rules: texts('Names of the rules that require approval'),
  policy: text('The policy that contains the first rule: a file, or built-in'),
  same: text('Matching requests: an approval that lasts until the guard stops covers them too'),
  locked: optional(text('Profile whose passphrase the approver must type')),
  blocked: optional(text('Why requests of this guard can no longer be approved')),
});

export type HeldRequest = ValueOf<typeof heldRequest>;
