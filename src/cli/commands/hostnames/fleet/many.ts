import { createHash } from 'node:crypto';
import { countSteps, type FleetStep } from '../../../../model/hostnames/fleet/plan.ts';
import { certificateStatuses, hostnameStatuses } from '../../../../model/hostnames/hostname.ts';
import { Problem } from '../../../../model/problem.ts';
import { Deletion } from '../../../../services/deletions.ts';
import { aloneInZone } from '../../../../services/hostnames/fleet/alone.ts';
import {
  readMember,
  type SelectedHostname,
  type Selection,
  selectHostnames,
} from '../../../../services/hostnames/fleet/select.ts';
import { readWantedFile, wrongFile } from '../../../../services/hostnames/fleet/wanted.ts';
import { commandLine } from '../../../../text/shell.ts';
import { parseUnitDuration } from '../../../../text/time.ts';
import { confirmationHash, isConfirmed } from '../../../confirmed-deletion.ts';
import { checkConfirm, checkDeleteLimit } from '../../../delete-limit.ts';
import type { PlannedChange } from '../../../dry-run.ts';
import { openProgress } from '../../../output/progress.ts';
import type { Context } from '../../../parsing/command.ts';
import type { FlagValues } from '../../../parsing/declaration.ts';
import { parseOneOf } from '../../../parsing/one-of.ts';
import { resumeArguments, resumeCommand } from '../../kv/bulk-report.ts';
import { formatCount } from '../../objects/report.ts';
import type { manyFlags } from '../flags.ts';
import { type OpenZone, openZone } from '../zone-choice.ts';
import { confirmSteps, firstNames, previewSteps } from './confirm-steps.ts';
import { runSteps } from './run-steps.ts';

/** Flags that select hostnames. `having` is the metadata filter, whose flag has another name in some commands. */
export type ManyFlags = Omit<FlagValues<typeof manyFlags>, 'metadata'> & {
  readonly having: readonly string[];
  /** The name of the metadata filter's flag. */
  readonly havingFlag: string;
  readonly limit?: number | undefined;
  readonly confirm?: string | undefined;
  readonly zone: string | undefined;
  readonly quiet: boolean;
  readonly yes: boolean;
};

/**
 * Returns whether hostnames are selected with a file or filters instead of by name. Refuses a command line with no selection, or with
 * several kinds of selection.
 */
export function choosesMany(command: string, names: readonly string[], flags: ManyFlags): boolean {
  const filters = filterNames(flags);
  const given = [
    ...(names.length > 0 ? ['HOSTNAME'] : []),
    ...(flags.file === undefined ? [] : ['--file']),
    ...(filters.length > 0 ? [filters.join(' ')] : []),
  ];
  if (given.length !== 1) throw choiceFault(command, given, flags.havingFlag);
  if (flags.resume && flags.file === undefined)
    throw new Problem(
      'usage',
      '--resume works only with --file. A filter selects hostnames again in each run.',
    );
  return names.length === 0;
}

