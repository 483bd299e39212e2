import type { KeyEntry } from '../../model/kv/kv.ts';
import type { Progress } from '../../model/progress.ts';
import { previewImport } from '../kv/bulk/import.ts';
import { type KeyChange, readKey, writeKey } from '../kv/key-change.ts';
import * as kv from '../kv/kv.ts';
import { describeBinding, findBindings } from '../kv/namespace-delete.ts';
import * as namespaces from '../kv/namespaces.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { removeKeyWithUndo, writeKeyWithUndo } from '../undo/values.ts';
import type { UndoService } from './undo.ts';

export type KvService = ReturnType<typeof kvService>;

/** Returns the operations on key-value data that panes use, bound to one session. The operations throw a Problem on failure. */
export function kvService(session: Session, undo: Pick<UndoService, 'keeps'>) {
  const until = (signal: AbortSignal) => stoppable(session, signal);
  return {
    listNamespaces: (signal: AbortSignal) => namespaces.listTargetNamespaces(until(signal)),
    createNamespace: (title: string, jurisdiction: string | undefined, signal: AbortSignal) =>
      namespaces.createNamespace(until(signal), title, jurisdiction),
    renameNamespace: (id: string, title: string, signal: AbortSignal) =>
      namespaces.renameNamespace(until(signal), id, title),
    deleteNamespace: (id: string, signal: AbortSignal) => namespaces.deleteNamespace(until(signal), id),
    /** Describes the bindings of a namespace in the configuration. Never throws. */
    listBindings: async (id: string): Promise<readonly string[]> =>
      // Local data is created by the first write, so bindings remain valid after a local namespace is deleted.
      session.can.listNamespaces ? (await findBindings(session, id)).map(describeBinding) : [],
    listKeys: (
      namespaceId: string,
      options: { prefix: string; limit: number; signal: AbortSignal },
    ): AsyncGenerator<KeyEntry[]> => kv.listKeys(session, namespaceId, options),
    readKey: (namespaceId: string, key: string, signal: AbortSignal) =>
      readKey(session, namespaceId, key, signal),
    /** Reads the first `length` bytes of a value. */
    readValueStart: (namespaceId: string, key: string, length: number, signal: AbortSignal) =>
      kv.readValueStart(session, namespaceId, key, length, signal),
    /** Writes a key. `canUndo`: whether the undo journal contains the replaced value. */
    async writeKey(namespaceId: string, change: KeyChange, signal: AbortSignal) {
      if (!undo.keeps) return { written: await writeKey(until(signal), namespaceId, change), canUndo: false };
      const { written, entry } = await writeKeyWithUndo(until(signal), namespaceId, change);
      return { written, canUndo: entry !== undefined };
    },
    /** Deletes a key. Returns whether the undo journal contains the deleted value. */
    async removeKey(namespaceId: string, key: string, signal: AbortSignal) {
      if (undo.keeps) return (await removeKeyWithUndo(until(signal), namespaceId, key)).entry !== undefined;
      await kv.removeKey(until(signal), namespaceId, key);
      return false;
    },
    /** Compares a file with the namespace, without changing anything (see `src/services/kv/bulk/import.ts`). */
    previewImport: (
      namespaceId: string,
      path: string,
      options: { readonly signal: AbortSignal; progress(progress: Progress): void },
    ) => previewImport(session, namespaceId, path, options),
  };
}
