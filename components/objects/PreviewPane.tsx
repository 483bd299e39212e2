import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { jsonActions } from '../ui/viewer/json-actions.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { type Preview, previewCounts } from './preview.ts';
import { previewActions, shownObject } from './preview-actions.ts';
import { ObjectView, type OpenPreview } from './preview-view.ts';
import { isBeyondUndo } from './removal.ts';

/** Draws the beginning of an object as text, JSON or bytes, or the object's metadata. */
export function PreviewPane({ opened, visible }: { opened: OpenPreview; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new ObjectView(opened, parts));
  return (
    <ViewPane
      view={view}
      mode="preview"
      visible={visible}
      selected={view.content.bytes instanceof Uint8Array}
      counts={previewCounts(view.content)}
      empty={emptyText(view.content)}
      situation={{ beyondUndo: isBeyondUndo(shownObject(view)) }}
      equivalents={() => listEquivalents(previewActions, { view, parts })}
      actions={() => ({
        ...actionHandlers(previewActions, { view, parts }, view.take),
        ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
      })}
    />
  );
}

function emptyText({ bytes }: Preview): string {
  if (bytes === undefined) return 'Reading…';
  if (bytes === 'gone') return 'This object was deleted.';
  return bytes.length === 0 ? '(an empty object)' : '';
}
