import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AcmeMethod,
  allowedAuthorities,
  caaOutcome,
  criticalUnknown,
  decideCaa,
  issuerDomains,
  listAuthorities,
  parseIssueValue,
} from '../../../src/model/diagnosis/caa.ts';
import type { CaaFacts } from '../../../src/model/diagnosis/facts.ts';
import type { CaaRecord } from '../../../src/model/dns/dns.ts';
import { roundsInPart } from '../../support/in-part.ts';
import { mayIssue } from './caa-second-reading.ts';

const name = 'shop.acme.com';

function facts(...records: (readonly [tag: string, value: string, flags?: number])[]): CaaFacts {
  const set = records.map(([tag, value, flags = 0]) => ({ tag, value, flags }));
  return {
    name,
    asked: [
      { owner: name, outcome: 'none' },
      { owner: 'acme.com', outcome: 'records', records: set },
    ],
  };
}

const google = { authority: 'google' as const };

describe('CAA', () => {
  it('CAA allows every certificate authority if there are no records up to the top-level domain', () => {
    const asked = ['shop.acme.com', 'acme.com', 'com'].map((owner) => ({ owner, outcome: 'none' as const }));
    const verdict = { outcome: 'allowed', reason: 'no-records' };
    expect(decideCaa({ name, asked }, google)).toEqual({ base: verdict, wildcard: verdict });
  });

  it('CAA is undecided if the records cannot be read, and the result names the owner and the failure', () => {
    const asked = [{ owner: name, outcome: 'failed' as const, detail: 'SERVFAIL from 192.0.2.1' }];
    const decision = decideCaa({ name, asked }, google);
    expect(decision).toMatchObject({ owner: name, detail: 'SERVFAIL from 192.0.2.1' });
    expect(caaOutcome(decision, false)).toEqual({ outcome: 'unknown', reason: 'lookup-failed' });
    expect(caaOutcome(decision, true).outcome).toBe('unknown');
  });

  it('CAA names the owner of the records and, after a CNAME, the alias that has the records', () => {
    const records = [{ flags: 0, tag: 'issue', value: 'pki.goog' }];
    const asked = [{ owner: name, outcome: 'records' as const, records, alias: 'customers.saas.com' }];
    expect(decideCaa({ name, asked }, google)).toMatchObject({ owner: name, alias: 'customers.saas.com' });
  });

  it.each([
    ['the issuer is named', facts(['issue', 'pki.goog']), 'allowed', 'authorized'],
    [
      'the issuer is named in other letter case, with spaces and an unrelated parameter',
      facts(['ISSUE', ' PKI.Goog ; cansignhttpexchanges=yes']),
      'allowed',
      'authorized',
    ],
    ['the issuer is named with a semicolon after it', facts(['issue', 'pki.goog;']), 'allowed', 'authorized'],
    [
      'the issuer is named among others',
      facts(['issue', 'letsencrypt.org'], ['issue', 'pki.goog']),
      'allowed',
      'authorized',
    ],
    ['only other issuers are named', facts(['issue', 'letsencrypt.org']), 'refused', 'not-listed'],
    ['no issuer is named', facts(['issue', ';']), 'refused', 'nobody'],
    ['the value is empty', facts(['issue', '']), 'refused', 'nobody'],
    ['the value is garbage', facts(['issue', 'pki.goog pki.goog']), 'refused', 'nobody'],
    ['a parameter is broken', facts(['issue', 'pki.goog; a']), 'refused', 'nobody'],
    ['only reports are requested', facts(['iodef', 'mailto:a@acme.com', 128]), 'allowed', 'unrestricted'],
    ['only wildcards are restricted', facts(['issuewild', ';']), 'allowed', 'unrestricted'],
    ['an unknown tag is not critical', facts(['tbs', 'x'], ['issue', 'pki.goog']), 'allowed', 'authorized'],
    ['an unknown tag is critical', facts(['tbs', 'x', 128], ['issue', 'pki.goog']), 'refused', 'critical'],
    ['an unknown tag has flag 1', facts(['tbs', 'x', 1], ['issue', 'pki.goog']), 'refused', 'critical'],
    ['a known tag is critical', facts(['issue', 'pki.goog', 128]), 'allowed', 'authorized'],
    ['an account is required', facts(['issue', 'pki.goog; accounturi=https://x/1']), 'refused', 'account'],
    [
      'one of two records requires an account',
      facts(['issue', 'pki.goog; accounturi=https://x/1'], ['issue', 'pki.goog']),
      'allowed',
      'authorized',
    ],
    ['methods are empty', facts(['issue', 'pki.goog; validationmethods=']), 'refused', 'method'],
    [
      'methods are specified twice',
      facts(['issue', 'pki.goog; validationmethods=dns-01; validationmethods=dns-01']),
      'refused',
      'method',
    ],
  ] as const)('CAA gives the specified decision when %s', (_case, given, outcome, reason) => {
    expect(decideCaa(given, google).base).toEqual({ outcome, reason });
  });

  it.each([
    [facts(['issue', 'pki.goog']), 'allowed'],
    [facts(['issue', 'pki.goog'], ['issuewild', ';']), 'refused'],
    [facts(['issue', 'pki.goog'], ['issuewild', 'letsencrypt.org']), 'refused'],
    [facts(['issue', ';'], ['IssueWild', 'pki.goog']), 'allowed'],
  ] as const)('CAA for a wildcard follows issuewild before issue: %j', (given, outcome) => {
    expect(decideCaa(given, google).wildcard.outcome).toBe(outcome);
  });

  it('CAA must allow both names of a wildcard certificate', () => {
    expect(caaOutcome(decideCaa(facts(['issue', ';'], ['issuewild', 'pki.goog']), google), true)).toEqual({
      outcome: 'refused',
      reason: 'nobody',
    });
  });

  it.each([
    [['http-01'], 'refused'],
    [['dns-01'], 'allowed'],
    [undefined, 'allowed'],
  ] as const)(
    'CAA with validationmethods=dns-01 depends on the validation methods: %j',
    (methods, outcome) => {
      const given = facts(['issue', 'pki.goog; validationmethods=dns-01']);
      expect(decideCaa(given, { ...google, ...(methods && { methods }) }).base.outcome).toBe(outcome);
    },
  );

  it('CAA reduces the default choice to the allowed authorities, and keeps their order', () => {
    const given = facts(['issue', 'ssl.com'], ['issue', 'letsencrypt.org']);
    expect(allowedAuthorities(given, 'default', false)).toEqual(['lets_encrypt', 'ssl_com']);
    expect(allowedAuthorities(given, 'google', false)).toEqual([]);
    expect(listAuthorities('default')[0]).toBe('google');
  });

  it('CAA returns the unknown records that are marked critical', () => {
    const records = [
      { flags: 128, tag: 'tbs', value: '' },
      { flags: 0, tag: 'tbs', value: '' },
      { flags: 128, tag: 'Issue', value: '' },
    ];
    expect(criticalUnknown(records)).toEqual([records[0]]);
  });
});

