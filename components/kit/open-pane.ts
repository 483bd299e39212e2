import { basename } from 'node:path';
import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { Target } from '../../src/model/target.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** The other side of a comparison: where the other keys are. */
export interface OtherSide {
  readonly namespace: Namespace;
  /** If omitted, the place where the console acts. */
  readonly target?: Target;
  /** In words, escaped: `its preview namespace api_preview`. */
  readonly words: string;
}

/** A pane that is open, and what it shows. A new noun adds its panes here and to `console/registry.tsx`. */
export type OpenPane =
  | { readonly pane: 'home' }
  | { readonly pane: 'namespaces' }
  | {
      readonly pane: 'keys';
      readonly namespace: Namespace;
      /** Prefix of the first request (default: all keys). */
      readonly prefix?: string;
    }
  | {
      readonly pane: 'value';
      readonly namespace: Namespace;
      readonly entry: KeyEntry;
    }
  /** A key next to the key of the same name elsewhere. */
  | {
      readonly pane: 'comparison';
      readonly namespace: Namespace;
      readonly key: string;
      /** If omitted, the user is asked. */
      readonly other?: OtherSide;
    }
  /** The keys that are not the same in two namespaces. */
  | { readonly pane: 'differences'; readonly namespace: Namespace; readonly other: OtherSide }
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
  | { readonly pane: 'logs'; readonly worker: string }
  | { readonly pane: 'tasks' }
  | { readonly pane: 'messages' }
  | { readonly pane: 'doctor' }
  | { readonly pane: 'undo' }
  | { readonly pane: 'task'; readonly id: string }
  | { readonly pane: 'hostnames' }
  | {
      readonly pane: 'hostname';
      readonly zone: Zone;
      readonly row: HostnameRow;
      /** Milliseconds that the platform's clock is ahead of ours. */
      readonly ahead: number;
    }
  /** What a task has found of marked hostnames. */
  | { readonly pane: 'diagnoses'; readonly zone: Zone; readonly id: string }
  /** The renewals of the certificates of a zone. */
  | { readonly pane: 'forecast'; readonly zone: Zone }
  /** The zone's own DNS records. */
  | { readonly pane: 'records'; readonly zone: Zone }
  /** What a file would make of the hostnames of a zone. */
  | {
      readonly pane: 'plan';
      readonly zone: Zone;
      /** The task that plans. */
      readonly id: string;
      /** Absolute. */
      readonly path: string;
      /** Whether what the file does not name is deleted. */
      readonly prune: boolean;
      /** The most that it may delete. */
      readonly limit?: number | undefined;
    }
  /** What its customer has to enter. */
  | { readonly pane: 'instructions'; readonly zone: Zone; readonly record: CustomHostname }
  | {
      readonly pane: 'diagnosis';
      readonly zone: Zone;
      readonly hostname: string;
      /** Whether the fixes are offered immediately. */
      readonly fix: boolean;
    };

/** Panes of an area, one above the other. */
export type OpenPanes = readonly [OpenPane, ...OpenPane[]];

/** The word for an open pane in the header: names from outside, not escaped. */
export function breadcrumbOf(opened: OpenPane): string {
  switch (opened.pane) {
    case 'home':
      return 'Home';
    case 'namespaces':
      return 'Namespaces';
    case 'keys':
      return opened.namespace.title;
    case 'value':
      return opened.entry.name;
    case 'comparison':
      return `Comparison of ${opened.key}`;
    case 'differences':
      return 'Differences';
    case 'import':
      return `Import ${basename(opened.path)}`;
    case 'buckets':
      return 'Buckets';
    case 'objects':
      return lastPart(opened.folder) || opened.bucket.name;
    case 'preview':
      return lastPart(opened.entry.key);
    case 'workers':
      return 'Workers';
    case 'worker':
      return opened.name;
    case 'logs':
      return `Logs of ${opened.worker}`;
    case 'tasks':
      return 'Tasks';
    case 'undo':
      return 'Undo';
    case 'messages':
      return 'Messages';
    case 'doctor':
      return 'Doctor';
    case 'task':
      return 'Details';
    case 'hostnames':
      return 'Hostnames';
    case 'hostname':
      return opened.row.record.hostname;
    case 'diagnoses':
      return 'Diagnoses';
    case 'forecast':
      return 'Renewals';
    case 'records':
      return 'DNS records';
    case 'plan':
      return `Plan ${basename(opened.path)}`;
    case 'instructions':
      return `Instructions of ${opened.record.hostname}`;
    case 'diagnosis':
      return `Diagnosis of ${opened.hostname}`;
  }
}

/** The words for panes one above the other, not escaped: none says a name that stands right before it. */
export function breadcrumbsOf(panes: readonly OpenPane[]): readonly string[] {
  const whole = panes.map(breadcrumbOf);
  return whole.map((words, index) => {
    const behind = ` of ${whole[index - 1]}`;
    return index > 0 && words.endsWith(behind) ? words.slice(0, -behind.length) : words;
  });
}

/** The last part of a key, with the slash of a folder. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}
