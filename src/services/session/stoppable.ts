import { interruptibleSend } from './guards.ts';
import type { Session } from './session.ts';

/** The session whose calls and transfers end with a signal too. */
export function stoppable(session: Session, signal: AbortSignal): Session {
  const interrupted = AbortSignal.any([session.world.interrupted, signal]);
  return {
    ...session,
    world: { ...session.world, interrupted },
    send: interruptibleSend(session.send, interrupted),
  };
}
