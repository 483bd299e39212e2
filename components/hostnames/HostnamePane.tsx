import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { EntryView } from '../viewer/EntryView.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { AuthorityMenu } from './HostnameMenus.tsx';
import { type HostnamePlace, useHostname } from './use-hostname.ts';

/** One custom hostname: its record, its certificate, and what its customer has to set. */
export function HostnamePane({ place, visible }: { place: HostnamePlace; visible: boolean }) {
  const { session, columns, redact, rows } = useConsole();
  const body = bodyHeight(rows);
  const { state, rows: text, act, dispatch, perform } = useHostname(place, body, visible);
  const situation = { readOnly: session.readOnly, selected: true, busy: state.busy };
  const active = visible && state.dialog === undefined && !state.choosing;
  useShortcuts('hostname', { active, situation, act });
  if (!visible) return null;
  if (state.choosing) {
    const { record } = state.row;
    return (
      <AuthorityMenu
        record={record}
        onChoose={(authority) => perform({ does: 'authority', record, authority })}
        onCancel={() => dispatch({ type: 'choosing', on: false })}
      />
    );
  }
  const taken = dialogHeight(state.dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(state.dialog, 'hostname')} situation={situation}>
      {taken < body && <EntryView rows={text} cursor={state.cursor} height={body - taken} empty="" />}
      <DialogBox
        dialog={state.dialog}
        height={taken}
        active={visible}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}
