import { findRequest, formatLog, type TraceEvent } from '../../model/workers/trace.ts';

/** A line about a run of a worker. `text` is untrusted and not escaped, but contains no line breaks. */
export interface TraceLine {
  /** The first line of a run, a line that the worker logged, or a line of an exception. */
  readonly kind: 'run' | 'log' | 'exception';
  readonly text: string;
  /** Whether the line reports an error. */
  readonly isBad: boolean;
}

/** Formats a run of a worker as lines: its time, trigger and outcome, then its logs and exceptions. */
export function traceLines(run: TraceEvent): TraceLine[] {
  const isBad = run.outcome !== 'ok' && run.outcome !== 'canceled';
  return [
    { kind: 'run', text: `${formatTime(run)}  ${describeTrigger(run)}  ${describeOutcome(run)}`, isBad },
    ...run.logs.flatMap((log) =>
      indented(`(${log.level}) ${formatLog(log)}`).map((text) => ({
        kind: 'log' as const,
        text,
        isBad: log.level === 'error',
      })),
    ),
    ...run.exceptions.flatMap((exception) =>
      indented(formatException(exception)).map((text) => ({ kind: 'exception' as const, text, isBad: true })),
    ),
  ];
}

function indented(text: string): string[] {
  return text.split(/\r?\n/).map((line, at) => (at === 0 ? `  ${line}` : `    ${line.trimStart()}`));
}

function formatException({ name = 'Error', message, stack }: TraceEvent['exceptions'][number]): string {
  const words = typeof message === 'string' ? message : JSON.stringify(message ?? '');
  return `${name}: ${words}${stack ? `\n${stack}` : ''}`;
}

/** Returns the time of day of a run, in UTC. */
function formatTime({ eventTimestamp }: TraceEvent): string {
  const time = new Date(eventTimestamp ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? '--:--:--.---' : time.toISOString().slice(11, 23);
}

function describeTrigger(run: TraceEvent): string {
  const request = findRequest(run);
  if (request !== undefined) return `${request.method} ${request.url}`;
  const event = run.event ?? {};
  const texts: readonly (readonly [string, string])[] = [
    ['cron', 'cron'],
    ['queue', 'queue'],
    ['rpcMethod', 'call of'],
    ['mailFrom', 'email from'],
  ];
  for (const [field, words] of texts) {
    const value = event[field];
    if (typeof value === 'string') return `${words} ${value}`;
  }
  if ('scheduledTime' in event) return 'alarm';
  return 'consumedEvents' in event ? 'runs of other workers' : 'unknown event';
}

/** Descriptions of outcomes whose names in the API are not words. */
const outcomes: ReadonlyMap<string, string> = new Map([
  ['exceededCpu', 'exceeded its CPU time limit'],
  ['exceededMemory', 'exceeded its memory limit'],
]);

/** Formats the outcome of a run, after the HTTP status of its response, if any. */
function describeOutcome({ event, outcome }: TraceEvent): string {
  const response = event?.['response'];
  const status =
    typeof response === 'object' && response !== null ? (response as { status?: unknown }).status : undefined;
  const words = outcomes.get(outcome) ?? outcome;
  return typeof status === 'number' ? `${status} ${words}` : words;
}
