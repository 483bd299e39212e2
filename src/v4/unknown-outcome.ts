import type { Call } from './send.ts';

/** The hint after a write that was sent but not answered. */
export const unknownOutcome =
  'The outcome is unknown: check it before you try again. A proxy in between may be at fault.';

/** Whether a call changes something, so that it matters whether it was executed. */
export function changesSomething({ method, readsOnly }: Pick<Call, 'method' | 'readsOnly'>): boolean {
  return method !== 'GET' && readsOnly !== true;
}
