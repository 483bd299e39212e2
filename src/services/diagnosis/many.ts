import pLimit from 'p-limit';
import { diagnose as judge } from '../../model/diagnosis/diagnose.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import type { Reporter } from '../../model/progress.ts';
import { listHostnames, pageSize } from '../hostnames/hostnames.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type DiagnosedHostname, type Diagnoser, openDiagnoser } from './diagnosis.ts';
import { diagnosisResolver } from './resolver.ts';
import type { SavedRun } from './saved-run.ts';

/** A hostname, with its record if it was already read; null means that the hostname has no record. */
export interface HostnameToDiagnose {
  readonly hostname: string;
  readonly record?: CustomHostname | null;
}

export type HostnamesToDiagnose = Iterable<HostnameToDiagnose> | AsyncIterable<HostnameToDiagnose>;

/** Maximum number of diagnoses in parallel. Each diagnosis sends about 20 DNS queries and a few requests to the edge. */
const maxParallel = 32;

/** Sources of a diagnosis other than the platform. */
export interface DiagnosisOptions {
  /** DNS servers to query (if empty: the DNS server of the sandbox, or else the DNS servers of this machine). */
  readonly servers: readonly string[];
  /** Whether to probe the edge too. */
  readonly probe: boolean;
  /** The name to which customers must point (default: the fallback origin). */
  readonly target?: string | undefined;
}

/** Diagnoses hostnames of a zone. Gathers the facts about the zone first. Yields the results in the order of `hostnames`. */
export async function* diagnose(
  session: Session,
  zoneId: string,
  hostnames: HostnamesToDiagnose,
  { servers, probe, target }: DiagnosisOptions,
  reporter: Reporter,
  { total, savedRun }: ManyOptions = {},
): AsyncGenerator<DiagnosedHostname> {
  const info = await readPlatformInfo(session);
  const resolver = diagnosisResolver(session, info, servers);
  const diagnoser = await openDiagnoser(session, zoneId, { resolver, info, probe, target });
  try {
    yield* diagnoseMany(diagnoser, hostnames, reporter, { total, savedRun });
  } finally {
    await diagnoser.close();
  }
}

export interface RecordsOptions {
  readonly filter?: HostnameFilter | undefined;
  /** The saved earlier run. Pages of the list that were completely diagnosed are not requested again. */
  readonly savedRun?: SavedRun | undefined;
}

/**
 * Yields the hostnames of a zone with their records, page by page. Calls `tellTotal` with the number of hostnames. Hostnames that the saved
 * run contains are yielded without records.
 */
export async function* readRecords(
  session: Session,
  zoneId: string,
  tellTotal: (total: number) => void,
  { filter = {}, savedRun }: RecordsOptions = {},
): AsyncGenerator<HostnameToDiagnose> {
  const { interrupted, spareMemory } = session.world;
  spareMemory?.();
  const pagesFrom = (page: number) => listHostnames(session, zoneId, filter, tellTotal, page);
  const first = savedRun?.first ?? [];
  const known = Math.floor(first.length / pageSize);
  const pages = pagesFrom(Math.max(1, known));
  let rest: AsyncIterable<readonly CustomHostname[]> = pages;
  if (known > 0) {
    const end = first.slice(0, known * pageSize);
    const { value: last } = await pages.next();
    const isSame = isPage(last ?? [], end.slice(-pageSize));
    if (isSame) for (const { hostname } of end) yield { hostname };
    else rest = pagesFrom(1);
  }
  for await (const page of rest) {
    interrupted.throwIfAborted();
    for (const record of page) yield { hostname: record.hostname, record };
  }
}

/**
 * Returns whether the last diagnosed page is unchanged. If it has changed, hostnames were created or deleted, so positions have shifted.
 */
function isPage(page: readonly CustomHostname[], before: SavedRun['first']): boolean {
  return page.length === before.length && page.every(({ id }, at) => id === before[at]?.id);
}

/** Diagnoses one hostname, using DNS and the edge as this machine reaches them. */
export async function diagnoseOne(
  session: Session,
  zoneId: string,
  hostname: string,
): Promise<DiagnosedHostname> {
  const how = { servers: [], probe: true };
  const nobody = { progress: () => undefined, warn: () => undefined };
  for await (const one of diagnose(session, zoneId, [{ hostname }], how, nobody)) return one;
  throw new Error('the diagnosis returned no result');
}

/**
 * Maximum number of unfinished or unread results. The maximum is twice the number of parallel diagnoses, so that a hostname with slow name
 * servers does not immediately delay the hostnames after it.
 */
const maxAhead = 2 * maxParallel;

export interface ManyOptions {
  /** Returns the number of hostnames, if known. */
  readonly total?: (() => number | undefined) | undefined;
  /** The saved run, which provides the facts from an earlier run, and saves the facts from this run. */
  readonly savedRun?: SavedRun | undefined;
}

/**
 * Diagnoses many hostnames, several in parallel. Yields the results in the order of `hostnames`. After a failure, starts no further
 * diagnoses, and throws after yielding the results before the failure.
 */
export async function* diagnoseMany(
  diagnoser: Diagnoser,
  hostnames: HostnamesToDiagnose,
  reporter: Reporter,
  { total = () => (Array.isArray(hostnames) ? hostnames.length : undefined), savedRun }: ManyOptions = {},
): AsyncGenerator<DiagnosedHostname> {
  const limit = pLimit(maxParallel);
  let done = 0;
  const tell = (): void => {
    const counts = { done, total: total(), retries: 0, failed: 0 };
    reporter.progress({ phase: 'diagnosing', unit: 'hostnames', ...counts });
  };
  const begin = ({ hostname, record }: HostnameToDiagnose, place: number): Promise<DiagnosedHostname> => {
    const one = limit(async () => {
      const facts = await savedRun?.findFacts(hostname, place);
      const diagnosed =
        facts === undefined ? await diagnoser.diagnose(hostname, record) : { facts, diagnosis: judge(facts) };
      if (facts === undefined) await savedRun?.keep(place, diagnosed.facts, diagnosed.isPassing);
      done += 1;
      tell();
      return diagnosed;
    });
    // The loop below throws the failure in the order of the list. This handler keeps Node from reporting the rejection as unhandled before
    // the loop reaches it.
    one.catch(() => limit.clearQueue());
    return one;
  };
  const begun: Promise<DiagnosedHostname>[] = [];
  try {
    let place = 0;
    for await (const hostname of hostnames) {
      begun.push(begin(hostname, place));
      place += 1;
      if (begun.length >= maxAhead) yield await next(begun);
    }
    while (begun.length > 0) yield await next(begun);
  } finally {
    limit.clearQueue();
  }
}

function next(begun: Promise<DiagnosedHostname>[]): Promise<DiagnosedHostname> {
  const [first] = begun.splice(0, 1);
  if (first === undefined) throw new Error('nothing was started');
  return first;
}
