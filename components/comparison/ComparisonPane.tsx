import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { comparisonActions, type OpenComparison } from './comparison-actions.ts';
import { comparisonView } from './comparison-view.ts';

/** Draws the differences in value, metadata and expiry between a key and the key with the same name elsewhere. */
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
      empty={other === undefined ? 'Press = to choose the namespace to compare with.' : 'Reading…'}
      equivalents={() => listEquivalents(comparisonActions, { opened, other, parts })}
      actions={() => actionHandlers(comparisonActions, { opened, other, parts }, view.take)}
    />
  );
}
