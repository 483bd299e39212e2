import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFacts } from '../../../src/model/diagnosis/facts-shape.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { openStage, type Stage, target } from '../../services/hostnames/stage.ts';
import { findContradiction } from '../letters.ts';
import { createSite, listEvents, Timeline } from './play.ts';
import { describeWorld, type World } from './world.ts';

/** The number of days between the forecast and the check of the hostnames. */
const days = 90;

/** The forecast for one hostname, and its state after 90 days without any action. */
export interface ForecastResult {
  readonly world: World;
  readonly outcome: string;
  readonly reason: string;
  /** The statuses at the time of the forecast and at the end. */
  readonly before: string;
  readonly after: string;
  readonly isLost: boolean;
  /** The contradiction between the customer's letter and the diagnosis or forecast, at the time of the forecast. */
  readonly contradiction: string | undefined;
}

interface Row {
  readonly hostname: string;
  readonly outcome: string;
  readonly reason: string;
}

const brokenOutcomes: readonly string[] = ['fails', 'ends', 'gone'];

/**
 * The maximum number of worlds in one sandbox: with more worlds, separate sandboxes are faster, because each moment checks all hostnames of
 * a sandbox.
 */
const maxTogether = 80;

/** Plays worlds up to their diagnosis, forecasts all of them, and advances the clock by 90 days. */
export async function forecastAll(worlds: readonly World[]): Promise<readonly ForecastResult[]> {
  const found: ForecastResult[] = [];
  for (let at = 0; at < worlds.length; at += maxTogether) {
    const stage = await openStage({ served: true });
    try {
      found.push(...(await forecastTogether(stage, worlds.slice(at, at + maxTogether))));
    } finally {
      await stage.close();
    }
  }
  return found;
}

async function forecastTogether(stage: Stage, worlds: readonly World[]): Promise<readonly ForecastResult[]> {
  const sites = worlds.map((world) => createSite(stage, world, { notice: 'later' }));
  const moment = Math.max(...worlds.map(({ diagnosedAt }) => diagnosedAt));
  const events = sites.flatMap((site) =>
    listEvents(site).map((event) => ({ ...event, at: event.at + moment - site.world.diagnosedAt })),
  );
  const timeline = new Timeline(stage, events);
  await timeline.advanceTo(moment);
  const file = join(stage.cwd, 'worlds.ndjson');
  await stage.edgectl('hostname', 'export-world', file, '--target', target);
  const facts = readFileSync(file, 'utf8').trim().split('\n');
  const contradictions = facts.flatMap((line) => findContradiction(parseFacts(JSON.parse(line))) ?? []);
  const ran = await stage.edgectl('hostname', 'forecast', '--json', '--days', `${days}`, '--file', file);
  const rows = new Map((JSON.parse(ran.out) as Row[]).map((row) => [row.hostname, row]));
  const before = await records(stage);
  await timeline.advanceTo(moment + days * 24 * 60 * 60);
  const after = await records(stage);
  return worlds.flatMap((world) => {
    const record = before.get(world.host);
    if (record === undefined) return [];
    const { outcome = 'nothing', reason = '' } = rows.get(world.host) ?? {};
    const last = after.get(world.host);
    const isLost = last?.status !== 'active' || last.ssl?.status !== 'active';
    const contradiction = contradictions.find((line) => line.startsWith(`${world.host}: `));
    return [
      { contradiction, world, outcome, reason, before: statuses(record), after: statuses(last), isLost },
    ];
  });
}

async function records(stage: Stage): Promise<ReadonlyMap<string, CustomHostname>> {
  const found: CustomHostname[] = [];
  for (let page = 1; ; page += 1) {
    const some = await stage.zone<CustomHostname[]>('GET', `/custom_hostnames?per_page=50&page=${page}`);
    found.push(...some);
    if (some.length < 50) return new Map(found.map((record) => [record.hostname, record]));
  }
}

function statuses(record: CustomHostname | undefined): string {
  return record === undefined ? 'deleted' : `${record.status}/${record.ssl?.status ?? 'none'}`;
}

/** The accuracy of forecasts. Unclear forecasts count as misses. */
export interface Score {
  readonly hostnames: number;
  readonly lost: number;
  readonly precision: number;
  readonly recall: number;
  readonly unclear: number;
}

export function computeScore(found: readonly ForecastResult[]): Score {
  const lost = found.filter(({ isLost }) => isLost);
  const foreseen = found.filter(({ outcome }) => brokenOutcomes.includes(outcome));
  const right = foreseen.filter(({ isLost }) => isLost).length;
  const unclear = found.filter(({ outcome }) => outcome === 'unclear').length;
  return {
    hostnames: found.length,
    lost: lost.length,
    precision: right / Math.max(1, foreseen.length),
    recall: right / Math.max(1, lost.length),
    unclear: unclear / Math.max(1, found.length),
  };
}

/** Returns one line for each wrong forecast, with the seed of the world. */
export function describeMisses(found: readonly ForecastResult[]): readonly string[] {
  return found
    .filter(({ outcome, isLost }) => outcome === 'unclear' || brokenOutcomes.includes(outcome) !== isLost)
    .map(
      ({ world, outcome, reason, before: first, after: last }) =>
        `${describeWorld(world)}: ${outcome} (${reason}) ${first} -> ${last}`,
    );
}

/** Returns one line for each letter to a customer that contradicts a diagnosis or a forecast. */
export function describeWrongLetters(found: readonly ForecastResult[]): readonly string[] {
  return found.flatMap(({ world, contradiction }) =>
    contradiction === undefined ? [] : [`${describeWorld(world)}: ${contradiction}`],
  );
}
