import { plainName } from '../../model/dns/dns.ts';
import type { CustomHostname, ServedCount } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import { isProblem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { readFallbackOrigin } from './fallback-origin.ts';
import { listHostnames } from './hostnames.ts';

/** Maximum number of hostnames to read for one count. */
const maxRead = 500;

/** Maximum number of origins whose hostnames are counted. */
const maxNames = 20;

/**
 * Counts the custom hostnames whose fallback origin or custom origin is one of the given names in the zone. Returns undefined if there are
 * no such hostnames, or if the hostnames cannot be read.
 */
export async function countServedBy(
  session: Session,
  zoneId: string,
  names: readonly string[],
): Promise<ServedCount | undefined> {
  return unlessUnreadable(async () => {
    const origins = [...new Set(names.map(plainName))];
    const fallback = await readFallbackOrigin(session, zoneId);
    const counts: ServedCount[] = [];
    if (fallback !== undefined && origins.includes(plainName(fallback.origin)))
      counts.push(await count(session, zoneId, {}, hasNoOrigin));
    for (const origin of origins.slice(0, maxNames))
      counts.push(await count(session, zoneId, { origin }, (record) => findOrigin(record) === origin));
    if (origins.length > maxNames) counts.push({ hostnames: 0, bound: 'at least' });
    return addCounts(counts);
  });
}

/**
 * Adds up exact, minimum and maximum counts. If one of the counts is a minimum, the sum is also a minimum, and omits the counts that are
 * maximums.
 */
function addCounts(counts: readonly ServedCount[]): ServedCount | undefined {
  const sum = (bound?: ServedCount['bound']) =>
    counts.reduce((total, one) => (one.bound === bound ? total : total + one.hostnames), 0);
  if (counts.some(({ bound }) => bound === 'at least'))
    return { hostnames: sum('at most'), bound: 'at least' };
  const hostnames = sum();
  const bound = counts.some((one) => one.bound === 'at most') ? 'at most' : 'exactly';
  return hostnames === 0 ? undefined : { hostnames, bound };
}

/**
 * Counts the custom hostnames without a custom origin, which the fallback origin serves. Returns undefined if there are no such hostnames,
 * or if the hostnames cannot be read.
 */
export function countServedByDefault(session: Session, zoneId: string): Promise<ServedCount | undefined> {
  return unlessUnreadable(async () => addCounts([await count(session, zoneId, {}, hasNoOrigin)]));
}

function hasNoOrigin(record: CustomHostname): boolean {
  return findOrigin(record) === '';
}

function findOrigin({ custom_origin_server: origin = '' }: CustomHostname): string {
  return plainName(origin);
}

async function count(
  session: Session,
  zoneId: string,
  filter: HostnameFilter,
  matches: (record: CustomHostname) => boolean,
): Promise<ServedCount> {
  let total: number | undefined;
  let read = 0;
  let hostnames = 0;
  const tellTotal = (count: number): void => {
    total = count;
  };
  for await (const page of listHostnames(session, zoneId, filter, tellTotal)) {
    if (total !== undefined && total > maxRead) return { hostnames: total, bound: 'at most' };
    hostnames += page.filter(matches).length;
    read += page.length;
    if (read > maxRead) return { hostnames, bound: 'at least' };
  }
  return { hostnames, bound: 'exactly' };
}

/** Returns undefined if hostnames cannot be read: a token for DNS may lack the permission, and not every zone has custom hostnames. */
async function unlessUnreadable(
  read: () => Promise<ServedCount | undefined>,
): Promise<ServedCount | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isProblem(error) && ['not-permitted', 'not-found', 'refused'].includes(error.code)) return undefined;
    throw error;
  }
}
