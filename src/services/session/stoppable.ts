import { interruptibleSend } from './guards.ts';
import type { Session } from './session.ts';

/**
 * A session whose calls and transfers also end when a signal fires. All callers share one request for the account, so the
 * signal ends only the wait for it.
 */
export function stoppable(session: Session, signal: AbortSignal): Session {
  const interrupted = AbortSignal.any([session.world.interrupted, signal]);
  return {
    ...session,
    world: { ...session.world, interrupted },
    accountId: () => untilAborted(interrupted, session.accountId),
    send: interruptibleSend(session.send, interrupted),
  };
}

/**
 * Calls a function and returns its result; rejects as soon as the signal aborts, without stopping the operation, which others
 * may share.
 */
async function untilAborted<T>(signal: AbortSignal, make: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([make(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
