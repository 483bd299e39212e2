import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** A change on the platform, with the new state of the resource; undefined if the resource was deleted. */
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
  /** A zone's fallback origin or hold, or hostnames and records changed by a fix. All data about the zone must be reread. */
  | { readonly changed: 'zone'; readonly zoneId: string }
  /** A worker, its secrets or its deployments. The worker must be reread. */
  | { readonly changed: 'worker'; readonly name: string }
  /** A deleted secret of a worker. */
  | { readonly changed: 'secret'; readonly worker: string; readonly name: string }
  | {
      readonly changed: 'object';
      readonly bucket: string;
      readonly key: string;
      readonly entry: ObjectEntry | undefined;
    };

/**
 * Returns whether a change can affect all hostnames in a zone, because it changes the zone (for example its fallback origin) or a DNS
 * record.
 */
export function concernsHostnames(change: Change, zoneId: string): boolean {
  return (change.changed === 'zone' || change.changed === 'record') && change.zoneId === zoneId;
}

/** Distributes changes among panes: a pane announces a change, and panes that show the resource update it. */
export class PaneChanges {
  readonly #listeners = new Set<(change: Change) => void>();

  announce(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Calls a listener for each change, until the returned function is called. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
