import { actionHandlers, listEquivalents } from '../../kit/keys/action.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { ViewPane } from '../../ui/viewer/ViewPane.tsx';
import { instructionsActions } from './instructions-actions.ts';
import { InstructionsController, type OpenInstructions } from './instructions-view.ts';

/** Draws the DNS records that a hostname's customer must set, and the link that sets them if the customer's provider supports it. */
export function InstructionsPane({ opened, visible }: { opened: OpenInstructions; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new InstructionsController(opened, parts));
  const asking = `Asking the platform and DNS about ${opened.record.hostname}…`;
  return (
    <ViewPane
      view={view}
      mode="instructions"
      visible={visible}
      selected={view.content !== undefined}
      empty={view.state.busy === undefined ? '' : asking}
      equivalents={() => listEquivalents(instructionsActions, { view, ...opened, parts })}
      actions={() => actionHandlers(instructionsActions, { view, ...opened, parts }, view.take)}
    />
  );
}
