import type { Responsible } from '../../src/model/diagnosis/finding.ts';
import { type Attention, findAttention } from '../../src/model/hostnames/attention.ts';
import { capitalize } from '../../src/model/sentence.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { compactDuration } from '../../src/text/time.ts';
import { severityRoles } from '../kit/tones.ts';
import { entriesContent } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import type { Entry } from '../ui/viewer/entries.ts';
import { deletionWait, describeActor } from './columns.ts';
import { hostnameEntries, previewEntries } from './entries.ts';

/** Returns the preview of a custom hostname from the data in its list, without a request. `now` is on the platform's clock. */
export function hostnamePreview(row: HostnameRow, now: number): Previewed {
  const { record } = row;
  const attention = findAttention(row);
  const { state, details, narrow } = previewEntries(row, now);
  const head = [...attentionEntries(row, now), { text: '' }];
  return {
    id: `hostname ${record.id}`,
    title: record.hostname,
    content: entriesContent({
      counts: attention?.state ?? 'active',
      entries: [...head, ...state],
      details: { title: 'Timeline and records', entries: details },
      narrow: [...head, ...narrow],
    }),
  };
}

/** Returns all entries about a custom hostname, starting with the next action and who must act. */
export function detailEntries(row: HostnameRow, now: number): Entry[] {
  return [...attentionEntries(row, now), { text: '' }, ...hostnameEntries(row, now)];
}

function attentionEntries(row: HostnameRow, now: number): Entry[] {
  const attention = findAttention(row);
  if (attention === undefined)
    return [{ text: 'The platform reports the hostname as active.', role: 'good' }];
  const { cause, severity, diagnosedAt } = attention;
  const wait = deletionWait(row, now);
  const left = wait === undefined ? '' : ` Deleted in ${wait}.`;
  const basis =
    diagnosedAt === undefined
      ? 'a guess from the record alone'
      : `diagnosed ${compactDuration(Math.max(0, now - diagnosedAt) / 1000)} ago`;
  return [
    { text: `${capitalize(cause)}.${left}`, role: severityRoles[severity] },
    { text: `${capitalize(describeActor(attention))} (${basis}).` },
    { text: `Next: ${attention.next ?? nextStep(attention)}` },
  ];
}

const steps: Readonly<Record<Responsible, string>> = {
  customer: 'press D to see which DNS record is missing.',
  us: 'press D to see the cause, R to restart validation.',
  'zone-owner': "press D to see what the zone's owner must change.",
  provider: 'press D to collect the details for the provider.',
  nobody: 'wait. The state is refreshed automatically.',
};

function nextStep({ who, state }: Attention): string {
  if (state === 'deleted') return 'create the hostname again if you still need it.';
  if (state === 'moved')
    return 'press D to check DNS. If DNS points here again, press R to restart validation; otherwise the customer must set the DNS record.';
  return steps[who];
}
