import { known } from '../../../src/model/diagnosis/facts.ts';
import { asksCustomer, type Case, certificate, held, refresh, status, wait } from './case.ts';
import {
  ago,
  alias,
  day,
  facts,
  hostname,
  hour,
  inDns,
  noName,
  now,
  pendingCertificate,
  target,
  withRecord,
} from './fixture.ts';

/** Cases for the rules whose ids start with A. */
export const lifecycle: readonly Case[] = [
  {
    id: 'A0',
    when: 'the hostname is not registered',
    given: facts({ record: known(null) }),
    expected: {
      severity: 'error',
      who: 'us',
      fix: { kind: 'create' },
      remedy: { command: { kind: 'create', hostname, branding: false } },
    },
  },
  {
    id: 'A0',
    when: 'a wildcard with a custom origin was seen in Moved and was deleted since',
    given: facts({
      record: known(null),
      history: { lost: { hostname, seenAt: now, wildcard: true, origin: 'own.saas.com' } },
    }),
    expected: {
      remedy: {
        command: { kind: 'create', hostname, branding: false, wildcard: true, origin: 'own.saas.com' },
      },
    },
  },
  { id: 'A1', when: 'a status is unknown', given: status('reticulating'), expected: { severity: 'warn' } },
  {
    id: 'A1',
    when: 'a certificate status is unknown',
    given: certificate('half_way'),
    expected: { evidence: ['ssl.status: half_way'] },
  },
  {
    id: 'A2',
    when: 'it is deleted',
    given: status('deleted'),
    expected: { severity: 'critical', ...refresh },
  },
  {
    id: 'A2',
    when: 'its certificate is deleted',
    given: certificate('deleted'),
    expected: { severity: 'critical' },
  },
  { id: 'A3', when: 'it is being deleted', given: status('pending_deletion'), expected: wait },
  {
    id: 'A3',
    when: 'its certificate is being cleaned up',
    given: certificate('pending_cleanup'),
    expected: wait,
  },
  {
    id: 'A4',
    when: 'it is Moved and DNS is back',
    given: withRecord({ status: 'moved' }, {}, { history: { movedSeenAt: now - 2 * day } }),
    expected: {
      severity: 'critical',
      ...refresh,
      evidence: [
        'deleted in at most 5 days; first seen in Moved on 2026-05-30',
        `DNS: ${hostname} → ${target}`,
        'A: 192.0.2.1',
      ],
    },
  },
  {
    id: 'A5',
    when: 'it is Moved and DNS points elsewhere',
    given: inDns(status('moved'), alias('shops.other.com')),
    expected: { ...asksCustomer, severity: 'critical' },
  },
  {
    id: 'A6',
    when: 'it is Moved again after a refresh',
    given: withRecord(
      { status: 'moved' },
      {},
      { history: { movedSeenAt: now - day + hour, revivedAt: now - day } },
    ),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'A7',
    when: 'it was not validated within 7 days',
    given: inDns(
      withRecord({ status: 'moved', created_at: ago(8 * day), ssl: pendingCertificate() }),
      noName,
    ),
    expected: { severity: 'critical', ...refresh },
  },
  {
    id: 'A8',
    when: 'a hold keeps it Blocked',
    given: withRecord({ status: 'blocked', verification_errors: [held] }),
    expected: {
      severity: 'error',
      who: 'zone-owner',
      remedy: { command: { kind: 'release-hold', zone: 'acme.com' } },
    },
  },
  {
    id: 'A8',
    when: 'a readable hold is in force',
    given: withRecord(
      { status: 'blocked', verification_errors: ['held zone'] },
      {},
      {
        hold: known({ zone: 'acme.com', hold: true, includeSubdomains: true }),
      },
    ),
    expected: { who: 'zone-owner', remedy: { command: { kind: 'release-hold', zone: 'acme.com' } } },
  },
  {
    id: 'A8',
    when: 'the hold was released',
    given: withRecord({ status: 'blocked', verification_errors: [held] }, {}, { hold: known(null) }),
    expected: { severity: 'error', who: 'us', ...refresh },
  },
  {
    id: 'A9',
    when: 'it is Blocked without a hold',
    given: status('blocked'),
    expected: { severity: 'error', who: 'provider' },
  },
  { id: 'A10', when: 'it is redeploying', given: status('active_redeploying'), expected: wait },
  { id: 'A10', when: 'it is being migrated', given: status('test_pending'), expected: wait },
];