describe('an issue value', () => {
  it.each([
    ['ca.org', { issuer: 'ca.org', parameters: [] }],
    [
      ' \tCA-1.Org\t; a = b ;c=',
      {
        issuer: 'ca-1.org',
        parameters: [
          { tag: 'a', value: 'b' },
          { tag: 'c', value: '' },
        ],
      },
    ],
    [';', { parameters: [] }],
    ['', { parameters: [] }],
    ['ca..org', undefined],
    ['-ca.org', undefined],
    ['ca-.org', undefined],
    ['%%%%%', undefined],
    ['ca.org; a=b;', undefined],
    ['ca.org; a=b c', undefined],
    ['café.org', undefined],
  ])('parses the issue value %j', (value, expected) => {
    expect(parseIssueValue(value)).toEqual(expected);
  });
});

const pieces = fc.constantFrom(
  'pki.goog',
  'PKI.GOOG',
  'letsencrypt.org',
  'ssl.com',
  'a-b.org',
  'a..b',
  '-a',
  ';',
  ';;',
  ' ',
  '\t',
  '=',
  ',',
  'é',
  'accounturi=https://acme/1',
  'validationmethods=dns-01',
  'validationmethods=http-01,dns-01',
  'validationmethods=',
  'ValidationMethods=http-01',
  'x=y',
  'x',
  '"',
  '.',
);
const value = fc.oneof(
  fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 4 }).map((parts) => parts.join('; ')),
  fc.string({ maxLength: 12 }),
);
const record: fc.Arbitrary<CaaRecord> = fc.record({
  flags: fc.constantFrom(0, 0, 0, 1, 2, 128, 129, 255),
  tag: fc.constantFrom('issue', 'issue', 'Issue', 'issuewild', 'IssueWild', 'iodef', 'tbs', ''),
  value,
});

describe('CAA decisions, compared with a second implementation of RFC 8659', () => {
  it('returns the same decision for every record set, for base and wildcard, authorities and methods', () => {
    const methods = fc.constantFrom<readonly AcmeMethod[]>(['http-01'], ['dns-01'], ['http-01', 'dns-01']);
    const authority = fc.constantFrom('google' as const, 'lets_encrypt' as const, 'ssl_com' as const);
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 6 }),
        authority,
        methods,
        (records, ca, proofs) => {
          const asked = [{ owner: name, outcome: 'records' as const, records }];
          const decision = decideCaa({ name, asked }, { authority: ca, methods: proofs });
          const domain = issuerDomains[ca];
          expect(decision.base.outcome === 'allowed').toBe(mayIssue(records, domain, false, proofs));
          expect(decision.wildcard.outcome === 'allowed').toBe(mayIssue(records, domain, true, proofs));
        },
      ),
      { numRuns: roundsInPart(5000, 10) },
    );
  });
});
