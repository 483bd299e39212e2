import { basename } from 'node:path';
import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** What a pane shows. A new noun adds its places here and its panes to `console/registry.tsx`. */
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
    }
  | {
      readonly pane: 'import';
      readonly namespace: Namespace;
      /** Absolute. */
      readonly path: string;
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
    }
  | { readonly pane: 'workers' }
  | { readonly pane: 'worker'; readonly name: string }
  | { readonly pane: 'tasks' }
  | { readonly pane: 'task'; readonly id: string }
  | { readonly pane: 'hostnames' }
  | {
      readonly pane: 'hostname';
      readonly zone: Zone;
      readonly row: HostnameRow;
      /** Milliseconds that the platform's clock is ahead of ours. */
      readonly ahead: number;
    }
  | {
      readonly pane: 'diagnosis';
      readonly zone: Zone;
      readonly hostname: string;
      /** Whether the remedies are to be offered at once. */
      readonly fix: boolean;
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
    case 'import':
      return `Import ${basename(place.path)}`;
    case 'buckets':
      return 'Buckets';
    case 'objects':
      return lastPart(place.folder) || place.bucket.name;
    case 'preview':
      return lastPart(place.entry.key);
    case 'workers':
      return 'Workers';
    case 'worker':
      return place.name;
    case 'tasks':
      return 'Tasks';
    case 'task':
      return 'Details';
    case 'hostnames':
      return 'Hostnames';
    case 'hostname':
      return place.row.record.hostname;
    case 'diagnosis':
      return `Diagnosis of ${place.hostname}`;
  }
}

/** The last part of a key, with the slash of a folder. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}
