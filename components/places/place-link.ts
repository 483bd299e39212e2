import type { Namespace } from '../../src/model/kv/kv.ts';
import type { OtherLink, PlaceLink } from '../../src/model/places/link.ts';
import type { FoundPlace } from '../../src/services/places/find-place.ts';
import type { OpenPane, OpenPanes, OtherSide } from '../kit/open-pane.ts';
import { otherSide } from '../kv/other-sides.ts';

/** Returns the link of an open pane; undefined if its content exists only in this session. */
export function toPlaceLink(opened: OpenPane): PlaceLink | undefined {
  switch (opened.pane) {
    case 'keys':
      return { kind: 'keys', namespace: opened.namespace.title, prefix: opened.prefix ?? '' };
    case 'value':
      return { kind: 'key', namespace: opened.namespace.title, key: opened.entry.name };
    case 'objects':
      return { kind: 'objects', bucket: opened.bucket.name, folder: opened.folder };
    case 'preview':
      return { kind: 'object', bucket: opened.bucket.name, key: opened.entry.key };
    case 'comparison': {
      const { namespace, key, other } = opened;
      // Until the other side is chosen, the pane has no link.
      return other && { kind: 'comparison', namespace: namespace.title, key, ...otherLink(namespace, other) };
    }
    case 'differences': {
      const { namespace, other } = opened;
      return { kind: 'differences', namespace: namespace.title, ...otherLink(namespace, other) };
    }
    case 'worker':
      return { kind: 'worker', name: opened.name };
    case 'logs':
      return { kind: 'logs', name: opened.worker };
    case 'hostname':
      return { kind: 'hostname', hostname: opened.row.record.hostname };
    case 'diagnosis':
      return { kind: 'diagnosis', hostname: opened.hostname };
    case 'instructions':
      return { kind: 'instructions', hostname: opened.record.hostname };
    case 'task':
    // The results of a task can be opened only from the task.
    case 'diagnoses':
    case 'plan':
      return { kind: 'task', id: opened.id };
    case 'forecast':
    case 'records':
      return { kind: opened.pane };
    // These panes have no link: previews of an import or a sync wait for a decision, messages exist only while the console is open, held
    // requests are short-lived, and an audit record can be deleted with its file.
    case 'import':
    case 'sync':
    case 'messages':
    case 'held-request':
    case 'audit-record':
      return undefined;
    default:
      return { kind: opened.pane };
  }
}

/** Returns the part of a link that names the other side of a comparison. A namespace with the same id gets an empty name. */
function otherLink(of: Namespace, { namespace, target }: OtherSide): OtherLink {
  if (target === undefined) return { other: namespace.title };
  return { other: namespace.id === of.id ? '' : namespace.title, target };
}

/** Returns the stack of panes that opens a place, starting with the first pane of its area. */
export function toPanes(place: FoundPlace): OpenPanes {
  switch (place.kind) {
    case 'keys': {
      const { namespace, prefix } = place;
      return [{ pane: 'namespaces' }, { pane: 'keys', namespace, ...(prefix !== '' && { prefix }) }];
    }
    case 'key': {
      const { namespace, entry } = place;
      return [{ pane: 'namespaces' }, { pane: 'keys', namespace }, { pane: 'value', namespace, entry }];
    }
    case 'differences': {
      const { namespace } = place;
      return [{ pane: 'namespaces' }, { pane: 'differences', namespace, other: otherSide(place) }];
    }
    case 'comparison': {
      const { namespace, key } = place;
      const above: OpenPane = { pane: 'comparison', namespace, key, other: otherSide(place) };
      return [{ pane: 'namespaces' }, { pane: 'keys', namespace }, above];
    }
    case 'objects':
      return [{ pane: 'buckets' }, ...folderPanes(place.bucket, place.folder)];
    case 'object': {
      const { bucket, entry } = place;
      const folder = entry.key.slice(0, entry.key.lastIndexOf('/') + 1);
      return [{ pane: 'buckets' }, ...folderPanes(bucket, folder), { pane: 'preview', bucket, entry }];
    }
    case 'hostname':
      return [{ pane: 'hostnames' }, hostnamePane(place)];
    case 'diagnosis': {
      const { hostname } = place.row.record;
      const diagnosis: OpenPane = { pane: 'diagnosis', zone: place.zone, hostname, fix: false };
      return [{ pane: 'hostnames' }, hostnamePane(place), diagnosis];
    }
    case 'instructions': {
      const { zone, row } = place;
      return [{ pane: 'hostnames' }, hostnamePane(place), { pane: 'instructions', zone, record: row.record }];
    }
    case 'forecast':
    case 'records':
      return [{ pane: 'hostnames' }, { pane: place.kind, zone: place.zone }];
    case 'worker':
      return [{ pane: 'workers' }, { pane: 'worker', name: place.name }];
    case 'logs': {
      const { name } = place;
      return [{ pane: 'workers' }, { pane: 'worker', name }, { pane: 'logs', worker: name }];
    }
    case 'undo':
    case 'held':
    case 'audit':
    case 'doctor':
    case 'settings':
      return [{ pane: 'home' }, { pane: place.kind }];
    case 'task':
      return [{ pane: 'tasks' }, { pane: 'task', id: place.id }];
    default:
      return [{ pane: place.kind }];
  }
}

function hostnamePane({
  zone,
  row,
  ahead,
}: Extract<FoundPlace, { kind: 'hostname' | 'diagnosis' | 'instructions' }>): OpenPane {
  return { pane: 'hostname', zone, row, ahead };
}

type OpenObjects = Extract<OpenPane, { pane: 'objects' }>;

/** Maximum number of panes for a folder and its parent folders, in addition to the pane of the bucket. */
const maxFolderPanes = 12;

function folderPanes(bucket: OpenObjects['bucket'], folder: string): OpenObjects[] {
  const ends = [...folder.matchAll(/\//g)].map(({ index }) => index + 1).slice(-maxFolderPanes);
  const folders = ['', ...ends.map((end) => folder.slice(0, end))];
  return folders.map((one) => ({ pane: 'objects', bucket, folder: one }));
}
