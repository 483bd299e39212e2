import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  computeScore,
  describeMisses,
  describeWrongLetters,
  forecastAll,
} from '../support/worlds/forecast.ts';
import { worldsFrom } from '../support/worlds/world.ts';

/** Returns three random seeds; `FORECAST_SEED` repeats one seed. */
function seeds(): readonly string[] {
  const given = process.env['FORECAST_SEED'];
  if (given !== undefined) return [given];
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  return [1, 2, 3].map((at) => `${commit.slice(0, 12)}-${at}`);
}

const count = Number(process.env['FORECAST_WORLDS'] ?? 1150);

/**
 * Worlds with zero to two faults each: each world is forecast at a random moment, then 90 days pass on the sandbox's clock without changes.
 */
test.each(seeds())(
  'forecasts of more than 1,000 hostnames are correct (seed %s)',
  async (seed) => {
    const found = await forecastAll(
      worldsFrom(seed, count, { scope: 'hostname', minFaults: 0, maxFaults: 2 }),
    );
    const score = computeScore(found);
    const wrong = describeMisses(found).join('\n');
    console.log(`${seed}: ${JSON.stringify(score)}\n${wrong}`);
    expect(describeWrongLetters(found)).toEqual([]);
    expect(score.hostnames).toBeGreaterThan(count * 0.87);
    expect(score.precision, wrong).toBe(1);
    expect(score.recall, wrong).toBeGreaterThanOrEqual(0.98);
    expect(score.unclear, wrong).toBeLessThanOrEqual(0.03);
  },
  3_600_000,
);
