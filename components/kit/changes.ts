import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** The present state of something on the platform; undefined if it was deleted. */
export type Change =
  | { readonly changed: 'namespace'; readonly id: string; readonly namespace: Namespace | undefined }
  | {
      readonly changed: 'key';
      readonly namespaceId: string;
      readonly name: string;
      readonly entry: KeyEntry | undefined;
    }
  | { readonly changed: 'bucket'; readonly name: string; readonly bucket: Bucket | undefined }
  | {
      readonly changed: 'hostname';
      readonly zoneId: string;
      readonly id: string;
      readonly row: HostnameRow | undefined;
    }
  | {
      readonly changed: 'record';
      readonly zoneId: string;
      readonly id: string;
      readonly record: ZoneDnsRecord | undefined;
    }
  /** A zone's fallback origin or hold, or several of its hostnames and records by a fix: all of it is read again. */
  | { readonly changed: 'zone'; readonly zoneId: string }
  /** A worker, its secrets or its deployments: it is read again. */
  | { readonly changed: 'worker'; readonly name: string }
  /** A secret that was deleted. */
  | { readonly changed: 'secret'; readonly worker: string; readonly name: string }
  | {
      readonly changed: 'object';
      readonly bucket: string;
      readonly key: string;
      readonly entry: ObjectEntry | undefined;
    };

/** Whether a change concerns all hostnames of a zone: each depends on its fallback origin and on its own DNS records. */
export function concernsHostnames(change: Change, zoneId: string): boolean {
  return (change.changed === 'zone' || change.changed === 'record') && change.zoneId === zoneId;
}

/** Events from one pane to the others: a pane announces its changes, and the lists that show the changed thing follow. */
export class PaneChanges {
  readonly #listeners = new Set<(change: Change) => void>();

  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Listens until the returned function is called. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
