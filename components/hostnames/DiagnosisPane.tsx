import { useMemo } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { useConsole } from '../console/use-console.ts';
import { useController } from '../console/use-controller.ts';
import { EntriesPane } from '../viewer/EntriesPane.tsx';
import { DiagnosisController, type DiagnosisPlace } from './diagnosis-controller.ts';
import { diagnosisEntries } from './diagnosis-entries.ts';

/** What is wrong with a custom hostname, by what it shows, who must act, and the remedies. */
export function DiagnosisPane({ place, visible }: { place: DiagnosisPlace; visible: boolean }) {
  const parts = useConsole();
  const controller = useController(() => new DiagnosisController(place, parts));
  const { found, outcomes, busy } = controller.state;
  const entries = useMemo(
    () => (found === undefined ? [] : diagnosisEntries(found.diagnosis, outcomes)),
    [found, outcomes],
  );
  const asking = `Asking the platform, DNS and the edge about ${escapeText(place.hostname)}…`;
  return (
    <EntriesPane
      controller={controller}
      mode="diagnosis"
      visible={visible}
      entries={entries}
      empty={busy === undefined ? '' : asking}
      actions={() => controller.actions()}
    />
  );
}
