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

/** Formats the days to a renewal: since the certificate expired if it has, and `now` if the renewal already fails. */
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

/** Returns the width of the axis: a column per three days if they fit, otherwise per six; none if the screen is too narrow. */
function axisWidth(width: number): number {
  return width >= 130 ? 31 : width >= 49 ? 16 : 0;
}

/** Returns the columns after the hostname, for a list and its preview of this width. */
export function forecastColumns(width: number): DrawnColumns<Foreseen> {
  const role = ({ forecast: { outcome } }: Foreseen) => forecastRoles[outcome];
  const bar = axisWidth(width);
  return drawColumns(declaredColumns, {
    IN: {
      width: 7,
      importance: 5,
      align: 'right',
      cell: formatTimeTo,
      role: (row) => (row.forecast.at <= row.now ? 'fault' : 'plain'),
    },
    WHAT: { width: 7, importance: 3, cell: ({ forecast: { outcome } }) => outcome, role },
    AXIS: bar === 0 ? undefined : axisColumn(bar),
    WHO: { width: 10, importance: 2, cell: ({ forecast: { who } }) => whoLabels[who] },
    DAY: { width: 10, importance: 1, isExtra: true, cell: ({ forecast: { at } }) => formatDay(at) },
  });
}

function axisColumn(width: number): DrawnColumn<Foreseen> {
  return {
    heading: axisHeading(width),
    width,
    // Its signs repeat the text in the next column.
    importance: 4,
    cell: (row) => axisBar(daysTo(row), row.forecast.outcome, width),
    parts: (row) => axisParts(daysTo(row), row.forecast.outcome, width, forecastRoles[row.forecast.outcome]),
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
    ...(way === '' ? [] : [{ text: `By: ${way}`, role: 'dim' as const }]),
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
