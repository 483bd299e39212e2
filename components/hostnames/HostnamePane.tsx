import { useMemo } from 'react';
import { useConsole } from '../console/use-console.ts';
import { useController } from '../console/use-controller.ts';
import { EntriesPane } from '../viewer/EntriesPane.tsx';
import { hostnameEntries } from './entries.ts';
import { HostnameController, type HostnamePlace } from './hostname-controller.ts';

/** One custom hostname: its record, its certificate, and what its customer has to set. */
export function HostnamePane({ place, visible }: { place: HostnamePlace; visible: boolean }) {
  const parts = useConsole();
  const controller = useController(() => new HostnameController(place, parts));
  const { row } = controller.state;
  const { world } = parts;
  const { ahead } = place;
  const entries = useMemo(() => hostnameEntries(row, world.now() + ahead), [row, world, ahead]);
  return (
    <EntriesPane
      controller={controller}
      mode="hostname"
      visible={visible}
      entries={entries}
      empty=""
      actions={() => controller.actions()}
    />
  );
}
