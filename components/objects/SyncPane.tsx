import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { syncActions } from './sync-actions.ts';
import { type OpenSync, SyncList, syncColumns } from './sync-list.ts';

/** Draws the steps that would sync a local folder and a prefix of a bucket, before anything changes. */
export function SyncPane({ opened, visible }: { opened: OpenSync; visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => new SyncList(opened, parts));
  const { bucket, prefix, path, direction } = opened;
  const there = `${bucket}/${prefix}`;
  const words = direction === 'upload' ? `${path} to ${there}` : `${there} to ${path}`;
  const here = () => ({ list: list.list, row: list.selected, steps: list.steps, opened, parts });
  return (
    <ListPane
      list={list}
      mode="sync"
      visible={visible}
      rowNames={{ one: 'step', many: 'steps' }}
      columns={() => syncColumns}
      name={{ heading: 'NAME', cell: ({ name }) => name }}
      words={[words, ...list.words]}
      emptyWords={() => 'Both sides are the same.'}
      equivalents={() => listEquivalents(syncActions, here())}
      actions={() => actionHandlers(syncActions, here(), list.take)}
    />
  );
}
