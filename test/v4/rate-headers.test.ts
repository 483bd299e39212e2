import { expect, test } from 'vitest';
import { readRateHeaders } from '../../src/v4/rate-headers.ts';

// The examples on https://developers.cloudflare.com/fundamentals/api/reference/limits ("Rate limiting headers"). The
// two examples name different limits.
const published = { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"burst";q=100;w=60' };
const budget = { requests: 100, seconds: 60 };

test('reads from the published headers the limit and the number of requests left', () => {
  expect(readRateHeaders(published)).toEqual({ budget, left: { requests: 50, seconds: 30 } });
});

test('does not pair items with different names if a header has several items', () => {
  const limits = { ...published, ratelimit: `${published.ratelimit}, "other";r=1;t=1` };
  expect(readRateHeaders(limits)).toEqual({ budget, left: undefined });
  const policies = {
    ...published,
    'ratelimit-policy': `${published['ratelimit-policy']}, "size";q=9;w=60;qu="content-bytes"`,
  };
  expect(readRateHeaders(policies)).toEqual({ budget, left: undefined });
});
