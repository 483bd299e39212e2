import type { Call } from './send.ts';

/** The hint after a write that was sent but not answered. */
export const unknownOutcome =
  'Whether it was done is not known: look before you try again. A proxy on the way may be at fault.';

/** Whether a call changes something, so that it matters whether it was executed. */
export function changesSomething({ method, readsOnly }: Pick<Call, 'method' | 'readsOnly'>): boolean {
  return method !== 'GET' && readsOnly !== true;
}
