import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasCaaError,
  hasCustomCertificate,
  hasHoldMessage,
  isReady,
  isTimedOut,
} from '../../../src/model/hostnames/hostname.ts';
import {
  parseCustomHostname,
  parseFallbackOrigin,
  parseQuota,
  parseZoneHold,
} from '../../../src/model/hostnames/parse.ts';
import { isProblem } from '../../../src/model/problem.ts';
import { type HeldZone, holdOver, holdsNow } from '../../../src/model/zones/zone.ts';

describe('a custom hostname from the API', () => {
  it('is read without unknown fields', () => {
    const record = parseCustomHostname({
      id: '1',
      hostname: 'shop.acme.com',
      status: 'reticulating',
      ssl: { status: 'half_way', validation_records: [{ txt_name: 'a', txt_value: 'b', extra: 1 }] },
      extra: true,
    });
    expect(record).toEqual({
      id: '1',
      hostname: 'shop.acme.com',
      status: 'reticulating',
      ssl: { status: 'half_way', validation_records: [{ txt_name: 'a', txt_value: 'b' }] },
    });
  });

  it('is read without fields that have a wrong type', () => {
    const record = parseCustomHostname({
      id: '1',
      hostname: 'a.b',
      verification_errors: null,
      ssl: 'x',
      custom_metadata: null,
    });
    expect(record).toEqual({ id: '1', hostname: 'a.b' });
  });

  it('rejects a hostname record without an id or a hostname', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        try {
          expect(typeof parseCustomHostname(value).hostname).toBe('string');
        } catch (error) {
          expect(isProblem(error)).toBe(true);
        }
      }),
    );
  });
});

describe("a record's message", () => {
  const base = { id: '1', hostname: 'a.b' };

  it.each([
    [{ ...base, status: 'caa_error' }, true],
    [{ ...base, ssl: { status: 'caa_error' } }, true],
    [{ ...base, ssl: { validation_errors: [{ message: 'caa_error: a.b' }] } }, true],
    [{ ...base, ssl: { validation_errors: [{ message: 'CAA records block issuance.' }] } }, true],
    [{ ...base, ssl: { validation_errors: [{ message: 'DNS lookup of the CAA records failed' }] } }, false],
    [{ ...base, status: 'active' }, false],
  ])('the message of a record reports CAA in %j', (record, expected) => {
    expect(hasCaaError(record)).toBe(expected);
  });

  it('the message of a record reports holds, timeouts, readiness and uploaded certificates', () => {
    const message = 'The hostname is associated with a held zone.';
    expect(hasHoldMessage({ ...base, verification_errors: [message] })).toBe(true);
    expect(hasHoldMessage(base)).toBe(false);
    expect(isTimedOut('validation_timed_out')).toBe(true);
    expect(isTimedOut('timed_out')).toBe(true);
    expect(isTimedOut(undefined)).toBe(false);
    expect(isReady({ ...base, status: 'active', ssl: { status: 'active' } })).toBe(true);
    expect(isReady({ ...base, status: 'active', ssl: { status: 'expired' } })).toBe(false);
    expect(hasCustomCertificate({ ...base, ssl: { custom_certificate: 'PEM' } })).toBe(true);
  });
});

describe('zone responses', () => {
  it('reads an unset fallback origin as undefined', () => {
    expect(parseFallbackOrigin(null)).toBeUndefined();
    expect(parseFallbackOrigin({})).toBeUndefined();
    expect(parseFallbackOrigin({ origin: 'o.saas.com', status: 'active', errors: [] })).toEqual({
      origin: 'o.saas.com',
      status: 'active',
      errors: [],
    });
  });

  it('reads the numbers of a quota', () => {
    expect(parseQuota({ allocated: 100, used: 3 })).toEqual({ allocated: 100, used: 3 });
    expect(() => parseQuota({})).toThrow('not a quota');
  });

  it.each([
    [
      { hold: true, include_subdomains: 'true' },
      { hold: true, includeSubdomains: true },
    ],
    [
      { hold: true, include_subdomains: true },
      { hold: true, includeSubdomains: true },
    ],
    [
      { hold: true, include_subdomains: 'false', hold_after: '2020-01-01T00:00:00Z' },
      { hold: true, includeSubdomains: false },
    ],
    [
      { hold: false, hold_after: '2026-01-01T00:00:00Z' },
      { hold: false, includeSubdomains: false, holdAfter: Date.UTC(2026, 0, 1) },
    ],
    [
      { hold: false, hold_after: '' },
      { hold: false, includeSubdomains: false },
    ],
  ])('reads the hold %j', (wire, hold) => {
    expect(parseZoneHold(wire)).toEqual(hold);
  });
});

describe('a zone hold', () => {
  const now = Date.UTC(2026, 0, 1);
  const hold = (change: Partial<HeldZone>): HeldZone => ({
    zone: 'acme.com',
    hold: true,
    includeSubdomains: true,
    ...change,
  });

  it.each([
    ['shop.acme.com', hold({}), 'acme.com'],
    ['acme.com', hold({ includeSubdomains: false }), 'acme.com'],
    ['shop.acme.com', hold({ includeSubdomains: false }), undefined],
    ['shop.acme.com', hold({ hold: false }), undefined],
    ['shop.acme.com', hold({ hold: false, holdAfter: now + 1 }), undefined],
    ['shop.acme.com', hold({ hold: false, holdAfter: now }), 'acme.com'],
    ['shopacme.com', hold({}), undefined],
  ])('finds the zone hold that applies to %s', (hostname, held, expected) => {
    expect(holdOver(hostname, [held], now)).toBe(expected);
  });

  it('reports the nearest of several zone holds', () => {
    const both = [hold({}), hold({ zone: 'shop.acme.com' })];
    expect(holdOver('x.shop.acme.com', both, now)).toBe('shop.acme.com');
    expect(holdsNow({ hold: true, includeSubdomains: false }, now)).toBe(true);
  });
});
