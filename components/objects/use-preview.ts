import { type Dispatch, useEffect, useMemo, useReducer, useRef } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { PreviewAction } from '../keymap/objects.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { useObjectTaskEnd } from '../tasks/ends.ts';
import { findInView } from '../viewer/find-in-view.ts';
import { scroll } from '../viewer/scroll.ts';
import type { Source } from '../viewer/source.ts';
import { countMarked } from './chosen.ts';
import { copyForm, downloadForm } from './forms.ts';
import {
  headBytes,
  noPreview,
  type PreviewEvent,
  type PreviewPlace,
  type PreviewState,
  type PreviewView,
  previewSource,
  reducePreview,
  searchText,
} from './preview-state.ts';
import { useObjectWork } from './use-object-work.ts';
import type { WorkCommand, WorkDialog } from './work.ts';

interface Preview {
  readonly state: PreviewState;
  readonly source: Source | undefined;
  dispatch: Dispatch<PreviewEvent>;
  act(action: PreviewAction): void;
  perform(command: WorkCommand): void;
  search(from: number): void;
  save(): void;
}

/**
 * The state of the preview pane and what its actions do. `height` is the number of lines on the screen; what tasks come
 * to is told while the pane is `visible`.
 */
export function usePreview(place: PreviewPlace, height: number, visible: boolean): Preview {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reducePreview, place, noPreview);
  const { head, view, entry, kind } = state;
  const { columns, redact } = parts;
  const source = useMemo(
    () => previewSource({ head, view, entry, kind }, { columns, redact }),
    [head, view, entry, kind, columns, redact],
  );
  const read = useReading(place, dispatch);
  const removal = useRef<string>(undefined);
  const work = useObjectWork(state.work, dispatch, ({ does }, taskId) => {
    if (does === 'remove') removal.current = taskId;
  });
  useObjectTaskEnd({ bucket: place.bucket.name, visible }, ({ id, state: end }) => {
    if (id === removal.current && end === 'done') parts.back();
  });
  const perform = (command: WorkCommand) => (command.does === 'read' ? read() : work.carryOut(command));
  const search = (from: number) => findInView(source, searchText(state), from, dispatch, parts.notify);
  const act = (action: PreviewAction) => {
    const pane = { place, state, dispatch, read, search, parts };
    if (!isMove(action)) actionsOf(pane)[action]();
    else if (source) dispatch({ type: 'scrolled', anchor: scroll(source, state.anchor, action, height) });
  };
  return { state, source, dispatch, act, perform, search, save: work.save };
}

/** Reads what is known of the object and its first bytes, when the pane opens and when it is asked to. */
function useReading(place: PreviewPlace, dispatch: Dispatch<PreviewEvent>): () => void {
  const objects = useService('objects');
  const run = useRun();
  const address = { bucket: place.bucket.name, key: place.entry.key };
  const read = () => {
    dispatch({ type: 'reading' });
    run({
      name: 'read',
      work: async (signal) => ({
        entry: await objects.readEntry(address, signal),
        head: await objects.readHead(address, headBytes, signal),
      }),
      done({ entry, head }) {
        place.changed(address.key, entry);
        dispatch({ type: 'read', entry, head });
      },
      failed: (problem) => dispatch({ type: 'failed', problem, command: { does: 'read' } }),
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(read, []);
  return read;
}

interface Pane {
  readonly place: PreviewPlace;
  readonly state: PreviewState;
  readonly dispatch: Dispatch<PreviewEvent>;
  readonly read: () => void;
  readonly search: (from: number) => void;
  readonly parts: ConsoleParts;
}

function actionsOf(pane: Pane): Record<Exclude<PreviewAction, Move>, () => void> {
  const { place, state, dispatch, parts } = pane;
  const { key } = state.entry;
  const marked = [{ key, size: state.entry.size }];
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  const chosen = { bucket: place.bucket.name, folder, marked, hidden: 0 };
  const ask = (dialog: WorkDialog) => dispatch({ type: 'asked', dialog });
  const view = (next: PreviewView | 'next') => () => dispatch({ type: 'viewed', view: next });
  return {
    back: () => parts.back(),
    'next-view': view('next'),
    text: view('text'),
    json: view('json'),
    hex: view('hex'),
    about: view('about'),
    search: () => dispatch({ type: 'searching', text: searchText(state) }),
    'next-match': () => pane.search((state.search?.offset ?? -1) + 1),
    download: () => ask(downloadForm(chosen)),
    'copy-object': () => ask(copyForm(chosen)),
    remove: () => dispatch({ type: 'counted', from: chosen, count: countMarked(marked) }),
    refresh: () => pane.read(),
    copy: () => parts.notify(parts.copy(Buffer.from(key), `the key ${escapeText(key)}`)),
  };
}
