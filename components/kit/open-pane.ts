import { basename } from 'node:path';
import type { AuditEntry } from '../../src/model/guard/audit.ts';
import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { Target } from '../../src/model/target.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';

/** The other side of a comparison. */
export interface OtherSide {
  readonly namespace: Namespace;
  /** The target of the other side (default: the console's target). */
  readonly target?: Target;
  /** A description: `its preview namespace api_preview`. */
  readonly words: string;
}

/** An open pane, and the content that it shows. A new pane must be added here and in `components/app/registry.tsx`. */
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
  /** A comparison of a key with the key of the same name in another namespace or target. */
  | {
      readonly pane: 'comparison';
      readonly namespace: Namespace;
      readonly key: string;
      /** The other side; if omitted, the user is asked. */
      readonly other?: OtherSide;
    }
  /** The keys that differ between two namespaces. */
  | { readonly pane: 'differences'; readonly namespace: Namespace; readonly other: OtherSide }
  | {
      readonly pane: 'import';
      readonly namespace: Namespace;
      /** The absolute path of the file. */
      readonly path: string;
    }
  | { readonly pane: 'buckets' }
  | {
      readonly pane: 'objects';
      readonly bucket: Bucket;
      /** Key prefix that ends in a slash; empty for the bucket itself. */
      readonly folder: string;
    }
  | {
      readonly pane: 'preview';
      readonly bucket: Bucket;
      readonly entry: ObjectEntry;
    }
  /** The steps of a sync between a local folder and a prefix of a bucket. */
  | {
      readonly pane: 'sync';
      readonly bucket: string;
      readonly prefix: string;
      /** The absolute path of the local folder. */
      readonly path: string;
      readonly direction: 'upload' | 'download';
      /** Whether items that exist only in the destination are deleted. */
      readonly remove: boolean;
    }
  | { readonly pane: 'workers' }
  | { readonly pane: 'worker'; readonly name: string }
  | { readonly pane: 'logs'; readonly worker: string }
  | { readonly pane: 'tasks' }
  | { readonly pane: 'messages' }
  | { readonly pane: 'doctor' }
  | { readonly pane: 'settings' }
  | { readonly pane: 'undo' }
  /** The requests that guards hold for approval. */
  | { readonly pane: 'held' }
  /** One held request, by its number. */
  | { readonly pane: 'held-request'; readonly number: string }
  /** The audit log. */
  | { readonly pane: 'audit' }
  /** One request in the audit log. */
  | { readonly pane: 'audit-record'; readonly entry: AuditEntry }
  | { readonly pane: 'task'; readonly id: string }
  | { readonly pane: 'hostnames' }
  | {
      readonly pane: 'hostname';
      readonly zone: Zone;
      readonly row: HostnameRow;
      /** How far the platform's clock is ahead of this machine's clock, in milliseconds. */
      readonly ahead: number;
      /** Whether the pane asks, when it opens, whether to restart validation. */
      readonly asksToRestart?: boolean;
    }
  /** The results of a diagnosis task. */
  | { readonly pane: 'diagnoses'; readonly zone: Zone; readonly id: string }
  /** The renewals of the certificates of a zone. */
  | { readonly pane: 'forecast'; readonly zone: Zone }
  /** The zone's own DNS records. */
  | { readonly pane: 'records'; readonly zone: Zone }
  /** The plan that reconciles a zone's hostnames with a file. */
  | {
      readonly pane: 'plan';
      readonly zone: Zone;
      /** The task that computed the plan. */
      readonly id: string;
      /** The absolute path of the file. */
      readonly path: string;
      /** Whether hostnames that the file does not contain are deleted. */
      readonly prune: boolean;
      /** Maximum number of deletions. */
      readonly limit?: number | undefined;
    }
  /** The DNS records that the customer must create. */
  | { readonly pane: 'instructions'; readonly zone: Zone; readonly record: CustomHostname }
  | {
      readonly pane: 'diagnosis';
      readonly zone: Zone;
      readonly hostname: string;
      /** Whether the fixes are offered when the pane opens. */
      readonly fix: boolean;
    };

/** A press that a pane handles as soon as the pane has loaded its data. */
export interface PendingPress {
  readonly mode: OpenPane['pane'];
  readonly press: string;
}

/** The open panes of an area, bottom pane first. */
export type OpenPanes = readonly [OpenPane, ...OpenPane[]];

/** Returns the label of an open pane in the header. */
export function formatBreadcrumb(opened: OpenPane): string {
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
    case 'sync':
      return `Sync ${basename(opened.path)}`;
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
    case 'held':
      return 'Held requests';
    case 'held-request':
      return `Request ${opened.number}`;
    case 'audit':
      return 'Audit log';
    case 'audit-record':
      return `Record ${opened.entry.number}`;
    case 'messages':
      return 'Messages';
    case 'doctor':
      return 'Doctor';
    case 'settings':
      return 'Settings';
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

/** Returns the labels of a stack of panes. If a label ends in `of` and the previous label, that ending is omitted. */
export function formatBreadcrumbs(panes: readonly OpenPane[]): readonly string[] {
  const labels = panes.map(formatBreadcrumb);
  return labels.map((words, index) => {
    const suffix = ` of ${labels[index - 1]}`;
    return index > 0 && words.endsWith(suffix) ? words.slice(0, -suffix.length) : words;
  });
}

/** Returns the last segment of a key, including the slash of a folder. */
function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('/', key.length - 2) + 1);
}
