import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  backOffSeconds,
  backOffTotal,
  certificateChecks,
  hostnameChecks,
} from '../../src/model/hostnames/certificate.ts';

describe('the back-off schedule', () => {
  it.each([
    [0, 60],
    [1, 63],
    [9, 93],
    [10, 242],
    [39, 13_975],
    [40, 14_400],
    [119, 14_400],
  ])('waits after check %i for %i seconds', (attempt, seconds) => {
    expect(backOffSeconds(attempt)).toBe(seconds);
  });

  it('adds up to the published figures', () => {
    expect(backOffTotal(10)).toBe(751);
    expect(backOffTotal(25) / 3600).toBeCloseTo(3.4, 1);
    expect(backOffTotal(40) / 3600).toBeCloseTo(29.5, 1);
    expect(backOffTotal(hostnameChecks)).toBe(610_263);
    expect(backOffTotal(certificateChecks)).toBe(1_258_263);
  });

  it('never becomes shorter, uses whole seconds, and never exceeds four hours', () => {
    fc.assert(
      fc.property(fc.nat(5000), (attempt) => {
        const seconds = backOffSeconds(attempt);
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeLessThanOrEqual(14_400);
        expect(backOffSeconds(attempt + 1)).toBeGreaterThanOrEqual(seconds);
      }),
    );
  });
});
