import { actionHandlers, listEquivalents } from '../../kit/keys/action.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { ListPane } from '../../ui/lists/ListPane.tsx';
import { diagnosesActions } from './diagnoses-actions.ts';
import { DiagnosesList, diagnosesColumns, faultPreview } from './diagnoses-list.ts';

interface DiagnosesPaneProps {
  readonly opened: Extract<OpenPane, { pane: 'diagnoses' }>;
  readonly visible: boolean;
}

/** Draws the results of a task that diagnoses marked hostnames: for each hostname, the first finding and who must act. */
export function DiagnosesPane({ opened: { zone, id }, visible }: DiagnosesPaneProps) {
  const parts = useConsole();
  const list = useController(() => new DiagnosesList(parts, id));
  const here = () => ({ list: list.list, hostname: list.selected?.hostname, zone, parts });
  return (
    <ListPane
      list={list}
      mode="diagnoses"
      visible={visible}
      rowNames={{ one: 'hostname', many: 'hostnames' }}
      columns={() => diagnosesColumns}
      name={{ heading: 'HOSTNAME', cell: ({ hostname }) => hostname }}
      preview={faultPreview}
      words={[zone.name, list.taskWords]}
      emptyWords={() => 'No results yet. The first results appear in a moment.'}
      equivalents={() => listEquivalents(diagnosesActions, here())}
      actions={() => actionHandlers(diagnosesActions, here(), list.take)}
    />
  );
}
