import type { Send } from '../../v4/send.ts';
import { changesSomething } from '../../v4/unknown-outcome.ts';
import type { Session } from '../session/session.ts';
import { findPolicyPaths, hasPolicy, type PolicyPaths } from './policy-paths.ts';
import type { RecordedWrites, WriteContext } from './recorded-writes.ts';

/** A `Send` that records writes, and a function that must be called when its session closes. */
export interface GuardedSend {
  readonly send: Send;
  /** Waits until all writes are recorded. */
  close(): Promise<void>;
}

/**
 * Applies the policies to each call to an account, and records each write in the audit log: before the write is sent, and after its answer.
 * Without a policy, nothing is loaded before the first write. Local data and the sandbox of this machine have no policies and no log.
 */
export function guardedSend(send: Send, where: Session['where'], context: WriteContext): GuardedSend {
  if (where.kind !== 'remote') return { send, close: async () => undefined };
  let writes: Promise<RecordedWrites> | undefined;
  let paths: PolicyPaths | undefined;
  const open = async (found: PolicyPaths) =>
    (await import('./recorded-writes.ts')).openRecordedWrites(send, context, found);
  return {
    async send(call) {
      paths ??= findPolicyPaths(context.world);
      if (!changesSomething(call) && !hasPolicy(paths)) return send(call);
      writes ??= open(paths);
      return (await writes).send(call);
    },
    close: async () => (await writes)?.close(),
  };
}
