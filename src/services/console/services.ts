import type { KeyEntry, Namespace } from '../../model/kv/kv.ts';
import type { PlaceLink } from '../../model/places/link.ts';
import type { Progress } from '../../model/progress.ts';
import type { LinkWays } from '../../text/instructions/words.ts';
import { type Examination, examineSession } from '../doctor/examine.ts';
import type { Act } from '../equivalents/act.ts';
import { type Equivalent, equivalentsOf } from '../equivalents/equivalents.ts';
import { type CheckedImport, type ComparedImport, previewImport } from '../kv/bulk/import.ts';
import { type KeyChange, readKey, type WholeKey, type Written, writeKey } from '../kv/key-change.ts';
import * as kv from '../kv/kv.ts';
import { bindingsOf, bindingWords } from '../kv/namespace-delete.ts';
import * as namespaces from '../kv/namespaces.ts';
import { type FoundPlace, findPlace } from '../places/find-place.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { removeKeyKeeping, writeKeyKeeping } from '../undo/values.ts';
import { type AccessService, accessOver } from './access.ts';
import { type FleetService, fleetOver } from './fleet.ts';
import { type HostnameService, hostnamesOver } from './hostnames.ts';
import { type ObjectService, objectsOver } from './objects.ts';
import { type RecordService, recordsOver } from './records.ts';
import { type UndoService, undoOver } from './undo.ts';
import { type WorkerService, workersOver } from './workers.ts';

/** Key-value data for panes: `src/services/kv/` over one session. All refuse with a Problem. */
export interface KvService {
  listNamespaces(signal: AbortSignal): AsyncGenerator<Namespace[]>;
  createNamespace(title: string, signal: AbortSignal): Promise<Namespace>;
  renameNamespace(id: string, title: string, signal: AbortSignal): Promise<void>;
  deleteNamespace(id: string, signal: AbortSignal): Promise<void>;
  /** The entries of the configuration that name a namespace, in words. Never refuses. */
  bindingsOf(namespaceId: string): Promise<readonly string[]>;
  listKeys(
    namespaceId: string,
    options: { prefix: string; limit: number; signal: AbortSignal },
  ): AsyncGenerator<KeyEntry[]>;
  readKey(namespaceId: string, key: string, signal: AbortSignal): Promise<WholeKey | undefined>;
  /** The first `length` bytes of a value and no more. */
  readValueStart(
    namespaceId: string,
    key: string,
    length: number,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean } | undefined>;
  /** `kept` tells whether the journal has what it replaced. */
  writeKey(
    namespaceId: string,
    change: KeyChange,
    signal: AbortSignal,
  ): Promise<{ readonly written: Written; readonly kept: boolean }>;
  /** Whether the journal has what it took away. */
  removeKey(namespaceId: string, key: string, signal: AbortSignal): Promise<boolean>;
  /** Compares a file with the namespace and changes nothing: `src/services/kv/bulk/import.ts`. */
  previewImport(
    namespaceId: string,
    path: string,
    options: { readonly signal: AbortSignal; progress(progress: Progress): void },
  ): AsyncGenerator<CheckedImport | ComparedImport>;
}

/** Finds what links name. Refuses with a Problem. */
export interface PlaceService {
  find(link: PlaceLink, signal: AbortSignal): Promise<FoundPlace>;
}

/** Looks at all that a session needs; changes nothing. */
export interface DoctorService {
  examine(signal: AbortSignal): Promise<Examination>;
}

/** Everything that panes act through. A new noun adds a field. */
export interface Services {
  readonly places: PlaceService;
  readonly kv: KvService;
  /** Acts as lines for a shell. */
  equivalents?(acts: readonly Act[]): Promise<readonly Equivalent[]>;
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
  readonly doctor?: DoctorService;
}

/** The real services over a session. */
export function servicesOver(session: Session, linkWays: LinkWays): Services {
  const undo = undoOver(session);
  return {
    undo,
    places: { find: (link, signal) => findPlace(stoppable(session, signal), link) },
    kv: {
      listNamespaces: (signal) => namespaces.listTargetNamespaces(stoppable(session, signal)),
      createNamespace: (title, signal) => namespaces.createNamespace(stoppable(session, signal), title),
      renameNamespace: (id, title, signal) =>
        namespaces.renameNamespace(stoppable(session, signal), id, title),
      deleteNamespace: (id, signal) => namespaces.deleteNamespace(stoppable(session, signal), id),
      // Local data are there as soon as they are written to: what is bound to them stays right.
      bindingsOf: async (id) =>
        session.can.listNamespaces ? (await bindingsOf(session, id)).map(bindingWords) : [],
      listKeys: (namespaceId, options) => kv.listKeys(session, namespaceId, options),
      readKey: (namespaceId, key, signal) => readKey(session, namespaceId, key, signal),
      readValueStart: (namespaceId, key, length, signal) =>
        kv.readValueStart(session, namespaceId, key, length, signal),
      async writeKey(namespaceId, change, signal) {
        const until = stoppable(session, signal);
        if (!undo.keeps) return { written: await writeKey(until, namespaceId, change), kept: false };
        const { written, entry } = await writeKeyKeeping(until, namespaceId, change);
        return { written, kept: entry !== undefined };
      },
      async removeKey(namespaceId, key, signal) {
        const until = stoppable(session, signal);
        if (undo.keeps) return (await removeKeyKeeping(until, namespaceId, key)).entry !== undefined;
        await kv.removeKey(until, namespaceId, key);
        return false;
      },
      previewImport: (namespaceId, path, options) => previewImport(session, namespaceId, path, options),
    },
    equivalents: (acts) => equivalentsOf(session, acts),
    doctor: { examine: (signal) => examineSession(stoppable(session, signal)) },
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
