import { expect, test } from 'vitest';
import { attentionOf, certificateLeft, gravityOf } from '../../../src/model/hostnames/attention.ts';
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
  ['active', 'expired', 'critical', 'us'],
  ['deleted', 'active', 'critical', 'us'],
  ['pending', 'validation_timed_out', 'error', 'us'],
  ['caa_error', 'pending_validation', 'error', 'zone-owner'],
  ['blocked', 'active', 'error', 'provider'],
  ['pending', 'pending_validation', 'progress', 'customer'],
  ['active', 'pending_validation', 'progress', 'customer'],
  ['active', 'pending_expiration', 'warn', 'customer'],
  ['active', 'pending_deployment', 'progress', 'nobody'],
])(
  'says of %s with a certificate that is %s how grave it is and who acts',
  (status, certificate, severity, who) => {
    expect(attentionOf({ record: record(status, certificate) }, now)).toMatchObject({ severity, who });
  },
);

test('says nothing of a hostname in service, and warns of one that waits for days', () => {
  expect(attentionOf({ record: record('active') }, now)).toBeUndefined();
  const created_at = new Date(now - 3 * dayMilliseconds).toISOString();
  const slow = record('pending', 'pending_validation', { created_at });
  expect(attentionOf({ record: slow }, now)?.severity).toBe('warn');
});

test('counts the days left in Moved, and puts what has ended first and what is lost sooner before what is lost later', () => {
  const moved = (ago: number) => ({ record: record('moved'), movedSeenAt: now - ago * dayMilliseconds });
  expect(attentionOf(moved(2.5), now)?.daysLeft).toBe(4.5);
  const expires_on = new Date(now - 3 * dayMilliseconds).toISOString();
  const ended = { record: record('active', 'expired', { ssl: { status: 'expired', expires_on } }) };
  const waiting = { record: record('pending', 'pending_validation') };
  const [sooner, later] = [moved(5), moved(1)];
  const sorted = [waiting, later, ended, sooner].sort((one, other) =>
    gravityOf(one) < gravityOf(other) ? -1 : 1,
  );
  expect(sorted).toEqual([ended, sooner, later, waiting]);
});

test('tells how long a certificate in service is good', () => {
  const expires_on = new Date(now + 5 * dayMilliseconds).toISOString();
  expect(certificateLeft(record('active', 'active', { ssl: { status: 'active', expires_on } }), now)).toBe(
    5 * dayMilliseconds,
  );
  expect(
    certificateLeft(record('active', 'x', { ssl: { status: 'pending_validation', expires_on } }), now),
  ).toBeUndefined();
});
