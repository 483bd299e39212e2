import type { NextStep, RecordAdvice, Responsible } from '../../../src/model/diagnosis/finding.ts';
import type { ForecastOutcome } from '../../../src/model/forecast/ahead.ts';
import { isBroken } from '../../../src/model/forecast/forecast.ts';
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
import { type Entry, entryLines, factEntries, headingEntry } from '../../ui/viewer/entries.ts';
import { formatDaysLeft, whoLabels } from '../columns.ts';
import { axisBar, axisHeading, axisParts } from './axis.ts';
import { saveRenewals } from './saved-renewals.ts';

const windows = [30, 60, 90];

const declaredColumns = declareColumns<Foreseen>()(
  {
    WHEN: ({ forecast: { at } }) => at,
    WHAT: ({ forecast: { outcome } }) => outcomes.indexOf(outcome),
    AXIS: 'unsorted',
    WHO: ({ forecast: { who } }) => whoLabels[who],
    EXPIRES: ({ forecast: { endsAt } }) => endsAt ?? Number.POSITIVE_INFINITY,
  },
  { heading: 'HOSTNAME', by: ({ forecast: { hostname } }) => hostname },
);

const kind: RowKind<Foreseen> = {
  getId: ({ forecast: { id, hostname } }) => id ?? hostname,
  getText: ({ forecast: { hostname } }) => hostname,
  order: 'as-listed',
  firstSort: 'WHEN',
  getTags: (row) => [
    outcomeWords[row.forecast.outcome],
    ...windows.filter((days) => daysTo(row) <= days).map((days) => `within ${days} days`),
  ],
  sorts: declaredColumns.sorts,
};

/** The outcomes in sort order: outcomes that require action come first. */
const outcomes: readonly ForecastOutcome[] = ['gone', 'fails', 'ends', 'unclear', 'renews', 'none'];

function daysTo({ forecast: { at }, now }: Foreseen): number {
  return (at - now) / dayMilliseconds;
}

const outcomeWords: Readonly<Record<ForecastOutcome, string>> = {
  renews: 'renews',
  fails: 'fails',
  ends: 'expires',
  gone: 'deleted',
  unclear: 'unclear',
  none: 'none',
};

/** Formats the days until an outcome. Once the time is reached, returns `expired` for an expired certificate, otherwise `now`. */
function formatTimeTo(row: Foreseen): string {
  const { at } = row.forecast;
  if (at > row.now) return formatDaysLeft(at - row.now);
  return isExpired(row) ? 'expired' : 'now';
}

function isExpired({ forecast: { endsAt }, now }: Foreseen): boolean {
  return endsAt !== undefined && endsAt <= now;
}

/** Returns the list of a zone's certificates in the order of renewal. Each certificate is listed as soon as its forecast is ready. */
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

/** The columns to draw after the hostname. */
export const forecastColumns: DrawnColumns<Foreseen> = drawColumns(declaredColumns, {
  WHEN: {
    width: 7,
    importance: 5,
    align: 'right',
    cell: formatTimeTo,
    role: (row) => (isBroken(row.forecast) ? 'fault' : 'plain'),
  },
  WHAT: {
    width: 7,
    importance: 4,
    cell: ({ forecast: { outcome } }) => outcomeWords[outcome],
    role: outcomeRole,
  },
  AXIS: axisColumn(),
  WHO: { width: 10, importance: 2, cell: ({ forecast: { who } }) => whoLabels[who] },
  EXPIRES: {
    width: 10,
    importance: 1,
    isExtra: true,
    cell: ({ forecast: { endsAt } }) => (endsAt === undefined ? '' : formatDay(endsAt)),
    role: (row) => (isExpired(row) ? 'fault' : 'dim'),
  },
});

/** Returns the axis: 16 columns (about six days each), or up to 31 columns (three days each) if the screen has room. */
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

