import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServed, type Served } from '../../support/served.ts';

let served: Served;
let origin: string;

beforeAll(async () => {
  served = await openServed();
  origin = new URL(served.person.env['EDGECTL_API_BASE_URL'] ?? '').origin;
});
afterAll(() => served.close());

test('serves a page in one file without secrets, which runs its own script and contacts only its own server', async () => {
  const answer = await fetch(`${origin}/`);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(text).not.toContain(served.sandbox.access().apiToken);
  expect(text).not.toMatch(/(?:src|href)=|innerHTML|@import|url\(/);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; connect-src 'self';");
  for (const [, name, content = ''] of text.matchAll(/<(style|script)(?: [^>]*)?>(.*?)<\/\1>/gs)) {
    const hash = createHash('sha256').update(content).digest('base64');
    expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
  }
});

test('other pages, and callers without the token, cannot read anything through the page', async () => {
  const foreign = await fetch(`${origin}/`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status).toBe(403);
  const unsigned = await fetch(`${origin}/client/v4/zones`, { headers: { 'edgectl-page': '1' } });
  expect(unsigned.status).toBeGreaterThanOrEqual(400);
  expect((await fetch(`${origin}/`, { method: 'POST' })).status).toBe(404);
});

test('does not log requests of the page, and does not apply faults to them', async () => {
  const headers = { authorization: `Bearer ${served.sandbox.access().apiToken}` };
  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/client/v4${path}`, { headers, ...init });
  await at('/sandbox/faults', { method: 'POST', body: JSON.stringify({ match: '* /**', status: 503 }) });
  expect((await at('/zones', { headers: { ...headers, 'edgectl-page': '1' } })).status).toBe(200);
  expect((await at('/zones')).status).toBe(503);
  const { result } = (await (await at('/sandbox/requests')).json()) as { result: readonly object[] };
  expect(result).toMatchObject([{ path: '/zones', status: 503 }]);
});
