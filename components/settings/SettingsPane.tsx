import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { settingActions } from './setting-actions.ts';
import { settingColumns, settingList, settingPreview } from './setting-list.ts';

/** Lists the user's settings. */
export function SettingsPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => settingList(parts));
  return (
    <ListPane
      list={list}
      mode="settings"
      visible={visible}
      rowNames={{ one: 'setting', many: 'settings' }}
      columns={() => settingColumns}
      preview={settingPreview}
      name={{ heading: 'SETTING', cell: ({ name }) => name }}
      emptyWords={() => 'No settings.'}
      actions={() => actionHandlers(settingActions, { setting: list.selected, parts }, list.take)}
    />
  );
}
