import { known, unknown } from '../../../src/model/diagnosis/facts.ts';
import { type Case, wait } from './case.ts';
import { facts, hostname, withRecord } from './fixture.ts';

/** Cases for the rules whose ids start with B. */
export const prerequisites: readonly Case[] = [
  {
    id: 'B1',
    when: 'no fallback origin is set',
    given: facts({ fallback: known(null), target: known('origin.saas.com') }),
    expected: {
      severity: 'error',
      who: 'us',
      fix: { kind: 'set-fallback', origin: 'origin.saas.com' },
      remedy: { command: { kind: 'set-fallback', origin: 'origin.saas.com' } },
    },
  },
  {
    id: 'B1',
    when: 'no fallback origin is set and no record could be one',
    given: facts({
      fallback: known(null),
      target: unknown('no fallback origin'),
      originRecord: unknown('the token may not read DNS'),
    }),
    expected: { remedy: { command: { kind: 'set-fallback', origin: '<origin in saas.com>' } } },
  },
  {
    // "The fallback origin must be a proxied record of your zone" (provider's documentation, Get started, fallback origin).
    id: 'B1',
    when: 'customers point to a name outside the zone, and the zone has a proxied record',
    given: facts({
      fallback: known(null),
      target: known('customers.vanity.net'),
      originRecord: known({
        id: 'r',
        type: 'A',
        name: 'app.saas.com',
        content: '198.51.100.1',
        proxied: true,
      }),
    }),
    expected: { who: 'us', remedy: { command: { kind: 'set-fallback', origin: 'app.saas.com' } } },
  },
  {
    id: 'B1',
    when: 'customers point to a name outside the zone, and the zone has no proxied record',
    given: facts({
      fallback: known(null),
      target: known('customers.vanity.net'),
      originRecord: known(null),
    }),
    expected: {
      who: 'us',
      remedy: {
        command: {
          kind: 'set-record',
          name: 'origin.saas.com',
          type: 'A',
          value: '<address of your origin>',
          proxied: true,
        },
      },
    },
  },
  {
    id: 'B2',
    when: 'it is being deployed',
    given: facts({ fallback: known({ origin: 'o.saas.com', status: 'initializing' }) }),
    expected: wait,
  },
  {
    id: 'B3',
    when: 'its deployment timed out',
    given: facts({ fallback: known({ origin: 'o.saas.com', status: 'deployment_timed_out' }) }),
    expected: { severity: 'error', fix: { kind: 'set-fallback', origin: 'o.saas.com' } },
  },
  {
    id: 'B3',
    when: 'it reports errors',
    given: facts({
      fallback: known({ origin: 'o.saas.com', status: 'pending_deployment', errors: ['no record'] }),
    }),
    expected: { evidence: ['fallback origin o.saas.com: pending_deployment', 'no record'] },
  },
  {
    id: 'B4',
    when: 'its DNS record is missing',
    given: facts({ originRecord: known(null) }),
    expected: { severity: 'error', who: 'us', remedy: { records: [{ name: 'origin.saas.com' }] } },
  },
  {
    id: 'B4',
    when: 'its DNS record is not proxied',
    given: facts({
      originRecord: known({
        id: 'o',
        type: 'A',
        name: 'origin.saas.com',
        content: '198.51.100.1',
        proxied: false,
      }),
    }),
    expected: { fix: { kind: 'dns-record', id: 'o', proxied: true } },
  },
  {
    id: 'B5',
    when: 'the DNS record of its custom origin is missing',
    given: withRecord({ custom_origin_server: 'own.saas.com' }, {}, { originRecord: known(null) }),
    expected: { severity: 'error', who: 'us', remedy: { records: [{ name: 'own.saas.com' }] } },
  },
  {
    id: 'B6',
    when: 'it is the name of the zone',
    given: facts({ zone: known({ id: 'z', name: hostname, status: 'active' }) }),
    expected: { severity: 'error', remedy: { command: { kind: 'delete', hostname } } },
  },
  {
    id: 'B7',
    when: 'no more can be created',
    given: facts({ record: known(null), quota: known({ allocated: 100, used: 200, hard_cap: 200 }) }),
    expected: { severity: 'error' },
  },
  {
    id: 'B7',
    when: 'the allocation is used up',
    given: facts({ quota: known({ allocated: 100, used: 100 }) }),
    expected: { severity: 'warn' },
  },
  {
    id: 'B8',
    when: 'issuance is blocked',
    given: facts({ issuance: known({ blockedSeconds: 17 }) }),
    expected: { ...wait, evidence: ['17 seconds left'] },
  },
  {
    id: 'B8',
    when: 'issuance is blocked for one more second',
    given: facts({ issuance: known({ blockedSeconds: 1 }) }),
    expected: { ...wait, evidence: ['1 second left'] },
  },
  {
    id: 'B9',
    when: 'the zone is paused',
    given: facts({ zone: known({ id: 'z', name: 'saas.com', status: 'active', paused: true }) }),
    expected: { severity: 'warn' },
  },
  {
    id: 'B9',
    when: 'the zone is pending',
    given: facts({ zone: known({ id: 'z', name: 'saas.com', status: 'pending' }) }),
    expected: { severity: 'warn' },
  },
];
