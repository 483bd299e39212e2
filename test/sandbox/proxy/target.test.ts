import { expect, test } from 'vitest';
import { refusalOf, routeOf } from '../../../src/sandbox/proxy/target.ts';

test("the platform's own host is let through at its usual port, and nobody is told to go past the proxy to it", () => {
  for (const target of ['api.cloudflare.com:443', 'API.cloudflare.com.:443'])
    expect(refusalOf(target)).toBeUndefined();
  const usual = 'api.cloudflare.com answers over https, at its usual port, and not otherwise.';
  expect(refusalOf('api.cloudflare.com:80')).toBe(usual);
  expect(routeOf('http://api.cloudflare.com/x')).toEqual({ refusal: usual });
  for (const target of [
    'api.cloudflare.com:443@evil.example:443',
    'evil.example:443',
    'api.cloudflare.com.evil.example:443',
  ])
    expect(refusalOf(target)).toContain('NO_PROXY');
});
