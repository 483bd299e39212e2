import { useEffect, useMemo } from 'react';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import type { Actions, Mode } from '../keymap/actions.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { EntryView } from './EntryView.tsx';
import { type Entry, entryRows } from './entries.ts';
import { type EntriesAction, type EntriesController, isEntriesAction } from './entries-controller.ts';
import type { EntriesState } from './entries-state.ts';

interface EntriesPaneProps<C, S extends EntriesState<C>, E, M extends Mode> {
  readonly controller: EntriesController<C, S, E>;
  readonly mode: M;
  readonly visible: boolean;
  /** The text: the same value until it changes. */
  readonly entries: readonly Entry[];
  /** What stands there when there is no text. */
  readonly empty: string;
  /** What this pane alone can do, asked for at each press. */
  actions(): Readonly<Record<Exclude<Actions[M], EntriesAction>, () => void>>;
}

/** The pane of a text: header, text, what stands before it, footer. */
export function EntriesPane<C, S extends EntriesState<C>, E, M extends Mode>(
  props: EntriesPaneProps<C, S, E, M>,
) {
  const { controller, mode, visible, entries, empty, actions } = props;
  const { session, columns, redact, rows: screen } = useConsole();
  useEffect(() => controller.show(visible), [controller, visible]);
  const rows = useMemo(() => entryRows(entries, { columns, redact }), [entries, columns, redact]);
  const { cursor, dialog, busy } = controller.state;
  const height = bodyHeight(screen);
  const situation: Situation = { readOnly: session.readOnly, selected: rows.length > 0, busy };
  const act = (action: Actions[M]) => {
    const own: Readonly<Partial<Record<string, () => void>>> = actions();
    if (isEntriesAction(action)) controller.act(action, { rows, height });
    else own[action]?.();
  };
  useShortcuts(mode, { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, height);
  return (
    <Frame mode={modeOf(dialog, mode)} situation={situation}>
      {taken < height && <EntryView rows={rows} cursor={cursor} height={height - taken} empty={empty} />}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        perform={controller.perform}
        close={controller.dismiss}
      />
    </Frame>
  );
}
