import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** Something of the platform's as it now is; undefined when it is gone. */
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
  /** Secrets are told of only when they are gone: nothing can be shown of a new one that its worker does not say. */
  | { readonly changed: 'secret'; readonly worker: string; readonly name: string }
  | {
      readonly changed: 'object';
      readonly bucket: string;
      readonly key: string;
      readonly entry: ObjectEntry | undefined;
    };

/** Events from one pane to the others: whoever changes data tells it, and the lists that show it follow. */
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
