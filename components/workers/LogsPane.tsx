import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { logActions } from './log-actions.ts';
import { LogView, logCounts, logEmpty } from './log-view.ts';

/** Draws the live log of a worker: a line for each run, followed by the run's logs and exceptions. */
export function LogsPane({ worker, visible }: { worker: string; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new LogView(worker, parts));
  return (
    <ViewPane
      view={view}
      mode="logs"
      visible={visible}
      selected={view.content.lines.length > 0}
      counts={logCounts(view.content)}
      empty={logEmpty(view.content)}
      actions={() => ({
        ...actionHandlers(logActions, { view, worker, parts }, view.take),
        last: () => view.followEnd(),
      })}
      equivalents={() => listEquivalents(logActions, { view, worker, parts })}
    />
  );
}
