import { isPlatformChange } from '../../src/model/tasks/task.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { shortProgress, taskStateWord } from '../ui/tasks/words.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import type { ViewController } from '../ui/viewer/view-controller.ts';
import { resultsPane, taskActions } from './task-actions.ts';
import { type TaskContent, taskView } from './task-view.ts';

/** Draws one task: its progress, its results, and its failures with their reasons. */
export function TaskPane({ id, visible }: { id: string; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => taskView(id, parts));
  const { task, pace } = view.content;
  return (
    <ViewPane
      view={view}
      mode="task"
      visible={visible}
      selected={task !== undefined}
      counts={task === undefined ? '' : `${taskStateWord(task)} ${shortProgress(task, pace)}`.trim()}
      empty="The task was removed."
      actions={() =>
        actionHandlers(taskActions, { task, hostname: selectedHostname(view), parts }, view.take)
      }
      situation={{
        // A read-only session can resume tasks that change nothing on the platform.
        readOnly: parts.session.readOnly && task !== undefined && isPlatformChange(task.work),
        task: task?.state,
        hasResults: task !== undefined && resultsPane(task) !== undefined,
      }}
    />
  );
}

/** Returns the hostname on the selected line. */
function selectedHostname({ selection: { shown, line } }: ViewController<TaskContent>): string | undefined {
  return line && shown?.segmentSubject?.(line.segment);
}
