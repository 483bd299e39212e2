import { expect, test } from 'vitest';
import { redactSecrets, redactUrl } from '../../src/text/redact.ts';

test.each([
  ['https://user:pass@host/client/v4', 'https://[redacted]@host/client/v4'],
  ['https://a@b:c@host/x', 'https://[redacted]@host/x'],
  ['https://host/a@b?prefix=user@x', 'https://host/a@b?prefix=user@x'],
  ['/x?prefix=a&cursor=b', '/x?prefix=a&cursor=b'],
  ['/x?access_token=abc&limit=5', '/x?access_token=[redacted]&limit=5'],
  ['/x?api%5Fkey=abc', '/x?api%5Fkey=[redacted]'],
  ['/x?X-Amz-Signature=abc#f', '/x?X-Amz-Signature=[redacted]#f'],
  ['/x?%zz=1', '/x?%zz=1'],
])('shows %s as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

const token = 'v1.0-aB3/x_Q9+zzTOP';
const redact = redactSecrets([token, 'short', '']);
const everyCharacter = (write: (code: number) => string): string =>
  [...token].map((one) => write(one.charCodeAt(0))).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
  ['unchanged', token],
  ['in lower case', token.toLowerCase()],
  ['in a path', encodeURIComponent(token)],
  ['in a path, twice', encodeURIComponent(encodeURIComponent(token))],
  ['completely percent-encoded', everyCharacter((code) => `%${code.toString(16)}`)],
  ['as JSON', token.replaceAll('/', '\\/')],
  ['as JSON in JSON', JSON.stringify(JSON.stringify(everyCharacter((code) => `\\u00${code.toString(16)}`)))],
  ['as HTML', everyCharacter((code) => `&#${code};`)],
  ['as HTML in hex', everyCharacter((code) => `&#x${code.toString(16)};`)],
  ['in hex', Buffer.from(token).toString('hex')],
  ['in base64', base64(token)],
  ['in base64 for URLs', Buffer.from(token).toString('base64url')],
  ['in base64 in a path', encodeURIComponent(base64(token))],
  ['after other bytes in base64', base64(`a:${token}`)],
  ['between other bytes in base64', base64(`abc Bearer ${token} xyz`)],
])('removes a secret %s', (_, form) => {
  const shown = redact(`before ${form} behind`);
  expect(shown).toContain('[redacted]');
  expect(shown).toMatch(/^before .* behind$/);
  const middle = Math.floor(form.length / 2);
  expect(shown).not.toContain(form.slice(middle - 4, middle + 4));
});

test.each([
  ['unchanged', token],
  ['in capitals', token.toUpperCase()],
  ['in hex', Buffer.from(token).toString('hex')],
  ['in base64', base64(token)],
])('removes the beginning of a truncated secret %s', (_, form) => {
  for (let length = 8; length <= form.length; length++)
    expect(redact(`"${form.slice(0, length)}…, b… of it`)).toBe('"[redacted]…, b… of it');
  const seven = `${form.slice(0, 7)}… and ${form.slice(1, 12)}…`;
  expect(redact(seven)).toBe(seven);
});

test('keeps short values, and values that only resemble a secret', () => {
  const text = `short ${token.slice(0, -1)} ${base64('something else altogether')}`;
  expect(redact(text)).toBe(text);
});

test('searches long strings without a secret in linear time', () => {
  const hostile = `${'\\'.repeat(60_000)}${'%25'.repeat(20_000)}${'&#0'.repeat(20_000)}${'v1.0-aB3'.repeat(10_000)}`;
  const begun = performance.now();
  expect(redact(hostile)).toBe(hostile);
  // The limit holds even on a busy machine, because quadratic time would take a minute.
  expect(performance.now() - begun).toBeLessThan(5000);
});
