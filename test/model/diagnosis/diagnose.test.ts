import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, diagnose, rules } from '../../../src/model/diagnosis/diagnose.ts';
import { type Facts, known, unknown } from '../../../src/model/diagnosis/facts.ts';
import type { Finding } from '../../../src/model/diagnosis/finding.ts';
import { daysLeftInMoved, inRanges } from '../../../src/model/diagnosis/rules/reading.ts';
import { differences } from '../../../src/model/diagnosis/rules/routing.ts';
import { texts } from './case.ts';
import { cases } from './cases.ts';
import {
  addresses,
  ago,
  alias,
  caa,
  day,
  direct,
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

function find(given: Facts, id: string): Finding | undefined {
  return diagnose(given).findings.find((finding) => finding.id === id);
}

function ids(given: Facts): readonly string[] {
  return diagnose(given).findings.map((finding) => finding.id);
}

describe('the rules', () => {
  it.each(cases)('the rule $id applies when $when', ({ id, given, expected }) => {
    const finding = find(given, id);
    expect(finding).toMatchObject(expected);
    expect(finding?.evidence.every((line) => line !== '' && !line.includes('undefined'))).toBe(true);
    expect(finding?.cause).not.toContain('undefined');
  });

  it('each rule has a test case', () => {
    const tried = new Set(cases.map((one) => one.id));
    expect(rules.map((rule) => rule.id).filter((id) => !tried.has(id))).toEqual([]);
  });

  it('each rule has a unique id', () => {
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
  });

  it.each(rules.map((rule) => rule.id).filter((id) => !['C3', 'E1', 'G5'].includes(id)))(
    'the rule %s does not apply to a healthy hostname',
    (id) => {
      expect(ids(facts())).not.toContain(id);
    },
  );
});

describe('a finding', () => {
  it('disappears if another authority was requested, although the edge still serves the old certificate', () => {
    const issuer = "Let's Encrypt R10";
    const ordered = withRecord({}, { status: 'initializing', certificate_authority: 'google', issuer });
    expect(ids(ordered)).not.toContain('F28');
  });

  // Provider's documentation, "Orange-to-Orange": the finding concerns two zones, the customer's zone and ours.
  it("disappears if our own zone, not the customer's, proxies the name", () => {
    const proxiedBy = (name: string) =>
      inDns(withRecord({ status: 'active' }), {
        ...direct(['192.0.2.9']),
        targetAddresses: addresses(['192.0.2.1']),
        zones: known([{ name, nameServers: ['ada.ns.cloudflare.com'] }]),
      });
    expect(ids(proxiedBy('acme.com'))).toContain('C23');
    expect(ids(proxiedBy('saas.com'))).not.toContain('C23');
  });

  it('requires no action by the customer if the CNAME points to a missing name of ours', () => {
    const chain = { hops: [{ name: hostname, target }], last: target, end: 'nothing' as const };
    for (const status of ['pending', 'active']) {
      const found = diagnose(inDns(withRecord({ status, created_at: ago(hour) }), { chain, ...noAddresses }));
      expect(found.findings.map(({ id }) => id)).toContain('C6');
      expect(found.findings.filter(({ who }) => who === 'customer')).toEqual([]);
    }
  });
});

const noAddresses = { addresses: addresses() };

describe('a diagnosis', () => {
  it('reports that a healthy hostname is healthy, and exits with 0', () => {
    const diagnosis = diagnose(facts());
    expect(ids(facts())).toEqual(['C3', 'E1', 'G5']);
    expect(diagnosis).toMatchObject({
      ...{ hostname, verdict: 'well', exit: 0, missing: [] },
      headline: { severity: 'ok' },
    });
  });

  it('lists the most severe finding first, and equally severe findings in table order', () => {
    const moved = inDns(withRecord({ status: 'moved' }, { status: 'expired' }), noName);
    const diagnosis = diagnose(moved);
    expect(diagnosis.headline?.id).toBe('A5');
    expect(diagnosis.findings.map((finding) => finding.id)).toEqual(['A5', 'C1', 'F24', 'E1']);
    expect(diagnosis.exit).toBe(7);
  });

  // An authority checks CAA after control of the name is proved, and before it issues the certificate (RFC 8555, 7.1.6 and 7.4; RFC 8659,
  // 3).
  it('requests the TXT tokens for a wildcard first, and another authority only after the tokens exist', () => {
    const ssl = pendingCertificate({ method: 'txt', wildcard: true, validation_records: texts });
    const refusing = inDns(withRecord({ ssl }), caa([['issue', 'letsencrypt.org']]));
    const missing = diagnose(refusing);
    expect(missing.headline).toMatchObject({ id: 'F10', who: 'customer' });
    expect(missing.findings.map(({ id }) => id)).toContain('E3');
    const { headline } = diagnose(inDns(refusing, { challengeTxt: known(['one', 'two']) }));
    expect(headline).toMatchObject({ id: 'E3', remedy: { command: { field: 'ca', value: 'default' } } });
  });

  it('counts one error for an unregistered hostname, and shows the consequences below the error', () => {
    const elsewhere = {
      hops: [{ name: hostname, target: 'foo.net' }],
      last: 'foo.net',
      end: 'name' as const,
    };
    const unknown = inDns(facts({ record: known(null) }), { ...caa([['issue', ';']]), chain: elsewhere });
    const { findings } = diagnose(unknown);
    expect(findings.map(({ id, because }) => [id, because])).toEqual([
      ['A0', undefined],
      ['C4', 'A0'],
      ['E5', 'A0'],
    ]);
  });

  // Certificate statuses: after a timeout, a PATCH with the same method and type orders a certificate again; creating the hostname again
  // would change its ownership token.
  it('names the missing records of a certificate whose validation schedule has ended, and does not advise a deletion', () => {
    const ssl = { ...pendingCertificate({ method: 'txt', wildcard: true, validation_records: texts }) };
    const over = withRecord({ ssl: { ...ssl, status: 'validation_timed_out' } });
    expect(diagnose(inDns(over, { challengeTxt: known([]) })).headline).toMatchObject({
      id: 'F15',
      cause: expect.stringContaining('its TXT tokens are not in DNS'),
      remedy: { text: 'Restart validation, and give the new TXT tokens to the customer.' },
    });
    const away = diagnose(inDns(over, { ...noName, challengeTxt: known([]) }));
    const { because, remedy } = away.findings.find(({ id }) => id === 'F15') ?? {};
    expect(because).toBeDefined();
    expect(remedy?.text).toMatch(`Resolve ${because} first, then restart validation`);
  });

  // "Internal error with Certificate Authority": wait 24 hours (Domain control validation: troubleshooting). The platform's next attempt
  // can be four hours away (Validation backoff schedule). Choosing another authority requires an Enterprise plan (error 1459).
  it('advises contacting the platform about a failing authority only after a wait and one more attempt', () => {
    const message = 'Internal error with Certificate Authority';
    const ssl = { ...pendingCertificate({}), status: 'pending_issuance', validation_errors: [{ message }] };
    const whoActs = (created: number, history: Facts['history']) =>
      diagnose(withRecord({ created_at: ago(created), ssl }, {}, { plan: known('free'), history })).headline
        ?.who;
    expect(whoActs(hour, { refusedAt: now })).toBe('nobody');
    expect(whoActs(26 * hour, { refusedAt: now - 25 * hour })).toBe('us');
    expect(whoActs(27 * hour, { refusedAt: now - 26 * hour, refreshedAt: now - hour })).toBe('provider');
    expect(whoActs(27 * hour, { refusedAt: now - hour, refreshedAt: now - 26 * hour })).toBe('us');
  });

  // Specification, Blocked status: "while held, verification cannot complete", so no wait for the certificate is advised.
  it('reports no certificate validation while the hostname is blocked', () => {
    const ssl = pendingCertificate({});
    const said = ['The hostname is associated with a held zone (acme.com).'];
    const blocked = diagnose(withRecord({ status: 'blocked', verification_errors: said, ssl }));
    expect(blocked.headline?.id).toBe('A8');
    expect(blocked.findings.filter(({ who }) => who === 'nobody').map(({ severity }) => severity)).toEqual([
      'ok',
      'ok',
    ]);
  });

  // Google does not issue certificates for internationalized domain names (Certificate authorities), so a CAA record for Google would not
  // help.
  it('advises a CAA record for an authority that can certify the name', () => {
    const international = 'xn--bcher-kva.acme.com';
    const ssl = pendingCertificate({ certificate_authority: 'google' });
    const refused = inDns(withRecord({ hostname: international, ssl }, {}, { hostname: international }), {
      ...caa([['issue', 'sectigo.com']]),
    });
    const [first, second] = diagnose(refused).findings.filter(({ severity }) => severity === 'error');
    expect(first).toMatchObject({
      id: 'F21',
      remedy: { records: [{ value: '0 issue "letsencrypt.org"' }], command: { value: 'lets_encrypt' } },
    });
    expect(second).toMatchObject({ id: 'E3', because: 'F21' });
  });

  // While a fallback origin is being deployed, no action is needed, because pending hostnames are checked again (error codes).
  it('requires no action if the last check of a new hostname found an origin that is being deployed', () => {
    const said = ['Fallback origin is in a status of `pending_deployment`.'];
    const fresh = withRecord({ status: 'pending', created_at: ago(60_000), verification_errors: said });
    expect(diagnose(fresh)).toMatchObject({ headline: { id: 'D1', who: 'nobody' }, exit: 0 });
    const later = withRecord({ status: 'pending', created_at: ago(hour), verification_errors: said });
    expect(diagnose(later)).toMatchObject({ headline: { id: 'D1', who: 'us' }, exit: 7 });
  });

  // `staging_active`: the certificate is only in the staging environment, which visitors do not reach (certificate statuses).
  it('explains a hostname that has only a staging certificate', () => {
    const staged = diagnose(withRecord({}, { status: 'staging_active' }));
    expect(staged).toMatchObject({ headline: { id: 'F27', who: 'us' }, exit: 7 });
    expect(staged.findings.map(({ id }) => id)).not.toContain('G17');
  });

  it.each([
    ['an error', [{ severity: 'error' }], [], 'faulty'],
    ['an error and unknown facts', [{ severity: 'critical' }], ['x'], 'faulty'],
    ['unknown facts', [{ severity: 'ok' }], ['x'], 'undecided'],
    ['warnings and progress', [{ severity: 'warn' }, { severity: 'progress' }], [], 'well'],
    ['nothing', [], [], 'well'],
  ] as const)('derives the verdict on an active hostname from %s', (_case, findings, missing, verdict) => {
    const whole = findings.map(({ severity }) => ({ ...find(facts(), 'G5'), severity }) as Finding);
    expect(
      decide(
        facts(),
        whole,
        missing.map((fact) => ({ fact, reason: 'y' })),
      ),
    ).toBe(verdict);
  });

  it.each([
    ['custom hostname', facts({ record: unknown('403') })],
    ['zone', facts({ zone: unknown('403') })],
    ['fallback origin', facts({ fallback: unknown('403') })],
    ['wildcard custom hostname', facts({ record: known(null), wildcardRecord: unknown('timeout') })],
  ])('is undecided without the %s, and explains why', (fact, given) => {
    const diagnosis = diagnose(given);
    expect(diagnosis.missing.map((one) => one.fact)).toContain(fact);
    expect(diagnosis.exit).toBe(1);
  });

  it('never treats a silent resolver as missing records', () => {
    const silent = unknown<readonly string[]>('no answer within 2000 ms');
    const given = inDns(withRecord({ status: 'pending', created_at: ago(hour) }), {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'timeout', detail: 'no answer within 2000 ms' },
      addresses: { v4: silent, v6: silent },
      targetAddresses: { v4: silent, v6: silent },
      ownershipTxt: silent,
      challengeTxt: silent,
      challengeAlias: unknown('no answer'),
      caa: { name: hostname, asked: [{ owner: hostname, outcome: 'failed', detail: 'no answer' }] },
      zones: unknown('no answer'),
    });
    const diagnosis = diagnose(given);
    expect(diagnosis.findings).toEqual([]);
    expect(diagnosis).toMatchObject({
      exit: 1,
      missing: [{ fact: 'DNS', reason: 'no answer within 2000 ms' }],
    });
  });

  it('does not need facts that are irrelevant to a hostname', () => {
    const own = withRecord({ custom_origin_server: 'o.saas.com' }, {}, { fallback: unknown('403') });
    expect(diagnose(own)).toMatchObject({ exit: 0, missing: [] });
    const optional = facts({
      quota: unknown('403'),
      hold: unknown('403'),
      edgeRanges: unknown('403'),
      delegation: unknown('403'),
    });
    expect(diagnose(optional)).toMatchObject({ exit: 0, missing: [] });
  });

  it('finds nothing for a hostname under a wildcard whose domain is not a separate zone', () => {
    const wildcard = known({ id: 'w', hostname: 'acme.com', status: 'active', ssl: { wildcard: true } });
    expect(diagnose(facts({ record: known(null), wildcardRecord: wildcard })).exit).toBe(0);
  });

  it('never throws for any mixture of the test cases, and returns only known severities', () => {
    const one = fc.constantFrom(...cases);
    fc.assert(
      fc.property(one, one, one, (first, second, third) => {
        const mixture: Facts = {
          ...first.given,
          dns: { ...second.given.dns, caa: third.given.dns.caa },
          fallback: third.given.fallback,
          http: second.given.http,
        };
        const diagnosis = diagnose(mixture);
        expect(JSON.stringify(diagnosis)).not.toContain('undefined');
        expect(diagnosis.findings.every((finding) => finding.remedy.text !== '')).toBe(true);
      }),
    );
  });
});

