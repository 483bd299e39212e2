/**
 * A run of a worker in a tail, in the platform's fields. Times are milliseconds since the UNIX epoch. The fields identify the
 * trigger: a request, a cron schedule, a queue's batch, an alarm, or a platform message about the tail.
 */
export interface TraceEvent {
  /** `ok`, `canceled`, `exception`, `exceededCpu`, `exceededMemory`, `unknown`, or another value of the platform. */
  readonly outcome: string;
  readonly scriptName?: string | null | undefined;
  readonly scriptVersion?: { readonly id?: string | undefined } | null | undefined;
  readonly eventTimestamp?: number | null | undefined;
  readonly event?: Readonly<Record<string, unknown>> | null | undefined;
  readonly logs: readonly TraceLog[];
  readonly exceptions: readonly TraceException[];
}

/** A console call in the worker. The message has one item per argument. */
export interface TraceLog {
  readonly level: string;
  readonly message?: unknown;
  readonly timestamp?: number | null | undefined;
}

export interface TraceException {
  readonly name?: string | undefined;
  readonly message?: unknown;
  readonly stack?: string | null | undefined;
  readonly timestamp?: number | null | undefined;
}

/** The request that triggered a run; undefined for other triggers. */
export interface TraceRequest {
  readonly method: string;
  readonly url: string;
  /** Header names in lower case. */
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

/** Formats a console call: all its arguments as one string. */
export function formatLog({ message }: Pick<TraceLog, 'message'>): string {
  const parts = Array.isArray(message) ? message : [message];
  return parts.map(formatArgument).join(' ');
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
