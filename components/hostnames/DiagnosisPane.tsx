import { escapeText } from '../../src/text/escape.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { EntryView } from '../viewer/EntryView.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { type DiagnosisPlace, useDiagnosis } from './use-diagnosis.ts';

/** What is wrong with a custom hostname, by what it shows, who must act, and the remedies. */
export function DiagnosisPane({ place, visible }: { place: DiagnosisPlace; visible: boolean }) {
  const { session, columns, redact, rows } = useConsole();
  const body = bodyHeight(rows);
  const { state, rows: text, act, dispatch, perform } = useDiagnosis(place, body);
  const situation = { readOnly: session.readOnly, selected: text.length > 0, busy: state.busy };
  useShortcuts('diagnosis', { active: visible && state.dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(state.dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(state.dialog, 'diagnosis')} situation={situation}>
      {taken < body && (
        <EntryView
          rows={text}
          cursor={state.cursor}
          height={body - taken}
          empty={
            state.busy === undefined
              ? ''
              : `Asking the platform, DNS and the edge about ${escapeText(place.hostname)}…`
          }
        />
      )}
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
