import type { ForecastOutcome } from '../../../src/model/forecast/ahead.ts';
import { dayMilliseconds } from '../../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import type { Foreseen } from '../../../src/services/console/fleet.ts';
import { zoneLine } from '../../../src/text/dns-records.ts';
import { commandArguments } from '../../../src/text/finding.ts';
import { commandLine } from '../../../src/text/shell.ts';
import { concernsHostnames } from '../../kit/changes.ts';
import { requireService } from '../../kit/require-service.ts';
import type { Role } from '../../kit/theme.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import {
  type DrawnColumn,
  type DrawnColumns,
  declareColumns,
  drawColumns,
} from '../../ui/lists/declared-columns.ts';
import { ListController } from '../../ui/lists/list-controller.ts';
import type { RowKind } from '../../ui/lists/row-kind.ts';
import type { TagOrder } from '../../ui/lists/tag-menu.ts';
import type { Previewed } from '../../ui/preview/previewed.ts';
import { type Entry, entryLines } from '../../ui/viewer/entries.ts';
import { formatDaysLeft, whoLabels } from '../columns.ts';
import { axisBar, axisHeading, axisParts } from './axis.ts';
import { saveRenewals } from './saved-renewals.ts';

const windows = [30, 60, 90];

const declaredColumns = declareColumns<Foreseen>()(
  {
    IN: ({ forecast: { at } }) => at,
    WHAT: ({ forecast: { outcome } }) => outcomes.indexOf(outcome),
    AXIS: 'unsorted',
    WHO: ({ forecast: { who } }) => whoLabels[who],
    DAY: 'unsorted',
  },
  { heading: 'HOSTNAME', by: ({ forecast: { hostname } }) => hostname },
);

const kind: RowKind<Foreseen> = {
  getId: ({ forecast: { id, hostname } }) => id ?? hostname,
  getText: ({ forecast: { hostname } }) => hostname,
  order: 'as-listed',
  firstSort: 'IN',
  getTags: (row) => [
    row.forecast.outcome,
    ...windows.filter((days) => daysTo(row) <= days).map((days) => `within ${days} days`),
  ],
  sorts: declaredColumns.sorts,
};

/** Outcomes that need an action come first. */
const outcomes: readonly ForecastOutcome[] = ['gone', 'fails', 'ends', 'unclear', 'renews', 'none'];

function daysTo({ forecast: { at }, now }: Foreseen): number {
  return (at - now) / dayMilliseconds;
}

/**
 * Formats the days to a renewal, the days since expiry for an expired certificate, or `now` if the renewal already
 * fails.
 */
function formatTimeTo({ forecast: { at, endsAt = at }, now }: Foreseen): string {
  if (at > now) return formatDaysLeft(at - now);
  return endsAt < now ? formatDaysLeft(endsAt - now) : 'now';
}

/** The certificates of a zone by their renewal, each listed when its forecast is ready. */
export function forecastList(zone: Zone, parts: PaneParts): ListController<Foreseen> {
  const fleet = requireService(parts, 'fleet');
  return new ListController<Foreseen>(parts, {
    place: { kind: 'forecast' },
    kind,
    whole: true,
    refreshes: false,
    pages: (_, signal, { reportTotal }) => fleet.forecast(zone.id, signal, reportTotal),
    saved: saveRenewals(zone, parts),
    rowToRead: (change) => {
      if (change.changed !== 'hostname' || change.zoneId !== zone.id || change.row === undefined)
        return undefined;
      const { id, row } = change;
      return { id, read: (signal) => fleet.forecastOne(zone.id, row.record, signal) };
    },
    rowChange: (change) =>
      change.changed === 'hostname' && change.zoneId === zone.id && change.row === undefined
        ? { id: change.id, row: undefined }
        : undefined,
    isOutdatedBy: (change) => concernsHostnames(change, zone.id),
  });
}

export const forecastRoles: Readonly<Record<ForecastOutcome, Role>> = {
  renews: 'good',
  fails: 'fault',
  ends: 'fault',
  gone: 'fault',
  unclear: 'warning',
  none: 'dim',
};

const outcomeRole = ({ forecast: { outcome } }: Foreseen) => forecastRoles[outcome];

/** The columns after the hostname. */
export const forecastColumns: DrawnColumns<Foreseen> = drawColumns(declaredColumns, {
  IN: {
    width: 7,
    importance: 5,
    align: 'right',
    cell: formatTimeTo,
    role: (row) => (row.forecast.at <= row.now ? 'fault' : 'plain'),
  },
  WHAT: { width: 7, importance: 4, cell: ({ forecast: { outcome } }) => outcome, role: outcomeRole },
  AXIS: axisColumn(),
  WHO: { width: 10, importance: 2, cell: ({ forecast: { who } }) => whoLabels[who] },
  DAY: { width: 10, importance: 1, isExtra: true, cell: ({ forecast: { at } }) => formatDay(at) },
});

/** An axis with a column per six days, and up to one per three days if there is room. */
function axisColumn(): DrawnColumn<Foreseen> {
  const [width, maxWidth] = [16, 31];
  return {
    heading: axisHeading(width),
    headingIn: axisHeading,
    width,
    maxWidth,
    importance: 3,
    cell: (row) => axisBar(daysTo(row), row.forecast.outcome, maxWidth),
    parts: (row, columns) => axisParts(daysTo(row), row.forecast.outcome, columns, outcomeRole(row)),
  };
}

function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const sentences: Readonly<Record<ForecastOutcome, string>> = {
  renews: 'is renewed',
  fails: 'will not be renewed',
  ends: 'expires; nothing renews it',
  gone: 'is deleted with its hostname',
  unclear: 'unclear',
  none: 'is not there',
};

/** A complete forecast: the reason, the method of renewal, and the remedy. */
export function forecastPreview(row: Foreseen): Previewed {
  const { hostname, outcome, at, endsAt, method, authority, reason, who, remedy } = row.forecast;
  const actor = whoLabels[who];
  const way = [method, authority].filter((part) => part !== undefined).join(', ');
  const entries: Entry[] = [
    { text: `${formatDay(at)}: the certificate ${sentences[outcome]}.`, role: forecastRoles[outcome] },
    { text: reason },
    ...(actor === '' ? [] : [{ text: `Who acts: ${actor}` }]),
    ...(remedy === undefined ? [] : [{ text: remedy.text }]),
    ...(remedy?.records ?? []).map((record): Entry => ({ text: zoneLine(record), role: 'badge' })),
    ...(remedy?.command === undefined
      ? []
      : [{ text: commandLine(commandArguments(remedy.command)), role: 'badge' as const }]),
    { text: '' },
    ...(way === '' ? [] : [{ text: `Validated by ${way}`, role: 'dim' as const }]),
    ...(endsAt === undefined
      ? []
      : [{ text: `The present certificate expires ${formatDay(endsAt)}`, role: 'dim' as const }]),
  ];
  return {
    id: `forecast ${hostname}`,
    title: hostname,
    content: { counts: outcome, lines: (surface) => entryLines(entries, surface) },
  };
}

const ranks: readonly string[] = outcomes;

/** The order of the outcomes in the menu that filters them. */
export const forecastTags: TagOrder = {
  getGroup: (tag) => (tag.startsWith('within') ? 'window' : 'outcome'),
  getRank(tag) {
    const at = ranks.indexOf(tag);
    return at === -1 ? outcomes.length + Number(/\d+/.exec(tag)) : at;
  },
};
