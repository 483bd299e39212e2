import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { jsonActions } from '../ui/viewer/json-actions.ts';
import { progress } from '../ui/viewer/scroll.ts';
import { isSource } from '../ui/viewer/source.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { type ShownKey, valueCounts } from './value.ts';
import { valueActions } from './value-actions.ts';
import { keyView, type OpenValue } from './value-view.ts';

/** The value of a key as text, JSON or bytes, or its metadata. */
export function ValuePane({ opened, visible }: { opened: OpenValue; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => keyView(opened, parts));
  const { content, state } = view;
  const lines = view.lines(parts);
  const percent =
    lines && isSource(lines) ? progress(lines, state.position.top, bodyHeight(parts.rows)) : undefined;
  const here = () => ({ ...view.content, namespace: opened.namespace, parts });
  return (
    <ViewPane
      view={view}
      mode="value"
      visible={visible}
      selected={content.bytes instanceof Uint8Array}
      counts={valueCounts(content, percent, parts.world.now())}
      empty={emptyText(content)}
      equivalents={() => listEquivalents(valueActions, here())}
      actions={() => ({
        ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
        ...actionHandlers(valueActions, here(), view.take),
      })}
    />
  );
}

function emptyText({ bytes }: ShownKey): string {
  if (bytes === undefined) return 'Reading…';
  if (bytes === 'gone') return 'This key was deleted or has expired.';
  return bytes.length === 0 ? '(an empty value)' : '';
}
