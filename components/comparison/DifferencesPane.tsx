import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { differenceActions } from './difference-actions.ts';
import {
  differenceColumns,
  differenceList,
  differencePreview,
  type OpenDifferences,
} from './difference-list.ts';

/** Lists the keys that differ between two namespaces. */
export function DifferencesPane({ opened, visible }: { opened: OpenDifferences; visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => differenceList(opened, parts));
  const { namespace, other } = opened;
  const here = () => ({ opened, list: list.list, key: list.selected?.key, parts });
  return (
    <ListPane
      list={list}
      mode="differences"
      visible={visible}
      rowNames={{ one: 'difference', many: 'differences' }}
      columns={(_, width) => differenceColumns(width)}
      name={{ heading: 'KEY', cell: ({ key }) => key }}
      preview={(row) => differencePreview(opened, row, parts)}
      words={[`${namespace.title} (here) and ${other.words} (there)`]}
      emptyWords={() => 'No differences: both namespaces have the same keys, values, metadata and expiry.'}
      equivalents={() => listEquivalents(differenceActions, here())}
      actions={() => actionHandlers(differenceActions, here(), list.take)}
    />
  );
}
