import { expect, test } from 'vitest';
import { findRoute } from '../../../src/model/workers/route.ts';

const routes = [
  { id: '1', pattern: '*/*', script: 'all' },
  { id: '2', pattern: '*.acme.com/*', script: 'acme' },
  { id: '3', pattern: 'shop.acme.com/api/*', script: 'api' },
  { id: '4', pattern: 'https://plain.acme.com/*' },
];

test.each([
  ['shop.acme.com', '/api/x', '3'],
  ['shop.acme.com', '/', '2'],
  ['other.net', '/', '1'],
  ['plain.acme.com', '/', '4'],
  ['acme.com', '/', '1'],
])('selects the most specific route for %s%s', (host, path, id) => {
  expect(findRoute(routes, host, path)?.id).toBe(id);
});

test('matches a dot literally, and returns no route without a match', () => {
  expect(findRoute([{ id: '1', pattern: 'shop.acme.com/*' }], 'shopxacme.com', '/')).toBeUndefined();
});
