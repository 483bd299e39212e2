import { useConsole } from '../console/use-console.ts';
import { useController } from '../console/use-controller.ts';
import { ViewPane } from '../viewer/ViewPane.tsx';
import { HostnameController, type HostnamePlace } from './hostname-view.ts';

/** One custom hostname: its record, its certificate, and what its customer has to set. */
export function HostnamePane({ place, visible }: { place: HostnamePlace; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new HostnameController(place, parts));
  return (
    <ViewPane
      view={view}
      mode="hostname"
      visible={visible}
      selected
      empty=""
      actions={() => view.actions()}
    />
  );
}
