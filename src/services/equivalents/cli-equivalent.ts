import type { Call } from '../../v4/send.ts';
import type { Session } from '../session/session.ts';

/** A command that does the same as an action of the console, and the request that it sends. */
export interface CliEquivalent {
  /** For a menu: `Show its value`. */
  readonly about: string;
  /** Words of the command. */
  readonly words: string;
  /** Values of its flags, by their names; true for one that has none. */
  readonly flags?: Readonly<Record<string, string | true>>;
  readonly args?: readonly string[];
  /** Whether the command has no form for local data. */
  readonly accountOnly?: boolean;
  /** Sends its request; absent if it takes several. */
  readonly send?: (session: Session) => Promise<unknown>;
  /** The file that holds the body of the request. */
  readonly bodyFrom?: string;
  /** Its place in the menu: before or after those without one. */
  readonly place?: 'first' | 'last';
}

/** Stops a service before anything is sent. */
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
      throw new Recorded(call);
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
