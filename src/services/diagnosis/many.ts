import pLimit from 'p-limit';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Reporter } from '../../model/progress.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { type DiagnosedHostname, type Diagnoser, openDiagnoser } from './diagnosis.ts';
import { diagnosisResolver } from './resolver.ts';

/** A hostname, and its record where it is at hand; null says that there is none. */
export interface HostnameToDiagnose {
  readonly hostname: string;
  readonly record?: CustomHostname | null;
}

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
  hostnames: readonly HostnameToDiagnose[],
  { servers, probe, target }: DiagnosisOptions,
  reporter: Reporter,
): AsyncGenerator<DiagnosedHostname> {
  const info = await readPlatformInfo(session);
  const resolver = diagnosisResolver(session, info, servers);
  const diagnoser = await openDiagnoser(session, zoneId, { resolver, info, probe, target });
  try {
    yield* diagnoseMany(diagnoser, hostnames, reporter);
  } finally {
    await diagnoser.close();
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

/** Diagnoses many hostnames, several at a time. Yields in the order of `hostnames`; the first failure ends it. */
export async function* diagnoseMany(
  diagnoser: Diagnoser,
  hostnames: readonly HostnameToDiagnose[],
  reporter: Reporter,
): AsyncGenerator<DiagnosedHostname> {
  const limit = pLimit(sideBySide);
  let done = 0;
  const tell = (): void =>
    reporter.progress({
      phase: 'diagnosing',
      unit: 'entries',
      done,
      total: hostnames.length,
      retries: 0,
      failed: 0,
    });
  const diagnosed = hostnames.map(({ hostname, record }) =>
    limit(async () => {
      const one = await diagnoser.diagnose(hostname, record);
      done += 1;
      tell();
      return one;
    }),
  );
  // A failure is met when its turn comes; until then it must not count as unhandled.
  for (const one of diagnosed) one.catch(() => limit.clearQueue());
  for (const one of diagnosed) yield await one;
}
