import { parseServer } from '../../../dns/server-address.ts';
import { planFixes, type Step, stepText } from '../../../model/diagnosis/fix-plan.ts';
import { nameFault } from '../../../model/dns/dns.ts';
import { hostnameStatuses } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { applySteps, type StepOutcome } from '../../../services/diagnosis/fix.ts';
import {
  type DiagnosisOptions,
  diagnose,
  type HostnameToDiagnose,
  readRecords,
} from '../../../services/diagnosis/many.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { readHostnameFile } from '../../../services/hostnames/file.ts';
import { aloneInZone } from '../../../services/hostnames/fleet/alone.ts';
import { checkHostname } from '../../../services/hostnames/hostnames.ts';
import { failureJson } from '../../../text/problem.ts';
import type { Output } from '../../output/output.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { parseOneOf } from '../../parsing/one-of.ts';
import { formatCount } from '../objects/report.ts';
import type * as declared from './declarations.ts';
import { answerDiagnoses, type FixStep, tellDiagnosis } from './diagnosis-report.ts';
import { type DiagnosisRunOptions, diagnoseMany, refuseResume } from './diagnosis-run.ts';
import type { diagnoseFlags } from './flags.ts';
import { type OpenZone, openZone } from './zone-choice.ts';

export const diagnoseCommand = command<typeof declared.hostnameDiagnose>({
  async run(context, { args, flags }) {
    const named = args.HOSTNAME ?? [];
    checkSource(named, flags);
    flags.resolver.forEach(parseServer);
    if (flags.target !== undefined) checkTarget(flags.target);
    const names = flags.file === undefined ? named : await namesIn(context, flags.file);
    const status = parseOneOf('--status', flags.status, hostnameStatuses);
    const asked = [...new Set(names.map(checkHostname))];
    if (flags.fix) refuseResume(flags.resume, '--fix acts on the current state');
    if (asked.length === 1) refuseResume(flags.resume, 'A single hostname is always diagnosed again');
    const zone = await openZone(context, flags);
    const hostnames = asked.map((hostname) => ({ hostname }));
    const input = { zone, flags, hostnames, status, brief: named.length === 0 && !flags.verbose };
    if (flags.fix) return aloneInZone(zone.session, zone.zoneId, () => fixAll(context, input));
    if (asked.length === 1) return answerOnce(context, input);
    const how = { ...describeOptions(flags), status, asked };
    const { resume, quiet, file } = flags;
    const runOptions = { operation: 'hostname diagnose', how, resume, quiet, file };
    return diagnoseMany(context, zone, runOptions, (run) => answerOnce(context, input, run));
  },
});

interface DiagnoseInput {
  readonly zone: OpenZone;
  readonly flags: DiagnoseFlags;
  readonly brief: boolean;
  /** If empty, all hostnames of the zone are diagnosed. */
  readonly hostnames: readonly HostnameToDiagnose[];
  /** If set, only hostnames of the zone in this status are diagnosed. */
  readonly status: string | undefined;
}

type DiagnoseFlags = FlagValues<typeof diagnoseFlags> & { readonly quiet: boolean };

function answerOnce(context: Context, input: DiagnoseInput, run?: DiagnosisRunOptions): Promise<0 | 1 | 7> {
  const { zone, hostnames } = input;
  const source = hostnames.length > 0 ? hostnames : undefined;
  return answerDiagnoses(context, zone.zoneId, diagnoseAll(context, input, source, run));
}

async function fixAll(context: Context, input: DiagnoseInput): Promise<0 | 1 | 7> {
  const { zone, hostnames, status, flags } = input;
  const source = hostnames.length > 0 ? hostnames : await listed(zone, status);
  const diagnose = async (some: readonly HostnameToDiagnose[]): Promise<DiagnosedHostname[]> => {
    const reporter = openProgress(context.world, context.output, flags.quiet || some.length === 1);
    try {
      return await gathered(diagnoseAll(context, input, some, { reporter, savedRun: undefined }));
    } finally {
      reporter.end();
    }
  };
  const { diagnosed, steps } = await fixDiagnosed(context, zone, await diagnose(source), diagnose);
  return answerDiagnoses(context, zone.zoneId, diagnosed, steps);
}

function describeOptions(flags: DiagnoseFlags): DiagnosisOptions {
  const target = flags.target === undefined ? undefined : wireHostname(flags.target);
  return { servers: flags.resolver, probe: !flags['no-probe'], target };
}

function checkSource(named: readonly string[], flags: FlagValues<typeof diagnoseFlags>): void {
  const given = [
    ...(named.length > 0 ? ['HOSTNAME'] : []),
    ...(['all', 'status', 'file'] as const)
      .filter((name) => flags[name] !== undefined && flags[name] !== false)
      .map((name) => `--${name}`),
  ];
  if (given.length === 1) return;
  throw new Problem(
    'usage',
    given.length === 0
      ? 'No hostname given: specify hostnames, or select them with --all, --status or --file.'
      : `${given.join(' and ')} cannot be used together: use only one.`,
    { hint: 'edgectl hostname diagnose --help' },
  );
}

function checkTarget(target: string): void {
  const fault = nameFault(wireHostname(target));
  if (fault !== undefined) throw new Problem('usage', `--target "${target}" is not a DNS name: ${fault}.`);
}

