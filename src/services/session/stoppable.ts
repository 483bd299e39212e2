import { interruptibleSend } from './guards.ts';
import type { Session } from './session.ts';

/**
 * Returns a session whose calls and transfers also stop when a signal is aborted. All callers share the request for the account id, so the
 * signal stops only the wait for the response, not the request.
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
 * Calls a function and returns its result. Rejects as soon as the signal is aborted; the function's promise continues, because other callers
 * may share it.
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
