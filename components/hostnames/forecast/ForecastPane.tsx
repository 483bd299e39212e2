import { actionHandlers, listEquivalents } from '../../kit/keys/action.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { ListPane } from '../../ui/lists/ListPane.tsx';
import { forecastActions } from './forecast-actions.ts';
import { forecastColumns, forecastList, forecastPreview } from './forecast-list.ts';

interface ForecastPaneProps {
  readonly opened: Extract<OpenPane, { pane: 'forecast' }>;
  readonly visible: boolean;
}

/**
 * Draws the certificates of a zone on an axis of days: when each certificate will be renewed, whether the renewal will succeed, and who
 * must act.
 */
export function ForecastPane({ opened: { zone }, visible }: ForecastPaneProps) {
  const parts = useConsole();
  const list = useController(() => forecastList(zone, parts));
  const here = () => {
    const { list: rows, selected: foreseen } = list;
    return { list: rows, foreseen, hostname: foreseen?.forecast.hostname, zone, parts };
  };
  return (
    <ListPane
      list={list}
      mode="forecast"
      visible={visible}
      rowNames={{ one: 'certificate', many: 'certificates' }}
      columns={() => forecastColumns}
      name={{ heading: 'HOSTNAME', least: 22, cell: ({ forecast }) => forecast.hostname }}
      preview={forecastPreview}
      words={[zone.name]}
      emptyWords={() => 'No certificates to renew.'}
      equivalents={() => listEquivalents(forecastActions, here())}
      actions={() => actionHandlers(forecastActions, here(), list.take)}
    />
  );
}
