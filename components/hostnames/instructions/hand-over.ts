import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import type { HostnameService } from '../../../src/services/console/hostnames.ts';
import { escapeText } from '../../../src/text/escape.ts';
import type { WrittenFormat } from '../../../src/text/instructions/written.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { MenuDialog } from '../../ui/forms/dialog.ts';

/** Hands what a customer has to enter to the clipboard, or to a file in the folder of the console. */
export interface HandOver {
  readonly does: 'hand-over';
  readonly record: CustomHostname;
  readonly format: WrittenFormat;
  readonly to: 'clipboard' | 'file';
}

/** Chooses how the instructions for a hostname's customer are handed over. */
export function instructionsMenu(record: CustomHostname): MenuDialog<HandOver> {
  const item = (label: string, format: WrittenFormat, to: HandOver['to']) => ({
    label,
    command: { does: 'hand-over', record, format, to } as const,
  });
  return {
    kind: 'menu',
    title: `What the customer of ${escapeText(record.hostname)} has to enter`,
    items: [
      item('copy as text', 'txt', 'clipboard'),
      item('copy as Markdown', 'md', 'clipboard'),
      item(`save as a page: ${escapeText(fileOf(record, 'html'))}`, 'html', 'file'),
      item(`save as text: ${escapeText(fileOf(record, 'txt'))}`, 'txt', 'file'),
    ],
    initial: 0,
  };
}

/** A name that says where the file is from, so that an older one of it may be replaced. */
function fileOf({ hostname }: CustomHostname, format: WrittenFormat): string {
  return `instructions-${hostname.replace('*', 'any')}.${format}`;
}

/** Looks everything up and hands it over. Returns what happened, escaped. */
export async function handOver(
  { record, format, to }: HandOver,
  zone: Zone,
  service: HostnameService,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<string> {
  const { text, note } = await service.instructions(zone.id, record, format, signal);
  const { hostname } = record;
  const more = note === undefined ? '' : ` ${escapeText(note)}`;
  if (to === 'clipboard')
    return `${parts.copy(Buffer.from(text), `the instructions for ${escapeText(hostname)}`)}${more}`;
  const name = fileOf(record, format);
  await service.saveInstructions(name, text);
  return `Wrote ${escapeText(name)}.${more}`;
}
