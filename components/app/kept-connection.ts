import type { ConsoleMemory } from '../../src/profiles/console-memory.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { Connection } from '../kit/services.ts';
import type { KnownPlaces } from '../kit/known.ts';

/** A connection, and what the console remembers of its profile and account. */
export interface KeptConnection extends Connection {
  readonly memory: ConsoleMemory;
  readonly known: KnownPlaces;
  /** What it was opened by. */
  readonly choice: SessionChoice;
}
