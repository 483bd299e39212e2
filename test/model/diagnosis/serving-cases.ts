import { expect } from 'vitest';
import { known } from '../../../src/model/diagnosis/facts.ts';
import { type Case, refresh, validating, wait } from './case.ts';
import { ago, day, facts, hostname, hour, minute, now, page, withRecord } from './fixture.ts';

const wildcard = known({ id: 'w', hostname: 'acme.com', status: 'active', ssl: { wildcard: true } });
const seenCertificate = {
  subject: 's',
  names: ['other.com'],
  issuer: 'i',
  validFrom: 0,
  validTo: now + day,
  serialNumber: '1',
  covers: false,
};

const withoutTokens = validating({ method: 'txt', wildcard: true }, hour);

/** Cases for the rules whose ids start with G. */
export const serving: readonly Case[] = [
  {
    id: 'G1',
    when: 'the edge answers 1016 before validation',
    given: withRecord(
      { status: 'pending', verification_errors: ['custom hostname does not CNAME to this zone.'] },
      {},
      { http: page({ pageCode: 1016 }) },
    ),
    expected: {
      severity: 'error',
      evidence: [
        `http://${hostname}/ at 192.0.2.1: 530, error 1016`,
        'status: pending',
        'custom hostname does not CNAME to this zone.',
      ],
    },
  },
  {
    id: 'G1',
    when: 'the edge answers 1016 while the fallback origin is being deployed',
    given: withRecord(
      { status: 'pending', created_at: ago(minute) },
      {},
      {
        fallback: known({ origin: 'origin.saas.com', status: 'pending_deployment' }),
        http: page({ pageCode: 1016 }),
      },
    ),
    expected: wait,
  },
  {
    id: 'G2',
    when: 'the edge answers 1016 while the fallback origin is being deployed',
    given: facts({
      fallback: known({ origin: 'origin.saas.com', status: 'initializing' }),
      http: page({ pageCode: 1016 }),
    }),
    expected: wait,
  },
  {
    id: 'G2',
    when: 'the edge answers 1016 without a fallback origin',
    given: facts({ fallback: known(null), https: page({ pageCode: 1016 }) }),
    expected: { severity: 'error', remedy: { command: { kind: 'set-fallback' } } },
  },
  {
    id: 'G2',
    when: 'the edge answers 1016 without its DNS record',
    given: facts({ originRecord: known(null), http: page({ pageCode: 1016 }) }),
    expected: {
      evidence: [expect.any(String), 'the zone has no DNS record for the origin origin.saas.com'],
      remedy: { command: { kind: 'set-record', name: 'origin.saas.com', proxied: true } },
    },
  },
  {
    id: 'G3',
    when: 'a separate zone overrides the wildcard',
    given: facts({ record: known(null), wildcardRecord: wildcard, standaloneZone: known('acme.com') }),
    expected: {
      severity: 'error',
      fix: { kind: 'create-exact' },
      remedy: { command: { kind: 'create', hostname, branding: false } },
    },
  },
  {
    id: 'G4',
    when: 'the origin fails',
    given: facts({ https: page({ status: 502 }) }),
    expected: { severity: 'warn' },
  },
  {
    id: 'G5',
    when: 'everything works',
    given: facts({ https: page({ status: 200 }) }),
    expected: { severity: 'ok' },
  },
  {
    id: 'G6',
    when: 'the edge presents another certificate',
    given: facts({ https: page({ status: 200, certificate: seenCertificate }) }),
    expected: { severity: 'error' },
  },
  {
    id: 'G6',
    when: 'the edge presents an expired certificate',
    given: facts({
      https: page({ status: 200, certificate: { ...seenCertificate, covers: true, validTo: now - day } }),
    }),
    expected: { severity: 'error', cause: 'The edge presents a certificate that has expired.' },
  },
  {
    id: 'G6',
    when: 'the edge presents a certificate that is not valid yet',
    given: facts({
      https: page({ status: 200, certificate: { ...seenCertificate, covers: true, validFrom: now + day } }),
    }),
    expected: { severity: 'error', cause: 'The edge presents a certificate that is not valid yet.' },
  },
  // The API can omit the tokens of a certificate (cloudflare/terraform-provider-cloudflare issue 1840).
  {
    id: 'G17',
    when: 'a wildcard waits for TXT tokens that the platform does not report',
    given: withoutTokens,
    expected: {
      severity: 'error',
      evidence: ['status: active, certificate: pending_validation'],
      ...refresh,
    },
  },
  {
    id: 'G17',
    when: 'a restart had no effect',
    given: { ...withoutTokens, history: { refreshedAt: now - hour } },
    expected: { severity: 'error', who: 'provider' },
  },
];
