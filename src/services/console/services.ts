import type { PlaceLink } from '../../model/places/link.ts';
import type { LinkWays } from '../../text/instructions/words.ts';
import { examineSession } from '../doctor/examine.ts';
import type { CliEquivalent } from '../equivalents/cli-equivalent.ts';
import { type Equivalent, formatEquivalents } from '../equivalents/equivalents.ts';
import { findPlace } from '../places/find-place.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { type AccessService, accessOver } from './access.ts';
import { type FleetService, fleetOver } from './fleet.ts';
import { type HostnameService, hostnamesOver } from './hostnames.ts';
import { type KvService, kvOver } from './kv.ts';
import { type ObjectService, objectsOver } from './objects.ts';
import { type RecordService, recordsOver } from './records.ts';
import { type UndoService, undoOver } from './undo.ts';
import { type WorkerService, workersOver } from './workers.ts';

/** Everything that panes act through. A new noun adds a field. */
export interface Services {
  readonly places: ReturnType<typeof placesOver>;
  readonly kv: KvService;
  /** Commands as lines for a shell. */
  equivalents?(commands: readonly CliEquivalent[]): Promise<readonly Equivalent[]>;
  /** Local data have none. */
  readonly hostnames?: HostnameService;
  /** As `hostnames`. */
  readonly fleet?: FleetService;
  readonly objects?: ObjectService;
  /** As `hostnames`. */
  readonly records?: RecordService;
  /** Local data have none. */
  readonly workers?: WorkerService;
  readonly undo?: UndoService;
  /** Local data have none. */
  readonly access?: AccessService;
  readonly doctor?: ReturnType<typeof doctorOver>;
}

/** Finds what links name. Refuses with a Problem. */
function placesOver(session: Session) {
  return { find: (link: PlaceLink, signal: AbortSignal) => findPlace(stoppable(session, signal), link) };
}

/** Looks at all that a session needs; changes nothing. */
function doctorOver(session: Session) {
  return { examine: (signal: AbortSignal) => examineSession(stoppable(session, signal)) };
}

/** The real services over a session. */
export function servicesOver(session: Session, linkWays: LinkWays): Services {
  const undo = undoOver(session);
  return {
    undo,
    places: placesOver(session),
    kv: kvOver(session, undo),
    equivalents: (commands) => formatEquivalents(session, commands),
    doctor: doctorOver(session),
    ...(session.where.kind !== 'local' && { access: accessOver(session) }),
    objects: objectsOver(session),
    ...(session.can.holdWorkers && { workers: workersOver(session) }),
    ...(session.can.holdHostnames && {
      hostnames: hostnamesOver(session, linkWays),
      fleet: fleetOver(session),
      records: recordsOver(session),
    }),
  };
}
