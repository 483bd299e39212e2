import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { doctorActions } from './doctor-actions.ts';
import { doctorCounts, doctorView } from './doctor-view.ts';

/** Draws the results of the doctor's checks: program, configuration, credentials, platform, permissions and machine. */
export function DoctorPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => doctorView(parts));
  const { found } = view.content;
  return (
    <ViewPane
      view={view}
      mode="doctor"
      visible={visible}
      selected={found !== undefined}
      counts={found === undefined ? '' : doctorCounts(found)}
      empty={view.state.busy === undefined ? '' : 'Checking the machine and the platform…'}
      actions={() => actionHandlers(doctorActions, parts, view.take)}
    />
  );
}
