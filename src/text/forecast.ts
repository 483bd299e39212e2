import type { NextStep } from '../model/diagnosis/finding.ts';
import type { Forecast, ForecastOutcome } from '../model/forecast/ahead.ts';
import { commandArguments } from './finding.ts';
import type { TextColumn } from './table.ts';

/** Columns of a table of forecasts. */
export const forecastColumns: readonly TextColumn[] = [
  { heading: 'WHEN' },
  { heading: 'HOSTNAME' },
  { heading: 'WHAT' },
  { heading: 'BY' },
  { heading: 'ENDS' },
  { heading: 'WHO' },
  { heading: 'WHY' },
];

/** Returns the table cells of one forecast. */
export function forecastCells(forecast: Forecast): readonly string[] {
  const { at, hostname, outcome, method, authority, endsAt, who, reason } = forecast;
  return [
    formatDay(at),
    hostname,
    outcome,
    [method, authority].filter((part) => part !== undefined).join(', '),
    endsAt === undefined ? '' : formatDay(endsAt),
    who === 'nobody' ? '' : who,
    outcome === 'renews' ? '' : reason,
  ];
}

/** Formats the number of forecasts per outcome as one line. */
export function forecastSummary(forecasts: readonly Forecast[], days: number): string {
  const words: readonly (readonly [ForecastOutcome, string, string])[] = [
    ['renews', 'renews', 'renew'],
    ['fails', 'fails', 'fail'],
    ['ends', 'expires without renewal', 'expire without renewal'],
    ['gone', 'is deleted with its hostname', 'are deleted with their hostnames'],
    ['unclear', 'cannot be predicted', 'cannot be predicted'],
  ];
  const counts = words.flatMap(([outcome, one, many]) => {
    const count = forecasts.filter((forecast) => forecast.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const noun = forecasts.length === 1 ? 'certificate' : 'certificates';
  return `${forecasts.length} ${noun} in ${days} ${days === 1 ? 'day' : 'days'}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}.`;
}

/** Converts a forecast to JSON. Times are in RFC 3339 format, and the command is a list of arguments. */
export function forecastJson({ at, endsAt, remedy, ...forecast }: Forecast) {
  return {
    at: new Date(at).toISOString(),
    ...forecast,
    ...(endsAt !== undefined && { endsAt: new Date(endsAt).toISOString() }),
    ...(remedy !== undefined && { remedy: remedyJson(remedy) }),
  };
}

function remedyJson({ command, ...advice }: NextStep) {
  return { ...advice, ...(command !== undefined && { command: commandArguments(command) }) };
}

function formatDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
