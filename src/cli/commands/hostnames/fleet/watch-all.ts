import { hostnameStatuses } from '../../../../model/hostnames/hostname.ts';
import { Problem } from '../../../../model/problem.ts';
import { serveMetrics } from '../../../../services/hostnames/fleet/metrics-server.ts';
import { type EventSink, programSink, webhookSink } from '../../../../services/hostnames/fleet/sinks.ts';
import { FleetWatcher } from '../../../../services/hostnames/fleet/watch-fleet.ts';
import { splitShellWords } from '../../../../text/shell.ts';
import { parseDuration } from '../../../../text/time.ts';
import { openProgress } from '../../../output/progress.ts';
import type { Context } from '../../../parsing/command.ts';
import type { FlagValues } from '../../../parsing/declaration.ts';
import { parseOneOf } from '../../../parsing/one-of.ts';
import type { watchFlags } from '../flags.ts';
import { openZone } from '../zone-choice.ts';

export type WatchAllFlags = FlagValues<typeof watchFlags> & {
  readonly zone: string | undefined;
  readonly quiet: boolean;
  readonly timeout: string | undefined;
};

/** Watches all hostnames of a zone, and writes each change as a line of JSON; with a sink, only after the sink has accepted the change. */
export async function watchAll(context: Context, flags: WatchAllFlags): Promise<number> {
  const { world, output } = context;
  const status = parseOneOf('--status', flags.status, hostnameStatuses);
  const interval = flags.interval === undefined ? 60 : parseDuration(flags.interval, '--interval');
  if (interval < 1) throw new Problem('usage', '--interval must be at least 1 second.');
  const timeout = flags.once
    ? 0
    : flags.timeout === undefined
      ? undefined
      : parseDuration(flags.timeout, '--timeout');
  const sink = openSink(context, flags);
  const { session, zoneId } = await openZone(context, flags);
  const display = openProgress(world, output, flags.quiet);
  const watcher = new FleetWatcher(session, { zoneId, status, interval, timeout, sink, reporter: display });
  return watcher.alone(async () => {
    const server =
      flags.metrics === undefined
        ? undefined
        : await serveMetrics(parsePort(flags.metrics), () => watcher.metrics());
    try {
      if (server !== undefined) output.note(`Metrics at ${server.url}.`, { metrics: server.url });
      for await (const event of watcher.events()) {
        display.end();
        await output.answerJsonLine(event);
      }
      return 0;
    } finally {
      display.end();
      server?.close();
    }
  });
}

function parsePort(port: number): number {
  if (port >= 0 && port <= 65_535) return port;
  throw new Problem('usage', `--metrics must be a port from 0 to 65535, not ${port}.`);
}

const secretVariable = 'EDGECTL_WEBHOOK_SECRET';

function openSink({ world, output }: Context, { exec, webhook }: WatchAllFlags): EventSink | undefined {
  if (exec !== undefined && webhook !== undefined)
    throw new Problem('usage', '--exec and --webhook cannot be used together.');
  if (exec !== undefined) {
    const words = splitShellWords(exec);
    if (words !== undefined && words.length > 0) return programSink(world, words);
    throw new Problem('usage', '--exec must be a program and its arguments, with balanced quotes.');
  }
  if (webhook === undefined) return undefined;
  const secret = world.env[secretVariable] ?? '';
  if (secret === '')
    throw new Problem('usage', `Events for a webhook must be signed, but ${secretVariable} is not set.`, {
      hint: 'Set the variable to a long random string that the receiver also knows.',
    });
  output.conceal([secret]);
  return webhookSink(world, webhook, secret);
}
