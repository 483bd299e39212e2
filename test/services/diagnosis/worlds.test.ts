import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOutcome, followAll, isClean } from '../../support/worlds/follow.ts';
import { describeWorld, worldFrom, worldsFrom } from '../../support/worlds/world.ts';
import { openStage, type Stage } from '../hostnames/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ served: true });
});
afterAll(() => stage.close());

test('a seed makes the same worlds each time, and each can be made alone', () => {
  const worlds = worldsFrom('same', 50);
  expect(worldsFrom('same', 50).map(describeWorld)).toEqual(worlds.map(describeWorld));
  expect(describeWorld(worldFrom('same/17'))).toBe(worlds[17] && describeWorld(worlds[17]));
  expect(new Set(worlds.map(({ domain }) => domain)).size).toBe(50);
});

/** Each world is diagnosed, and its first advice carried out by whom it names, until the platform has it in service. */
test('following the first advice leads to a hostname in service, and nothing on the way is false', async () => {
  const worlds = [1, 2, 3, 4, 5].map((at) => worldFrom(`first/${at}`, { scope: 'hostname', mostFaults: 1 }));
  const outcomes = await followAll(stage, worlds);
  const failed = outcomes.filter((outcome) => !isClean(outcome));
  expect(failed.map((one) => `${describeWorld(one.world)}\n${describeOutcome(one)}`)).toEqual([]);
});
