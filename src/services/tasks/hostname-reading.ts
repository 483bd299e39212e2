import type { Diagnosis } from '../../model/diagnosis/diagnose.ts';
import { type Finding, type Responsible, type Severity, severities } from '../../model/diagnosis/finding.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Reporter } from '../../model/progress.ts';
import { formatHostnameCount } from '../../text/hostname.ts';
import { diagnose } from '../diagnosis/many.ts';
import { type SavedRun, withSavedRun } from '../diagnosis/saved-run.ts';
import { hostnameExport, hostnameFormatFor } from '../hostnames/fleet/export.ts';
import { listHostnames } from '../hostnames/hostnames.ts';
import { openExportFile } from '../kv/transfer/export.ts';
import { isResumed, type TaskContext, type TaskOutcome } from './context.ts';
import { markedHostnames } from './hostnames.ts';
import { refuseExistingFile } from './keys.ts';

/** The result of diagnosing a marked hostname: its first finding. */
export interface FoundFault {
  readonly hostname: string;
  readonly severity: Severity;
  readonly who: Responsible;
  /** The cause. May contain untrusted data. */
  readonly cause: string;
  readonly remedy: string;
  /** Number of further findings that need action. */
  readonly more: number;
}

const noFindings = { count: 0, first: [] } as const;

/** Minimum time between two saves of the results, in milliseconds. */
const saveIntervalMs = 1000;

/**
 * Diagnoses the marked hostnames, and saves the results as the task's list during the run. A later run diagnoses the remaining hostnames,
 * and repeats diagnoses that are older than an hour.
 */
export function diagnoseHostnames(context: TaskContext<'diagnose-hostnames'>): Promise<TaskOutcome> {
  const { session, work, task } = context;
  const key = { operation: 'task', zoneId: work.zone.id, how: task.id };
  return withSavedRun(session, key, isResumed(context), async (savedRun) => {
    const outcome = await diagnoseMarked(context, savedRun);
    await savedRun?.end();
    return outcome;
  });
}

async function diagnoseMarked(
  context: TaskContext<'diagnose-hostnames'>,
  savedRun: SavedRun | undefined,
): Promise<TaskOutcome> {
  const { session, work, files, task, reporter } = context;
  const before = (await files.readList<FoundFault>(task.id)) ?? [];
  const found = new Map(before.map((fault) => [fault.hostname, fault]));
  const asked = (await markedHostnames(context)).map(({ hostname }) => ({ hostname }));
  const how = { servers: [], probe: true };
  const save = () => files.writeList(task.id, [...found.values()]);
  let saved = session.world.now();
  try {
    for await (const { diagnosis } of diagnose(session, work.zone.id, asked, how, reporter, { savedRun })) {
      found.set(diagnosis.hostname, toFoundFault(diagnosis));
      if (session.world.now() - saved < saveIntervalMs) continue;
      saved = session.world.now();
      await save();
    }
  } finally {
    await save();
  }
  const faulty = [...found.values()]
    .filter(({ severity }) => !quietSeverities.has(severity))
    .sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
  const words = `Diagnosed ${formatHostnameCount(found.size)} in ${work.zone.name}: ${faulty.length} with a fault.`;
  const first = faulty
    .slice(0, maxFaults)
    .map(({ hostname, severity, cause }) => ({ hostname, severity, cause }));
  return { summary: words, failed: noFindings, faults: { count: faulty.length, total: found.size, first } };
}

/** Maximum number of hostnames with a fault that the task itself stores; the task's list contains all hostnames with a fault. */
const maxFaults = 30;

const quietSeverities: ReadonlySet<Severity> = new Set<Severity>(['ok', 'info', 'progress']);

/** Returns a diagnosis in the form of the task's list. */
export function toFoundFault({ hostname, findings, missing, verdict }: Diagnosis): FoundFault {
  const needing = findings.filter(({ severity }) => severity !== 'ok');
  const [first] = needing;
  const more = Math.max(0, needing.length - 1);
  if (first !== undefined) return { hostname, ...toFindingSummary(first), more };
  if (verdict === 'pending')
    return {
      hostname,
      severity: 'progress',
      who: 'nobody',
      cause: 'not active yet',
      remedy: 'Wait.',
      more,
    };
  const [unknown] = missing;
  const cause = unknown === undefined ? 'no fault found' : `not known: ${unknown.fact}: ${unknown.reason}`;
  return { hostname, severity: 'ok', who: 'nobody', cause, remedy: '', more };
}

function toFindingSummary({ severity, who, cause, remedy }: Finding): Omit<FoundFault, 'hostname' | 'more'> {
  return { severity, who, cause, remedy: remedy.text };
}

/**
 * Exports the marked hostnames, or all hostnames of the zone if none are marked, to a file. The extension of the path determines the format.
 */
export async function exportHostnames(context: TaskContext<'export-hostnames'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const { path, zone } = work;
  const markedIds = new Set((await markedHostnames(context)).map(({ id }) => id));
  let exported = 0;
  const count = (some: number): void => {
    exported += some;
  };
  const pages = filterPages(session, zone.id, markedIds, reporter);
  const texts = hostnameExport(pages, { zoneId: zone.id, format: hostnameFormatFor(path) }, count);
  const file = await openExportFile(session.world, path, 'replace');
  await file.write(work.replace === true ? texts : refuseExistingFile(path, texts));
  return {
    summary: `Wrote ${formatHostnameCount(exported)} from ${zone.name} to ${path}.`,
    failed: noFindings,
  };
}

/** Yields the hostnames with these ids, or all hostnames of the zone if there are no ids. */
async function* filterPages(
  session: TaskContext['session'],
  zoneId: string,
  ids: ReadonlySet<string>,
  reporter: Reporter,
): AsyncGenerator<CustomHostname[]> {
  let done = 0;
  let total: number | undefined;
  const pages = listHostnames(session, zoneId, {}, (found) => {
    total = found;
  });
  for await (const page of pages) {
    done += page.length;
    reporter.progress({ phase: 'exporting', unit: 'hostnames', done, total, retries: 0, failed: 0 });
    yield ids.size === 0 ? page : page.filter(({ id }) => ids.has(id));
  }
}
