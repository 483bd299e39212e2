import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askIssuance,
  countIssuance,
  type IssuanceWindow,
  issuanceGauge,
  openIssuanceWindow,
} from '../../../src/model/hostnames/issuance.ts';

const noon = Date.UTC(2026, 0, 1, 12);

function issue(
  window: IssuanceWindow,
  at: number,
): { window: IssuanceWindow; retryAfter: number | undefined } {
  const answer = askIssuance(window, at);
  const counted = answer.retryAfter === undefined ? countIssuance(answer.window, at) : answer.window;
  return { window: counted, retryAfter: answer.retryAfter };
}

function issueAll(window: IssuanceWindow, moments: readonly number[]) {
  let current = window;
  const refused: number[] = [];
  for (const at of moments) {
    const answer = issue(current, at);
    current = answer.window;
    if (answer.retryAfter !== undefined) refused.push(answer.retryAfter);
  }
  return { window: current, refused };
}

const times = (count: number, from = noon, gap = 100) =>
  Array.from({ length: count }, (_, n) => from + n * gap);

describe('the issuance limiter', () => {
  it('allows 15 creations per minute, and refuses the 16th for 30 seconds', () => {
    expect(issueAll(openIssuanceWindow(), times(16)).refused).toEqual([30]);
  });

  it('reports the remaining seconds during the block', () => {
    const { window } = issueAll(openIssuanceWindow(), times(16, noon, 0));
    expect(issueAll(window, [noon + 1, noon + 10_000, noon + 29_999]).refused).toEqual([30, 20, 1]);
  });

  it('is empty after the block, even if less than a minute has passed', () => {
    const { window } = issueAll(openIssuanceWindow(), times(16, noon, 0));
    const later = issueAll(window, times(16, noon + 30_000, 0));
    expect(later.refused).toEqual([30]);
  });

  it('counts only successful creations', () => {
    let window = openIssuanceWindow();
    for (const at of times(100)) window = askIssuance(window, at).window;
    expect(issuanceGauge(window, noon + 10_000)).toEqual({ used: 0, blockedSeconds: 0 });
  });

  it('does not count certificates that are older than a minute', () => {
    const { window } = issueAll(openIssuanceWindow(), times(15, noon, 1000));
    expect(issueAll(window, [noon + 60_000, noon + 60_500]).refused).toEqual([30]);
    expect(issueAll(window, [noon + 60_000, noon + 61_000]).refused).toEqual([]);
  });

  it('accepts another limit', () => {
    expect(issueAll(openIssuanceWindow(3), times(4)).refused).toEqual([30]);
  });

  it('shows the used part of the limit and the seconds of the block', () => {
    const { window } = issueAll(openIssuanceWindow(), times(16, noon, 0));
    expect(issuanceGauge(window, noon + 500)).toEqual({ used: 15, blockedSeconds: 30 });
    expect(issuanceGauge(window, noon + 30_000)).toEqual({ used: 0, blockedSeconds: 0 });
  });

  it('never refuses a client that waits four seconds between creations, and never allows more than the limit', () => {
    expect(issueAll(openIssuanceWindow(), times(60, noon, 4000)).refused).toEqual([]);
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 120 });
    fc.assert(
      fc.property(gaps, (list) => {
        let at = noon;
        let window = openIssuanceWindow();
        let passed: number[] = [];
        for (const gap of list) {
          at += gap;
          const answer = issue(window, at);
          window = answer.window;
          if (answer.retryAfter !== undefined) passed = [];
          else passed.push(at);
          expect(passed.filter((one) => one > at - 60_000).length).toBeLessThanOrEqual(15);
        }
      }),
    );
  });
});
