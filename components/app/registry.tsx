import { useMemo } from 'react';
import { ComparisonPane } from '../comparison/ComparisonPane.tsx';
import { DifferencesPane } from '../comparison/DifferencesPane.tsx';
import { DoctorPane } from '../doctor/DoctorPane.tsx';
import { AuditPane } from '../guard/AuditPane.tsx';
import { AuditRecordPane } from '../guard/AuditRecordPane.tsx';
import { HeldPane } from '../guard/HeldPane.tsx';
import { HeldRequestPane } from '../guard/HeldRequestPane.tsx';
import { HomePane } from '../home/HomePane.tsx';
import { DiagnosisPane } from '../hostnames/DiagnosisPane.tsx';
import { DiagnosesPane } from '../hostnames/diagnoses/DiagnosesPane.tsx';
import { ForecastPane } from '../hostnames/forecast/ForecastPane.tsx';
import { HostnamePane } from '../hostnames/HostnamePane.tsx';
import { HostnamesPane } from '../hostnames/HostnamesPane.tsx';
import { InstructionsPane } from '../hostnames/instructions/InstructionsPane.tsx';
import { PlanPane } from '../hostnames/plan/PlanPane.tsx';
import type { Tone } from '../kit/messages.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { ConsoleProvider, useConsole } from '../kit/use-console.ts';
import type { PaneWrites } from '../kit/writes.ts';
import { ImportPane } from '../kv/ImportPane.tsx';
import { KeysPane } from '../kv/KeysPane.tsx';
import { NamespacesPane } from '../kv/NamespacesPane.tsx';
import { ValuePane } from '../kv/ValuePane.tsx';
import { MessagesPane } from '../messages/MessagesPane.tsx';
import { BucketsPane } from '../objects/BucketsPane.tsx';
import { ObjectsPane } from '../objects/ObjectsPane.tsx';
import { PreviewPane } from '../objects/PreviewPane.tsx';
import { SyncPane } from '../objects/SyncPane.tsx';
import { SettingsPane } from '../settings/SettingsPane.tsx';
import { TaskPane } from '../tasks/TaskPane.tsx';
import { TasksPane } from '../tasks/TasksPane.tsx';
import { UndoPane } from '../undo/UndoPane.tsx';
import { LogsPane } from '../workers/LogsPane.tsx';
import { WorkerPane } from '../workers/WorkerPane.tsx';
import { WorkersPane } from '../workers/WorkersPane.tsx';
import { RecordsPane } from '../zones/RecordsPane.tsx';

interface PaneProps {
  readonly opened: OpenPane;
  readonly visible: boolean;
}

/**
 * Renders an open pane. The pane stays mounted while the user is in a deeper pane or another area, and draws only while it is visible. The
 * pane opens and closes panes and shows notices in its own area, even if another area is on the screen.
 */
export function PaneWithParts({ serial, ...pane }: PaneProps & { readonly serial: number }) {
  const parts = useConsole();
  const own = useMemo(
    () => ({
      ...parts,
      notify: (text: string | undefined, tone?: Tone) => parts.notify(text, tone, serial),
      open: (opened: OpenPane) => parts.open(opened, serial),
      become: (opened: OpenPane) => parts.become(opened, serial),
      back: () => parts.back(serial),
      reportWrites: (writes: PaneWrites) => parts.reportWrites(writes, serial),
    }),
    [parts, serial],
  );
  return (
    <ConsoleProvider value={own}>
      <PaneContent {...pane} />
    </ConsoleProvider>
  );
}

function PaneContent({ opened, visible }: PaneProps) {
  switch (opened.pane) {
    case 'home':
      return <HomePane visible={visible} />;
    case 'namespaces':
      return <NamespacesPane visible={visible} />;
    case 'keys':
      return <KeysPane opened={opened} visible={visible} />;
    case 'value':
      return <ValuePane opened={opened} visible={visible} />;
    case 'comparison':
      return <ComparisonPane opened={opened} visible={visible} />;
    case 'differences':
      return <DifferencesPane opened={opened} visible={visible} />;
    case 'import':
      return <ImportPane opened={opened} visible={visible} />;
    case 'buckets':
      return <BucketsPane visible={visible} />;
    case 'objects':
      return <ObjectsPane opened={opened} visible={visible} />;
    case 'preview':
      return <PreviewPane opened={opened} visible={visible} />;
    case 'sync':
      return <SyncPane opened={opened} visible={visible} />;
    case 'workers':
      return <WorkersPane visible={visible} />;
    case 'worker':
      return <WorkerPane name={opened.name} visible={visible} />;
    case 'logs':
      return <LogsPane worker={opened.worker} visible={visible} />;
    case 'tasks':
      return <TasksPane visible={visible} />;
    case 'task':
      return <TaskPane id={opened.id} visible={visible} />;
    case 'undo':
      return <UndoPane visible={visible} />;
    case 'held':
      return <HeldPane visible={visible} />;
    case 'audit':
      return <AuditPane visible={visible} />;
    case 'audit-record':
      return <AuditRecordPane entry={opened.entry} visible={visible} />;
    case 'held-request':
      return <HeldRequestPane number={opened.number} visible={visible} />;
    case 'messages':
      return <MessagesPane visible={visible} />;
    case 'settings':
      return <SettingsPane visible={visible} />;
    case 'doctor':
      return <DoctorPane visible={visible} />;
    case 'hostnames':
      return <HostnamesPane visible={visible} />;
    case 'hostname':
      return <HostnamePane opened={opened} visible={visible} />;
    case 'diagnoses':
      return <DiagnosesPane opened={opened} visible={visible} />;
    case 'forecast':
      return <ForecastPane opened={opened} visible={visible} />;
    case 'records':
      return <RecordsPane opened={opened} visible={visible} />;
    case 'plan':
      return <PlanPane opened={opened} visible={visible} />;
    case 'instructions':
      return <InstructionsPane opened={opened} visible={visible} />;
    case 'diagnosis':
      return <DiagnosisPane opened={opened} visible={visible} />;
  }
}
