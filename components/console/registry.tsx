import { DiagnosisPane } from '../hostnames/DiagnosisPane.tsx';
import { HostnamePane } from '../hostnames/HostnamePane.tsx';
import { HostnamesPane } from '../hostnames/HostnamesPane.tsx';
import { ImportPane } from '../kv/ImportPane.tsx';
import { KeysPane } from '../kv/KeysPane.tsx';
import { NamespacesPane } from '../kv/NamespacesPane.tsx';
import { ValuePane } from '../kv/ValuePane.tsx';
import { BucketsPane } from '../objects/BucketsPane.tsx';
import { ObjectsPane } from '../objects/ObjectsPane.tsx';
import { PreviewPane } from '../objects/PreviewPane.tsx';
import { TaskPane } from '../tasks/TaskPane.tsx';
import { TasksPane } from '../tasks/TasksPane.tsx';
import { WorkerPane } from '../workers/WorkerPane.tsx';
import { WorkersPane } from '../workers/WorkersPane.tsx';
import type { Place } from './place.ts';

/** The pane of a place. It stays mounted while the reader is further down, and draws only when it is visible. */
export function PaneOf({ place, visible }: { place: Place; visible: boolean }) {
  switch (place.pane) {
    case 'namespaces':
      return <NamespacesPane visible={visible} />;
    case 'keys':
      return <KeysPane namespace={place.namespace} visible={visible} />;
    case 'value':
      return <ValuePane place={place} visible={visible} />;
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
