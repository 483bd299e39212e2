import type { Call } from './send.ts';

/** The hint after a write that was sent, but whose response did not arrive. */
export const unknownOutcome =
  'The outcome is unknown: check the current state before you try again. A proxy between edgectl and the platform may be at fault.';

/** Returns whether a call changes data, in which case the user must know whether it was executed. */
export function changesSomething({ method, readsOnly }: Pick<Call, 'method' | 'readsOnly'>): boolean {
  return method !== 'GET' && readsOnly !== true;
}