/** Describes the outcome and its day in one sentence. */
function headline({ forecast: { outcome, at }, now }: Foreseen): string {
  const isLater = at > now;
  const day = isLater ? `on ${formatDay(at)}, in ${formatDays(at - now)}` : '';
  switch (outcome) {
    case 'renews':
      return isLater ? `Will be renewed ${day}.` : 'Is being renewed.';
    case 'fails':
      return isLater ? `The renewal ${day}, will fail.` : 'No renewal is possible now.';
    case 'ends':
      return isLater ? `Expires ${day}: nothing renews it.` : 'Expired: nothing renews it.';
    case 'gone':
      return isLater ? `The hostname will be deleted ${day}.` : 'The hostname is being deleted.';
    case 'unclear':
      return isLater
        ? `The result of the renewal ${day}, cannot be predicted.`
        : 'The result of the renewal cannot be predicted.';
    case 'none':
      return 'No certificate.';
  }
}

function formatDays(milliseconds: number): string {
  const days = Math.floor(milliseconds / dayMilliseconds);
  return days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
}

const labelWidth = { width: 10 } as const;

/** Returns the preview of a forecast: the outcome, its reason, the method of renewal, and the remedy. */
export function forecastPreview(row: Foreseen): Previewed {
  const { hostname, outcome, endsAt, method, authority, reason, who, remedy } = row.forecast;
  const way = [method, authority].filter((part) => part !== undefined).join(', ');
  const records = remedy?.records ?? [];
  const entries: Entry[] = [
    { text: headline(row), role: forecastRoles[outcome] },
    { text: reason },
    ...(remedy === undefined ? [] : [{ text: `Next: ${remedy.text}` }]),
    ...records.flatMap((record) => recordEntries(record, who)),
    ...(remedy?.command === undefined ? [] : commandEntries(remedy.command, records.length > 0)),
    { text: '' },
    ...factEntries('who acts', whoLabels[who] === '' ? undefined : whoLabels[who], labelWidth),
    ...factEntries('proof by', way === '' ? undefined : way, labelWidth),
    ...factEntries(
      isExpired(row) ? 'expired' : 'expires',
      endsAt === undefined ? undefined : formatDay(endsAt),
      {
        ...labelWidth,
        ...(isExpired(row) && { role: 'fault' as const }),
      },
    ),
  ];
  return {
    id: `forecast ${hostname}`,
    title: hostname,
    content: { counts: outcomeWords[outcome], lines: (surface) => entryLines(entries, surface) },
  };
}

/** Returns the lines of a DNS record, one for each field. Copying the heading copies the line of a zone file. */
function recordEntries(record: RecordAdvice, who: Responsible): Entry[] {
  const copied = { text: zoneLine(record), what: 'the record in zone-file format' };
  const change = record.remove === true ? 'remove' : 'set';
  const heading =
    who === 'customer' ? `Customer: ${change} the ${record.type} record` : `${record.type} record`;
  return [
    { text: '' },
    { ...headingEntry(heading), copied },
    ...factEntries('name', record.name, { width: labelWidth.width, indent: 2 }),
    ...factEntries(record.type === 'CNAME' ? 'target' : 'value', record.value, {
      width: labelWidth.width,
      indent: 2,
    }),
  ];
}

function commandEntries(command: NonNullable<NextStep['command']>, isAfterRecords: boolean): Entry[] {
  if (command.kind === 'refresh') {
    const keys = 'press Enter, then R, to restart validation.';
    return isAfterRecords ? [{ text: '' }, { text: `Then ${keys}` }] : [{ text: keys.replace(/^p/, 'P') }];
  }
  const text = commandLine(commandArguments(command));
  const copied = { text, what: 'the command' };
  return [
    { text: '' },
    headingEntry(isAfterRecords ? 'Then run' : 'Run'),
    { text, indent: 2, role: 'badge', copied },
  ];
}

const ranks: readonly string[] = outcomes.map((outcome) => outcomeWords[outcome]);

/** The groups and the order of the tags in the menu that filters the list. */
export const forecastTags: TagOrder = {
  getGroup: (tag) => (tag.startsWith('within') ? 'time' : 'result'),
  getRank(tag) {
    const at = ranks.indexOf(tag);
    return at === -1 ? outcomes.length + Number(/\d+/.exec(tag)) : at;
  },
};
