import { formatRequestPath, type LogFilter, type LoggedRequest } from '../../model/sandbox/logged-request.ts';

/** The log of requests to a server: the last `limits.entries`. */
export interface RequestLog {
  add(entry: Omit<LoggedRequest, 'number'>): void;
  /** Returns entries in the order in which they ended, starting after the number `since`. */
  list(filter: LogFilter): LoggedRequest[];
  clear(): void;
}

/** Maximum number of entries, and of bytes in all their bodies. The bodies of older entries are removed first. */
const limits = { entries: 10_000, bodies: 32 * 1024 * 1024 };

export function openRequestLog(): RequestLog {
  let entries: LoggedRequest[] = [];
  let count = 0;
  let bytes = 0;
  return {
    add(entry) {
      count += 1;
      entries.push({ number: count, ...entry });
      bytes += readBodySize(entry);
      if (bytes > limits.bodies) bytes = dropOldBodies(entries, bytes);
      if (entries.length > limits.entries * 1.1) entries = entries.slice(-limits.entries);
    },
    list: (filter) =>
      entries.filter((entry) => matchesFilter(entry, filter)).slice(-(filter.limit ?? limits.entries)),
    clear() {
      entries = [];
      bytes = 0;
    },
  };
}

/** Removes the bodies of the older half. Returns the number of remaining bytes. */
function dropOldBodies(entries: LoggedRequest[], bytes: number): number {
  let left = bytes;
  for (const [index, entry] of entries.entries()) {
    if (left <= limits.bodies / 2) break;
    left -= readBodySize(entry);
    const { requestBody: _, answerBody: _answer, ...rest } = entry;
    entries[index] = rest;
  }
  return left;
}

function readBodySize({ requestBody = '', answerBody = '' }: Partial<LoggedRequest>): number {
  return requestBody.length + answerBody.length;
}

function matchesFilter(entry: LoggedRequest, filter: LogFilter): boolean {
  const { number, method, status } = entry;
  return (
    number > (filter.since ?? 0) &&
    (filter.method === undefined || filter.method === method) &&
    (filter.path === undefined || formatRequestPath(entry).includes(filter.path)) &&
    (filter.status === undefined || String(status ?? 'cut').startsWith(filter.status))
  );
}
