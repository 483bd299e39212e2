import { needsSomebody } from '../../src/model/hostnames/attention.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { hostnameActions } from './hostname-actions.ts';
import { HostnameController, type OpenHostname } from './hostname-view.ts';

/** Draws a custom hostname: its settings, its certificate, and the DNS records that the customer must set. */
export function HostnamePane({ opened, visible }: { opened: OpenHostname; visible: boolean }) {
  const parts = useConsole();
  const view = useController(() => new HostnameController(opened, parts));
  const here = () => ({
    zone: opened.zone,
    record: view.content.record,
    marked: [],
    hidden: 0,
    view,
    parts,
  });
  return (
    <ViewPane
      view={view}
      mode="hostname"
      visible={visible}
      selected
      situation={{ fixable: needsSomebody(view.content) }}
      empty=""
      equivalents={() => listEquivalents(hostnameActions, here())}
      actions={() => actionHandlers(hostnameActions, here(), view.take)}
    />
  );
}
