import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { linesFrom, progress } from '../viewer/scroll.ts';
import type { Source } from '../viewer/source.ts';
import { ValueView } from '../viewer/ValueView.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { useValue, type ValuePlace } from './use-value.ts';
import { expiryWords, type ValueState, valueCounts } from './value-state.ts';

/** The value of a key: as text, JSON, bytes, or what is known about it. */
export function ValuePane({ place, visible }: { place: ValuePlace; visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows);
  const { state, source, act, dispatch, perform, search, save } = useValue(place, body);
  const { dialog } = state;
  const situation = {
    readOnly: session.readOnly,
    selected: state.value instanceof Uint8Array,
    busy: state.busy,
  };
  useShortcuts('value', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame
      mode={modeOf(dialog, 'value')}
      situation={situation}
      counts={countsOf(state, source, body, world.now())}
    >
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

function countsOf(state: ValueState, source: Source | undefined, height: number, now: number): string {
  const percent = source === undefined ? undefined : progress(source, state.anchor, height);
  return [valueCounts(state, percent), expiryWords(state.entry, now)]
    .filter((text) => text !== '')
    .join(' · ');
}

function emptyText({ value }: ValueState): string {
  if (value === undefined) return 'Reading…';
  if (value === 'gone') return 'This key is gone: it was deleted, or it has expired.';
  return value.length === 0 ? '(an empty value)' : '';
}