describe('Moved', () => {
  it('Moved is critical even if DNS is unknown', () => {
    const given = inDns(withRecord({ status: 'moved' }), {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'timeout', detail: 'no answer' },
    });
    expect(find(given, 'A5')?.evidence).toContain(`DNS: ${hostname} (no answer)`);
  });

  it('Moved has up to 7 days left, counted from the first time that edgectl saw the state Moved', () => {
    const left = (seen: number | undefined) =>
      daysLeftInMoved(facts({ history: seen === undefined ? {} : { movedSeenAt: now - seen } }));
    expect([left(undefined), left(0), left(2.5 * day), left(9 * day)]).toEqual([7, 7, 4.5, 0]);
  });
});

describe('CAA', () => {
  it('reports CAA that refuses an active certificate as a warning about the renewal', () => {
    const given = inDns(facts(), caa([['issue', 'other-ca.net']]));
    expect(find(given, 'E3')?.severity).toBe('warn');
    expect(diagnose(given).exit).toBe(0);
    expect(ids(given)).not.toContain('G5');
  });

  it('assigns the action to the platform if CAA allows another authority, otherwise to the customer', () => {
    const pending = withRecord({ status: 'caa_error' }, { status: 'pending_issuance' });
    const open = find(inDns(pending, caa([['issue', 'letsencrypt.org']])), 'E3');
    expect(open).toMatchObject({ who: 'us', fix: { kind: 'set-ca', authority: 'default' } });
    expect(open?.remedy.command).toEqual({ kind: 'edit', hostname, field: 'ca', value: 'default' });
    const closed = find(inDns(pending, caa([['issue', 'other-ca.net']])), 'E3');
    expect(closed).toMatchObject({
      who: 'customer',
      remedy: { records: [{ name: 'acme.com', type: 'CAA', value: '0 issue "pki.goog"' }] },
    });
    expect(closed).not.toHaveProperty('fix');
  });

  it('reports progress for 5 minutes after a restart, because the platform may choose another authority', () => {
    const restarted = (milliseconds: number, issuer: string, status = 'pending') => {
      const begun = withRecord({ status }, { status: 'initializing', certificate_authority: 'google' });
      const given = { ...begun, history: { refreshedAt: now - milliseconds } };
      return find(inDns(given, caa([['issue', issuer]])), 'E3');
    };
    const early = restarted(1000, 'letsencrypt.org');
    expect(early).toMatchObject({ severity: 'progress', who: 'nobody' });
    expect(early).not.toHaveProperty('fix');
    expect(restarted(hour / 12, 'letsencrypt.org')?.severity).toBe('error');
    expect(restarted(1000, 'other-ca.net')?.severity).toBe('error');
    expect(restarted(1000, 'letsencrypt.org', 'caa_error')?.severity).toBe('error');
  });

  it('does not apply CAA to an uploaded certificate, or to a hostname without a certificate', () => {
    const refusing = caa([['issue', ';']]);
    const uploaded = withRecord({}, { custom_certificate: 'PEM', status: 'pending_deployment' });
    const bare = { id: 'r', hostname, status: 'active' };
    for (const given of [uploaded, facts({ record: known(bare) })]) {
      expect(ids(inDns(given, refusing)).filter((id) => id.startsWith('E'))).toEqual([]);
    }
  });
});

