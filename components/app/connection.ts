import type { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import { type Services, openServices as servicesOf } from '../../src/services/console/services.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { KnownPlaces } from '../kit/known.ts';
import type { Pulse } from '../kit/pulse.ts';
import { linkSettings } from '../kit/remedy-words.ts';
import type { SessionLabel } from '../kit/session-label.ts';

/** An open session of the console. */
export interface Connection {
  readonly label: SessionLabel;
  readonly services: Services;
  /** The state of the connection to the platform. */
  readonly pulse?: Pulse;
  close(): Promise<void>;
}

/** A connection, and the saved views, bookmarks and visits of its profile and account. */
export interface ConsoleConnection extends Connection {
  readonly memory: ConsoleMemory;
  readonly known: KnownPlaces;
  /** The profile, account and target with which the connection was opened. */
  readonly choice: SessionChoice;
}

/** Returns the services of a session for panes, with error messages worded for the console. */
export function createServices(session: Session): Services {
  return servicesOf(session, linkSettings);
}
