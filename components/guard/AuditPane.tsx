import type { AuditEntry } from '../../src/model/guard/audit.ts';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { auditActions } from './audit-actions.ts';
import {
  auditList,
  auditPreview,
  declaredAuditColumns,
  formatAudited,
  formatResult,
  resultRole,
} from './audit-list.ts';

const noRecords =
  'No records. edgectl records refused requests, and writes to accounts by commands, the console and guards. It records writes to the sandbox on this machine only if they go through a guard.';

/** Draws the audit log, newest first. */
export function AuditPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => auditList(parts));
  return (
    <ListPane
      list={list}
      mode="audit"
      visible={visible}
      rowNames={{ one: 'record', many: 'records' }}
      columns={auditColumns}
      name={{ heading: 'REQUEST', cell: formatAudited }}
      preview={auditPreview}
      emptyWords={() => noRecords}
      actions={() =>
        actionHandlers(auditActions, { list: list.list, entry: list.selected, parts }, list.take)
      }
    />
  );
}

/** Returns the columns after the request. `now` is in milliseconds. */
function auditColumns(now: number): DrawnColumns<AuditEntry> {
  return drawColumns(declaredAuditColumns, {
    AGO: {
      width: 5,
      importance: 4,
      align: 'right',
      cell: ({ at }) => compactDuration(Math.max(0, now - Date.parse(at)) / 1000),
      role: () => 'dim',
    },
    RESULT: { width: 8, importance: 5, cell: formatResult, role: resultRole },
    PROGRAM: { width: 8, maxWidth: 20, importance: 3, cell: ({ client }) => client },
    RULE: { width: 8, maxWidth: 24, importance: 2, cell: ({ rule }) => rule },
    NUMBER: { width: 6, importance: 1, align: 'right', cell: ({ number }) => String(number) },
  });
}
