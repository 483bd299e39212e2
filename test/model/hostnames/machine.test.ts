import { describe, expect, it } from 'vitest';
import { advance, step } from '../../../src/model/hostnames/machine.ts';
import { nextMoment, wantedCertificate } from '../../../src/model/hostnames/state.ts';
import { tokenDays } from '../../../src/model/hostnames/tokens.ts';
import {
  active,
  caaFor,
  certificateUntil,
  created,
  day,
  hostname,
  minute,
  next,
  second,
  seen,
  start,
  statuses,
  until,
} from './fixture.ts';

const away = seen({ routing: 'elsewhere' });
const gone = seen({ routing: 'nowhere' });
const unknown = seen({ routing: 'unknown' });
const held = seen({ heldBy: 'acme-store.com' });
const samePatch = { certificate: { method: 'http' as const, settings: {} } };

describe('creation', () => {
  it('starts a new hostname as pending without tokens, and reports that the CNAME is missing', () => {
    const { record } = created({}, gone);
    expect(record).toMatchObject({
      hostname,
      status: 'pending',
      created_at: '2026-01-01T00:00:00.000000Z',
      verification_errors: ['custom hostname does not CNAME to this zone.'],
      ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${hostname}` },
      ssl: { status: 'initializing', method: 'http', type: 'dv', certificate_authority: 'google' },
    });
    expect(record.ssl?.validation_records).toBeUndefined();
  });

  it('a new hostname shows the tokens after two seconds', () => {
    const state = until(created({}, gone), gone, start + 2 * second);
    expect(statuses(state)).toBe('pending / pending_validation');
    const [challenge] = state?.record.ssl?.validation_records ?? [];
    expect(challenge?.http_url).toMatch(/^http:\/\/shop\.acme-store\.com\/\.well-known\/acme-challenge\//);
  });

  it('a new hostname becomes active with its certificate within seconds if DNS points here', () => {
    const state = until(created(), seen(), start + 10 * second);
    expect(statuses(state)).toBe('active / active');
    expect(state?.record.verification_errors).toEqual([]);
    expect(state?.record.ssl).toMatchObject({ issuer: 'Test CA', expires_on: '2026-04-01T00:00:02.000000Z' });
    expect(state?.record.ssl?.validation_records).toBeUndefined();
  });

  it('waits for a certificate that must be created outside the state machine', () => {
    const state = advance(created(), () => seen(), start + minute);
    if (state === undefined) throw new Error('gone');
    expect(statuses(state)).toBe('active / pending_issuance');
    expect(wantedCertificate(state)).toEqual({
      hostname,
      wildcard: false,
      branding: false,
      authority: 'google',
      since: start + 2 * second,
    });
  });

  it('never includes hidden state in the record of a hostname', () => {
    const text = JSON.stringify(created().record);
    for (const hidden of ['secret', 'attempts', 'nextCheckAt', 'everPointedHere'])
      expect(text).not.toContain(hidden);
  });
});

describe('ownership', () => {
  it.each([
    ['the TXT token', (value: string) => ({ ownershipTxt: ['other', value] })],
    ['the HTTP token', (value: string) => ({ ownershipHttp: value })],
  ])('is proved by %s while DNS points elsewhere, and does not lead to Moved later', (_name, found) => {
    const state = created({}, away);
    const token = state.record.ownership_verification?.value ?? '';
    const proved = until(state, { ...away, ...found(token) }, start + minute);
    expect(statuses(proved)).toBe('active / pending_validation');
    expect(statuses(proved && until(proved, away, start + 2 * day))).toBe('active / pending_validation');
  });

  it('ownership is not proved by a token if the platform already proxies the name', () => {
    const state = created({}, away);
    const token = state.record.ownership_verification?.value ?? '';
    const proxied = until(state, { ...away, proxied: true, ownershipTxt: [token] }, start + minute);
    expect(proxied?.record.status).toBe('pending');
    expect(proxied?.record.verification_errors[0]).toContain('cannot be activated with an TXT or HTTP');
  });

  it.each([
    ['missing', 'zone does not have a fallback origin set.'],
    ['initializing', 'Fallback origin is in a status of `initializing`.'],
  ])('ownership is pending while the fallback origin is %s', (fallback, message) => {
    const state = until(created(), seen({ fallback }), start + minute);
    expect(state?.record.status).toBe('pending');
    expect(state?.record.verification_errors).toEqual([message]);
    expect(
      until(created({ origin: 'origin.saas.com' }), seen({ fallback }), start + minute)?.record.status,
    ).toBe('active');
  });

  it('a DNS failure proves nothing about ownership', () => {
    expect(statuses(until(created(), unknown, start + minute))).toBe('pending / pending_validation');
    expect(statuses(until(active(), unknown, start + day))).toBe('active / active');
  });
});

describe('a DNS change to another target', () => {
  it.each([
    ['elsewhere', away],
    ['nowhere', gone],
  ])('a DNS change to another target moves an active hostname (%s)', (_name, view) => {
    const state = until(active(), view, start + 5 * minute);
    expect(statuses(state)).toBe('moved / active');
    expect(state?.record.verification_errors).toEqual(['custom hostname does not CNAME to this zone.']);
  });

  it.each([
    ['pending', () => until(created(), seen({ fallback: 'missing' }), start + minute)],
    [
      'blocked',
      () =>
        until(created({}, seen({ fallback: 'missing', heldBy: 'acme-store.com' })), held, start + 5 * minute),
    ],
    ['caa_error', () => until(created(), seen({ caa: caaFor('other-ca.net') }), start + minute)],
    [
      'active_redeploying',
      () => step(active(), { type: 'patch', change: { origin: 'o.saas.com' }, seen: seen() }, start + minute),
    ],
  ])(
    'a DNS change to another target moves a hostname that has ever pointed here from the state %s',
    (status, make) => {
      const state = make();
      expect(state?.record.status).toBe(status);
      expect(state && until(state, away, start + 30 * minute)?.record.status).toBe('moved');
    },
  );

  it('the previous owner is moved if another zone validates the same hostname', () => {
    expect(until(active(), seen({ rival: true }), start + 5 * minute)?.record.status).toBe('moved');
    expect(until(created(), seen({ rival: true }), start + 3 * second)?.record.status).toBe('active');
  });
});

describe('Moved', () => {
  const moved = () =>
    next(until(active(), away, start + 5 * minute), { type: 'time', seen: away }, start + 5 * minute);

  it('Moved does not end automatically when DNS points here again', () => {
    expect(until(moved(), seen(), start + 3 * day)?.record.status).toBe('moved');
  });

  it('Moved changes to Active immediately after a PATCH if DNS points here', () => {
    const state = next(moved(), { type: 'patch', change: samePatch, seen: seen() }, start + day);
    expect(statuses(state)).toBe('active / active');
    expect(state.track.movedAt).toBeUndefined();
  });

  it('Moved changes to pending, then Active, if DNS is fixed after the PATCH but before the next check', () => {
    const pending = next(moved(), { type: 'patch', change: samePatch, seen: away }, start + day);
    expect(statuses(pending)).toBe('pending / active');
    expect(pending.record.verification_errors).toEqual(['custom hostname does not CNAME to this zone.']);
    expect(until(pending, away, start + day + 59 * second)?.record.status).toBe('pending');
    const back = until(pending, seen(), start + day + minute);
    expect(back?.record.status).toBe('active');
    expect(back && until(back, seen(), start + 20 * day)?.record.status).toBe('active');
  });

  it('after a PATCH the hostname returns to Moved at the next check if DNS still points elsewhere, and its 7 days are not restarted', () => {
    const first = moved();
    const since = first.track.movedAt ?? 0;
    const pending = next(first, { type: 'patch', change: samePatch, seen: away }, since + 3 * day);
    const again = until(pending, away, since + 3 * day + minute);
    expect(again?.record.status).toBe('moved');
    expect(again && until(again, away, since + 7 * day - 1)?.record.status).toBe('moved');
    expect(again && until(again, away, since + 7 * day)).toBeUndefined();
    const late = next(first, { type: 'patch', change: samePatch, seen: away }, since + 7 * day - 30 * second);
    expect(until(late, away, since + 7 * day)?.record.status).toBe('pending');
    expect(until(late, away, since + 7 * day + minute)).toBeUndefined();
  });

  it('the 7 days in Moved restart after a check has found the correct DNS', () => {
    const first = moved();
    const since = first.track.movedAt ?? 0;
    const back = next(first, { type: 'patch', change: samePatch, seen: seen() }, since + 6 * day);
    const again = until(back, away, since + 6 * day + 2 * minute);
    expect(again?.record.status).toBe('moved');
    expect(again && until(again, away, since + 13 * day)?.record.status).toBe('moved');
    expect(again && until(again, away, since + 13.1 * day)).toBeUndefined();
  });

  it('a hostname in Moved is deleted after exactly 7 days', () => {
    const state = moved();
    const since = state.track.movedAt ?? 0;
    expect(statuses(until(state, away, since + 7 * day - 1))).toBe('moved / active');
    expect(until(state, away, since + 7 * day)).toBeUndefined();
  });

  it('Moved starts at the next check, even if an event of the certificate is due before the check', () => {
    const deploying = until(created(), seen(), start + 3 * second);
    expect(statuses(deploying)).toBe('active / pending_deployment');
    const state = deploying && until(deploying, away, start + day);
    expect(state?.track.movedAt).toBe(start + 62 * second);
  });

  it('Moved starts at the check that saw the change, even if the clock jumps', () => {
    const state = until(active(), away, start + 3 * day);
    expect(state?.track.movedAt).toBeLessThanOrEqual(start + 5 * minute);
    expect(until(active(), away, start + 8 * day)).toBeUndefined();
  });
});

describe('a platform that delays deletions', () => {
  const slow = seen({ routing: 'elsewhere', lingers: 3600 });

  it('keeps a deleted hostname visible after 7 days in Moved, restores it on PATCH, and removes it after the delay', () => {
    const moved = next(
      until(active(), slow, start + 5 * minute),
      { type: 'time', seen: slow },
      start + 5 * minute,
    );
    const over = (moved.track.movedAt ?? 0) + 7 * day;
    const deleted = until(moved, slow, over);
    expect(statuses(deleted)).toBe('deleted / deleted');
    const again = next(deleted, { type: 'patch', change: samePatch, seen: seen() }, over + minute);
    expect(statuses(again && until(again, seen(), over + 2 * minute))).toBe('active / active');
    expect(until(moved, slow, over + 60 * minute)).toBeUndefined();
  });

  it('keeps a hostname in pending_deletion after a DELETE, and does not shorten the delay at a check', () => {
    const going = next(active(), { type: 'remove', seen: slow }, start + day);
    const checked = next(going, { type: 'check', seen: slow }, start + day + minute);
    expect(statuses(checked)).toBe('pending_deletion / pending_deletion');
    expect(statuses(until(checked, slow, start + day + 60 * minute))).toBe('deleted / deleted');
    expect(until(checked, slow, start + day + 120 * minute)).toBeUndefined();
  });

  it('deletes a hostname immediately on a platform without a delay', () => {
    expect(step(active(), { type: 'remove', seen: seen() }, start + day)).toBeUndefined();
  });
});

describe('an uploaded certificate', () => {
  const upload = { certificate: { customCertificate: 'PEM', customKey: 'PEM', settings: {} } };
  const uploaded = certificateUntil(start + 90 * day);

  it.each([
    ['holding_deployment', seen({ isZoneInactive: true })],
    ['staging_active', seen({ staged: true })],
  ])('an uploaded certificate stays at %s until nothing blocks the certificate', (status, held) => {
    const patched = next(active(), { type: 'patch', change: upload, seen: held, uploaded }, start + day);
    const waiting = until(patched, held, start + 2 * day);
    expect(waiting?.record.ssl?.status).toBe(status);
    const released = next(waiting, { type: 'check', seen: seen() }, start + 2 * day);
    expect(until(released, seen(), start + 2 * day + 3 * second)?.record.ssl?.status).toBe('active');
  });

  it('an uploaded certificate does not affect managed certificates', () => {
    expect(statuses(until(created(), seen({ isZoneInactive: true }), start + minute))).toBe(
      'active / active',
    );
  });
});

describe('the back-off schedule', () => {
  it('ends in Moved after 7.06 days without success, and in deletion 7 days later', () => {
    const state = until(created({}, gone), gone, start + 7 * day);
    expect(state?.record.status).toBe('pending');
    expect(until(created({}, gone), gone, start + 7.07 * day)?.record.status).toBe('moved');
    expect(until(created({}, gone), gone, start + 14.08 * day)).toBeUndefined();
  });

  it('times out the certificate after 14.56 days', () => {
    const state = created({ origin: 'o.saas.com' }, away);
    const token = state.record.ownership_verification?.value ?? '';
    const view = { ...away, ownershipTxt: [token] };
    expect(statuses(until(state, view, start + 14 * day))).toBe('active / pending_validation');
    expect(statuses(until(state, view, start + 15 * day))).toBe('active / validation_timed_out');
  });

  it('restarts on PATCH, with new tokens if the previous tokens are stale', () => {
    const late = until(created({}, gone), gone, start + 2 * day);
    if (late === undefined) throw new Error('gone');
    expect(nextMoment(late) - (start + 2 * day)).toBeGreaterThan(minute);
    const fresh = next(late, { type: 'patch', change: samePatch, seen: gone }, start + 2 * day);
    expect(fresh.track.nextCheckAt).toBe(start + 2 * day + minute);
    expect(fresh.record.ssl?.validation_records).toEqual(late.record.ssl?.validation_records);
    const stale = start + (tokenDays('google') + 0.1) * day;
    const timeless = { ...late, track: { ...late.track, nextCheckAt: stale + day } };
    const renewed = next(timeless, { type: 'patch', change: samePatch, seen: gone }, stale);
    expect(renewed.record.ssl?.status).toBe('initializing');
  });

  it('restarts a timed-out certificate on PATCH until the certificate is Active', () => {
    const state = until(created({}, away), away, start + 6 * day);
    if (state?.record.ssl === undefined) throw new Error('gone');
    const ended = {
      ...state,
      record: { ...state.record, ssl: { ...state.record.ssl, status: 'validation_timed_out' as const } },
    };
    const again = next(ended, { type: 'patch', change: samePatch, seen: seen() }, start + 6 * day);
    expect(statuses(again)).toBe('active / initializing');
    expect(statuses(until(again, seen(), start + 6 * day + minute))).toBe('active / active');
  });
});

const txtOrder = {
  method: 'txt' as const,
  authority: 'default' as const,
  wildcard: true,
  branding: false,
  bundleMethod: 'ubiquitous',
  settings: {},
};

describe('a hold', () => {
  it('a hold blocks a pending hostname and names the held zone', () => {
    const state = until(created(), held, start + 5 * minute);
    expect(state?.record.status).toBe('blocked');
    expect(state?.record.verification_errors).toEqual([
      'The hostname is associated with a held zone (acme-store.com). ' +
        'Please contact the owner of this domain to have the hold removed.',
    ]);
  });

  it('renews the certificate of an active hostname despite a hold', () => {
    const state = until(active(), held, start + 70 * day);
    expect(statuses(state)).toBe('active / active');
    expect(state?.record.verification_errors).toEqual([]);
    const patched = next(active(), { type: 'patch', change: samePatch, seen: held }, start + day);
    expect(statuses(patched)).toBe('active / active');
  });

  it('a hold keeps a hostname blocked after PATCH, and prevents issuance', () => {
    const state = until(created(), held, start + 5 * minute);
    const patched = next(state, { type: 'patch', change: samePatch, seen: held }, start + 6 * minute);
    expect(statuses(patched)).toBe('blocked / pending_validation');
  });

  it('a blocked hostname becomes Active at the next check after the release, or immediately on PATCH', () => {
    const blocked = until(created(), held, start + 5 * minute);
    if (blocked === undefined) throw new Error('gone');
    expect(until(blocked, seen(), start + 10 * minute)?.record.status).toBe('active');
    const patched = next(blocked, { type: 'patch', change: samePatch, seen: seen() }, start + 5 * minute);
    expect(patched.record).toMatchObject({ status: 'active', verification_errors: [] });
  });

  it('a blocked hostname becomes pending on release if DNS does not point here yet', () => {
    const blocked = until(created({}, gone), { ...held, routing: 'nowhere' }, start + 5 * minute);
    expect(blocked?.record.status).toBe('blocked');
    expect(blocked && until(blocked, gone, start + 10 * minute)?.record.status).toBe('pending');
  });
});

describe('CAA', () => {
  const refusing = seen({ caa: caaFor('other-ca.net') });
  const refused = () =>
    next(until(created(), refusing, start + minute), { type: 'time', seen: refusing }, start + minute);

  it('CAA stops the certificate with caa_error in status and message', () => {
    const { record } = refused();
    expect(statuses(refused())).toBe('caa_error / pending_issuance');
    expect(record.ssl?.validation_errors?.[0]).toEqual({ message: `caa_error: ${hostname}` });
    expect(record.ssl?.validation_errors?.[1]?.message).toContain('pki.goog, letsencrypt.org, ssl.com');
  });

  it('a certificate stays in caa_error on PATCH while CAA forbids issuance', () => {
    const state = next(refused(), { type: 'patch', change: samePatch, seen: refusing }, start + 2 * minute);
    expect(state.record.status).toBe('caa_error');
  });

  it.each([
    ['fixing the records', samePatch, seen()],
    [
      'choosing an authority that is allowed',
      { certificate: { authority: 'lets_encrypt' as const, settings: {} } },
      seen({ caa: caaFor('letsencrypt.org') }),
    ],
  ])('a certificate in caa_error becomes Active on PATCH after %s', (_name, change, view) => {
    const state = next(refused(), { type: 'patch', change, seen: view }, start + 2 * minute);
    expect(state.record.status).toBe('active');
    expect(statuses(until(state, view, start + 3 * minute))).toBe('active / active');
  });

  it('a certificate in caa_error becomes Active automatically at a later check after the records were fixed', () => {
    expect(statuses(until(refused(), seen(), start + 30 * minute))).toBe('active / active');
  });

  it('CAA causes caa_error only if no authority is allowed; the default choice uses the first allowed authority', () => {
    const state = until(created(), seen({ caa: caaFor('letsencrypt.org') }), start + minute);
    expect(statuses(state)).toBe('active / active');
    expect(state?.record.ssl?.certificate_authority).toBe('lets_encrypt');
  });

  it('unreadable CAA records stop the certificate without caa_error', () => {
    const asked = [{ owner: hostname, outcome: 'failed' as const, detail: 'SERVFAIL' }];
    const state = until(created(), seen({ caa: { name: hostname, asked } }), start + minute);
    expect(statuses(state)).toBe('active / pending_issuance');
    expect(state?.record.ssl?.validation_errors?.[0]?.message).toContain('SERVFAIL');
  });
});

describe('validation of the certificate', () => {
  const wildcard = () => until(created({ certificate: txtOrder }), seen(), start + minute);

  it('a wildcard needs both TXT values; HTTP is not enough', () => {
    const state = wildcard();
    expect(statuses(state)).toBe('active / pending_validation');
    const values = state?.record.ssl?.validation_records?.map((record) => record.txt_value ?? '') ?? [];
    expect(new Set(values).size).toBe(2);
    const half = state && until(state, seen({ dcvTxt: values.slice(0, 1) }), start + 20 * minute);
    expect(half?.record.ssl?.status).toBe('pending_validation');
    const whole = state && until(state, seen({ dcvTxt: ['noise', ...values] }), start + 20 * minute);
    expect(whole?.record.ssl?.status).toBe('active');
  });

  it('delegation validates the certificate, and the record contains the target of the delegation', () => {
    const state = wildcard();
    expect(state?.record.ssl?.dcv_delegation_records).toEqual([
      { cname: `_acme-challenge.${hostname}`, cname_target: `${hostname}.zone.dcv.platform.net` },
    ]);
    expect(state && until(state, seen({ delegated: true }), start + 20 * minute)?.record.ssl?.status).toBe(
      'active',
    );
  });

  it('ssl_com requires two sets of records from customers', () => {
    const certificate = { ...txtOrder, authority: 'ssl_com' as const };
    const state = until(created({ certificate }), seen(), start + minute);
    expect(state?.record.ssl?.validation_records).toHaveLength(4);
  });

  it('the HTTP token that the customer serves validates the certificate', () => {
    const state = until(created({}, away), away, start + minute);
    const body = state?.record.ssl?.validation_records?.[0]?.http_body ?? '';
    const served = state && until(state, { ...away, dcvHttp: body }, start + 20 * minute);
    expect(statuses(served)).toBe('pending / active');
  });

  it('reports the message of an authority that refuses, and retries', () => {
    const wanting = advance(created(), () => seen(), start + minute);
    const message = 'The authority has rate limited these domains.';
    const refused = next(wanting, { type: 'issuance-refused', message }, start + minute);
    expect(refused.record.ssl?.validation_errors).toEqual([{ message }]);
    expect(statuses(until(refused, seen(), start + 3 * minute))).toBe('active / active');
  });
});

describe('expiry and renewal', () => {
  it('a certificate is renewed 30 days before it expires while DNS points here', () => {
    const state = until(active(), seen(), start + 61 * day);
    expect(statuses(state)).toBe('active / active');
    expect(Date.parse(state?.record.ssl?.expires_on ?? '')).toBeGreaterThan(start + 140 * day);
  });

  it('a certificate changes from pending_expiration to expired if validation fails', () => {
    const state = active();
    expect(statuses(until(state, unknown, start + 61 * day))).toBe('active / pending_expiration');
    const expired = until(state, unknown, start + 91 * day);
    expect(statuses(expired)).toBe('active / expired');
    const again = next(expired, { type: 'patch', change: samePatch, seen: seen() }, start + 91 * day);
    expect(statuses(until(again, seen(), start + 91 * day + minute))).toBe('active / active');
  });

  it('an uploaded certificate expires without renewal', () => {
    const certificate = { ...txtOrder, wildcard: false, customCertificate: 'PEM', customKey: 'KEY' };
    const uploaded = certificateUntil(start + 20 * day);
    const state = next(
      created(),
      { type: 'patch', change: { certificate }, seen: seen(), uploaded },
      start + minute,
    );
    expect(state.record.ssl).toMatchObject({ status: 'pending_deployment', custom_certificate: 'PEM' });
    expect(JSON.stringify(state.record)).not.toContain('KEY');
    expect(statuses(until(state, seen(), start + 19 * day))).toBe('active / active');
    expect(statuses(until(state, seen(), start + 20 * day))).toBe('active / expired');
  });
});

describe('PATCH', () => {
  it('a PATCH requests a new certificate from another authority and keeps the hostname active', () => {
    const change = { certificate: { authority: 'lets_encrypt' as const, settings: {} } };
    const state = next(active(), { type: 'patch', change, seen: seen() }, start + 2 * minute);
    expect(statuses(state)).toBe('active / initializing');
    const done = until(state, seen(), start + 3 * minute);
    expect(done?.record.ssl).toMatchObject({ status: 'active', certificate_authority: 'lets_encrypt' });
  });

  it('a PATCH leaves a valid certificate unchanged if it requests the same certificate', () => {
    const state = next(active(), { type: 'patch', change: samePatch, seen: seen() }, start + 2 * minute);
    expect(statuses(state)).toBe('active / active');
  });

  it('a PATCH replaces the settings, and leaves the hostname in redeployment for some seconds', () => {
    const change = { certificate: { settings: { min_tls_version: '1.2' } } };
    const state = next(active(), { type: 'patch', change, seen: seen() }, start + 2 * minute);
    expect(statuses(state)).toBe('active_redeploying / active');
    const settled = until(state, seen(), start + 3 * minute);
    expect(settled?.record).toMatchObject({
      status: 'active',
      ssl: { settings: { min_tls_version: '1.2' } },
    });
    const reset = next(settled, { type: 'patch', change: samePatch, seen: seen() }, start + 3 * minute);
    expect(reset.record.ssl?.settings).toEqual({});
  });

  it('a PATCH sets and removes origin and metadata', () => {
    const change = { origin: 'o.saas.com', originSni: 'o.saas.com', metadata: { plan: 'gold' } };
    const state = next(active(), { type: 'patch', change, seen: seen() }, start + 2 * minute);
    expect(state.record).toMatchObject({
      custom_origin_server: 'o.saas.com',
      custom_metadata: { plan: 'gold' },
    });
    const back = { origin: null, originSni: null };
    const without = next(state, { type: 'patch', change: back, seen: seen() }, start + 3 * minute);
    expect(without.record).not.toHaveProperty('custom_origin_server');
    expect(without.record).not.toHaveProperty('custom_origin_sni');
  });

  it('a PATCH adds a certificate to a hostname without a certificate', () => {
    const { ssl: _ssl, ...record } = created().record;
    const { certificate: _certificate, ...bare } = { ...created(), record };
    expect(bare.record).not.toHaveProperty('ssl');
    const change = { certificate: { method: 'http' as const, settings: {} } };
    const state = next(bare, { type: 'patch', change, seen: seen() }, start + minute);
    expect(statuses(until(state, seen(), start + 2 * minute))).toBe('active / active');
  });
});

it('ignores a certificate that was not requested', () => {
  const state = active();
  expect(step(state, { type: 'issued', certificate: certificateUntil(start) }, start)).toBe(state);
});

it('checks a hostname early on request', () => {
  const state = until(created({}, gone), gone, start + day);
  expect(next(state, { type: 'check', seen: seen() }, start + day).record.status).toBe('active');
});
