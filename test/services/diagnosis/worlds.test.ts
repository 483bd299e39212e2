import { afterAll, beforeAll, expect, test } from 'vitest';
import { roundsInPart, sampleCases } from '../../support/in-part.ts';
import { failedKinds } from '../../support/worlds/failed-seeds.ts';
import { describeOutcome, followAll, isClean } from '../../support/worlds/follow.ts';
import { describeWorld, type World, worldFrom, worldsFrom } from '../../support/worlds/world.ts';
import { openStage, type Stage } from '../hostnames/stage.ts';

/** Timeout for a busy machine, on which these tests take several times as long as usual. */
const patient = { timeout: 180_000 };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ served: true });
});
afterAll(() => stage.close());

/**
 * Follows the first advice in each world, and compares the claims of the advice with the state of the sandbox, not with the rules.
 * Describes each failed world.
 */
async function readFailed(worlds: readonly World[]): Promise<readonly string[]> {
  const outcomes = await followAll(stage, worlds);
  const failed = outcomes.filter((outcome) => !isClean(outcome));
  return failed.map((one) => `${describeWorld(one.world)}\n${describeOutcome(one)}`);
}

test('generates the same worlds from the same seed, and can generate each world alone', () => {
  const worlds = worldsFrom('same', 50);
  expect(worldsFrom('same', 50).map(describeWorld)).toEqual(worlds.map(describeWorld));
  expect(describeWorld(worldFrom('same/17'))).toBe(worlds[17] && describeWorld(worlds[17]));
  expect(new Set(worlds.map(({ domain }) => domain)).size).toBe(50);
});

/** `test/soak/worlds.test.ts` covers the rest of the 5,000 worlds. */
test(
  'the first advice makes the hostname active in time in random worlds, and no statement before that is false',
  patient,
  async () => {
    const inOneZone = worldsFrom('gate', roundsInPart(12, 3), { scope: 'hostname', maxFaults: 2, days: 5 });
    const ofTheZone = worldsFrom('gate-zone', roundsInPart(3, 3), {
      maxFaults: 1,
      only: ({ scope }) => scope === 'zone',
    });
    expect(await readFailed([...inOneZone, ...ofTheZone])).toEqual([]);
  },
);

/** `test/soak/worlds.test.ts` covers all worlds that have ever failed. */
test(
  'the first advice makes the hostname active in worlds that failed in earlier runs',
  patient,
  async () => {
    expect(await readFailed(sampleCases(failedKinds(), 4))).toEqual([]);
  },
);
