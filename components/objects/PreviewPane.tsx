import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { linesFrom } from '../viewer/scroll.ts';
import { ValueView } from '../viewer/ValueView.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { type PreviewPlace, type PreviewState, previewCounts } from './preview-state.ts';
import { usePreview } from './use-preview.ts';

/** The beginning of an object: as text, JSON, bytes, or what is known about it. */
export function PreviewPane({ place, visible }: { place: PreviewPlace; visible: boolean }) {
  const { session, columns, redact, rows } = useConsole();
  const body = bodyHeight(rows);
  const { state, source, act, dispatch, perform, search, save } = usePreview(place, body, visible);
  const { busy, dialog } = state.work;
  const situation = {
    readOnly: session.readOnly,
    selected: state.head instanceof Uint8Array,
    busy,
    submit: submitOf(dialog),
  };
  useShortcuts('preview', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'preview')} situation={situation} counts={previewCounts(state)}>
      {taken < body && (
        <ValueView
          lines={source === undefined ? [] : linesFrom(source, state.anchor, body - taken)}
          empty={emptyText(state)}
          search={state.search?.text}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        onFilter={(text) => dispatch({ type: 'searching', text })}
        onApply={() => search(source?.startOf(state.anchor.segment) ?? 0)}
        save={save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

function emptyText({ head }: PreviewState): string {
  if (head === undefined) return 'Reading…';
  if (head === 'gone') return 'This object is gone: it was deleted.';
  return head.length === 0 ? '(an empty object)' : '';
}