async function namesIn({ world }: Context, file: string): Promise<string[]> {
  const { name, entries } = await readHostnameFile(world, file);
  return entries.map(({ line, entry }) => {
    if ('reason' in entry) throw new Problem('invalid-input', `${name}, line ${line}: ${entry.reason}.`);
    return wireHostname(entry.hostname);
  });
}

async function listed(
  { session, zoneId }: OpenZone,
  status: string | undefined,
): Promise<HostnameToDiagnose[]> {
  return gathered(readRecords(session, zoneId, () => undefined, { filter: { status } }));
}

async function gathered<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

/** The options for a single hostname, which turn progress off, because the diagnosis finishes before progress could be shown. */
const alone: DiagnosisRunOptions = {
  savedRun: undefined,
  reporter: { progress: () => undefined, warn: () => undefined },
};

/** Diagnoses the given hostnames (default: all in the zone), and reports each as soon as it is ready. */
async function* diagnoseAll(
  context: Context,
  { zone: { session, zoneId }, flags, brief, status }: DiagnoseInput,
  hostnames: readonly HostnameToDiagnose[] | undefined,
  { savedRun, reporter }: DiagnosisRunOptions = alone,
): AsyncGenerator<DiagnosedHostname> {
  let total = hostnames?.length;
  const tellTotal = (count: number): void => {
    total = count;
  };
  const source = hostnames ?? readRecords(session, zoneId, tellTotal, { filter: { status }, savedRun });
  const options = { total: () => total, savedRun };
  for await (const one of diagnose(session, zoneId, source, describeOptions(flags), reporter, options)) {
    await tellDiagnosis(context, one, brief);
    yield one;
  }
}

/** Maximum number of steps listed before the confirmation; the remaining steps are only counted. */
const namedSteps = 20;

/**
 * Asks for one confirmation, makes the changes that the operator would have to make, and then diagnoses the changed hostnames again.
 * Returns all diagnoses, with the new diagnosis of each changed hostname. A failed change is printed as a warning.
 */
async function fixDiagnosed(
  context: Context,
  zone: OpenZone,
  diagnosed: readonly DiagnosedHostname[],
  diagnose: (hostnames: readonly HostnameToDiagnose[]) => Promise<DiagnosedHostname[]>,
): Promise<{ readonly diagnosed: readonly DiagnosedHostname[]; readonly steps: readonly FixStep[] }> {
  const { output, ask } = context;
  const steps = planFixes(diagnosed);
  if (steps.length === 0) {
    output.note('No finding has a fix that edgectl can apply.');
    return { diagnosed, steps: [] };
  }
  for (const line of planLines(steps)) output.note(line);
  const what = formatCount(steps.length, 'step');
  await ask.confirm(
    `Apply ${steps.length === 1 ? 'this step' : `these ${what}`} on ${zone.session.label}?`,
    `${what} would be applied.`,
  );
  const reports: Promise<void>[] = [];
  const outcomes = await applySteps(zone.session, zone.zoneId, steps, {
    warn: output.warn,
    ended: (outcome) => void reports.push(reportStep(output, outcome)),
  });
  await Promise.all(reports);
  const touched = touchedBy(steps, diagnosed);
  output.note('After the fix:');
  const again = await diagnose(touched.map(({ facts }) => ({ hostname: facts.hostname })));
  const renewed = new Map(again.map((one) => [one.facts.hostname, one]));
  return {
    diagnosed: diagnosed.map((one) => renewed.get(one.facts.hostname) ?? one),
    steps: outcomes.map((outcome) => stepJson(output, outcome)),
  };
}

function planLines(steps: readonly Step[]): readonly string[] {
  const more = steps.length - namedSteps;
  const named = steps.slice(0, namedSteps).map((step) => `  ${stepText(step)}`);
  return ['Steps to apply:', ...named, ...(more > 0 ? [`  … and ${formatCount(more, 'step')} more`] : [])];
}

/** Reports a finished step: a failure as a warning; a success on stdout or, with `--json`, as a note on stderr. */
async function reportStep(output: Output, { step, problem }: StepOutcome): Promise<void> {
  if (problem !== undefined)
    output.warn(`Not done: ${stepText(step)}: ${problem.message}`, { step: step.kind });
  else if (output.json) output.note(`Done: ${stepText(step)}.`, { step: step.kind });
  else await output.line(`Done: ${stepText(step)}.`);
}

function stepJson({ words }: Output, { step, problem }: StepOutcome): FixStep {
  const hostname =
    step.kind === 'create' ? step.hostname : 'record' in step ? step.record.hostname : undefined;
  return {
    ...(hostname !== undefined && { hostname }),
    step: stepText(step),
    kind: step.kind,
    ...(problem === undefined
      ? { result: 'done' }
      : { result: 'failed', error: failureJson(problem, words) }),
  };
}

/** Returns the hostnames affected by the steps. A step for the zone affects all hostnames. */
function touchedBy(
  steps: readonly Step[],
  diagnosed: readonly DiagnosedHostname[],
): readonly DiagnosedHostname[] {
  if (steps.some(({ kind }) => kind === 'dns-record' || kind === 'set-fallback')) return diagnosed;
  const names = new Set(
    steps.flatMap((step) =>
      step.kind === 'create' ? step.hostname : 'record' in step ? step.record.hostname : [],
    ),
  );
  return diagnosed.filter(({ facts }) => names.has(facts.hostname));
}
