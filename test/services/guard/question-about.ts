import { type Decided, decide, guardPolicy, type RequestFacts } from '../../../src/model/guard/policy.ts';
import type { HeldQuestion } from '../../../src/services/guard/held.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';

const account = '0123456789abcdef0123456789abcdef';
const namespace = 'fedcba9876543210fedcba9876543210';

/** Returns the path of a key in a namespace. */
export const keyPath = (key: string, within = namespace) =>
  `/accounts/${account}/storage/kv/namespaces/${within}/values/${key}`;

/** Returns the facts about a delete request, and the decision of a guard's built-in policy, which is to ask. */
export function asksAbout(
  path: string,
  { target = 'production' }: { readonly target?: string } = {},
): { readonly facts: RequestFacts; readonly decided: Decided } {
  const facts = readRequestFacts({ method: 'DELETE', path }, { target, client: 'test' });
  return { facts, decided: decide({ deciding: [guardPolicy] }, facts) };
}

/** Returns a question about the deletion of a key. */
export function questionAbout(
  key: string,
  { within, ...other }: { readonly within?: string; readonly target?: string; readonly place?: string } = {},
): HeldQuestion {
  const path = keyPath(key, within);
  return {
    ...asksAbout(path, other),
    path,
    headers: {},
    digest: key,
    bytes: 0,
    start: new Uint8Array(),
    agent: undefined,
    undoable: false,
    place: other.place,
  };
}
