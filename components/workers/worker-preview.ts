import { escapeText } from '../../src/text/escape.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { factCounts, workerRows } from './worker-rows.ts';

/** Width of the column of kinds. */
const kindWidth = 10;

/** The secrets, bindings and deployments of a worker. */
export function workerPreview(name: string, parts: Pick<PaneParts, 'services'>): Previewed {
  return {
    id: `worker ${name}`,
    title: name,
    async read(signal) {
      const facts = await requireService(parts, 'workers').read(name, signal);
      const rows = workerRows(facts);
      const entries = rows.map(({ kind, text }) => ({ text: kind.padEnd(kindWidth) + escapeText(text) }));
      return {
        counts: factCounts(rows, facts.compatibilityDate),
        lines: (surface) => entryLines(entries, surface),
      };
    },
  };
}
