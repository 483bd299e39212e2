import pLimit from 'p-limit';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Reporter } from '../../model/progress.ts';
import type { DiagnosedHostname, Diagnoser } from './diagnosis.ts';

/** A hostname, and its record where it is at hand; null says that there is none. */
export interface HostnameToDiagnose {
  readonly hostname: string;
  readonly record?: CustomHostname | null;
}

/** Diagnoses at the same time: each asks DNS some twenty questions and the edge two. */
const sideBySide = 32;

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
