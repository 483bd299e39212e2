import { expect } from 'vitest';
import { known } from '../../../src/model/diagnosis/facts.ts';
import { byText, type Case, certificate, delegation, long, refresh, says, validating, wait } from './case.ts';
import { ago, caa, day, facts, hostname, hour, inDns, minute, noName, now, withRecord } from './fixture.ts';

const withoutCertificate = { id: 'r', hostname, status: 'active' };

/** Cases for the rules whose ids start with F. */
export const certificates: readonly Case[] = [
  {
    id: 'F1',
    when: 'there is no certificate',
    given: facts({ record: known(withoutCertificate) }),
    expected: { severity: 'warn' },
  },
  {
    id: 'F2',
    when: 'it was just ordered',
    given: validating({ status: 'initializing' }, minute),
    expected: wait,
  },
  {
    id: 'F3',
    when: 'it is stuck',
    given: validating({ status: 'initializing' }),
    expected: { severity: 'error', ...refresh },
  },
  {
    id: 'F3',
    when: 'its initialization timed out',
    given: validating({ status: 'initializing_timed_out' }),
    expected: { severity: 'error' },
  },
  { id: 'F4', when: 'HTTP validation is in progress', given: validating({}), expected: wait },
  {
    id: 'F5',
    when: 'HTTP validation does not reach us',
    given: inDns(
      validating({ validation_records: [{ http_url: 'http://shop.acme.com/.well-known/x' }] }),
      noName,
    ),
    expected: {
      severity: 'error',
      fix: { kind: 'set-method', method: 'txt' },
      remedy: { command: { kind: 'edit', hostname, field: 'method', value: 'txt' } },
    },
  },
  {
    id: 'F6',
    when: 'a wildcard must be validated over HTTP',
    given: validating({ wildcard: true }),
    expected: { severity: 'error', fix: { kind: 'set-method' } },
  },
  {
    id: 'F7',
    when: 'all TXT tokens exist',
    given: inDns(validating(byText), { challengeTxt: known(['two', 'x', 'one']) }),
    expected: { severity: 'progress', ...refresh },
  },
  {
    id: 'F8',
    when: 'one TXT token is missing',
    given: inDns(validating(byText), { challengeTxt: known(['one']) }),
    expected: {
      severity: 'error',
      remedy: { records: [{ name: `_acme-challenge.${hostname}`, type: 'TXT', value: 'two' }] },
    },
  },
  {
    id: 'F9',
    when: 'only other TXT values exist',
    given: inDns(validating(byText), { challengeTxt: known(['x']) }),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'F10',
    when: 'no TXT token exists',
    given: validating(byText),
    expected: {
      severity: 'error',
      remedy: { records: [{ value: 'one' }, { value: 'two' }, { type: 'CNAME', value: delegation }] },
    },
  },
  {
    id: 'F11',
    when: 'it is delegated',
    given: inDns(validating(byText), { challengeAlias: known(delegation) }),
    expected: wait,
  },
  {
    id: 'F12',
    when: 'it is delegated to another target',
    given: inDns(validating(byText), { challengeAlias: known(`${hostname}.old.dcv.platform.net`) }),
    expected: { severity: 'error', remedy: { records: [{ type: 'CNAME', value: delegation }] } },
  },
  {
    id: 'F13',
    when: 'hidden TXT records hide the delegation',
    given: inDns(validating(byText), {
      challengeAlias: known(delegation),
      challengeTxt: known(['hidden']),
      delegatedTxt: known(['one']),
    }),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'F14',
    when: 'tokens are older than 14 days',
    given: validating({}, 15 * day),
    expected: { severity: 'error', ...refresh },
  },
  {
    id: 'F14',
    when: "Let's Encrypt's tokens are older than 7 days",
    given: validating({ certificate_authority: 'lets_encrypt' }, 8 * day),
    expected: { cause: expect.stringContaining('7 days') },
  },
  {
    id: 'F15',
    when: 'validation timed out',
    given: certificate('validation_timed_out'),
    expected: { severity: 'error', ...refresh },
  },
  {
    id: 'F15',
    when: 'it timed out with the older status',
    given: certificate('timed_out'),
    expected: { severity: 'error' },
  },
  {
    id: 'F16',
    when: "the authority's limit is reached",
    given: says('The authority has rate limited these domains'),
    expected: { severity: 'error', fix: { kind: 'set-ca', authority: 'lets_encrypt' } },
  },
  {
    id: 'F17',
    when: 'the authority has an internal error',
    given: says('Internal error with Certificate Authority'),
    expected: { severity: 'error', who: 'us' },
  },
  {
    id: 'F18',
    when: 'the authority sees a risk',
    given: says('reported as potential risk'),
    expected: { severity: 'error' },
  },
  {
    id: 'F19',
    when: 'the authority got SERVFAIL, but DNS answers now',
    given: says('SERVFAIL during DNS lookup'),
    expected: { severity: 'error', ...refresh },
  },
  {
    id: 'F19',
    when: 'the authority gets SERVFAIL after a restart too',
    given: { ...says('SERVFAIL during DNS lookup'), history: { refreshedAt: now - hour } },
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'F20',
    when: 'a long name is not registered',
    given: facts({ hostname: long, record: known(null) }),
    expected: {
      severity: 'error',
      fix: { kind: 'create', branding: true },
      remedy: { command: { kind: 'create', hostname: long, branding: true } },
    },
  },
  {
    id: 'F20',
    when: 'the Common Name is too long',
    given: says('Common Name being too long'),
    expected: { fix: { kind: 'recreate-branding' } },
  },
  {
    id: 'F21',
    when: 'Google must certify an international name',
    given: { ...validating({}), hostname: 'xn--bcher-kva.acme.com' },
    expected: { severity: 'error', fix: { authority: 'lets_encrypt' } },
  },
  {
    id: 'F21',
    when: "Let's Encrypt must certify more than 10 labels",
    given: {
      ...validating({ certificate_authority: 'lets_encrypt' }),
      hostname: `${'a.'.repeat(9)}acme.com`,
    },
    expected: { severity: 'error', fix: { authority: 'google' } },
  },
  {
    id: 'F22',
    when: 'it is being issued',
    given: validating({ status: 'pending_issuance' }),
    expected: wait,
  },
  {
    id: 'F22',
    when: 'deployment takes a long time',
    given: validating({ status: 'pending_deployment' }, 2 * hour),
    expected: { severity: 'warn', ...refresh },
  },
  {
    id: 'F23',
    when: 'renewal is due',
    given: withRecord({}, { expires_on: ago(-20 * day) }),
    expected: { severity: 'warn', who: 'us' },
  },
  { id: 'F23', when: 'it says so', given: certificate('pending_expiration'), expected: { severity: 'warn' } },
  {
    id: 'F23',
    when: 'an uploaded certificate expires soon',
    given: withRecord({}, { expires_on: ago(-20 * day), custom_certificate: 'PEM' }),
    expected: { who: 'customer' },
  },
  {
    id: 'F39',
    when: 'an active wildcard was validated by TXT, and its tokens change at each renewal',
    given: withRecord({}, { method: 'txt', wildcard: true }),
    expected: { severity: 'warn', who: 'customer', remedy: { records: [{ type: 'CNAME' }] } },
  },
  {
    id: 'F24',
    when: 'it has expired',
    given: certificate('expired'),
    expected: { severity: 'error', ...refresh },
  },
  {
    id: 'F24',
    when: 'its expiry date has passed',
    given: withRecord({}, { expires_on: ago(day) }),
    expected: { severity: 'error' },
  },
  {
    id: 'F24',
    when: 'an uploaded certificate has expired',
    given: withRecord({}, { status: 'expired', custom_certificate: 'PEM' }),
    expected: { who: 'customer', remedy: { text: expect.stringContaining('upload') } },
  },
  {
    id: 'F25',
    when: 'the zone is not active',
    given: certificate('holding_deployment'),
    expected: { severity: 'warn' },
  },
  {
    id: 'F26',
    when: 'an email was sent',
    given: validating({ method: 'email', validation_records: [{ emails: ['admin@acme.com'] }] }),
    expected: { severity: 'progress', evidence: ['sent to admin@acme.com'] },
  },
  {
    id: 'F27',
    when: 'it is in staging',
    given: certificate('staging_active'),
    expected: { severity: 'warn' },
  },
  {
    id: 'F27',
    when: 'a backup certificate was issued',
    given: certificate('backup_issued'),
    expected: { severity: 'info' },
  },
  {
    id: 'F28',
    when: "it is from Let's Encrypt",
    given: withRecord({}, { certificate_authority: 'lets_encrypt' }),
    expected: {
      severity: 'info',
      remedy: {
        command: { kind: 'edit', hostname, field: 'ca', value: 'default' },
        text: expect.stringContaining('or use google'),
      },
    },
  },
  {
    id: 'F28',
    when: 'CAA allows no other authority',
    given: inDns(
      withRecord({}, { certificate_authority: 'lets_encrypt', issuer: 'LetsEncrypt' }),
      caa([['issue', 'letsencrypt.org']]),
    ),
    expected: {
      who: 'customer',
      evidence: ['authority: lets_encrypt'],
      remedy: { records: [{ name: 'acme.com', type: 'CAA', value: '0 issue "pki.goog"' }] },
    },
  },
  {
    id: 'F28',
    when: "an uploaded certificate is from Let's Encrypt",
    given: withRecord({}, { issuer: "Let's Encrypt R10", custom_certificate: 'PEM' }),
    expected: { who: 'customer', remedy: { text: expect.stringContaining('uploaded') } },
  },
];
