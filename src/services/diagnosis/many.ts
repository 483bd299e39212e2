import pLimit from 'p-limit';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { HostnameFilter } from '../../model/hostnames/list.ts';
import type { Reporter } from '../../model/progress.ts';
import { listHostnames } from '../hostnames/hostnames.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type DiagnosedHostname, type Diagnoser, openDiagnoser } from './diagnosis.ts';
import { diagnosisResolver } from './resolver.ts';

/** A hostname, and its record where it is at hand; null says that there is none. */
export interface HostnameToDiagnose {
  readonly hostname: string;
  readonly record?: CustomHostname | null;
}

export type HostnamesToDiagnose = Iterable<HostnameToDiagnose> | AsyncIterable<HostnameToDiagnose>;

/** Diagnoses at the same time: each asks DNS some twenty questions and the edge two. */
const sideBySide = 32;

/** The sources of a diagnosis beside the platform. */
export interface DiagnosisOptions {
  /** DNS servers to ask; none are those of the sandbox, or of this machine. */
  readonly servers: readonly string[];
  /** Asks the edge as well. */
  readonly probe: boolean;
  /** The name to which customers are told to point; left out, the fallback origin. */
  readonly target?: string | undefined;
}

/** Diagnoses hostnames of a zone afresh: DNS and the zone are asked anew each time. Yields as `diagnoseMany` does. */
export async function* diagnose(
  session: Session,
  zoneId: string,
  hostnames: HostnamesToDiagnose,
  { servers, probe, target }: DiagnosisOptions,
  reporter: Reporter,
  total?: () => number | undefined,
): AsyncGenerator<DiagnosedHostname> {
  const info = await readPlatformInfo(session);
  const resolver = diagnosisResolver(session, info, servers);
  const diagnoser = await openDiagnoser(session, zoneId, { resolver, info, probe, target });
  try {
    yield* diagnoseMany(diagnoser, hostnames, reporter, total);
  } finally {
    await diagnoser.close();
  }
}

/** The hostnames of a zone with their records, read page by page as they are taken. `tellTotal` is told how many there are. */
export async function* recordsIn(
  session: Session,
  zoneId: string,
  tellTotal: (total: number) => void,
  filter: HostnameFilter = {},
): AsyncGenerator<HostnameToDiagnose> {
  session.world.spareMemory?.();
  for await (const page of listHostnames(session, zoneId, filter, tellTotal)) {
    session.world.interrupted.throwIfAborted();
    for (const record of page) yield { hostname: record.hostname, record };
  }
}

/** Diagnoses one hostname afresh, by DNS and edge as this machine sees them. */
export async function diagnoseOne(
  session: Session,
  zoneId: string,
  hostname: string,
): Promise<DiagnosedHostname> {
  const how = { servers: [], probe: true };
  const nobody = { progress: () => undefined, warn: () => undefined };
  for await (const one of diagnose(session, zoneId, [{ hostname }], how, nobody)) return one;
  throw new Error('a diagnosis without a result');
}

/** Hostnames that are begun ahead of the one whose turn it is: one whose name servers are silent holds up few others. */
const ahead = 2 * sideBySide;

/**
 * Diagnoses many hostnames, several at a time. Yields in the order of `hostnames`, and keeps nothing of those behind it; the first
 * failure ends it.
 */
export async function* diagnoseMany(
  diagnoser: Diagnoser,
  hostnames: HostnamesToDiagnose,
  reporter: Reporter,
  total: () => number | undefined = () => (Array.isArray(hostnames) ? hostnames.length : undefined),
): AsyncGenerator<DiagnosedHostname> {
  const limit = pLimit(sideBySide);
  let done = 0;
  const tell = (): void => {
    const counts = { done, total: total(), retries: 0, failed: 0 };
    reporter.progress({ phase: 'diagnosing', unit: 'entries', ...counts });
  };
  const begin = ({ hostname, record }: HostnameToDiagnose): Promise<DiagnosedHostname> => {
    const one = limit(async () => {
      const diagnosed = await diagnoser.diagnose(hostname, record);
      done += 1;
      tell();
      return diagnosed;
    });
    // A failure is met when its turn comes; until then it must not count as unhandled.
    one.catch(() => limit.clearQueue());
    return one;
  };
  const begun: Promise<DiagnosedHostname>[] = [];
  try {
    for await (const hostname of hostnames) {
      begun.push(begin(hostname));
      if (begun.length >= ahead) yield await next(begun);
    }
    while (begun.length > 0) yield await next(begun);
  } finally {
    limit.clearQueue();
  }
}

function next(begun: Promise<DiagnosedHostname>[]): Promise<DiagnosedHostname> {
  const [first] = begun.splice(0, 1);
  if (first === undefined) throw new Error('nothing was begun');
  return first;
}
