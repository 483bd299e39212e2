import type { Call } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';

/** A command that does the same as a console action, and the request that it sends. */
export interface CliEquivalent {
  /** Label in a menu: `Show its value`. */
  readonly about: string;
  /** The command without `edgectl`. */
  readonly words: string;
  /** Values of flags by name; true for a flag without a value. */
  readonly flags?: Readonly<Record<string, string | true>>;
  readonly args?: readonly string[];
  /** Whether the command does not support local data. */
  readonly accountOnly?: boolean;
  /** Sends the command's request; absent if the command sends several, or if its request contains a secret. */
  readonly send?: (session: Session) => Promise<unknown>;
  /** The file that holds the body of the request. */
  readonly bodyFrom?: string;
  /** Position in the menu: before or after the items without a position. */
  readonly place?: 'first' | 'last';
}

/** Thrown to stop a service before it sends anything. */
class Recorded extends Error {
  readonly call: Call;

  constructor(call: Call) {
    super('recorded, not sent');
    this.call = call;
  }
}

/** Returns the first request of a command, as the services make it, without sending it; undefined if the command sends several. */
export async function firstRequest(session: Session, { send }: CliEquivalent): Promise<Call | undefined> {
  if (send === undefined) return undefined;
  const recording: Session = {
    ...session,
    async send(call) {
      throw new Recorded(session.jurisdictions?.address(call) ?? call);
    },
  };
  try {
    await send(recording);
  } catch (error) {
    if (error instanceof Recorded) return error.call;
    throw error;
  }
  return undefined;
}
