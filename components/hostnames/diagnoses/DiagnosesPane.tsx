import { diagnosesActs } from '../../../src/services/equivalents/hostnames.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { runsOf } from '../../kit/keys/action.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { ListPane } from '../../ui/lists/ListPane.tsx';
import type { PagedList } from '../../ui/lists/paged-list.ts';
import { eachRow } from '../../ui/lists/rows.ts';
import { diagnosesActions } from './diagnoses-actions.ts';
import { DiagnosesList, diagnosesColumns, faultPreview } from './diagnoses-list.ts';

interface DiagnosesPaneProps {
  readonly opened: Extract<OpenPane, { pane: 'diagnoses' }>;
  readonly visible: boolean;
}

/** What a task has found of marked hostnames: the first finding of each, and who acts. */
export function DiagnosesPane({ opened: { zone, id }, visible }: DiagnosesPaneProps) {
  const parts = useConsole();
  const list = useController(() => new DiagnosesList(parts, id));
  return (
    <ListPane
      list={list}
      mode="diagnoses"
      visible={visible}
      rowNames={{ one: 'hostname', many: 'hostnames' }}
      columns={(_, width) => diagnosesColumns(width)}
      name={{ heading: 'HOSTNAME', cell: ({ hostname }) => hostname }}
      preview={faultPreview}
      words={[escapeText(zone.name), list.taskWords]}
      emptyWords={() => 'Nothing has been found yet: the first results come in a moment.'}
      acts={() =>
        diagnosesActs(
          zone.id,
          namesIn(list.list, ({ hostname }) => hostname),
        )
      }
      actions={() => {
        const here = { list: list.list, hostname: list.selected?.hostname, zone, parts };
        return runsOf(diagnosesActions, here, list.take);
      }}
    />
  );
}

/** Names that a command line takes: more would be no line to read. */
const most = 100;

/** The first names of a list's rows, for a command line. */
function namesIn<T>({ rows }: PagedList<T>, nameOf: (row: T) => string): readonly string[] {
  const names: string[] = [];
  for (const row of eachRow(rows)) {
    if (names.length === most) break;
    names.push(nameOf(row));
  }
  return names;
}
