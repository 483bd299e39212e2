import { formatState } from '../../src/model/guard/held.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { heldRequestActions } from './held-actions.ts';
import { heldView } from './held-view.ts';

/** Draws one held request: its sender, its content, and the change that it would make. */
export function HeldRequestPane({ number, visible }: { number: string; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => heldView(number, parts));
  const { request } = view.content;
  return (
    <ViewPane
      view={view}
      mode="held-request"
      visible={visible}
      selected={request !== undefined}
      counts={request === undefined ? '' : formatState(request)}
      empty="The request is no longer held: it was answered, or its program closed the connection."
      actions={() => actionHandlers(heldRequestActions, { request, parts }, view.take)}
    />
  );
}
