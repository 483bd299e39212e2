import type { HeldQuestion } from '../../../src/services/guard/held.ts';

/** A question about a delete of a zone by terraform. */
export const question: HeldQuestion = {
  facts: {
    client: 'terraform',
    effect: 'destroy',
    method: 'DELETE',
    path: '/zones/0123456789abcdef0123456789abcdef',
    target: 'production',
  } as HeldQuestion['facts'],
  decided: {
    decision: 'ask',
    rule: { name: 'deletes' },
    policy: { source: 'built-in' },
  } as HeldQuestion['decided'],
  path: '/zones/0123456789abcdef0123456789abcdef',
  digest: undefined,
  bytes: 0,
  start: new Uint8Array(),
  agent: undefined,
  undoable: false,
};
