import { expect, test } from 'vitest';
import { checkBaseUrl } from '../../src/profiles/base-url.ts';

test.each([
  ['https://api.cloudflare.com/client/v4', 'https://api.cloudflare.com/client/v4'],
  ['https://API.example.com:8443/proxy/client/v4//', 'https://api.example.com:8443/proxy/client/v4'],
  ['http://127.0.0.1:8787/client/v4', 'http://127.0.0.1:8787/client/v4'],
  ['http://localhost/client/v4/', 'http://localhost/client/v4'],
  ['http://[::1]:1/client/v4', 'http://[::1]:1/client/v4'],
])('accepts the base URL %s as %s', (text, url) => {
  expect(checkBaseUrl(text, '--api-base-url')).toBe(url);
});

test.each([
  ['api.cloudflare.com/client/v4', 'is not a URL'],
  ['', 'is not a URL'],
  ['http://api.cloudflare.com/client/v4', 'is not https: http://api.cloudflare.com'],
  ['http://127.0.0.1.evil.com/client/v4', 'is not https'],
  ['http://localhost.evil.com/client/v4', 'is not https'],
  ['http://10.0.0.1/client/v4', 'is not https'],
  ['ftp://127.0.0.1/client/v4', 'is not https'],
  ['file:///client/v4', 'is not https'],
  ['https://api.cloudflare.com', 'does not end in /client/v4'],
  ['https://api.cloudflare.com/client/v4/zones', 'does not end in /client/v4'],
  ['https://api.cloudflare.com/client/v4?x=/client/v4', 'has a query or a fragment'],
  ['https://api.cloudflare.com/client/v4#', 'has a query or a fragment'],
  ['https://me:s3cret@api.cloudflare.com/client/v4', 'contains a user name or password'],
  ['http://s3cret@127.0.0.1/client/v4', 'contains a user name or password'],
  ['https://:s3cret@api.cloudflare.com/client/v4', 'contains a user name or password'],
])('refuses the base URL %j: %s', (text, why) => {
  expect(() => checkBaseUrl(text, 'EDGECTL_API_BASE_URL')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringMatching(/\(EDGECTL_API_BASE_URL\)/),
    }),
  );
  expect(() => checkBaseUrl(text, 'here')).toThrow(why);
  expect(() => checkBaseUrl(text, 'here')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
  );
});

test('suggests the complete base URL if its end is missing', () => {
  expect(() => checkBaseUrl('https://api.example.com/v4', 'here')).toThrow(
    expect.objectContaining({ hint: 'Did you mean https://api.example.com/client/v4?' }),
  );
});
