import { limitYoungHeap } from '../../../heap.ts';
import { Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { Samples } from '../../../model/samples.ts';
import {
  type ExportFormat,
  exportEntries,
  exportFormatFor,
  exportTexts,
  openExportFile,
} from '../../../services/kv/transfer/export.ts';
import { jsonText } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { command } from '../../parsing/command.ts';
import { existingFileMode } from '../../parsing/flags.ts';
import type * as declared from './bulk-declarations.ts';
import { counted, refuseLost } from './bulk-report.ts';
import { openNamespace } from './namespace-choice.ts';

export const exportCommand = command<typeof declared.kvExport>({
  async run(context, { flags }) {
    const boundHeap = limitYoungHeap();
    const { world, output } = context;
    const named =
      flags.output === undefined
        ? undefined
        : await openExportFile(world, flags.output, existingFileMode(flags));
    const file = named?.destination.kind === 'stdout' ? undefined : named;
    const format = checkFormat(flags.format, file && flags.output, output.json);
    const { session, id } = await openNamespace(context, flags);
    const toTerminal = file === undefined && output.isTerminal;
    const display = openProgress(world, output, flags.quiet || toTerminal);
    const count = { entries: 0 };
    const lost = new Samples();
    try {
      const reporter: Reporter = {
        ...display,
        progress(progress) {
          boundHeap();
          display.progress(progress);
        },
      };
      const groups = exportEntries({ session, namespaceId: id }, { prefix: flags.prefix, lost, reporter });
      // Escapes are needed only on a terminal. Escaping long non-ASCII values would take most of the time.
      const toText = toTerminal ? jsonText : JSON.stringify;
      const chunks = exportTexts(groups, format, count, toText);
      if (file !== undefined) await file.write(chunks);
      else for await (const chunk of chunks) await output.answer(chunk);
    } finally {
      display.end();
    }
    const exported = `Exported ${counted(count.entries, 'key')} from namespace id ${id}`;
    if (file === undefined || flags.output === undefined)
      output.note(`${exported}.`, { exported: count.entries });
    else {
      await output.result(`${exported} to ${flags.output}.`, {
        namespaceId: id,
        target: session.label,
        exported: count.entries,
        file: flags.output,
        format,
        lost: lost.count,
        lostKeys: lost.first,
      });
    }
    refuseLost(lost);
  },
});

function checkFormat(text: string | undefined, file: string | undefined, json: boolean): ExportFormat {
  if (text === 'ndjson' || text === 'json') return text;
  if (text !== undefined) throw new Problem('usage', `--format must be ndjson or json, not "${text}".`);
  if (file === undefined) return json ? 'json' : 'ndjson';
  return exportFormatFor(file);
}
