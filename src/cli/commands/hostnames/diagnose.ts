import { parseServer } from '../../../dns/server-address.ts';
import { nameFault } from '../../../model/dns/dns.ts';
import { hostnameStatuses } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import type { DiagnosedHostname } from '../../../services/diagnosis/diagnosis.ts';
import { diagnose, type HostnameToDiagnose, recordsIn } from '../../../services/diagnosis/many.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { readHostnameFile } from '../../../services/hostnames/file.ts';
import { checkHostname } from '../../../services/hostnames/hostnames.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type * as declared from './declarations.ts';
import { answerDiagnoses, tellDiagnosis } from './diagnosis-report.ts';
import { fixDiagnosed } from './fix.ts';
import type { diagnoseFlags } from './flags.ts';
import { wordOf } from './list.ts';
import { type OpenZone, openZone } from './zone-choice.ts';

export const diagnoseCommand = command<typeof declared.hostnameDiagnose>({
  async run(context, { args, flags }) {
    const named = args.HOSTNAME ?? [];
    checkSource(named, flags);
    flags.resolver.forEach(parseServer);
    if (flags.target !== undefined) checkTarget(flags.target);
    const names = flags.file === undefined ? named : await namesIn(context, flags.file);
    const status = wordOf('--status', flags.status, hostnameStatuses);
    const asked = [...new Set(names.map(checkHostname))];
    const zone = await openZone(context, flags);
    const look = { zone, flags, brief: named.length === 0 && !flags.verbose };
    const hostnames = asked.map((hostname) => ({ hostname }));
    if (!flags.fix) {
      const source = hostnames.length > 0 ? hostnames : undefined;
      return answerDiagnoses(context, zone.zoneId, diagnoseAll(context, { ...look, status }, source));
    }
    const source = hostnames.length > 0 ? hostnames : await listed(zone, status);
    const diagnosed = await gathered(diagnoseAll(context, look, source));
    const repaired = await fixDiagnosed(context, zone, diagnosed, (again) =>
      gathered(diagnoseAll(context, look, again)),
    );
    return answerDiagnoses(context, zone.zoneId, repaired);
  },
});

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
      ? 'No hostname is given: name some, or choose them with --all, --status or --file.'
      : `${given.join(' and ')} are given; the hostnames come from one of them.`,
    { hint: 'edgectl hostname diagnose --help' },
  );
}

function checkTarget(target: string): void {
  const fault = nameFault(wireHostname(target));
  if (fault !== undefined) throw new Problem('usage', `--target "${target}" is no name in DNS: ${fault}.`);
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
  return gathered(recordsIn(session, zoneId, () => undefined, { status }));
}

async function gathered<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

interface Look {
  readonly zone: OpenZone;
  readonly flags: FlagValues<typeof diagnoseFlags> & { readonly quiet: boolean };
  readonly brief: boolean;
  /** Where all of the zone are diagnosed: only those in this status. */
  readonly status?: string | undefined;
}

/** Diagnoses these hostnames, or left out those of the zone, and tells each as it comes. */
async function* diagnoseAll(
  context: Context,
  { zone: { session, zoneId }, flags, brief, status }: Look,
  hostnames: readonly HostnameToDiagnose[] | undefined,
): AsyncGenerator<DiagnosedHostname> {
  const display = openProgress(context.world, context.output, flags.quiet || hostnames?.length === 1);
  const target = flags.target === undefined ? undefined : wireHostname(flags.target);
  const how = { servers: flags.resolver, probe: !flags['no-probe'], target };
  let total = hostnames?.length;
  const tellTotal = (count: number): void => {
    total = count;
  };
  const source = hostnames ?? recordsIn(session, zoneId, tellTotal, { status });
  try {
    for await (const one of diagnose(session, zoneId, source, how, display, () => total)) {
      await tellDiagnosis(context, one, brief);
      yield one;
    }
  } finally {
    display.end();
  }
}
