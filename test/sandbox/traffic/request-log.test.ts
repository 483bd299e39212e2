import { expect, test } from 'vitest';
import { openRequestLog, type RecordedRequest } from '../../../src/sandbox/traffic/request-log.ts';

const request: RecordedRequest = {
  call: { method: 'POST', path: '/accounts/a/storage/kv/namespaces?bogus=1' },
  began: Date.UTC(2026, 10, 24),
  route: '/accounts/:account/storage/kv/namespaces',
  rule: null,
  status: 200,
  milliseconds: 1,
  requestHeaders: {},
  answerHeaders: {},
};
const notes = ['the query parameter bogus is ignored', 'the field wrong is unknown'];

test('keeps remarks about a request after the log drops the request body', () => {
  const log = openRequestLog();
  log.add({ ...request, requestBody: '{"title":"a","wrong":1}' });
  expect(log.list({})).toMatchObject([{ number: 1, requestBody: '{"title":"a","wrong":1}', notes }]);
  for (let at = 0; at < 8; at += 1) log.add({ ...request, answerBody: 'x'.repeat(1024 * 1024) });
  const [first, ...others] = log.list({});
  expect(first).toMatchObject({ number: 1, time: '2026-11-24T00:00:00.000Z', query: 'bogus=1', notes });
  expect(first).not.toHaveProperty('requestBody');
  expect(others.filter(({ answerBody }) => answerBody !== undefined).map(({ number }) => number)).toEqual([
    6, 7, 8, 9,
  ]);
});

test('keeps the last 10,000 requests and their numbers', () => {
  const log = openRequestLog();
  for (let at = 1; at <= 12_000; at += 1) log.add({ ...request, status: at === 11_500 ? 404 : 200 });
  const all = log.list({});
  expect([all.length, all.at(-1)?.number]).toEqual([10_000, 12_000]);
  expect(log.list({ status: '4' }).map(({ number }) => number)).toEqual([11_500]);
  expect(log.list({ since: 11_997, limit: 2 }).map(({ number }) => number)).toEqual([11_999, 12_000]);
  log.clear();
  expect(log.list({})).toEqual([]);
  log.add(request);
  expect(log.list({})).toMatchObject([{ number: 12_001 }]);
});
