import { useState } from 'react';
import { changesPlatform } from '../../src/model/tasks/task.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import type { TaskAction } from '../keymap/tasks.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { atStart, isMove, moveCursor } from '../lists/cursor.ts';
import { EntryView } from '../viewer/EntryView.tsx';
import { entryRows } from '../viewer/entries.ts';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { taskEntries } from './entries.ts';
import { elsewhereWords } from './TasksPane.tsx';
import { removeTaskDialog } from './tasks-state.ts';
import { useTaskList } from './use-task-list.ts';
import { shortProgress } from './words.ts';

/** One task: how far it is, what it came to, what has failed and why. */
export function TaskPane({ id, visible }: { id: string; visible: boolean }) {
  const { session, columns, redact, rows, world, tasks: known, notify, copy, back } = useConsole();
  const { tasks, state, dispatch, perform } = useTaskList(id);
  const [cursor, setCursor] = useState(atStart);
  const task = tasks.find((one) => one.id === id);
  const elsewhere = task !== undefined && known.list.isElsewhere(task);
  const about = { pace: known.list.paceOf(id), now: world.now(), elsewhere };
  const lines = task === undefined ? [] : entryRows(taskEntries(task, about), { columns, redact });
  const { dialog } = state;
  const body = bodyHeight(rows);
  const taken = dialogHeight(dialog, { columns, redact }, body);
  const situation = {
    // What changes nothing on the platform is resumed in a read-only session too.
    readOnly: session.readOnly && task !== undefined && changesPlatform(task.work),
    selected: task !== undefined,
    task: task?.state,
  };
  const act = (action: TaskAction) => {
    if (isMove(action)) return setCursor(moveCursor(cursor, action, lines.length, body));
    if (action === 'back' || task === undefined) return back();
    const copied = lines[cursor.index]?.entry.copied;
    if (action === 'copy') return copied && notify(copy(Buffer.from(copied.text), copied.what));
    if (elsewhere) return notify(elsewhereWords(task));
    const asked = action === 'remove' ? removeTaskDialog(task) : undefined;
    if (asked !== undefined) return dispatch({ type: 'asked', dialog: asked });
    perform({ does: action, id });
    if (action === 'remove') back();
  };
  useShortcuts('task', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const counts = task === undefined ? '' : `${task.state} ${shortProgress(task, about.pace)}`.trim();
  return (
    <Frame mode={modeOf(dialog, 'task')} situation={situation} counts={counts}>
      {taken < body && (
        <EntryView rows={lines} cursor={cursor} height={body - taken} empty="The task was removed." />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}
