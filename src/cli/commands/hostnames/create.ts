import { createHash } from 'node:crypto';
import { describeDifferences } from '../../../model/hostnames/fleet/differences.ts';
import { defaultIssuanceRate } from '../../../model/hostnames/issuance.ts';
import { Problem } from '../../../model/problem.ts';
import { creationRefusal, type HostnameInput, wireHostname } from '../../../services/hostnames/body.ts';
import { ensureHostname } from '../../../services/hostnames/create.ts';
import {
  type Creation,
  type CreationReport,
  type CreationResult,
  createMany,
} from '../../../services/hostnames/creations.ts';
import { type FileEntry, type HostnameFile, readHostnameFile } from '../../../services/hostnames/file.ts';
import {
  type WrongLine,
  wrongFile,
  wrongLine,
  wrongLineText,
} from '../../../services/hostnames/fleet/wanted.ts';
import { checkHostname } from '../../../services/hostnames/hostnames.ts';
import { failureJson } from '../../../text/problem.ts';
import { parseDuration } from '../../../text/time.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { resumeArguments, resumeCommand } from '../kv/bulk-report.ts';
import { formatCount } from '../objects/report.ts';
import type * as declared from './declarations.ts';
import type { fileFlags } from './flags.ts';
import { parseHostnameInputs } from './hostname-inputs.ts';
import { answerRecord } from './list.ts';
import { toState, waitFor } from './watch.ts';
import { openZone } from './zone-choice.ts';

export const createCommand = command<typeof declared.hostnameCreate>({
  async run(context, { args, flags }) {
    if ((args.HOSTNAME === undefined) === (flags.file === undefined)) throw oneSource(args.HOSTNAME);
    const input = parseHostnameInputs(flags);
    if (flags.file !== undefined) {
      if (flags.wait) throw new Problem('usage', '--wait works only with one hostname, not with --file.');
      return createFromFile(context, { ...flags, file: flags.file }, input);
    }
    return createOne(context, { ...flags, hostname: checkHostname(args.HOSTNAME ?? '') }, input);
  },
});

function oneSource(hostname: string | undefined): Problem {
  return new Problem(
    'usage',
    hostname === undefined
      ? 'No hostname given: specify one, or several with --file.'
      : 'HOSTNAME and --file cannot be used together.',
    { hint: 'edgectl hostname create --help' },
  );
}

async function createOne(
  context: Context,
  flags: {
    readonly hostname: string;
    readonly zone: string | undefined;
    readonly 'if-not-exists': boolean;
    readonly wait: boolean;
    readonly timeout: string | undefined;
  },
  input: ReturnType<typeof parseHostnameInputs>,
): Promise<number> {
  const timeout = flags.timeout === undefined ? undefined : parseDuration(flags.timeout);
  const zone = await openZone(context, flags);
  const { record, created, differences } = await ensureHostname(
    zone.session,
    zone.zoneId,
    { ...input, hostname: flags.hostname },
    { takeExisting: flags['if-not-exists'] },
  );
  context.output.note(
    created
      ? `Created custom hostname ${record.hostname}.`
      : `Custom hostname ${record.hostname} already exists.`,
    { created },
  );
  if (differences.length > 0) {
    context.output.warn(
      `${record.hostname} has different settings: ${describeDifferences(differences)}. To change them: edgectl hostname edit`,
    );
  }
  const besides = { created, ...(differences.length > 0 && { differences }) };
  if (flags.wait) return waitFor(context, zone, record, timeout, besides);
  await answerRecord(context, record, besides);
  return 0;
}

type FileFlags = Omit<FlagValues<typeof fileFlags>, 'file'> & {
  readonly file: string;
  readonly zone: string | undefined;
  readonly quiet: boolean;
  readonly 'if-not-exists': boolean;
};

/** Creates the hostnames in a file, and prints one result line per entry. Returns exit code 0; throws if an entry failed or was invalid. */
async function createFromFile(context: Context, flags: FileFlags, defaults: HostnameInput): Promise<number> {
  const { world, output } = context;
  const rate = flags.rate ?? defaultIssuanceRate;
  if (rate < 1) throw new Problem('usage', `--rate must be a whole number of at least 1, not ${rate}.`);
  const file = await readHostnameFile(world, flags.file);
  const { creations, invalid } = checkEntries(file, defaults);
  if (invalid.length > 0 && !flags['skip-invalid']) throw wrongFile(file.name, invalid, refusal);
  const { session, zoneId } = await openZone(context, flags);
  for (const one of invalid) await tellInvalid(context, one);
  context.dryRun?.end(
    session.label,
    creations.map(({ wanted }) => ({ does: 'create', what: wanted.hostname })),
  );
  const display = openProgress(world, output, flags.quiet);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([file.fingerprint, defaults]))
    .digest('hex');
  const run = createMany(session, {
    zoneId,
    creations,
    rate,
    takeExisting: flags['if-not-exists'],
    resume: flags.resume,
    fingerprint,
    path: file.path,
    resumeArguments: resumeArguments(world.argv),
    reporter: display,
  });
  try {
    let step = await run.next();
    for (; step.done !== true; step = await run.next()) await tellResult(context, step.value);
    display.end();
    return conclude(context, step.value, invalid.length, resumeCommand(world.argv, flags.file));
  } finally {
    display.end();
  }
}

