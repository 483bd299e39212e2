import type { Place } from '../place.ts';
import { KvKeysPane } from './KvKeysPane.tsx';
import { KvNamespacesPane } from './KvNamespacesPane.tsx';
import { KvValuePane } from './KvValuePane.tsx';

/** The pane of a place. It stays mounted while the reader is further down, and draws only when it is visible. */
export function PaneOf({ place, visible }: { place: Place; visible: boolean }) {
  switch (place.pane) {
    case 'namespaces':
      return <KvNamespacesPane visible={visible} />;
    case 'keys':
      return <KvKeysPane namespace={place.namespace} visible={visible} />;
    case 'value':
      return <KvValuePane place={place} visible={visible} />;
  }
}
