import type { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import { type Services, servicesOver as servicesOf } from '../../src/services/console/services.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { KnownPlaces } from '../kit/known.ts';
import type { Pulse } from '../kit/pulse.ts';
import { linkSettings } from '../kit/remedy-words.ts';
import type { SessionLabel } from '../kit/session-label.ts';

/** An open session as the console sees it. */
export interface Connection {
  readonly label: SessionLabel;
  readonly services: Services;
  /** The state of the connection to its platform. */
  readonly pulse?: Pulse;
  close(): Promise<void>;
}

/** A connection, and what the console remembers of its profile and account. */
export interface KeptConnection extends Connection {
  readonly memory: ConsoleMemory;
  readonly known: KnownPlaces;
  /** What it was opened by. */
  readonly choice: SessionChoice;
}

/** The services of panes over a session, with the console's wording. */
export function servicesOver(session: Session): Services {
  return servicesOf(session, linkSettings);
}
