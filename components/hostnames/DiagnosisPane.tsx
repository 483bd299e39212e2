import { planFixes } from '../../src/model/diagnosis/fix-plan.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { diagnosisActions } from './diagnosis-actions.ts';
import { DiagnosisController, type OpenDiagnosis } from './diagnosis-view.ts';

/** Draws the diagnosis of a custom hostname: causes, evidence, who must act, and remedies. */
export function DiagnosisPane({ opened, visible }: { opened: OpenDiagnosis; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new DiagnosisController(opened, parts));
  const asking = `Asking the platform, DNS and the edge about ${opened.hostname}…`;
  const here = () => {
    const { diagnose, restartWatch } = view;
    const { zone, hostname } = opened;
    return { zone, hostname, parts, diagnose, restartWatch, found: view.content.found };
  };
  return (
    <ViewPane
      view={view}
      mode="diagnosis"
      visible={visible}
      selected={view.content.found !== undefined}
      situation={{ fixable: view.content.found && planFixes([view.content.found]).length > 0 }}
      empty={view.state.busy === undefined ? '' : asking}
      equivalents={() => listEquivalents(diagnosisActions, here())}
      actions={() => actionHandlers(diagnosisActions, here(), view.take)}
    />
  );
}
