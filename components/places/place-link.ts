import type { PlaceLink } from '../../src/model/places/link.ts';
import type { FoundPlace } from '../../src/services/places/find-place.ts';
import type { OpenPane, OpenPanes } from '../console/open-pane.ts';

/** The link of an open pane; undefined where only this session has what it shows. */
export function linkOf(opened: OpenPane): PlaceLink | undefined {
  switch (opened.pane) {
    case 'keys':
      return { kind: 'keys', namespace: opened.namespace.title, prefix: opened.prefix ?? '' };
    case 'value':
      return { kind: 'key', namespace: opened.namespace.title, key: opened.entry.name };
    case 'objects':
      return { kind: 'objects', bucket: opened.bucket.name, folder: opened.folder };
    case 'preview':
      return { kind: 'object', bucket: opened.bucket.name, key: opened.entry.key };
    case 'worker':
      return { kind: 'worker', name: opened.name };
    case 'hostname':
      return { kind: 'hostname', hostname: opened.row.record.hostname };
    case 'diagnosis':
      return { kind: 'diagnosis', hostname: opened.hostname };
    case 'task':
      return { kind: 'task', id: opened.id };
    case 'forecast':
    case 'records':
      return { kind: opened.pane };
    case 'diagnoses':
    case 'plan':
    case 'comparison':
    case 'differences':
    case 'logs':
    case 'import':
    case 'undo':
    case 'messages':
    case 'doctor':
      return undefined;
    default:
      return { kind: opened.pane };
  }
}

/** The panes of a place, from the first of its area on. */
export function panesOf(place: FoundPlace): OpenPanes {
  switch (place.kind) {
    case 'keys': {
      const { namespace, prefix } = place;
      return [{ pane: 'namespaces' }, { pane: 'keys', namespace, ...(prefix !== '' && { prefix }) }];
    }
    case 'key': {
      const { namespace, entry } = place;
      return [{ pane: 'namespaces' }, { pane: 'keys', namespace }, { pane: 'value', namespace, entry }];
    }
    case 'objects':
      return [{ pane: 'buckets' }, ...foldersOf(place.bucket, place.folder)];
    case 'object': {
      const { bucket, entry } = place;
      const folder = entry.key.slice(0, entry.key.lastIndexOf('/') + 1);
      return [{ pane: 'buckets' }, ...foldersOf(bucket, folder), { pane: 'preview', bucket, entry }];
    }
    case 'hostname':
      return [{ pane: 'hostnames' }, hostnamePane(place)];
    case 'diagnosis': {
      const { hostname } = place.row.record;
      const diagnosis: OpenPane = { pane: 'diagnosis', zone: place.zone, hostname, fix: false };
      return [{ pane: 'hostnames' }, hostnamePane(place), diagnosis];
    }
    case 'forecast':
    case 'records':
      return [{ pane: 'hostnames' }, { pane: place.kind, zone: place.zone }];
    case 'worker':
      return [{ pane: 'workers' }, { pane: 'worker', name: place.name }];
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
}: Extract<FoundPlace, { kind: 'hostname' | 'diagnosis' }>): OpenPane {
  return { pane: 'hostname', zone, row, ahead };
}

type OpenObjects = Extract<OpenPane, { pane: 'objects' }>;

/** Folders above the innermost that are opened with it: somebody who goes further back takes the digit. */
const deepest = 12;

function foldersOf(bucket: OpenObjects['bucket'], folder: string): OpenObjects[] {
  const ends = [...folder.matchAll(/\//g)].map(({ index }) => index + 1).slice(-deepest);
  const folders = ['', ...ends.map((end) => folder.slice(0, end))];
  return folders.map((one) => ({ pane: 'objects', bucket, folder: one }));
}
