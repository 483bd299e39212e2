import { expect, test } from 'vitest';
import {
  certificateEnd,
  certificateTimeLeft,
  findAttention,
  recordState,
  urgencyKey,
  type Verdict,
} from '../../../src/model/hostnames/attention.ts';
import { type CustomHostname, dayMilliseconds } from '../../../src/model/hostnames/hostname.ts';

const now = Date.UTC(2026, 10, 21);

function record(
  status: string,
  certificate = 'active',
  change: Partial<CustomHostname> = {},
): CustomHostname {
  const created_at = new Date(now - dayMilliseconds).toISOString();
  return {
    id: status,
    hostname: 'shop.acme.com',
    status,
    created_at,
    ssl: { status: certificate },
    ...change,
  };
}

test.each([
  ['moved', 'active', 'critical', 'customer'],
  ['active', 'expired', 'error', 'customer'],
  ['deleted', 'active', 'critical', 'us'],
  ['pending_deletion', 'active', 'progress', 'nobody'],
  ['pending', 'validation_timed_out', 'error', 'us'],
  ['caa_error', 'pending_validation', 'error', 'customer'],
  ['blocked', 'active', 'error', 'provider'],
  ['pending', 'pending_validation', 'error', 'customer'],
  ['active', 'pending_validation', 'error', 'customer'],
  ['active', 'pending_expiration', 'warn', 'customer'],
  ['active', 'pending_deployment', 'progress', 'nobody'],
])(
  'for %s with a certificate that is %s, shows the severity and who must act',
  (status, certificate, severity, who) => {
    expect(findAttention({ record: record(status, certificate), readAt: now })).toMatchObject({
      severity,
      who,
    });
  },
);

test('assumes a cause from the record of a hostname without a diagnosis: new, late for renewal, or without a certificate', () => {
  const created_at = new Date(now - 60_000).toISOString();
  const attention = (change: object) =>
    findAttention({ record: record('pending', 'initializing', { created_at, ...change }), readAt: now });
  expect(attention({})).toMatchObject({ severity: 'progress', who: 'nobody' });
  expect(attention({ verification_errors: ['custom hostname does not CNAME to this zone.'] })?.who).toBe(
    'customer',
  );
  const renewal = (days: number) => ({
    ssl: { status: 'pending_expiration', expires_on: new Date(now + days * dayMilliseconds).toISOString() },
  });
  expect([3, 20].map((days) => attention({ status: 'active', ...renewal(days) })?.severity)).toEqual([
    'error',
    'warn',
  ]);
  const { ssl: _none, ...plain } = record('active');
  expect(findAttention({ record: plain, readAt: now })).toMatchObject({ severity: 'warn', who: 'us' });
});

test('reports nothing for an active hostname, and an error for a hostname that someone must fix, however new it is', () => {
  expect(findAttention({ record: record('active'), readAt: now })).toBeUndefined();
  const attention = (days: number, certificate: string, status = 'pending') => {
    const created_at = new Date(now - days * dayMilliseconds).toISOString();
    return findAttention({ record: record(status, certificate, { created_at }), readAt: now });
  };
  // Expects the severity of the rules C1 and F10 of a diagnosis (docs/diagnosis.md).
  expect(attention(3, 'pending_validation')).toMatchObject({ severity: 'error', state: 'overdue' });
  expect(attention(1, 'pending_validation')).toMatchObject({ severity: 'error', state: 'pending' });
  expect(attention(0, 'pending_validation')).toMatchObject({ severity: 'progress', who: 'nobody' });
  expect(attention(1, 'pending_deployment', 'active')).toMatchObject({ severity: 'progress' });
  expect(attention(3, 'pending_deployment', 'active')).toMatchObject({ severity: 'warn', state: 'overdue' });
});

