import { expect, test } from 'vitest';
import { redactHeaders, redactUrl } from '../../src/text/redact.ts';

test('credentials, cookies and the like are replaced, whatever the case of their names', () => {
  const secrets = [
    'authorization',
    'Authorization',
    'Proxy-Authorization',
    'x-auth-key',
    'X-Auth-Email',
    'x-auth-user-service-key',
    'X-Custom-Auth-Key',
    'cookie',
    'set-cookie',
    'cf-access-client-secret',
    'cf-access-jwt-assertion',
    'x-api-key',
  ];
  for (const name of secrets) expect(redactHeaders({ [name]: 's3cret' })).toEqual({ [name]: '[redacted]' });
  const plain = {
    'content-type': 'application/json',
    'cf-ray': '8f',
    'retry-after': '3',
    'user-agent': 'edgectl',
  };
  expect(redactHeaders(plain)).toEqual(plain);
});

test.each([
  ['https://user:pass@host/client/v4', 'https://[redacted]@host/client/v4'],
  ['https://a@b:c@host/x', 'https://[redacted]@host/x'],
  ['https://host/a@b?prefix=user@x', 'https://host/a@b?prefix=user@x'],
  ['/x?prefix=a&cursor=b', '/x?prefix=a&cursor=b'],
  ['/x?access_token=abc&limit=5', '/x?access_token=[redacted]&limit=5'],
  ['/x?api%5Fkey=abc', '/x?api%5Fkey=[redacted]'],
  ['/x?X-Amz-Signature=abc#f', '/x?X-Amz-Signature=[redacted]#f'],
  ['/x?%zz=1', '/x?%zz=1'],
])('%s is shown as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});