describe('a near miss', () => {
  it.each([
    [`${target}.acme.com`, 'C5'],
    ['saas.com.acme.com', 'C5'],
    ['customers.saas', 'C5'],
    ['customer.saas.com', undefined],
    ['customers.sas.com', 'C5'],
    ['customers.saas.co', 'C5'],
    ['shops.shopify.com', 'C4'],
    ['notsaas.com.evil.net', 'C4'],
  ])('distinguishes a mistyped target from an unrelated target: %s', (written, id) => {
    const found = ids(inDns(withRecord({ status: 'pending' }), alias(written))).find((one) =>
      /^C[45]$/.test(one),
    );
    expect(found).toBe(id);
  });

  it('treats up to 3 different letters as a near miss, counted as in a second implementation', () => {
    const slow = (left: string, right: string): number => {
      if (left === '' || right === '') return Math.max(left.length, right.length);
      const [a, b] = [left.slice(1), right.slice(1)];
      if (left[0] === right[0]) return slow(a, b);
      return 1 + Math.min(slow(a, b), slow(a, right), slow(left, b));
    };
    const word = fc
      .array(fc.constantFrom('a', 'b', '.'), { maxLength: 6 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(word, word, (left, right) => differences(left, right) === Math.min(3, slow(left, right))),
    );
  });
});

describe('a target that is found by its addresses', () => {
  it('is undecided if the owner of the addresses is unknown', () => {
    const given = inDns(facts({ edgeRanges: unknown('403') }), {
      ...direct(['203.0.113.9']),
      targetAddresses: { v4: unknown('x'), v6: unknown('x') },
    });
    expect(diagnose(given)).toMatchObject({ exit: 1, missing: [{ fact: 'DNS', reason: '403' }] });
  });

  it('is decided by address ranges of both families; an unreadable range contains no address', () => {
    const inside = inRanges(['192.0.2.0/24', '2001:db8::/32', 'nonsense', '10.0.0.0/99']);
    expect(['192.0.2.9', '192.0.3.9', '2001:db8::1', '2001:db9::1'].map(inside)).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
