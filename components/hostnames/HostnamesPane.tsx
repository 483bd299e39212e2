import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { Line } from '../widgets/Line.tsx';
import { hostnameColumns } from './columns.ts';
import { AuthorityMenu, StatusMenu, ZoneMenu } from './HostnameMenus.tsx';
import { type HostnamesMenu, type HostnamesState, hostnameCounts, selectedIn } from './hostnames-state.ts';
import { isFiltered, shownHostname, shownLength } from './list.ts';
import { useGauge } from './use-gauge.ts';
import { useHostnames } from './use-hostnames.ts';
import { zoneParts } from './zone-line.ts';

/** The custom hostnames of a zone. */
export function HostnamesPane({ visible }: { visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows) - 1;
  const hostnames = useHostnames(tableRows(body), visible);
  const { state, act, dispatch, perform } = hostnames;
  const { list, overview, issuance, menu, dialog, busy } = state;
  const situation = { readOnly: session.readOnly, selected: selectedIn(state) !== undefined, busy };
  const active = visible && dialog === undefined && menu === undefined;
  useShortcuts('hostnames', { active, situation, act });
  useGauge(issuance, visible);
  if (!visible) return null;
  if (menu !== undefined) return <PaneMenu {...hostnames} menu={menu} />;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'hostnames')} situation={situation} counts={hostnameCounts(state)}>
      <Line parts={zoneParts(overview, issuance, world.now(), { columns, redact })} />
      {taken < body && (
        <Table
          columns={hostnameColumns(columns, world.now() + (overview?.ahead ?? 0))}
          last={{ heading: 'HOSTNAME', cell: ({ record }) => record.hostname }}
          length={shownLength(list)}
          rowAt={(index) => shownHostname(list, index)}
          cursor={list.cursor}
          height={body - taken}
          empty={emptyText(state, session.readOnly)}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        onFilter={(text) => dispatch({ type: 'filtered', text })}
        onApply={(how) => dispatch({ type: how === 'apply' ? 'applied' : 'kept' })}
        save={hostnames.save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

interface PaneMenuProps extends ReturnType<typeof useHostnames> {
  readonly menu: HostnamesMenu;
}

function PaneMenu({ menu, state, dispatch, perform, takeZone }: PaneMenuProps) {
  const close = () => dispatch({ type: 'offered', menu: undefined });
  switch (menu.kind) {
    case 'zone':
      return <ZoneMenu {...menu} onChoose={takeZone} onCancel={close} />;
    case 'status':
      return (
        <StatusMenu
          present={state.list.search.status}
          onChoose={(status) => dispatch({ type: 'status', status })}
          onCancel={close}
        />
      );
    case 'authority': {
      const { record } = menu;
      return (
        <AuthorityMenu
          record={record}
          onChoose={(authority) => perform({ does: 'authority', record, authority })}
          onCancel={close}
        />
      );
    }
  }
}

function emptyText(state: HostnamesState, readOnly: boolean): string {
  const { list, zone, dialog } = state;
  if (zone === undefined) return dialog === undefined ? 'No zone is chosen: z chooses one.' : '';
  if (list.stopped) return 'The list could not be read: r tries again.';
  if (list.contains !== '' && !list.complete)
    return 'No loaded hostname matches: m loads more, Enter asks the platform.';
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  if (isFiltered(list)) return 'No hostname matches the filter.';
  return readOnly ? 'No custom hostnames.' : 'No custom hostnames yet: n creates one.';
}
