import type { Responsible } from '../../src/model/diagnosis/finding.ts';
import { type Attention, attentionOf } from '../../src/model/hostnames/attention.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { Previewed } from '../preview/previewed.ts';
import { type Entry, entryLines } from '../viewer/entries.ts';
import { hostnameEntries } from './entries.ts';
import { severityRoles } from './severity.ts';

/** A custom hostname as its list knows it, at a time on the platform's clock: nothing is asked for. */
export function hostnamePreview(row: HostnameRow, now: number): Previewed {
  const { record } = row;
  const attention = attentionOf(row, now);
  const entries = detailEntries(row, now);
  return {
    id: `hostname ${record.id}`,
    title: record.hostname,
    content: { counts: attention?.state ?? 'in service', lines: (surface) => entryLines(entries, surface) },
  };
}

/** A custom hostname in full, and first what is to be done about it and by whom. */
export function detailEntries(row: HostnameRow, now: number): Entry[] {
  return [...attentionEntries(attentionOf(row, now)), { text: '' }, ...hostnameEntries(row, now)];
}

function attentionEntries(attention: Attention | undefined): Entry[] {
  if (attention === undefined) return [{ text: 'In service: nothing to do.', role: 'good' }];
  const { words, daysLeft, severity } = attention;
  const left = daysLeft === undefined ? '' : `, lost in at most ${Math.ceil(daysLeft)}d`;
  return [
    { text: `${words.charAt(0).toUpperCase()}${words.slice(1)}${left}.`, role: severityRoles[severity] },
    { text: `Next: ${nextStep(attention)}` },
  ];
}

const steps: Readonly<Record<Responsible, string>> = {
  customer: 'the customer sets the records below. D says which of them is missing.',
  us: 'R restarts its validation. D says why it was needed.',
  'zone-owner': "the zone's owner changes it. D names what is in the way.",
  provider: 'ask the provider. D gathers what to tell.',
  nobody: 'wait. It is read again by itself.',
};

function nextStep({ who, state }: Attention): string {
  if (state === 'deleted') return 'create it again, where it is still wanted.';
  if (state === 'moved')
    return 'D asks its DNS. Where that leads here again, R restarts its validation; else the customer sets the records below.';
  return steps[who];
}
