import type { PlaceLink } from '../../model/places/link.ts';
import type { LinkWays } from '../../text/instructions/words.ts';
import { examineSession } from '../doctor/examine.ts';
import type { CliEquivalent } from '../equivalents/cli-equivalent.ts';
import { type Equivalent, formatEquivalents } from '../equivalents/equivalents.ts';
import { findPlace } from '../places/find-place.ts';
import { checkAccess, listAccounts } from '../session/account.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { readZoneMenu } from '../zones/choice.ts';
import { type FleetService, fleetService } from './fleet.ts';
import { type HostnameService, hostnameService } from './hostnames.ts';
import { type KvService, kvService } from './kv.ts';
import { type ObjectService, objectService } from './objects.ts';
import { type RecordService, recordService } from './records.ts';
import { type UndoService, undoService } from './undo.ts';
import { type WorkerService, workerService } from './workers.ts';

/** The services that panes use. */
export interface Services {
  readonly places: ReturnType<typeof placeService>;
  readonly kv: KvService;
  /** Formats commands and their requests as shell lines. */
  equivalents?(commands: readonly CliEquivalent[]): Promise<readonly Equivalent[]>;
  /** Custom hostnames. Absent for local data. */
  readonly hostnames?: HostnameService;
  /** Operations on all hostnames of a zone. Absent for local data. */
  readonly fleet?: FleetService;
  readonly objects?: ObjectService;
  /** DNS records. Absent for local data. */
  readonly records?: RecordService;
  /** Workers. Absent for local data. */
  readonly workers?: WorkerService;
  readonly undo?: UndoService;
  /** Accounts and zones. Absent for local data. */
  readonly access?: ReturnType<typeof accessService>;
  readonly doctor?: ReturnType<typeof doctorService>;
}

/** Returns the service that resolves links to panes. The service throws a Problem on failure. */
function placeService(session: Session) {
  return { find: (link: PlaceLink, signal: AbortSignal) => findPlace(stoppable(session, signal), link) };
}

/** Returns the service that runs the checks of `edgectl doctor`, without changing anything. */
function doctorService(session: Session) {
  return { examine: (signal: AbortSignal) => examineSession(stoppable(session, signal)) };
}

/**
 * Returns the operations that list the accounts and zones that a session's credentials can access. The operations throw a Problem on
 * failure.
 */
function accessService(session: Session) {
  return {
    /** Throws if the platform does not respond or rejects the credentials, or if no account is selected. */
    check: (signal: AbortSignal) => checkAccess(stoppable(session, signal)),
    /** Returns the accounts that the credentials can access, and the id of the current account. */
    async accounts(signal: AbortSignal) {
      const until = stoppable(session, signal);
      return { accounts: await listAccounts(until.send), present: await until.accountId() };
    },
    /** Returns the zones that the credentials can access, and the id of the current zone, if any. */
    async zones(signal: AbortSignal) {
      return { ...(await readZoneMenu(stoppable(session, signal))), present: await session.zoneId() };
    },
  };
}

/** Creates the services for a session. */
export function openServices(session: Session, linkWays: LinkWays): Services {
  const undo = undoService(session);
  return {
    undo,
    places: placeService(session),
    kv: kvService(session, undo),
    equivalents: (commands) => formatEquivalents(session, commands),
    doctor: doctorService(session),
    ...(session.where.kind !== 'local' && { access: accessService(session) }),
    objects: objectService(session),
    ...(session.can.holdWorkers && { workers: workerService(session) }),
    ...(session.can.holdHostnames && {
      hostnames: hostnameService(session, linkWays),
      fleet: fleetService(session),
      records: recordService(session),
    }),
  };
}
