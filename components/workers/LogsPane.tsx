import { useState } from 'react';
import { logActs } from '../../src/services/equivalents/workers.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { logActions, logCounts, logEmpty, logView } from './log-view.ts';

/** The live log of a worker: a line a run, and below it what it logged and how it failed. */
export function LogsPane({ worker, visible }: { worker: string; visible: boolean }) {
  const parts = useConsole();
  const [open] = useState(() => logView(worker, parts));
  const view = useController(() => open.view);
  return (
    <ViewPane
      view={view}
      mode="logs"
      visible={visible}
      selected={view.content.lines.length > 0}
      counts={logCounts(view.content)}
      empty={logEmpty(view.content)}
      actions={() => logActions(open, parts.dismiss)}
      acts={() => logActs(worker)}
    />
  );
}
