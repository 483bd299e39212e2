import type { Bucket } from '../src/model/bucket.ts';
import type { KeyEntry, Namespace } from '../src/model/kv.ts';
import type { ObjectEntry } from '../src/model/object.ts';

/** What a pane shows. A new noun adds its places here and its panes to `panes/registry.ts`. */
export type Place =
  | { readonly pane: 'namespaces' }
  | {
      readonly pane: 'keys';
      readonly namespace: Namespace;
    }
  | {
      readonly pane: 'value';
      readonly namespace: Namespace;
      readonly entry: KeyEntry;
      /** Called with the key as it now is, or undefined when it is gone. */
      readonly changed: (entry: KeyEntry | undefined) => void;
    }
  | { readonly pane: 'buckets' }
  | {
      readonly pane: 'objects';
      readonly bucket: Bucket;
      /** Prefix of keys that ends in a slash; empty for the bucket itself. */
      readonly folder: string;
    }
  | {
      readonly pane: 'preview';
      readonly bucket: Bucket;
      readonly entry: ObjectEntry;
      /** Called with an object of the bucket as it now is, or without an entry when it is gone. */
      readonly changed: (key: string, entry: ObjectEntry | undefined) => void;
    };

/** The word for a place in the header: names from outside, not escaped. */
export function crumbOf(place: Place): string {
  switch (place.pane) {
    case 'namespaces':
      return 'Namespaces';
    case 'keys':
      return place.namespace.title;
    case 'value':
      return place.entry.name;
    case 'buckets':
      return 'Buckets';
    case 'objects':
      return lastPart(place.folder) || place.bucket.name;
    case 'preview':
      return lastPart(place.entry.key);
  }
}

/** The last part of a key, with the slash of a folder. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}
