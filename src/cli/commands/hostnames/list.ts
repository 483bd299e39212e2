import type { AttributeDifference } from '../../../model/hostnames/fleet/differences.ts';
import {
  type CustomHostname,
  certificateAuthorities,
  certificateStatuses,
  hostnameStatuses,
} from '../../../model/hostnames/hostname.ts';
import { countByStatus, type HostnameFilter } from '../../../model/hostnames/list.ts';
import { Problem } from '../../../model/problem.ts';
import { readQuota } from '../../../services/hostnames/hostnames.ts';
import { type HostnameRow, listHostnameRows } from '../../../services/hostnames/rows.ts';
import { platformClock } from '../../../services/session/platform-info.ts';
import { hostnameCells, hostnameColumns, hostnameLines, statusSummary } from '../../../text/hostname.ts';
import { groupDigits } from '../../../text/size.ts';
import { tableLines } from '../../../text/table.ts';
import { parseUnitDuration } from '../../../text/time.ts';
import { answerArray } from '../../output/output.ts';
import { openProgress, type ProgressDisplay } from '../../output/progress.ts';
import { type Context, command } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { parseOneOf, unknownWordProblem } from '../../parsing/one-of.ts';
import type * as declared from './declarations.ts';
import type { filterFlags } from './flags.ts';
import { parseAuthority } from './hostname-inputs.ts';
import { type OpenZone, openZone } from './zone-choice.ts';

export const listCommand = command<typeof declared.hostnameList>({
  async run(context, { flags }) {
    const filter = readFilter(flags);
    const limit = flags.limit ?? Number.POSITIVE_INFINITY;
    if (limit < 1)
      throw new Problem('usage', `--limit must be a whole number of at least 1, not ${flags.limit}.`);
    const zone = await openZone(context, flags);
    const { world, output } = context;
    const display = openProgress(world, output, flags.quiet || (output.json && output.isTerminal));
    const pages = watchedPages(zone, filter, display);
    const listed: CustomHostname[] = [];
    try {
      if (context.output.json) await answerArray(context.output, collectRecords(pages, listed), limit);
      else listed.push(...(await answerTable(context, zone, pages, limit)));
    } finally {
      display.end();
    }
    const counted = listed.slice(0, limit);
    const counts = countByStatus(counted);
    context.output.note(statusSummary(counts), {
      count: counted.length,
      statuses: Object.fromEntries(counts),
    });
  },
});

async function* watchedPages(
  { session, zoneId }: OpenZone,
  filter: HostnameFilter,
  display: ProgressDisplay,
): AsyncGenerator<HostnameRow[]> {
  let done = 0;
  let total: number | undefined;
  const tell = (count: number): void => {
    total = count;
  };
  for await (const page of listHostnameRows(session, zoneId, filter, tell)) {
    done += page.length;
    display.progress({ phase: 'listing', unit: 'hostnames', done, total, retries: 0, failed: 0 });
    // Ends the live line, because the next output would otherwise appear after it on the same line.
    if (done === total) display.end();
    yield page;
  }
}

async function* collectRecords(
  pages: AsyncIterable<HostnameRow[]>,
  into: CustomHostname[],
): AsyncGenerator<CustomHostname[]> {
  for await (const page of pages) {
    const records = page.map(({ record }) => record);
    into.push(...records);
    yield records;
  }
}

async function answerTable(
  { world, output }: Context,
  { session }: OpenZone,
  pages: AsyncIterable<HostnameRow[]>,
  limit: number,
): Promise<readonly CustomHostname[]> {
  const rows: HostnameRow[] = [];
  for await (const page of pages) {
    rows.push(...page.slice(0, limit - rows.length));
    if (rows.length >= limit) break;
  }
  if (rows.length === 0) return [];
  const now = (await platformClock(session))();
  const cells = rows.map(({ record, movedSeenAt }) => hostnameCells(record, now, movedSeenAt));
  const width = output.isTerminal ? world.stdout.columns : undefined;
  await output.listing(`${tableLines(hostnameColumns, cells, { width }).join('\n')}\n`);
  return rows.map(({ record }) => record);
}

/** Parses the filter flags. Refuses values that the platform does not support. */
export function readFilter(flags: FlagValues<typeof filterFlags>): HostnameFilter {
  const names = (['hostname', 'contains', 'starts-with', 'id'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (names.length > 1) {
    throw new Problem(
      'usage',
      `${names.map((name) => `--${name}`).join(' and ')} cannot be used together: use only one.`,
    );
  }
  const expires = flags['expires-within'];
  const authority = flags.ca === undefined ? undefined : parseAuthority(flags.ca, '--ca');
  if (authority === 'default') throw unknownWordProblem('--ca', flags.ca ?? '', certificateAuthorities);
  return {
    id: flags.id,
    exact: flags.hostname?.toLowerCase(),
    contains: flags.contains,
    startsWith: flags['starts-with'],
    status: parseOneOf('--status', flags.status, hostnameStatuses),
    certificateStatus: parseOneOf('--certificate-status', flags['certificate-status'], certificateStatuses),
    authority,
    origin: flags.origin,
    wildcard: flags.wildcard ? true : undefined,
    expiresWithin: expires === undefined ? undefined : parseUnitDuration(expires, '--expires-within'),
    order: parseOneOf('--order', flags.order, ['ssl', 'ssl_status'] as const),
    direction: parseOneOf('--direction', flags.direction, ['asc', 'desc'] as const),
  };
}

export interface AnswerBesides {
  /** Id of the undo entry with the previous state of the record. */
  readonly undo?: string | undefined;
  /** The previous state of a changed record. */
  readonly before?: CustomHostname;
  /** Whether the command created the record, and how an existing record differs from the request. */
  readonly created?: boolean;
  readonly differences?: readonly AttributeDifference[];
}

/** Prints a record as a command's answer. */
export async function answerRecord(
  { output }: Context,
  record: CustomHostname,
  besides: AnswerBesides = {},
): Promise<void> {
  if (output.json) await output.answerJson({ ...record, ...besides });
  else for (const line of hostnameLines(record)) await output.line(line);
}

export const quotaCommand = command<typeof declared.hostnameQuota>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const quota = await readQuota(session, zoneId);
    const { used, allocated, hard_cap: cap, exceeded } = quota;
    const limit = cap === undefined ? '' : ` (hard limit ${groupDigits(cap)})`;
    const over = exceeded === true ? '; the quota is exceeded' : '';
    await context.output.result(
      `${groupDigits(used)} of ${groupDigits(allocated)} custom ${allocated === 1 ? 'hostname' : 'hostnames'} used${limit}${over}.`,
      quota,
    );
  },
});
