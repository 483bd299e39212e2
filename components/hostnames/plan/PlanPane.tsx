import { actionHandlers, listEquivalents } from '../../kit/keys/action.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { ListPane } from '../../ui/lists/ListPane.tsx';
import { planActions } from './plan-actions.ts';
import { type OpenPlan, PlanList, planColumns, stepPreview } from './plan-list.ts';

/** Draws the steps that would reconcile the hostnames of a zone with a file, before any request is sent. */
export function PlanPane({ opened, visible }: { opened: OpenPlan; visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => new PlanList(opened, parts));
  const here = () => {
    const { list: rows, selected: step, plan } = list;
    return { list: rows, step, hostname: step?.hostname, plan, opened, parts };
  };
  return (
    <ListPane
      list={list}
      mode="plan"
      visible={visible}
      rowNames={{ one: 'step', many: 'steps' }}
      columns={() => planColumns}
      name={{ heading: 'HOSTNAME', cell: ({ hostname }) => hostname }}
      preview={stepPreview}
      words={[opened.zone.name, ...list.words]}
      emptyWords={() => list.missing}
      equivalents={() => listEquivalents(planActions, here())}
      actions={() => actionHandlers(planActions, here(), list.take)}
    />
  );
}
