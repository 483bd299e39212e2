import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { comparisonActions, type OpenComparison } from './comparison-actions.ts';
import { comparisonView } from './comparison-view.ts';

/** Compares the value, metadata and expiry of a key with the key of the same name in another place. */
export function ComparisonPane({ opened, visible }: { opened: OpenComparison; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => comparisonView(opened, parts));
  const { other, comparison } = view.content;
  const isSame = comparison?.differences.length === 0 && comparison.left === comparison.right;
  return (
    <ViewPane
      view={view}
      mode="comparison"
      visible={visible}
      selected={comparison !== undefined}
      counts={comparison === undefined ? '' : isSame ? 'the same' : 'different'}
      empty={other === undefined ? 'Not compared yet. Press = to choose the other side.' : 'Reading…'}
      equivalents={() => listEquivalents(comparisonActions, { opened, other, parts })}
      actions={() => actionHandlers(comparisonActions, { opened, other, parts }, view.take)}
    />
  );
}
