import { formatState } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { groupDigits } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { countdownValidMs } from '../ui/status/use-age.ts';
import { heldActions } from './held-actions.ts';
import { heldStateRoles, secondsLeft } from './held-entries.ts';
import { declaredHeldColumns, formatRequest, heldList, heldPreview } from './held-list.ts';

const noRequests =
  'No held requests. Requests that edgectl guard holds for approval appear here; the header shows their number.';

/** Lists the requests that guards hold for approval. */
export function HeldPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => heldList(parts));
  const { waiting } = parts.held;
  return (
    <ListPane
      list={list}
      mode="held"
      visible={visible}
      rowNames={{ one: 'request', many: 'requests' }}
      counts={waiting === 0 ? undefined : `${waiting} waiting`}
      columns={(now) => heldColumns(now)}
      name={{ heading: 'REQUEST', cell: formatRequest }}
      preview={(request) => heldPreview(request, parts)}
      emptyWords={() => noRequests}
      actions={() => actionHandlers(heldActions, { request: list.selected, parts }, list.take)}
    />
  );
}

/** Returns the columns after the request. `now` is in milliseconds. */
function heldColumns(now: number): DrawnColumns<HeldRequest> {
  const role = ({ state }: HeldRequest) => heldStateRoles[state];
  return drawColumns(declaredHeldColumns, {
    NUMBER: { width: 7, importance: 2, cell: ({ number }) => number },
    LEFT: {
      width: 4,
      importance: 6,
      align: 'right',
      cell: (request) => compactDuration(secondsLeft(request, now)),
      role,
      lasts: (request) => countdownValidMs(secondsLeft(request, now)),
    },
    STATE: { width: 10, importance: 5, cell: (request) => formatState(request), role },
    PROGRAM: { width: 8, maxWidth: 20, importance: 4, cell: ({ client }) => client },
    COUNT: {
      width: 5,
      importance: 3,
      align: 'right',
      cell: ({ count }) => (count === undefined ? '?' : groupDigits(count)),
    },
    RULE: { width: 8, maxWidth: 24, importance: 1, cell: ({ rules }) => rules.join(', ') },
  });
}
