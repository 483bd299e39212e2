import type { CustomHostname } from '../../../../model/hostnames/hostname.ts';
import { Problem } from '../../../../model/problem.ts';
import type { Reporter } from '../../../../model/progress.ts';
import {
  type HostnameExportFormat,
  hostnameExport,
  hostnameExportFormats,
  hostnameFormatFor,
} from '../../../../services/hostnames/fleet/export.ts';
import { listHostnames } from '../../../../services/hostnames/hostnames.ts';
import { openExportFile } from '../../../../services/kv/transfer/export.ts';
import { escapeText } from '../../../../text/escape.ts';
import { jsonText } from '../../../output/output.ts';
import { openProgress } from '../../../output/progress.ts';
import { command } from '../../../parsing/command.ts';
import { existingFileMode } from '../../../parsing/flags.ts';
import { parseOneOf } from '../../../parsing/one-of.ts';
import { formatCount } from '../../objects/report.ts';
import { readFilter } from '../list.ts';
import { openZone } from '../zone-choice.ts';
import type * as declared from './declarations.ts';

export const exportCommand = command<typeof declared.hostnameExport>({
  async run(context, { flags }) {
    const { world, output } = context;
    const filter = readFilter(flags);
    const named =
      flags.output === undefined
        ? undefined
        : await openExportFile(world, flags.output, existingFileMode(flags));
    const file = named?.destination.kind === 'stdout' ? undefined : named;
    const format = chooseFormat(flags.format, file && flags.output, output.json);
    const escapesFormulas = flags['escape-formulas'];
    if (escapesFormulas && format !== 'csv')
      throw new Problem('usage', `--escape-formulas works only with the format csv, not ${format}.`);
    const { session, zoneId } = await openZone(context, flags);
    const toTerminal = file === undefined && output.isTerminal;
    const display = openProgress(world, output, flags.quiet || toTerminal);
    let exported = 0;
    try {
      let total: number | undefined;
      const list = listHostnames(session, zoneId, filter, (count) => {
        total = count;
      });
      const pages = watched(list, display, () => total);
      const tell = (count: number): void => {
        exported += count;
      };
      const toJson = toTerminal ? jsonText : undefined;
      const texts = hostnameExport(pages, { zoneId, format, escapesFormulas }, tell, toJson);
      if (file !== undefined) await file.write(texts);
      else for await (const text of texts) await output.listing(toTerminal ? inert(text, format) : text);
    } finally {
      display.end();
    }
    const line = `Exported ${formatCount(exported, 'custom hostname')}`;
    if (file === undefined || flags.output === undefined) output.note(`${line}.`, { exported });
    else await output.result(`${line} to ${flags.output}.`, { zoneId, exported, file: flags.output, format });
  },
});

async function* watched(
  pages: AsyncIterable<CustomHostname[]>,
  display: Reporter,
  total: () => number | undefined,
): AsyncGenerator<CustomHostname[]> {
  let done = 0;
  for await (const page of pages) {
    done += page.length;
    display.progress({ phase: 'exporting', unit: 'hostnames', done, total: total(), retries: 0, failed: 0 });
    yield page;
  }
}

function chooseFormat(
  typed: string | undefined,
  file: string | undefined,
  json: boolean,
): HostnameExportFormat {
  const format = parseOneOf('--format', typed, hostnameExportFormats);
  if (format !== undefined) return format;
  if (file !== undefined) return hostnameFormatFor(file);
  return json ? 'json' : 'csv';
}

/** Escapes text for a terminal; JSON is already safe. */
function inert(text: string, format: HostnameExportFormat): string {
  if (format === 'json' || format === 'ndjson') return text;
  return text
    .split('\n')
    .map((line) => escapeText(line))
    .join('\n');
}
