import type { Place } from '../place.ts';
import { BucketsPane } from './BucketsPane.tsx';
import { DiagnosisPane } from './DiagnosisPane.tsx';
import { HostnamePane } from './HostnamePane.tsx';
import { HostnamesPane } from './HostnamesPane.tsx';
import { ImportPane } from './ImportPane.tsx';
import { KvKeysPane } from './KvKeysPane.tsx';
import { KvNamespacesPane } from './KvNamespacesPane.tsx';
import { KvValuePane } from './KvValuePane.tsx';
import { ObjectsPane } from './ObjectsPane.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import { TaskPane } from './TaskPane.tsx';
import { TasksPane } from './TasksPane.tsx';
import { WorkerPane } from './WorkerPane.tsx';
import { WorkersPane } from './WorkersPane.tsx';

/** The pane of a place. It stays mounted while the reader is further down, and draws only when it is visible. */
export function PaneOf({ place, visible }: { place: Place; visible: boolean }) {
  switch (place.pane) {
    case 'namespaces':
      return <KvNamespacesPane visible={visible} />;
    case 'keys':
      return <KvKeysPane namespace={place.namespace} visible={visible} />;
    case 'value':
      return <KvValuePane place={place} visible={visible} />;
    case 'import':
      return <ImportPane place={place} visible={visible} />;
    case 'buckets':
      return <BucketsPane visible={visible} />;
    case 'objects':
      return <ObjectsPane place={place} visible={visible} />;
    case 'preview':
      return <PreviewPane place={place} visible={visible} />;
    case 'workers':
      return <WorkersPane visible={visible} />;
    case 'worker':
      return <WorkerPane name={place.name} visible={visible} />;
    case 'tasks':
      return <TasksPane visible={visible} />;
    case 'task':
      return <TaskPane id={place.id} visible={visible} />;
    case 'hostnames':
      return <HostnamesPane visible={visible} />;
    case 'hostname':
      return <HostnamePane place={place} visible={visible} />;
    case 'diagnosis':
      return <DiagnosisPane place={place} visible={visible} />;
  }
}
