import type { ValueOf } from '../shape.ts';
import type { traceEvent } from './worker-shape.ts';

/**
 * A run of a worker in a tail, with the platform's field names. Times are milliseconds since the UNIX epoch. The fields identify the
 * trigger: a request, a cron schedule, a queue's batch, an alarm, or a message from the platform about the tail.
 */
export type TraceEvent = ValueOf<typeof traceEvent>;

/** A console call in the worker. The message has one item per argument. */
type TraceLog = TraceEvent['logs'][number];

/** The request that triggered a run; undefined for other triggers. */
export interface TraceRequest {
  readonly method: string;
  readonly url: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the request that triggered a run, if any. */
export function findRequest({ event }: Pick<TraceEvent, 'event'>): TraceRequest | undefined {
  const request = event?.['request'];
  if (typeof request !== 'object' || request === null) return undefined;
  const { method, url, headers } = request as Readonly<Record<string, unknown>>;
  return {
    method: typeof method === 'string' ? method : '',
    url: typeof url === 'string' ? url : '',
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
  };
}

/** Formats the arguments of a console call as one string. */
export function formatLog({ message }: Pick<TraceLog, 'message'>): string {
  const parts = Array.isArray(message) ? message : [message];
  return parts.map(formatArgument).join(' ');
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
