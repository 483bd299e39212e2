import type { Call } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';

/** A command that does the same as an action of the console, with the command's request. */
export interface CliEquivalent {
  /** Label in a menu, for example `Show the value`. */
  readonly about: string;
  /** The command line without `edgectl`. */
  readonly words: string;
  /** Values of flags, by flag name; true for a flag without a value. */
  readonly flags?: Readonly<Record<string, string | true>>;
  readonly args?: readonly string[];
  /** Whether the command does not support local data. */
  readonly accountOnly?: boolean;
  /** Sends the command's request. Absent if the command sends several requests, or if its request contains a secret. */
  readonly send?: (session: Session) => Promise<unknown>;
  /** The file that contains the body of the request. */
  readonly bodyFrom?: string;
  /** Position in the menu: before or after the items that have no position. */
  readonly place?: 'first' | 'last';
}

/** Thrown to stop a service before any request is sent. */
class Recorded extends Error {
  readonly call: Call;

  constructor(call: Call) {
    super('recorded, not sent');
    this.call = call;
  }
}

/**
 * Returns the first request of a command, created by the command's service, without sending it. Returns undefined if the command sends
 * several requests.
 */
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
