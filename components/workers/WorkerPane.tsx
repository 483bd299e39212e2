import { useState } from 'react';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import type { NameColumn } from '../ui/lists/columns.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { displayedList } from '../ui/lists/list-pages.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { workerActions } from './worker-actions.ts';
import { declaredFactColumns, workerList } from './worker-list.ts';
import { factPreview } from './worker-preview.ts';
import { groupName, type WorkerRow } from './worker-rows.ts';

/** Lists the deployments, the bindings and the names of the secrets of a worker. */
export function WorkerPane({ name, visible }: { name: string; visible: boolean }) {
  const parts = useConsole();
  const [worker] = useState(() => workerList(name, parts));
  const controller = useController(() => worker.list);
  const { list } = controller;
  const here = () => ({ list: controller, worker: name, parts });
  return (
    <ListPane
      list={controller}
      mode="worker"
      visible={visible}
      rowNames={{ one: 'row', many: 'rows' }}
      counts={formatCounts(list, worker.facts()?.compatibilityDate, parts.screen.columns >= wideColumns)}
      columns={factColumns}
      name={nameColumn(parts.screen.columns)}
      group={groupName}
      situation={{ secret: controller.selected?.kind === 'secret' }}
      preview={(row) => factPreview(row, { name, facts: worker.facts(), now: parts.world.now() })}
      emptyWords={() => 'This worker has no deployments, bindings or secrets.'}
      equivalents={() => listEquivalents(workerActions, here())}
      actions={() => actionHandlers(workerActions, here(), controller.take)}
    />
  );
}

/**
 * Formats the compatibility date on a wide screen, even while the rows are being reloaded. Returns undefined before the first load, and
 * after a failure.
 */
function formatCounts(
  list: PagedList<WorkerRow>,
  compatibilityDate: string | undefined,
  isWide: boolean,
): string | undefined {
  const { rows, complete, stopped } = displayedList(list);
  if (stopped || (rows.length === 0 && !complete)) return undefined;
  const date = !isWide || compatibilityDate === undefined ? [] : [`compatibility ${compatibilityDate}`];
  return [...(complete ? [] : ['loading…']), ...date].join(' · ');
}

/** Minimum width of the screen, in columns, to show both the column KIND and values of usual length. */
const wideColumns = 80;

/** Returns the name column. On a narrow screen without the column KIND, the word "running" marks the running version. */
function nameColumn(width: number): NameColumn<WorkerRow> {
  const isNarrow = width < wideColumns;
  return {
    heading: 'NAME',
    least: 18,
    cell: ({ label, kind }) => (isNarrow && kind === 'running' ? `${label} running` : label),
    role: ({ kind }) => (isNarrow && kind === 'running' ? 'good' : 'plain'),
  };
}

/** Returns the columns after the name. `now` is in milliseconds; `width` is the number of columns of the screen. */
export function factColumns(now: number, width: number): DrawnColumns<WorkerRow> {
  return drawColumns(declaredFactColumns, {
    // A narrow list omits KIND rather than the value, because the headings of the groups also show the kind.
    KIND:
      width < wideColumns
        ? undefined
        : {
            width: 9,
            maxWidth: 24,
            importance: 1,
            cell: ({ type }) => type,
            role: ({ kind }) => (kind === 'running' ? 'good' : 'dim'),
          },
    DETAIL: {
      width: width < wideColumns ? 18 : 32,
      maxWidth: 72,
      beforePreview: 42,
      importance: 3,
      cell: ({ value, source }) =>
        value === '' && source !== undefined && width < wideColumns ? `by ${source}` : value,
    },
    SOURCE:
      width < wideColumns
        ? undefined
        : {
            width: 8,
            maxWidth: 16,
            importance: 0,
            hidesEmpty: true,
            cell: ({ source }) => source ?? '',
            role: () => 'dim',
          },
    AGE: {
      width: 4,
      importance: 2,
      align: 'right',
      cell: ({ since }) => (since === undefined ? '' : compactDuration((now - since) / 1000)),
      role: () => 'dim',
    },
  });
}
