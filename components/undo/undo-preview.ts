import { describeThing } from '../../src/model/undo/entry.ts';
import type { UndoRow } from '../../src/services/console/undo.ts';
import { formatSize } from '../../src/text/size.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines, factEntries } from '../ui/viewer/entries.ts';

/** Returns the preview of a journal entry: the facts about its item. */
export function undoPreview({ entry }: UndoRow, parts: Pick<PaneParts, 'services'>): Previewed {
  return {
    id: `undo ${entry.id}`,
    title: describeThing(entry.thing),
    async read() {
      const facts = await requireService(parts, 'undo').facts(entry);
      const entries = facts.flatMap(([name, text]) =>
        factEntries(name, text, { role: name === 'mind' ? 'warning' : 'plain' }),
      );
      return { counts: formatSize(entry.size), lines: (surface) => entryLines(entries, surface) };
    },
  };
}
