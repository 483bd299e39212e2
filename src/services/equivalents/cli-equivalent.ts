import type { Call } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';

/** A command that is equivalent to an action of the console, with the request that the command sends. */
export interface CliEquivalent {
  /** Label in the menu, for example `Show the value`. */
  readonly about: string;
  /** The words of the command, without `edgectl`. */
  readonly words: string;
  /** Values of flags, by flag name; true for a flag without a value. */
  readonly flags?: Readonly<Record<string, string | true>>;
  readonly args?: readonly string[];
  /** Whether the command requires an account, and so does not support local data. */
  readonly accountOnly?: boolean;
  /** Runs the service that sends the command's request. Absent if the command sends several requests, or if the request contains a secret. */
  readonly send?: (session: Session) => Promise<unknown>;
  /** Name of the file that contains the body of the request. */
  readonly bodyFrom?: string;
  /** Position in the menu: before or after the items without a position. */
  readonly place?: 'first' | 'last';
}

/** The error that stops a service before the service sends its first request. */
class Recorded extends Error {
  readonly call: Call;

  constructor(call: Call) {
    super('recorded, not sent');
    this.call = call;
  }
}

/**
 * Returns the first request that a command's service would send, without sending it. Returns undefined if the command has no `send`.
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
