import { afterAll, describe, expect, test } from 'vitest';
import { measureTime } from '../support/growth.ts';
import { type ParserCase, parserCases } from '../support/parsers.ts';

/** Minimum duration of a run in milliseconds, long enough that noise does not matter. */
const shortest = 200;
/** Maximum milliseconds for an input of twice the size if a run takes less than `shortest`: a parser this fast needs no growth test. */
const harmless = 1000;
const allowed = 2.5;

const rows: string[] = [];
afterAll(() =>
  console.log(['parser | text | parts | ms | ms for twice as much | times', ...rows].join('\n')),
);

/** Returns the median time of five runs. The first run of each input compiles code, and is not counted. */
async function median({ prepare }: ParserCase, parts: number): Promise<number> {
  const run = prepare(parts);
  await run();
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await measureTime(run));
  return times.sort((one, other) => one - other)[2] ?? 0;
}

/** More parts would exceed the maximum length of a string. */
const mostParts = 50_000_000;

/** Returns the number of parts for which a run takes at least `shortest`, but no more than half of the maximum. */
async function readSize({ small, max = mostParts, prepare }: ParserCase): Promise<number> {
  for (let parts = small; ; parts *= 2) {
    if (parts * 2 > max) return Math.floor(max / 2);
    if ((await measureTime(prepare(parts))) >= shortest) return parts;
  }
}

describe.each([...Map.groupBy(parserCases, ({ parser }) => parser)])('%s', (_, cases) => {
  test.each(cases)('$shape: takes at most 2.5 times as long for input of twice the length', async (one) => {
    const parts = await readSize(one);
    const seen: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const [once, twice] = [await median(one, parts), await median(one, parts * 2)];
      const times = twice / once;
      rows.push(
        [one.parser, one.shape, parts, Math.round(once), Math.round(twice), times.toFixed(2)].join(' | '),
      );
      const isBounded = once < shortest && twice < harmless;
      if (times <= allowed || isBounded) return;
      seen.push(times);
    }
    expect.fail(`twice the text took ${seen.map((times) => times.toFixed(2)).join(', ')} times as long`);
  });
});
