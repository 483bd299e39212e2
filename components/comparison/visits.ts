import type { Target } from '../../src/model/target.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import type { PaneParts } from '../kit/use-console.ts';

/** A session that is open until it is disposed of, or until its signal ends it. */
interface Visit extends AsyncDisposable {
  readonly session: Session;
}

/** Opens a session of its own on a target, for a listing that comes page by page and may be left at any of them. */
export async function openVisit(
  { tasks }: Pick<PaneParts, 'tasks'>,
  target: Target,
  signal: AbortSignal,
): Promise<Visit> {
  const opened = Promise.withResolvers<Session>();
  const left = Promise.withResolvers<void>();
  const visit = tasks.visit({ target }, (session) => {
    opened.resolve(stoppable(session, signal));
    return left.promise;
  });
  visit.catch(opened.reject);
  const session = await opened.promise;
  if (signal.aborted) left.resolve();
  signal.addEventListener('abort', () => left.resolve(), { once: true });
  return {
    session,
    async [Symbol.asyncDispose]() {
      left.resolve();
      await visit;
    },
  };
}
