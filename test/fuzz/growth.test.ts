import { describe, test } from 'vitest';
import { expectLinear } from '../support/growth.ts';
import { sampleCases } from '../support/in-part.ts';
import { parserCases } from '../support/parsers.ts';

// This test uses only small inputs; `test/soak/parsers.test.ts` uses inputs that take 0.2 to 2 seconds.
describe.each([...Map.groupBy(parserCases, ({ parser }) => parser)])(
  '%s is parsed in linear time:',
  (_, cases) => {
    test.each(sampleCases(cases, 3))('$shape', async ({ small, max = Number.POSITIVE_INFINITY, prepare }) => {
      await expectLinear(Math.min(small, Math.floor(max / 4)), async (parts) => prepare(parts)());
    });
  },
);