function filterNames(flags: ManyFlags): readonly string[] {
  const named = (['status', 'certificate-status', 'expires-within', 'older-than'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  return [...named.map((name) => `--${name}`), ...(flags.having.length > 0 ? [flags.havingFlag] : [])];
}

function choiceFault(command: string, given: readonly string[], having: string): Problem {
  const filters = `--status, --certificate-status, --expires-within, --older-than or ${having}`;
  const message =
    given.length === 0
      ? `No hostname given: specify hostnames, or select them with --file, ${filters}.`
      : `${given.join(' and ')} cannot be used together: use only one.`;
  return new Problem('usage', message, { hint: `edgectl ${command} --help` });
}

async function readSelection(
  { world }: Context,
  names: readonly string[],
  flags: ManyFlags,
): Promise<Selection> {
  if (names.length > 0) return { by: 'names', names };
  if (flags.file !== undefined) {
    const file = await readWantedFile(world, flags.file);
    const hint = 'Correct the invalid lines. All lines written by hostname export are valid.';
    if (file.wrong.length > 0)
      throw wrongFile(file.name, file.wrong, { nothing: 'nothing was changed', hint });
    return { by: 'file', file };
  }
  const { 'older-than': olderThan, 'expires-within': expires } = flags;
  const filter = {
    status: parseOneOf('--status', flags.status, hostnameStatuses),
    certificateStatus: parseOneOf('--certificate-status', flags['certificate-status'], certificateStatuses),
    expiresWithin: expires === undefined ? undefined : parseUnitDuration(expires, '--expires-within'),
    olderThan: olderThan === undefined ? undefined : parseUnitDuration(olderThan, '--older-than'),
    metadata: new Map(flags.having.map((text) => readMember(text, flags.havingFlag))),
  };
  return { by: 'filter', filter };
}

export interface ManyCommand {
  /** Words of the command: "hostname delete". */
  readonly words: string;
  /** Verb for messages: "Delete". */
  readonly verb: string;
  /** Whether a hostname that is in the file but not in the zone counts as done or as failed. */
  readonly missingIs: 'done' | 'failed';
  readonly names: readonly string[];
  /** Inputs other than the file, included in the fingerprint of a run. */
  readonly input?: unknown;
  /** Returns the steps for the selected hostnames. Refuses all steps if one is invalid. */
  steps(hostnames: readonly SelectedHostname[]): readonly FleetStep[];
}

/**
 * Runs one operation on many hostnames: selects them, shows their number and the first names, asks for confirmation, and processes them one
 * after another. Refuses to run while another command changes many hostnames of the zone.
 */
export async function doMany(context: Context, flags: ManyFlags, many: ManyCommand): Promise<number> {
  const selection = await readSelection(context, many.names, flags);
  const isMassDelete = selection.by !== 'names' && many.words === 'hostname delete';
  checkConfirm(flags.confirm, isMassDelete, context.dryRun !== undefined);
  checkDeleteLimit(flags, isMassDelete && context.dryRun === undefined);
  const zone = await openZone(context, flags);
  return aloneInZone(zone.session, zone.zoneId, () => doChosen(context, zone, { flags, many, selection }));
}

interface Chosen {
  readonly flags: ManyFlags;
  readonly many: ManyCommand;
  readonly selection: Selection;
}

async function doChosen(
  context: Context,
  zone: OpenZone,
  { flags, many, selection }: Chosen,
): Promise<number> {
  const { world, output } = context;
  const { hostnames, missing } = await select(context, zone, selection, flags.quiet);
  const steps = many.steps(hostnames);
  const changing = steps.filter(({ does }) => does !== 'leave');
  const left = countSteps(steps).leave;
  if (missing.length > 0) tellMissing(context, missing, many.missingIs);
  if (left > 0) output.note(`${formatCount(left, 'hostname')} unchanged.`, { left });
  if (changing.length === 0) {
    output.note('No custom hostname needs to be changed.', { count: 0 });
    return refuseMissing(many, missing, hostnames.length);
  }
  output.note(`${many.verb} ${formatCount(changing.length, 'custom hostname')}: ${firstNames(changing)}.`);
  const deletion =
    selection.by !== 'names' && many.words === 'hostname delete' ? toDeletion(changing, zone) : undefined;
  if (selection.by !== 'names' || many.words === 'hostname delete') {
    if (!context.ask.isAnswered && !output.json && context.dryRun === undefined)
      previewSteps(output, changing);
    const isSame = deletion !== undefined && isConfirmed(world, flags.confirm, deletion);
    await confirmSteps(context, zone.session, {
      steps: changing,
      limit: flags.limit,
      of: 'This run',
      isConfirmed: isSame,
    });
  }
  context.dryRun?.end(
    zone.session.label,
    changing.map(plannedStep),
    deletion && context.dryRun && (await confirmationHash(world, deletion)),
  );
  const code = await runSteps(context, zone, {
    operation: many.words,
    steps: changing,
    rate: undefined,
    quiet: flags.quiet,
    resume: selection.by === 'file' ? resumeCommand(world.argv, flags.file) : againCommand(context),
    runKey:
      selection.by === 'file'
        ? savedRunKey(context, { flags, many, selection, hostnames, changing })
        : undefined,
  });
  return code === 0 ? refuseMissing(many, missing, hostnames.length) : code;
}

function plannedStep(step: FleetStep): PlannedChange {
  const { does, hostname } = step;
  return { does, what: hostname, ...(does === 'change' && { differences: step.differences }) };
}

/** Returns the set of hostnames to delete, each identified by name and id. */
function toDeletion(steps: readonly FleetStep[], { session, zoneId }: OpenZone): Deletion {
  const deletion = new Deletion(['hostname delete', session.label, zoneId]);
  for (const step of steps.toSorted((one, other) => (one.hostname < other.hostname ? -1 : 1)))
    if (step.does === 'delete') deletion.add(step.hostname, step.record.id);
  return deletion;
}

/** Returns exit code 0. Throws if hostnames in the file are not in the zone and the command counts missing hostnames as failed. */
function refuseMissing({ missingIs }: ManyCommand, missing: readonly string[], found: number): number {
  if (missingIs === 'done' || missing.length === 0) return 0;
  const message = `Not found in the zone: ${formatCount(missing.length, 'hostname')} from the file.`;
  throw new Problem(found === 0 ? 'not-found' : 'partly-done', message);
}

function savedRunKey(
  { world }: Context,
  {
    flags,
    many,
    selection: { file },
    hostnames,
    changing,
  }: {
    readonly flags: ManyFlags;
    readonly many: ManyCommand;
    readonly selection: Extract<Selection, { by: 'file' }>;
    readonly hostnames: readonly SelectedHostname[];
    readonly changing: readonly FleetStep[];
  },
) {
  const places = new Map(hostnames.map(({ record, place = 0 }) => [record.hostname, place]));
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([file.fingerprint, many.input ?? null]))
    .digest('hex');
  return {
    fingerprint,
    path: file.path,
    resume: flags.resume,
    resumeArguments: resumeArguments(world.argv),
    places: changing.map(({ hostname }) => places.get(hostname) ?? 0),
  };
}

function againCommand({ world }: Context): string {
  return `To resume: ${commandLine(world.argv)} (the filter is applied again)`;
}

async function select(
  { world, output }: Context,
  { session, zoneId }: OpenZone,
  selection: Selection,
  quiet: boolean,
) {
  const display = openProgress(world, output, quiet);
  try {
    return await selectHostnames(session, zoneId, selection, display);
  } finally {
    display.end();
  }
}

function tellMissing({ output }: Context, missing: readonly string[], is: ManyCommand['missingIs']): void {
  const names = firstNames(missing.map((hostname) => ({ hostname })));
  const words = `Not found in the zone: ${formatCount(missing.length, 'hostname')} from the file (${names}).`;
  if (is === 'done') output.note(words, { missing: missing.length });
  else output.warn(words, { missing });
}
