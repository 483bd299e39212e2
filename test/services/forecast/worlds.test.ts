import { expect, test } from 'vitest';
import { roundsInPart, sampleCases } from '../../support/in-part.ts';
import {
  computeScore,
  describeMisses,
  describeWrongLetters,
  forecastAll,
} from '../../support/worlds/forecast.ts';
import { worldFrom, worldsFrom } from '../../support/worlds/world.ts';

/** Worlds whose forecast was once wrong: an apex, a target of ours without a record, a path to a missing origin. */
const failed = ['b/34', 'b/43', 'b/48', 'b/77', 'b/100', 'b/176', 'c/61', 'c/141', 'c/170', 'c/291', 'a/62'];

/** This test covers some of the worlds of `test/soak/forecast.test.ts`. */
test('forecasts random worlds correctly for 90 days', async () => {
  const options = { scope: 'hostname', minFaults: 0, maxFaults: 2 } as const;
  const worlds = [
    ...sampleCases(failed, 3).map((seed) => worldFrom(seed, options)),
    ...worldsFrom('forecast', roundsInPart(19, 3), options),
  ];
  const found = await forecastAll(worlds);
  expect(describeMisses(found)).toEqual([]);
  expect(describeWrongLetters(found)).toEqual([]);
  expect(computeScore(found)).toMatchObject({ precision: 1, recall: 1, unclear: 0 });
});
