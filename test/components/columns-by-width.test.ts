// Requirement: a wider screen never shows fewer columns, in any list of the console.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceColumns } from '../../components/comparison/difference-list.ts';
import { hostnameColumns } from '../../components/hostnames/columns.ts';
import { diagnosesColumns } from '../../components/hostnames/diagnoses/diagnoses-list.ts';
import { forecastColumns } from '../../components/hostnames/forecast/forecast-list.ts';
import { planColumns } from '../../components/hostnames/plan/plan-list.ts';
import { keyColumns } from '../../components/kv/KeysPane.tsx';
import { columns as namespaceColumns } from '../../components/kv/NamespacesPane.tsx';
import { columnsOfBucket } from '../../components/objects/BucketsPane.tsx';
import { objectColumns } from '../../components/objects/ObjectsPane.tsx';
import { taskColumns } from '../../components/tasks/TasksPane.tsx';
import { declaredTaskColumns } from '../../components/tasks/task-list.ts';
import type { Column } from '../../components/ui/lists/columns.ts';
import { drawColumns } from '../../components/ui/lists/declared-columns.ts';
import { divideList } from '../../components/ui/lists/list-layout.ts';
import { columnName } from '../../components/ui/lists/own-columns.ts';
import { undoColumns } from '../../components/undo/UndoPane.tsx';
import { factColumns } from '../../components/workers/WorkerPane.tsx';
import { columns as recordColumns } from '../../components/zones/RecordsPane.tsx';

const paces = () => undefined;

/** The columns of each list pane for a screen of this width. */
const lists: Readonly<Record<string, (width: number) => readonly Column<never>[]>> = {
  namespaces: () => namespaceColumns,
  keys: () => keyColumns(0),
  differences: differenceColumns,
  buckets: () => columnsOfBucket,
  objects: () => objectColumns(0),
  hostnames: () => hostnameColumns(0),
  diagnoses: () => diagnosesColumns,
  renewals: () => forecastColumns,
  plan: () => planColumns,
  records: () => recordColumns,
  worker: (width) => factColumns(0, width),
  tasks: (width) =>
    drawColumns(declaredTaskColumns, {
      AS: undefined,
      TARGET: undefined,
      ...taskColumns([], { now: 0, width, findPace: paces }),
    }),
  undo: () => undoColumns(0),
};

test.each(Object.entries(lists))('a wider screen never shows fewer columns of %s', (_, columnsAt) => {
  const need = fc.integer({ min: 0, max: 90 });
  const wanted = fc.record({
    name: need,
    cells: fc.array(need, { minLength: 10, maxLength: 10 }),
    hasPreview: fc.boolean(),
    hasDetails: fc.boolean(),
    rows: fc.constantFrom(12, 30),
  });
  fc.assert(
    fc.property(wanted, ({ name, cells, rows, ...has }) => {
      let before: readonly string[] = [];
      for (let width = 40; width <= 220; width++) {
        const all = columnsAt(width);
        const layout = divideList<never>(
          { columns: width, rows },
          {
            ...has,
            name: { heading: 'NAME', cell: () => '' },
            columns: all,
            needs: {
              name: { usual: Math.floor(name * 0.7), max: name },
              columns: new Map(all.map(({ heading }, index) => [heading, cells[index] ?? 0] as const)),
            },
          },
        );
        const now = [...layout.columns.map(columnName), ...(layout.preview ? ['preview'] : [])];
        expect(now, `${width} columns`).toEqual(expect.arrayContaining([...before]));
        before = now;
      }
    }),
    { numRuns: 100 },
  );
});
