import type { Diagnosis } from '../../model/diagnosis/diagnose.ts';
import type { Finding, Responsible, Severity } from '../../model/diagnosis/finding.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Reporter } from '../../model/progress.ts';
import { hostnamesOf } from '../../text/hostname.ts';
import { diagnose } from '../diagnosis/many.ts';
import { hostnameExport, hostnameFormatOf } from '../hostnames/fleet/export.ts';
import { listHostnames } from '../hostnames/hostnames.ts';
import { openExportFile } from '../kv/transfer/export.ts';
import type { TaskContext, TaskOutcome } from './context.ts';
import { markedHostnames } from './hostnames.ts';
import { unlessThere } from './keys.ts';

/** The result of the diagnosis of a marked hostname: its first finding. */
export interface FoundFault {
  readonly hostname: string;
  readonly severity: Severity;
  readonly who: Responsible;
  /** They hold bytes from outside. */
  readonly cause: string;
  readonly remedy: string;
  /** How many more findings there are that need somebody. */
  readonly more: number;
}

const none = { count: 0, first: [] } as const;

/** Milliseconds between two saves of what was found. */
const interval = 1000;

/** Diagnoses the marked hostnames. What is found is the task's list, which grows as it goes; another run does the rest. */
export async function diagnoseHostnames(context: TaskContext<'diagnose-hostnames'>): Promise<TaskOutcome> {
  const { session, work, files, task, reporter } = context;
  const found = (await files.readList<FoundFault>(task.id)) ?? [];
  const before = new Set(found.map(({ hostname }) => hostname));
  const marked = (await markedHostnames(context)).filter(({ hostname }) => !before.has(hostname));
  const asked = marked.map(({ hostname }) => ({ hostname }));
  const how = { servers: [], probe: true };
  let saved = session.world.now();
  try {
    for await (const one of diagnose(session, work.zone.id, asked, how, behind(reporter, before.size))) {
      found.push(faultOf(one.diagnosis));
      if (session.world.now() - saved < interval) continue;
      saved = session.world.now();
      await files.writeList(task.id, found);
    }
  } finally {
    await files.writeList(task.id, found);
  }
  const faulty = found.filter(({ severity }) => !quiet.has(severity)).length;
  const words = `Diagnosed ${hostnamesOf(found.length)} of ${work.zone.name}: ${faulty} with a fault.`;
  return { words, failed: none };
}

const quiet: ReadonlySet<Severity> = new Set<Severity>(['ok', 'info', 'progress']);

function faultOf({ hostname, findings, missing }: Diagnosis): FoundFault {
  const needing = findings.filter(({ severity }) => severity !== 'ok');
  const [first] = needing;
  const more = Math.max(0, needing.length - 1);
  if (first !== undefined) return { hostname, ...told(first), more };
  const [unknown] = missing;
  const cause = unknown === undefined ? 'no fault found' : `not known: ${unknown.fact}: ${unknown.reason}`;
  return { hostname, severity: 'ok', who: 'nobody', cause, remedy: '', more };
}

function told({ severity, who, cause, remedy }: Finding): Omit<FoundFault, 'hostname' | 'more'> {
  return { severity, who, cause, remedy: remedy.text };
}

/** Tells progress behind what earlier runs have done. */
function behind(reporter: Reporter, earlier: number): Reporter {
  return {
    ...reporter,
    progress: ({ done, total, ...rest }) =>
      reporter.progress({
        ...rest,
        done: done + earlier,
        total: total === undefined ? total : total + earlier,
      }),
  };
}

/** Writes the marked hostnames, or all of the zone, into a file of the form that its name says. */
export async function exportHostnames(context: TaskContext<'export-hostnames'>): Promise<TaskOutcome> {
  const { session, work, reporter } = context;
  const { path, zone } = work;
  const wanted = new Set((await markedHostnames(context)).map(({ id }) => id));
  let exported = 0;
  const count = (some: number): void => {
    exported += some;
  };
  const pages = wantedPages(session, zone.id, wanted, reporter);
  const texts = hostnameExport(pages, { zoneId: zone.id, format: hostnameFormatOf(path) }, count);
  const file = await openExportFile(session.world, path);
  await file.write(work.replace === true ? texts : unlessThere(path, texts));
  return { words: `Wrote ${hostnamesOf(exported)} of ${zone.name} to ${path}.`, failed: none };
}

/** Without marks, all. */
async function* wantedPages(
  session: TaskContext['session'],
  zoneId: string,
  wanted: ReadonlySet<string>,
  reporter: Reporter,
): AsyncGenerator<CustomHostname[]> {
  let done = 0;
  let total: number | undefined;
  const pages = listHostnames(session, zoneId, {}, (found) => {
    total = found;
  });
  for await (const page of pages) {
    done += page.length;
    reporter.progress({ phase: 'exporting', unit: 'entries', done, total, retries: 0, failed: 0 });
    yield wanted.size === 0 ? page : page.filter(({ id }) => wanted.has(id));
  }
}
