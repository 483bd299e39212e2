import type { AskedAttributes } from '../../../model/hostnames/fleet/differences.ts';
import type { CustomHostname } from '../../../model/hostnames/hostname.ts';
import { type HostnameFilter, recordAgeMs } from '../../../model/hostnames/list.ts';
import { Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { platformClock } from '../../session/platform-info.ts';
import type { Session } from '../../session/session.ts';
import { listHostnames, resolveHostname } from '../hostnames.ts';
import type { WantedFile } from './wanted.ts';

/** A selection of the custom hostnames to act on: by name, by file or by filter. */
export type Selection =
  | { readonly by: 'names'; readonly names: readonly string[] }
  | { readonly by: 'file'; readonly file: WantedFile }
  | { readonly by: 'filter'; readonly filter: FleetFilter };

/** A filter for the platform's list, with additional conditions that the platform does not support. */
export interface FleetFilter extends HostnameFilter {
  /** Minimum number of seconds since the hostname was created. */
  readonly olderThan?: number | undefined;
  /** Fields of the metadata, with their values as strings. */
  readonly metadata?: ReadonlyMap<string, string> | undefined;
}

/**
 * A selected custom hostname. For a hostname from a file, also contains its line, its position among the hostnames, and the attributes in its
 * line.
 */
export interface SelectedHostname {
  readonly record: CustomHostname;
  readonly line?: number;
  readonly place?: number;
  readonly asked?: AskedAttributes;
}

export interface Selected {
  /** The selected hostnames: sorted by name if selected by a filter, otherwise in the order of the names or of the file. */
  readonly hostnames: readonly SelectedHostname[];
  /** Hostnames in the file that do not exist in the zone. */
  readonly missing: readonly string[];
}

/** Reads the selected hostnames. Throws not-found if one of the given names does not exist. */
export async function selectHostnames(
  session: Session,
  zoneId: string,
  selection: Selection,
  reporter: Reporter,
): Promise<Selected> {
  switch (selection.by) {
    case 'names':
      return { hostnames: await namedOnes(session, zoneId, selection.names), missing: [] };
    case 'file':
      return ofFile(selection.file, await listed(session, zoneId, {}, reporter));
    case 'filter':
      return { hostnames: inOrder(await filtered(session, zoneId, selection.filter, reporter)), missing: [] };
  }
}

async function namedOnes(
  session: Session,
  zoneId: string,
  names: readonly string[],
): Promise<SelectedHostname[]> {
  const found = new Map<string, CustomHostname>();
  for (const name of names) {
    const record = await resolveHostname(session, zoneId, name);
    found.set(record.id, record);
  }
  return [...found.values()].map((record) => ({ record }));
}

/**
 * Selects, from the complete list, the hostnames in a file. The list costs one request per fifty hostnames; reading each hostname would
 * cost one request per hostname.
 */
function ofFile({ wanted }: WantedFile, records: readonly CustomHostname[]): Selected {
  const byName = new Map(records.map((record) => [record.hostname.toLowerCase(), record]));
  const missing: string[] = [];
  const hostnames = [...wanted.values()].flatMap(({ line, asked: { hostname, ...asked } }, place) => {
    const record = byName.get(hostname);
    if (record === undefined) missing.push(hostname);
    return record === undefined ? [] : [{ record, line, place, asked }];
  });
  return { hostnames, missing };
}

async function filtered(
  session: Session,
  zoneId: string,
  { olderThan = Number.NEGATIVE_INFINITY, metadata = new Map(), ...filter }: FleetFilter,
  reporter: Reporter,
): Promise<readonly CustomHostname[]> {
  const now = (await platformClock(session))();
  const records = await listed(session, zoneId, filter, reporter);
  return records.filter((record) => {
    // Checks the filter here too, because a platform that ignores an unknown filter returns the whole zone.
    if (filter.status !== undefined && record.status !== filter.status) return false;
    const { certificateStatus: certificate } = filter;
    if (certificate !== undefined && record.ssl?.status !== certificate) return false;
    // A record without a creation date does not count as old.
    const age = recordAgeMs(record, now) ?? Number.NEGATIVE_INFINITY;
    if (age < olderThan * 1000) return false;
    return [...metadata].every(([name, value]) => memberText(record.custom_metadata, name) === value);
  });
}

function memberText(metadata: CustomHostname['custom_metadata'], name: string): string | undefined {
  if (metadata === undefined || !Object.hasOwn(metadata, name)) return undefined;
  const value = metadata[name];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function listed(
  session: Session,
  zoneId: string,
  filter: HostnameFilter,
  reporter: Reporter,
): Promise<readonly CustomHostname[]> {
  // Collects records by id, because a list that grows while edgectl reads it returns some records twice.
  const records = new Map<string, CustomHostname>();
  let total: number | undefined;
  const pages = listHostnames(session, zoneId, filter, (count) => {
    total = count;
  });
  for await (const page of pages) {
    session.world.interrupted.throwIfAborted();
    for (const record of page) records.set(record.id, record);
    const done = records.size;
    reporter.progress({ phase: 'looking', unit: 'hostnames', done, total, retries: 0, failed: 0 });
  }
  return [...records.values()];
}

function inOrder(records: readonly CustomHostname[]): readonly SelectedHostname[] {
  return [...records]
    .sort((one, other) => (one.hostname < other.hostname ? -1 : 1))
    .map((record) => ({ record }));
}

/** Parses a metadata field and its value, for example `plan=pro`. Throws if the name or the equals sign is missing. */
export function readMember(text: string, flag: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new Problem('invalid-input', `${flag} must be NAME=VALUE, such as plan=pro, not "${text}".`);
}
