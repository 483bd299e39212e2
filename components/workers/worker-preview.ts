import type { Deployment } from '../../src/services/workers/deployments.ts';
import type { WorkerFacts } from '../../src/services/workers/facts.ts';
import { compactDuration, relativeTime, utcMinute } from '../../src/text/time.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { entriesContent } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, factEntries, headingEntry } from '../ui/viewer/entries.ts';
import {
  factCounts,
  findRollBackVersions,
  shortIdLength,
  type WorkerRow,
  workerRows,
} from './worker-rows.ts';

/** Maximum width, in columns, of a binding's or secret's name. */
const nameColumns = 24;

/** Returns the preview of a worker: its running version, bindings and secrets, and its deployments. */
export function workerPreview(
  name: string,
  { services, world }: Pick<PaneParts, 'services' | 'world'>,
): Previewed {
  return {
    id: `worker ${name}`,
    title: name,
    async read(signal) {
      const facts = await requireService({ services }, 'workers').read(name, signal);
      const rows = workerRows(facts);
      const now = world.now();
      const listed = (kind: WorkerRow['kind'], heading: string): Entry[] => {
        const found = rows.filter((row) => row.kind === kind);
        const width = Math.min(nameColumns, Math.max(0, ...found.map(({ label }) => label.length)) + 2);
        const entries = found.flatMap(({ label, value }) => factEntries(label, value, { width, indent: 2 }));
        return found.length === 0 ? [] : [{ text: '' }, headingEntry(heading), ...entries];
      };
      return entriesContent({
        counts: factCounts(rows),
        entries: [
          ...runningEntries(facts.deployments, now),
          ...factEntries('compatibility', facts.compatibilityDate, { width: 15 }),
          ...listed('binding', 'Bindings'),
          ...listed('secret', 'Secrets'),
        ],
        details: {
          title: 'Deployments',
          counts: String(facts.deployments.length),
          isHeaded: true,
          entries: deploymentEntries(rows, now),
        },
      });
    },
  };
}

function runningEntries([running]: readonly Deployment[], now: number): Entry[] {
  if (running === undefined) return [{ text: 'Nothing is deployed.', role: 'dim' }];
  const { versions, createdOn, source } = running;
  const [first] = versions;
  const since = Date.parse(createdOn);
  const age = Number.isNaN(since) ? '' : `${relativeTime((since - now) / 1000)}, `;
  return [
    ...factEntries('running', first?.id, { width: 15, role: 'good', isId: true }),
    ...factEntries('deployed', `${age}by ${source}`, { width: 15 }),
  ];
}

function deploymentEntries(rows: readonly WorkerRow[], now: number): Entry[] {
  return rows.flatMap(({ kind, label, value, since }): Entry[] => {
    if (kind !== 'running' && kind !== 'deployed') return [];
    const head = `${(since === undefined ? '' : compactDuration((now - since) / 1000)).padStart(4)}  `;
    return [
      {
        text: head + label,
        labelLength: head.length,
        labelRole: 'dim',
        indent: 2,
        role: kind === 'running' ? 'good' : 'plain',
      },
      { text: value, indent: head.length + 2, role: 'dim' },
    ];
  });
}

/** Returns the share of the traffic that the running version receives; empty for other rows. */
function verdictEntries({ kind, label, since }: WorkerRow): Entry[] {
  if (kind !== 'running') return [];
  const share = label.includes('%') ? `Traffic: ${label}` : 'Receives 100% of the traffic';
  return [
    { text: `${share}${since === undefined ? '' : ` since ${utcMinute(since)}`}.`, role: 'good' },
    { text: '' },
  ];
}

const nextSteps: Readonly<Record<Exclude<WorkerRow['kind'], 'running'>, string>> = {
  deployed: 'Press B to roll back to this version.',
  binding: 'To change a binding, run edgectl deploy.',
  secret: 'Press e to set another value, or d to delete the secret.',
};

/** A worker as last loaded, and the time in milliseconds. */
interface ShownWorker {
  readonly name: string;
  readonly facts: WorkerFacts | undefined;
  readonly now: number;
}

/** Returns the preview of a worker's row, with the known facts about the row and the worker. Sends no request. */
export function factPreview(row: WorkerRow, worker: ShownWorker): Previewed {
  const { id, kind, type, name, facts } = row;
  const { now } = worker;
  const entries = workerEntries(worker);
  return {
    id: `fact ${id} ${JSON.stringify([facts, entries])}`,
    title: kind === 'running' || kind === 'deployed' ? name.slice(0, shortIdLength) : name,
    content: entriesContent({
      counts: kind === 'deployed' ? 'earlier version' : kind === 'running' ? 'running version' : type,
      entries: [
        ...verdictEntries(row),
        ...facts.flatMap(([label, value]) => linesOfFact(label, formatFact(label, value, now))),
        ...nextStep(row, worker.facts),
      ],
      ...(entries.length > 0 && { details: { title: worker.name, isHeaded: true, entries } }),
    }),
  };
}

const factWidth = 15;

/** Labels whose values are ids, which are shortened if they do not fit. */
const idLabels = /^(?:version|deployment|(?:.* )?id)$/;

/** Returns the lines of a fact. A value with several lines begins below its label. */
function linesOfFact(label: string, value: string): Entry[] {
  if (!value.includes('\n'))
    return factEntries(label, value, { width: factWidth, isId: idLabels.test(label) });
  const copied = { text: value, what: `the ${label}` };
  return [{ text: label, copied }, ...value.split('\n').map((text) => ({ text, indent: 2, copied }))];
}

/** Returns the facts about the worker that neither the list nor its headings show. */
function workerEntries({ facts }: ShownWorker): Entry[] {
  const flags = facts?.compatibilityFlags ?? [];
  return flags.length === 0 ? [] : factEntries('flags', flags.join(', '), { width: factWidth });
}

/** Returns the advice for a row. */
function nextStep({ kind, id }: WorkerRow, facts: WorkerFacts | undefined): Entry[] {
  if (kind !== 'running') return [{ text: '' }, { text: nextSteps[kind], role: 'dim' }];
  const rows = facts === undefined ? [] : workerRows(facts);
  const { version } = findRollBackVersions(
    rows,
    rows.find((row) => row.id === id),
  );
  if (version === undefined) return [];
  const text = `Press B to roll back to ${version.slice(0, shortIdLength)}.`;
  return [{ text: '' }, { text, role: 'dim' }];
}

/** Formats the value of `deployed` and `rolled back` as a time; returns other values unchanged. */
function formatFact(label: string, value: string, now: number): string {
  const at = label === 'deployed' || label === 'rolled back' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : `${utcMinute(at)}, ${relativeTime((at - now) / 1000)}`;
}
