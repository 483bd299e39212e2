import type { DaysLeft, WatchedHostname } from '../../model/hostnames/fleet/events.ts';

/** The metrics of a watched fleet. */
export interface FleetFigures {
  readonly zoneId: string;
  readonly hostnames: Iterable<WatchedHostname>;
  readonly daysLeft: readonly DaysLeft[];
  /** When the fleet was last read, in seconds since the UNIX epoch; undefined before the first reading. */
  readonly readAt: number | undefined;
  readonly readings: number;
  readonly failedReadings: number;
  /** Number of events by type since the watch began. */
  readonly events: ReadonlyMap<string, number>;
  /** Number of events that have not been delivered yet. */
  readonly waiting: number;
}

type Labels = Readonly<Record<string, string>>;

/** Formats the metrics in the Prometheus text format (version 0.0.4). */
export function metricsText(figures: FleetFigures): string {
  const { zoneId, hostnames, daysLeft, readAt, readings, failedReadings, events, waiting } = figures;
  const zone = { zone: zoneId };
  const [statuses, kinds] = countBy(hostnames);
  const left = daysLeft.map(({ hostname, of, days }) => [{ ...zone, hostname, of }, days] as const);
  const changes = [...events].map(([type, count]) => [{ ...zone, type }, count] as const);
  return [
    ...metric('edgectl_hostnames', 'gauge', 'Custom hostnames by status.', labelled(zone, statuses)),
    ...metric(
      'edgectl_hostnames_faulty',
      'gauge',
      'Hostnames that need action, by kind, by who must act, and by basis: a record or a diagnosis.',
      labelled(zone, kinds),
    ),
    ...metric(
      'edgectl_hostname_days_left',
      'gauge',
      'Days until a hostname is deleted or a certificate expires.',
      left,
    ),
    ...metric('edgectl_watch_events_total', 'counter', 'Changes to the watched hostnames, by type.', changes),
    ...metric('edgectl_watch_waiting_events', 'gauge', 'Events that have not been delivered yet.', [
      [zone, waiting],
    ]),
    ...metric('edgectl_watch_readings_total', 'counter', 'Complete reads of the list.', [[zone, readings]]),
    ...metric('edgectl_watch_failed_readings_total', 'counter', 'Failed reads of the list.', [
      [zone, failedReadings],
    ]),
    ...metric(
      'edgectl_watch_last_reading_timestamp_seconds',
      'gauge',
      'Time of the last complete read of the list.',
      readAt === undefined ? [] : [[zone, readAt]],
    ),
    '',
  ].join('\n');
}

/** Numbers with their labels, keyed by the labels as a string. */
type Counts = ReadonlyMap<string, readonly [Labels, number]>;

function countBy(hostnames: Iterable<WatchedHostname>): readonly [Counts, Counts] {
  const statuses = new Map<string, readonly [Labels, number]>();
  const kinds = new Map<string, readonly [Labels, number]>();
  for (const { status, certificate, kind, who = 'nobody', basis = 'record' } of hostnames) {
    count(statuses, { status, certificate });
    if (kind !== undefined) count(kinds, { kind, who, basis });
  }
  return [statuses, kinds];
}

function count(counts: Map<string, readonly [Labels, number]>, labels: Labels): void {
  const key = JSON.stringify(labels);
  counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1]);
}

function labelled(zone: Labels, counts: Counts): readonly (readonly [Labels, number])[] {
  return [...counts.values()].map(([labels, number]) => [{ ...zone, ...labels }, number] as const);
}

function metric(
  name: string,
  type: 'gauge' | 'counter',
  help: string,
  samples: readonly (readonly [Labels, number])[],
): readonly string[] {
  const lines = samples.map(([labels, value]) => `${name}{${labelsText(labels)}} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines.sort()];
}

function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join(',');
}
