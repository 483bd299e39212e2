import { known } from '../../../src/model/diagnosis/facts.ts';
import { type Case, caaRefused, failedCaa, refresh, says, validating } from './case.ts';
import { caa, facts, hostname, inDns, target, withRecord } from './fixture.ts';

/** Cases for the rules whose ids start with E. */
export const caaCases: readonly Case[] = [
  {
    id: 'E0',
    when: 'the status is caa_error and CAA cannot be read',
    given: inDns(caaRefused, failedCaa),
    expected: { severity: 'error' },
  },
  { id: 'E1', when: 'there are no records', given: facts(), expected: { severity: 'ok' } },
  {
    id: 'E1',
    when: 'the records do not restrict any authority',
    given: inDns(facts(), caa([['iodef', 'mailto:a@acme.com']])),
    expected: { severity: 'ok' },
  },
  {
    id: 'E2',
    when: 'the authority is listed',
    given: inDns(facts(), caa([['issue', 'pki.goog']])),
    expected: { severity: 'ok', evidence: ['CAA at acme.com: 0 issue "pki.goog"'] },
  },
  {
    id: 'E2',
    when: 'the hostname is not registered yet and a default authority is listed',
    given: inDns(facts({ record: known(null) }), caa([['issue', 'ssl.com']])),
    expected: { severity: 'ok' },
  },
  {
    id: 'E3',
    when: 'other authorities are listed',
    given: inDns(caaRefused, caa([['issue', 'other-ca.net']])),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'E4',
    when: 'the wildcard is refused',
    given: inDns(
      validating({ method: 'txt', wildcard: true }),
      caa([
        ['issue', 'pki.goog'],
        ['issuewild', ';'],
      ]),
    ),
    expected: { severity: 'error', remedy: { records: [{ value: '0 issuewild "pki.goog"' }] } },
  },
  {
    id: 'E5',
    when: 'no authority may issue',
    given: inDns(caaRefused, caa([['issue', ';']])),
    expected: { severity: 'error' },
  },
  {
    id: 'E6',
    when: 'an unknown tag is critical',
    given: inDns(
      caaRefused,
      caa([
        ['tbs', 'x', 128],
        ['issue', 'pki.goog'],
      ]),
    ),
    expected: {
      severity: 'error',
      remedy: { records: [{ name: 'acme.com', value: '128 tbs "x"', remove: true }] },
    },
  },
  {
    id: 'E7',
    when: 'an account is required',
    given: inDns(caaRefused, caa([['issue', 'pki.goog; accounturi=https://x/1']])),
    expected: { severity: 'error' },
  },
  {
    id: 'E7',
    when: 'another method is required',
    given: inDns(caaRefused, caa([['issue', 'pki.goog; validationmethods=dns-01']])),
    expected: { severity: 'error' },
  },
  {
    id: 'E8',
    when: 'the records are at the CNAME target',
    given: inDns(caaRefused, caa([['issue', 'other-ca.net']], { owner: hostname, alias: target })),
    expected: { severity: 'error', who: 'us', remedy: { records: [{ name: target }] } },
  },
  {
    id: 'E9',
    when: 'the CAA lookup fails while the name resolves',
    given: inDns(validating({}), failedCaa),
    expected: { severity: 'error', who: 'customer' },
  },
  { id: 'E10', when: 'CAA now allows it', given: caaRefused, expected: { severity: 'progress', ...refresh } },
  {
    id: 'E11',
    when: 'only one authority is allowed and the platform chooses',
    given: inDns(withRecord({}, { certificate_authority: '' }), caa([['issue', 'letsencrypt.org']])),
    expected: {
      severity: 'warn',
      remedy: { records: [{ value: '0 issue "pki.goog"' }, { value: '0 issue "ssl.com"' }] },
    },
  },
  {
    id: 'E11',
    when: 'only one authority is allowed',
    given: inDns(facts(), caa([['issue', 'pki.goog']])),
    expected: { severity: 'info' },
  },
  {
    id: 'E12',
    when: 'perspectives differ',
    given: says('multiple perspective CAA check error'),
    expected: { severity: 'error' },
  },
];
