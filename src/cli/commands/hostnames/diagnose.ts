import { parseServer } from '../../../dns/server-address.ts';
import { nameFault } from '../../../model/dns/dns.ts';
import { hostnameStatuses } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import { type Case, openDoctor } from '../../../services/diagnosis/diagnosis.ts';
import { examineMany, type Patient } from '../../../services/diagnosis/many.ts';
import { doctorsResolver } from '../../../services/diagnosis/resolver.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { readHostnameFile } from '../../../services/hostnames/file.ts';
import { checkHostname, listHostnames } from '../../../services/hostnames/hostnames.ts';
import { type PlatformInfo, readPlatformInfo } from '../../../services/session/platform-info.ts';
import { openProgress } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import type * as declared from './declarations.ts';
import { answerCases, exitOf, tellCase } from './diagnosis-report.ts';
import { fixCases } from './fix.ts';
import type { diagnoseFlags } from './flags.ts';
import { wordOf } from './list.ts';
import { type OpenZone, openZone } from './place.ts';

export const diagnoseCommand = command<typeof declared.hostnameDiagnose>({
  async run(context, { args, flags }) {
    const named = args.HOSTNAME ?? [];
    checkSource(named, flags);
    flags.resolver.forEach(parseServer);
    if (flags.target !== undefined) checkTarget(flags.target);
    const names = flags.file === undefined ? named : await namesIn(context, flags.file);
    const status = wordOf('--status', flags.status, hostnameStatuses);
    const hostnames = [...new Set(names.map(checkHostname))];
    const place = await openZone(context, flags);
    const info = await readPlatformInfo(place.session);
    const patients =
      hostnames.length > 0 ? hostnames.map((hostname) => ({ hostname })) : await listed(place, status);
    const brief = named.length === 0 && !flags.verbose;
    const look = { place, info, flags };
    const cases = await examine(context, look, patients, brief);
    const repaired = flags.fix
      ? await fixCases(context, place, cases, (again) => examine(context, look, again, brief))
      : cases;
    await answerCases(context, place.zoneId, repaired);
    return exitOf(repaired);
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

async function listed({ session, zoneId }: OpenZone, status: string | undefined): Promise<Patient[]> {
  const patients: Patient[] = [];
  for await (const page of listHostnames(session, zoneId, { status })) {
    patients.push(...page.map((record) => ({ hostname: record.hostname, record })));
  }
  return patients;
}

interface Look {
  readonly place: OpenZone;
  readonly info: PlatformInfo;
  readonly flags: FlagValues<typeof diagnoseFlags> & { readonly quiet: boolean };
}

/** Examines with fresh eyes: DNS and the zone are asked anew each time. */
async function examine(
  context: Context,
  { place, info, flags }: Look,
  patients: readonly Patient[],
  brief: boolean,
): Promise<Case[]> {
  const { session, zoneId } = place;
  const display = openProgress(context.world, context.output, flags.quiet || patients.length === 1);
  const doctor = await openDoctor(session, zoneId, {
    resolver: doctorsResolver(session, info, flags.resolver),
    info,
    probe: !flags['no-probe'],
    target: flags.target === undefined ? undefined : wireHostname(flags.target),
  });
  const cases: Case[] = [];
  try {
    for await (const one of examineMany(doctor, patients, display)) {
      cases.push(one);
      await tellCase(context, one, brief);
    }
  } finally {
    display.end();
    await doctor.close();
  }
  return cases;
}
