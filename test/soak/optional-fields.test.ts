import { expect, it } from 'vitest';
import { titleOf } from '../faults/suite/command-lines.ts';
import { fieldStates } from '../faults/suite/document-mock.ts';
import { documentedFields, neededFields, playDocument, readingLines } from '../faults/suite/document-play.ts';
import { sharedFaultRunner } from '../faults/suite/play.ts';

const runner = sharedFaultRunner();

let runs = 0;

it.each(readingLines.map((line) => ({ line, title: titleOf(line) })))(
  '$title reads every answer that the document allows, one optional field at a time',
  async ({ line }) => {
    const failed: string[] = [];
    for (const [route, fields] of await documentedFields(runner(), line)) {
      for (const field of fields.filter((place) => !(place in neededFields))) {
        for (const state of fieldStates) {
          runs += 1;
          const why = await playDocument(runner(), line, (at) => (place) => {
            if (at !== route || place !== field) return 'present';
            return state;
          });
          if (why !== undefined) failed.push(`${route} ${field} ${state}: ${why}`);
        }
      }
    }
    expect(failed).toEqual([]);
  },
  3_600_000,
);

it('prints the number of runs of the test', () => {
  console.log(`${runs} runs of ${readingLines.length} command lines`);
  expect(runs).toBeGreaterThan(0);
});
