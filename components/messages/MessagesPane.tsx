import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { messageView } from './message-view.ts';

/** Draws the messages since the console was opened, such as completed actions and failures, with their times. */
export function MessagesPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => messageView(parts.messages, parts));
  const failed = view.content.filter(({ tone }) => tone === 'failed').length;
  const counts = `${view.content.length} ${view.content.length === 1 ? 'message' : 'messages'}`;
  return (
    <ViewPane
      view={view}
      mode="messages"
      visible={visible}
      selected={view.content.length > 0}
      counts={failed === 0 ? counts : `${counts}, ${failed} failed`}
      empty="No messages since the console was opened."
      actions={() => ({})}
    />
  );
}
