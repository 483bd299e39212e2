import { useEffect } from 'react';
import { needsSomebody } from '../../src/model/hostnames/attention.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { DialogBox, dialogMode, placeDialog } from '../ui/forms/DialogBox.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight, minRowsForRules } from '../ui/layout/layout.ts';
import { Line } from '../ui/lines/Line.tsx';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { countHiddenMarks, markedRows } from '../ui/lists/marks.ts';
import { hostnameColumns } from './columns.ts';
import { HostnameList } from './hostname-list.ts';
import { hostnamePreview } from './hostname-preview.ts';
import { hostnamesActions } from './hostnames-actions.ts';
import { ZoneController } from './zone-controller.ts';
import { isZoneUrgent, zoneParts } from './zone-line.ts';

/** Draws the list of a zone's custom hostnames, or a menu of zones while no zone is known or the user switches zones. */
export function HostnamesPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const controller = useController(() => new ZoneController(parts));
  useEffect(() => controller.show(visible), [controller, visible]);
  const { zone, dialog } = controller.state;
  const isCovered = zone === undefined || dialog !== undefined;
  return (
    <>
      {visible && isCovered && <ZoneChoice controller={controller} />}
      {zone !== undefined && (
        <ZoneHostnames key={zone.id} zone={zone} controller={controller} visible={visible && !isCovered} />
      )}
    </>
  );
}

const noZoneChosen = 'No zone is chosen. Press z to choose a zone.';

/** Draws the menu of zones. */
function ZoneChoice({ controller }: { controller: ZoneController }) {
  const parts = useConsole();
  const { session, rows, notify, back } = parts;
  const { dialog, busy } = controller.state;
  const situation = { readOnly: session.readOnly, selected: false, busy };
  const runAction = (action: string) => {
    if (action === 'zone') controller.offer();
    else if (action === 'refresh') controller.find();
    else if (action === 'back') back();
    else notify(noZoneChosen, 'refused');
  };
  useShortcuts('hostnames', { active: dialog === undefined, situation, runAction });
  const body = bodyHeight(rows);
  const place = placeDialog(dialog, parts, body);
  const isIdle = dialog === undefined && busy === undefined;
  return (
    <Frame
      mode={dialogMode(dialog, 'hostnames')}
      situation={situation}
      dialog={{
        ...place,
        content: (
          <DialogBox
            dialog={dialog}
            place={place}
            active
            perform={(command) => command()}
            close={() => controller.dispatch({ type: 'dismissed' })}
          />
        ),
      }}
    >
      {place.rows < body && <Line parts={[{ text: isIdle ? noZoneChosen : '', role: 'dim' }]} />}
    </Frame>
  );
}

interface HostnamesOfProps {
  readonly zone: Zone;
  readonly controller: ZoneController;
  readonly visible: boolean;
}

function ZoneHostnames({ zone, controller, visible }: HostnamesOfProps) {
  const parts = useConsole();
  const list = useController(() => new HostnameList(parts, zone, controller.read));
  const { columns, rows, redact, world } = parts;
  const { overview, issuance } = controller.state;
  // Without borders, the header has no room for the zone next to the names of the areas.
  const isBare = !parts.region.isFramed;
  const zoneLine = zoneParts(overview, issuance, world.now(), {
    columns,
    redact,
    ...(isBare && { zone: zone.name }),
  });
  const isShort = rows < minRowsForRules && !isZoneUrgent(zoneLine);
  const here = () => {
    const { list: rows, selected: row } = list;
    const one = { row, record: row?.record, hostname: row?.record.hostname };
    const marked = markedRows(rows).map(({ record }) => record);
    return { ...one, marked, hidden: countHiddenMarks(rows), list: rows, zone, zones: controller, parts };
  };
  return (
    <ListPane
      list={list}
      mode="hostnames"
      visible={visible}
      rowNames={{ one: 'hostname', many: 'hostnames' }}
      columns={(now, width) => hostnameColumns(now + (overview?.ahead ?? 0), width)}
      name={{ heading: 'HOSTNAME', least: 23, cell: ({ record }) => record.hostname }}
      above={isShort ? undefined : <Line parts={zoneLine} />}
      hasDetails
      preview={(row) => hostnamePreview(row, world.now() + (overview?.ahead ?? 0))}
      words={isBare && !isShort ? [] : [zone.name]}
      situation={{ fixable: list.selected && needsSomebody(list.selected) }}
      emptyWords={({ readOnly }) =>
        readOnly ? 'No custom hostnames.' : 'No custom hostnames yet: press n to create one.'
      }
      equivalents={() => listEquivalents(hostnamesActions, here())}
      actions={() => actionHandlers(hostnamesActions, here(), list.take)}
    />
  );
}
