import type { AuditEntry } from '../../src/model/guard/audit.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { ViewPane } from '../ui/viewer/ViewPane.tsx';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { auditEntries } from './audit-list.ts';

/** Draws all facts about one request in the audit log. */
export function AuditRecordPane({ entry, visible }: { entry: AuditEntry; visible: boolean }) {
  const parts = useConsole();
  const view = useController(
    () =>
      new ViewController<AuditEntry>(parts, {
        content: entry,
        selects: true,
        createLines: (shown, surface) => entryLines(auditEntries(shown), surface),
      }),
  );
  return (
    <ViewPane
      view={view}
      mode="audit-record"
      visible={visible}
      selected
      counts={entry.outcome}
      empty=""
      actions={() => ({})}
    />
  );
}