const refusal = {
  nothing: 'nothing was sent',
  hint: 'Correct the invalid lines, or skip them with --skip-invalid.',
};

function checkEntries(file: HostnameFile, defaults: HostnameInput) {
  const creations: Creation[] = [];
  const invalid: WrongLine[] = [];
  const lines = new Map<string, number>();
  file.entries.forEach((entry, index) => {
    const checked = checkEntry(entry, index, defaults);
    if ('reason' in checked) invalid.push(checked);
    else {
      const { line, wanted } = checked;
      const first = lines.get(wanted.hostname);
      if (first === undefined) creations.push(checked);
      else invalid.push({ line, hostname: wanted.hostname, reason: `already on line ${first}` });
      lines.set(wanted.hostname, first ?? line);
    }
  });
  return { creations, invalid };
}

function checkEntry(
  { line, entry }: FileEntry,
  index: number,
  defaults: HostnameInput,
): Creation | WrongLine {
  if ('reason' in entry) return { line, ...entry };
  const { origin } = entry;
  const wanted = {
    ...defaults,
    ...entry,
    hostname: wireHostname(entry.hostname),
    ...(origin !== undefined && { origin: wireHostname(origin) }),
  };
  const refused = creationRefusal(wanted);
  return refused === undefined ? { index, line, wanted } : wrongLine(line, entry.hostname, refused);
}

async function tellInvalid({ output }: Context, one: WrongLine): Promise<void> {
  if (output.json) await output.answerJsonLine({ ...one, result: 'invalid' });
  else await output.line(`invalid  ${wrongLineText(one)}`);
}

async function tellResult({ output }: Context, result: CreationResult): Promise<void> {
  if (output.json) {
    await output.answerJsonLine(resultFields(output, result));
    return;
  }
  const { line, hostname } = result;
  const what =
    result.result === 'failed'
      ? result.problem.message
      : [result.record.id, toState(result.record), describeDifferences(result.differences ?? [])]
          .join('  ')
          .trimEnd();
  await output.line(`${result.result.padEnd(7)}  line ${line}  ${hostname}  ${what}`);
}

function resultFields({ words }: Context['output'], result: CreationResult) {
  const { line, hostname } = result;
  if (result.result === 'failed') {
    return { line, hostname, result: 'failed' as const, error: failureJson(result.problem, words) };
  }
  const { record, differences } = result;
  const { id, status, ssl } = record;
  return {
    line,
    hostname,
    result: result.result,
    id,
    status,
    certificate: ssl?.status,
    ...(differences && { differences }),
  };
}

function conclude({ output }: Context, report: CreationReport, invalid: number, resume: string): number {
  const { created, existing, failed, earlier, lines, stopped } = report;
  const parts = [
    `Created ${formatCount(created, 'custom hostname')}`,
    ...(existing > 0 ? [`${existing} already existed`] : []),
    ...(earlier > 0 ? [`${earlier} done by an earlier run`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(invalid > 0 ? [`${invalid} skipped`] : []),
  ];
  output.note(`${parts.join(', ')}. Total: ${formatCount(lines + invalid, 'line')}.`, {
    created,
    existing,
    earlier,
    failed,
    invalid,
    lines: lines + invalid,
  });
  const done = created + existing + earlier;
  if (stopped?.code === 'interrupted') output.warn(resume);
  if (stopped !== undefined) throw stoppedProblem(stopped, done, resume);
  if (failed === 0 && invalid === 0) return 0;
  if (done === 0) throw new Problem('refused', 'No custom hostname was created.');
  throw new Problem('partly-done', `${formatCount(failed + invalid, 'line')} failed; the others succeeded.`, {
    hint: failed === 0 ? undefined : resume,
  });
}

function stoppedProblem(stopped: Problem, done: number, resume: string): Problem {
  const code = done === 0 || stopped.code === 'interrupted' ? stopped.code : 'partly-done';
  const { message, platformCode, status, requestId } = stopped;
  return new Problem(code, message, { hint: resume, cause: stopped, platformCode, status, requestId });
}
