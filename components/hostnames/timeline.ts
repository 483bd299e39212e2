import { dayMilliseconds, hostnameLimits } from '../../src/model/hostnames/hostname.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { relativeTime, utcMinute } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import type { Entry } from '../ui/viewer/entries.ts';

/** Something that happened to a hostname, or will. Milliseconds. */
interface Moment {
  readonly at: number;
  readonly what: string;
  readonly role?: Role;
}

/**
 * What happened to a custom hostname and what comes, in its order: what the platform dates, and what edgectl has seen or
 * done itself. `now` is of the platform's clock.
 */
export function timelineEntries(row: HostnameRow, now: number): Entry[] {
  const moments = momentsOf(row, now).toSorted((one, other) => one.at - other.at);
  if (moments.length === 0) return [];
  return [
    { text: 'Timeline', role: 'title' },
    ...moments.map(({ at, what, role = 'plain' }): Entry => {
      const text = `${utcMinute(at)}  ${what}, ${relativeTime((at - now) / 1000)}`;
      return {
        text,
        indent: 2,
        role: at > now && role === 'plain' ? 'dim' : role,
        copied: { text, what: 'the line' },
      };
    }),
  ];
}

function momentsOf({ record, movedSeenAt, refreshedAt, revivedAt }: HostnameRow, now: number): Moment[] {
  const { created_at, ssl, status } = record;
  const ends = Date.parse(ssl?.expires_on ?? '');
  const moved = status === 'moved' ? movedSeenAt : undefined;
  return [
    ...dated(Date.parse(created_at ?? ''), 'created'),
    ...dated(Date.parse(ssl?.uploaded_on ?? ''), 'certificate issued'),
    ...dated(moved, 'first seen in Moved by edgectl', 'warning'),
    ...dated(refreshedAt, 'validation restarted with edgectl'),
    ...dated(revivedAt, 'brought back from Moved with edgectl'),
    ...dated(
      moved === undefined ? undefined : moved + hostnameLimits.movedDays * dayMilliseconds,
      'deleted by the platform, at the latest',
      'fault',
    ),
    ...dated(ends, ends <= now ? 'certificate ended' : 'certificate expires, unless it is renewed'),
  ];
}

/** None of a time that is not known. */
function dated(at: number | undefined, what: string, role?: Role): Moment[] {
  return at === undefined || Number.isNaN(at) ? [] : [{ at, what, ...(role && { role }) }];
}
