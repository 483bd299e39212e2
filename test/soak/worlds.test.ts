import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStage } from '../services/hostnames/stage.ts';
import { failedWorlds } from '../support/worlds/failed-seeds.ts';
import { describeOutcome, followAll, isClean, type Outcome } from '../support/worlds/follow.ts';
import { describeWorld, type World, worldFrom, worldsFrom } from '../support/worlds/world.ts';

/** `WORLDS_SEED` sets another seed, `WORLDS` a smaller number of worlds. */
const seed = process.env['WORLDS_SEED'] ?? createHash('sha256').update('worlds').digest('hex').slice(0, 8);
const count = Number(process.env['WORLDS'] ?? 5000);
/** `WORLDS_ONLY` runs only the worlds with these seeds (`a/1,a/2`). */
const only = process.env['WORLDS_ONLY']?.split(',');
/** `WORLDS_GENERATION` selects the faults of an earlier version. */
const generation = Number(process.env['WORLDS_GENERATION'] ?? Number.POSITIVE_INFINITY);
const batch = 40;

/** Runs worlds in batches, and prints the failed worlds of each batch. */
async function play(worlds: readonly World[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < worlds.length; at += batch) {
    const stage = await openStage({ served: true });
    try {
      const some = await followAll(stage, worlds.slice(at, at + batch));
      for (const one of some.filter((outcome) => !isClean(outcome)))
        process.stdout.write(`${describeWorld(one.world)}\n${describeOutcome(one)}\n`);
      outcomes.push(...some);
      process.stdout.write(`${outcomes.length} worlds\n`);
    } finally {
      await stage.close();
    }
  }
  return outcomes;
}

test('worlds that failed earlier contain no false statements', async () => {
  const outcomes = await play(failedWorlds());
  expect(outcomes.filter((one) => !isClean(one)).map(({ world }) => world.seed)).toEqual([]);
});

test('at least 98 of 100 random worlds contain no false statements', async () => {
  const worlds =
    only?.map((one) => worldFrom(one, { generation })) ?? worldsFrom(seed, count, { generation });
  const outcomes = await play(worlds);
  const failed = outcomes.filter((one) => !isClean(one));
  const ends = Object.groupBy(outcomes, ({ end }) => end);
  const steps = outcomes.reduce((sum, one) => sum + one.steps.length, 0);
  const faults = worlds.reduce((sum, one) => sum + one.faults.length, 0);
  console.log(
    `seed ${seed}: ${outcomes.length} worlds, ${faults} faults, ${steps} steps; active ${ends['in-service']?.length ?? 0}, ` +
      `left to the provider ${ends['provider-acts']?.length ?? 0}, stuck ${ends.stuck?.length ?? 0}; not clean ${failed.length}`,
  );
  expect(outcomes).toHaveLength(worlds.length);
  expect(failed.length).toBeLessThanOrEqual(worlds.length * 0.02);
});
