import pLimit from 'p-limit';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Watch } from '../../model/progress.ts';
import type { Case, Doctor } from './diagnosis.ts';

/** Whom to examine, and the record where it is at hand. */
export interface Patient {
  readonly hostname: string;
  readonly record?: CustomHostname | null;
}

/** Examinations at the same time: each asks DNS some twenty questions and the edge two. */
const sideBySide = 32;

/** Examines many, several at a time, and gives the cases in the order of the patients. */
export async function* examineMany(
  doctor: Doctor,
  patients: readonly Patient[],
  watch: Watch,
): AsyncGenerator<Case> {
  const limit = pLimit(sideBySide);
  let done = 0;
  const tell = (): void =>
    watch.progress({
      phase: 'diagnosing',
      unit: 'entries',
      done,
      total: patients.length,
      retries: 0,
      failed: 0,
    });
  const cases = patients.map(({ hostname, record }) =>
    limit(async () => {
      const examined = await doctor.examine(hostname, record);
      done += 1;
      tell();
      return examined;
    }),
  );
  // A failure is met when its turn comes; until then it must not count as unhandled.
  for (const one of cases) one.catch(() => limit.clearQueue());
  for (const one of cases) yield await one;
}