test('sorts by the time of loss, and lists expired hostnames before pending ones', () => {
  const moved = (ago: number) => ({ record: record('moved'), movedSeenAt: now - ago * dayMilliseconds });
  const expires_on = new Date(now - 3 * dayMilliseconds).toISOString();
  const ended = { record: record('active', 'expired', { ssl: { status: 'expired', expires_on } }) };
  const waiting = { record: record('pending', 'pending_validation') };
  const [sooner, later] = [moved(5), moved(1)];
  const sorted = [waiting, later, ended, sooner].sort((one, other) =>
    urgencyKey(one) < urgencyKey(other) ? -1 : 1,
  );
  expect(sorted).toEqual([sooner, later, ended, waiting]);
});

test('shows how long an active certificate is valid', () => {
  const expires_on = new Date(now + 5 * dayMilliseconds).toISOString();
  expect(
    certificateTimeLeft(record('active', 'active', { ssl: { status: 'active', expires_on } }), now),
  ).toBe(5 * dayMilliseconds);
  // The old certificate is served while its renewal is pending (reference/hostnames.md, 2.2).
  for (const status of ['pending_expiration', 'pending_validation', 'validation_timed_out'])
    expect(certificateTimeLeft(record('active', 'x', { ssl: { status, expires_on } }), now)).toBe(
      5 * dayMilliseconds,
    );
  expect(certificateTimeLeft(record('pending', 'pending_validation'), now)).toBeUndefined();
});

test('returns when a certificate expires, unless it was deleted', () => {
  const end = now + 5 * dayMilliseconds;
  const endOf = (status: string) =>
    certificateEnd(record('active', 'x', { ssl: { status, expires_on: new Date(end).toISOString() } }));
  expect(['active', 'pending_expiration', 'deleted'].map(endOf)).toEqual([end, end, undefined]);
});

const verdict: Verdict = {
  at: now,
  record: recordState(record('pending', 'pending_validation')),
  edge: true,
  finding: 'G1',
  severity: 'error',
  who: 'us',
  cause: 'The origin does not answer.',
  next: 'Start it.',
};

test('uses a diagnosis until the record changes or a day has passed, and never contradicts the platform', () => {
  const seen = {
    record: record('pending', 'pending_validation'),
    readAt: now + dayMilliseconds / 2,
    verdict,
  };
  const found = { severity: 'error', who: 'us', cause: 'The origin does not answer', diagnosedAt: now };
  expect(findAttention(seen)).toMatchObject({ ...found, state: 'pending', next: 'Start it.' });
  expect(findAttention({ ...seen, readAt: now + dayMilliseconds })).toMatchObject({ who: 'customer' });
  expect(findAttention({ ...seen, record: record('pending') })).toMatchObject({ who: 'customer' });
  expect(findAttention({ ...seen, verdict: { ...verdict, severity: 'ok' } })).toMatchObject({
    who: 'customer',
  });
  const served = { record: record('active'), readAt: now };
  const faulty = { ...verdict, record: recordState(served.record) };
  expect(findAttention({ ...served, verdict: faulty })).toMatchObject({ ...found, state: 'faulty' });
});

test('orders rows by severity, regardless of when they were read', () => {
  const severities = ['critical', 'error', 'warn', 'progress', undefined];
  const rows = [1, 3].flatMap((days) =>
    ['moved', 'active', 'provisioned', 'blocked'].map((status) => {
      const created_at = new Date(now - days * dayMilliseconds).toISOString();
      const certificate = status === 'provisioned' ? 'pending_deployment' : 'active';
      return { record: record(status, certificate, { created_at }), readAt: now };
    }),
  );
  const sorted = rows.toSorted((one, other) => (urgencyKey(one) < urgencyKey(other) ? -1 : 1));
  const ranks = sorted.map((row) => severities.indexOf(findAttention(row)?.severity));
  expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
  expect(sorted.map((row) => findAttention(row)?.severity)).toContain('warn');
  expect(sorted.map((row) => findAttention(row)?.severity)).toContain('progress');
});
