import { diagnose } from '../../model/diagnosis/diagnose.ts';
import type { Facts } from '../../model/diagnosis/facts.ts';
import { agreedForecast } from '../../model/diagnosis/verdict.ts';
import type { Forecast } from '../../model/forecast/ahead.ts';
import type { CustomHostname } from '../../model/hostnames/hostname.ts';
import type { Reporter } from '../../model/progress.ts';
import { type Diagnoser, openDiagnoser } from '../diagnosis/diagnosis.ts';
import { type DiagnosisOptions, diagnoseMany, readRecords } from '../diagnosis/many.ts';
import { diagnosisResolver } from '../diagnosis/resolver.ts';
import type { SavedRun } from '../diagnosis/saved-run.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';

/**
 * Yields the facts about all custom hostnames of a zone, in the order of the platform's list. Gathers the facts from the platform, DNS and the
 * edge, as in a diagnosis.
 */
export async function* gatherFleet(
  session: Session,
  zoneId: string,
  how: DiagnosisOptions,
  reporter: Reporter,
  savedRun?: SavedRun,
): AsyncGenerator<Facts> {
  const diagnoser = await openGatherer(session, zoneId, how);
  let total: number | undefined;
  const tellTotal = (count: number): void => {
    total = count;
  };
  const listed = readRecords(session, zoneId, tellTotal, { savedRun });
  const gathering: Reporter = {
    ...reporter,
    progress: (progress) => reporter.progress({ ...progress, phase: 'looking' }),
  };
  const options = { total: () => total, savedRun };
  try {
    for await (const { facts } of diagnoseMany(diagnoser, listed, gathering, options)) yield facts;
  } finally {
    await diagnoser.close();
  }
}

/** Gathers the facts about one custom hostname. */
export async function gatherOne(
  session: Session,
  zoneId: string,
  record: CustomHostname,
  how: DiagnosisOptions,
): Promise<Facts> {
  const diagnoser = await openGatherer(session, zoneId, how);
  try {
    return (await diagnoser.diagnose(record.hostname, record)).facts;
  } finally {
    await diagnoser.close();
  }
}

async function openGatherer(
  session: Session,
  zoneId: string,
  { servers, target, probe }: DiagnosisOptions,
): Promise<Diagnoser> {
  const info = await readPlatformInfo(session);
  const resolver = diagnosisResolver(session, info, servers);
  return openDiagnoser(session, zoneId, { resolver, info, probe, target });
}

/** A hostname about which a required fact is unknown, with the reason. */
export interface Incomplete {
  readonly hostname: string;
  readonly reason: string;
}

/** Returns the hostname and the reason if a required fact is unknown; otherwise an empty list. */
export function findIncomplete(facts: Facts): readonly Incomplete[] {
  const { hostname, edgeSilence } = facts;
  const [first] = diagnose(facts).missing;
  if (first !== undefined) return [{ hostname, reason: `${first.fact}: ${first.reason}` }];
  return edgeSilence === undefined ? [] : [{ hostname, reason: edgeSilence }];
}

/** Collects the forecasts of renewals that follow from these facts. */
export async function collectForecasts(fleet: AsyncIterable<Facts> | Iterable<Facts>): Promise<{
  readonly forecasts: readonly Forecast[];
  /** Time of the latest facts, in milliseconds since the epoch; undefined if there are no facts. */
  readonly now: number | undefined;
  readonly incomplete: readonly Incomplete[];
}> {
  const forecasts: Forecast[] = [];
  let now: number | undefined;
  const incomplete: Incomplete[] = [];
  for await (const facts of fleet) {
    const found = agreedForecast(facts);
    if (found !== undefined) forecasts.push(found);
    incomplete.push(...findIncomplete(facts));
    now = Math.max(now ?? facts.now, facts.now);
  }
  return { forecasts, now, incomplete };
}
