import { isBroken, within } from '../../../model/forecast/forecast.ts';
import { Problem } from '../../../model/problem.ts';
import { collectForecasts, gatherFleet, type Incomplete } from '../../../services/forecast/forecast.ts';
import { loadWorld, readWorldFile, writeWorldFile } from '../../../services/forecast/world-file.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { forecastCells, forecastColumns, forecastJson, forecastSummary } from '../../../text/forecast.ts';
import { tableLines } from '../../../text/table.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { existingFileMode } from '../../parsing/flags.ts';
import { formatCount } from '../objects/report.ts';
import type * as declared from './declarations.ts';
import { diagnoseMany, refuseResume } from './diagnosis-run.ts';
import type { fleetFlags } from './flags.ts';
import { openZone } from './zone-choice.ts';

export const forecastCommand = command<typeof declared.hostnameForecast>({
  async run(context, { flags }) {
    const { world, output } = context;
    const days = flags.days ?? 90;
    if (days < 1) throw new Problem('usage', `--days must be a whole number of at least 1, not ${days}.`);
    if (flags.file !== undefined) refuseResume(flags.resume, '--file is always read completely');
    const { forecasts, now, incomplete } =
      flags.file === undefined
        ? await gatherFleetFacts(context, flags, 'hostname forecast', collectForecasts)
        : await collectForecasts(readWorldFile(world, flags.file));
    const shown = within(forecasts, now ?? world.now(), days);
    if (output.json) await output.answerJson(shown.map(forecastJson));
    else if (shown.length > 0) {
      const width = output.isTerminal ? world.stdout.columns : undefined;
      const lines = tableLines(forecastColumns, shown.map(forecastCells), { width });
      await output.listing(`${lines.join('\n')}\n`);
    }
    const summary = shown.length === 0 ? nothingAhead(forecasts.length, days) : forecastSummary(shown, days);
    output.note(summary, {
      count: shown.length,
      broken: shown.filter(isBroken).length,
    });
    tellIncomplete(context, incomplete);
    return shown.some(isBroken) ? 7 : incomplete.length > 0 ? 1 : 0;
  },
});

export const exportWorldCommand = command<typeof declared.hostnameExportWorld>({
  async run(context, { args, flags }) {
    const { world, output } = context;
    const { count, incomplete } = await gatherFleetFacts(context, flags, 'hostname export-world', (fleet) =>
      writeWorldFile(world, { name: args.FILE, ifThere: existingFileMode(flags) }, fleet),
    );
    if (args.FILE !== '-')
      await output.result(`Exported ${formatCount(count, 'hostname')} to ${args.FILE}.`, {
        count,
        file: args.FILE,
      });
    tellIncomplete(context, incomplete);
    return incomplete.length > 0 ? 6 : 0;
  },
});

export const importWorldCommand = command<typeof declared.hostnameImportWorld>({
  async run(context, { args }) {
    const { world, output } = context;
    const { zone, count } = await loadWorld(await context.session(), readWorldFile(world, args.FILE));
    await output.result(`Imported ${formatCount(count, 'hostname')} from ${zone} into the sandbox.`, {
      zone,
      count,
    });
    return 0;
  },
});

/** Explains an empty forecast: the zone has no hostnames, or no certificate renews within the period. */
function nothingAhead(hostnames: number, days: number): string {
  if (hostnames === 0)
    return 'The zone has no custom hostnames, so nothing renews. Create one: edgectl hostname create HOSTNAME';
  const many = hostnames === 1 ? 'The hostname has no' : `None of the ${hostnames} hostnames has a`;
  return `${many} certificate that renews within ${formatCount(days, 'day')}. To look further ahead, use --days.`;
}

/** Maximum number of hostnames in a warning, for people and for programs. */
const maxNamed = { words: 5, json: 1000 };

/** Warns about hostnames for which a required fact is unknown. */
function tellIncomplete({ output }: Context, incomplete: readonly Incomplete[]): void {
  if (incomplete.length === 0) return;
  const named = incomplete.slice(0, maxNamed.words).map(({ hostname, reason }) => `${hostname} (${reason})`);
  const more = incomplete.length - named.length;
  const names = named.join(', ') + (more > 0 ? ` and ${more} more` : '');
  output.warn(`A required fact is unknown for ${formatCount(incomplete.length, 'hostname')}: ${names}.`, {
    incomplete: incomplete.length,
    hostnames: incomplete.slice(0, maxNamed.json).map(({ hostname }) => hostname),
  });
}

type FleetFlags = FlagValues<typeof fleetFlags> & { readonly quiet: boolean };

async function gatherFleetFacts<T>(
  context: Context,
  { resolver: servers, target: typed, resume, quiet, zone: named, 'no-probe': noProbe }: FleetFlags,
  operation: string,
  use: (fleet: ReturnType<typeof gatherFleet>) => Promise<T>,
): Promise<T> {
  const zone = await openZone(context, { zone: named });
  const target = typed === undefined ? undefined : wireHostname(typed);
  const where = { servers, target, probe: !noProbe };
  return diagnoseMany(context, zone, { operation, how: where, resume, quiet }, ({ savedRun, reporter }) =>
    use(gatherFleet(zone.session, zone.zoneId, where, reporter, savedRun)),
  );
}
