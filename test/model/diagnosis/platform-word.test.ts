import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Diagnosis, diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import { type Facts, known } from '../../../src/model/diagnosis/facts.ts';
import { asksToAct } from '../../../src/model/diagnosis/order.ts';
import { hostnameStatuses } from '../../../src/model/hostnames/hostname.ts';
import { createInstructions } from '../../../src/model/instructions/instructions.ts';
import { roundsInPart } from '../../support/in-part.ts';
import {
  addresses,
  ago,
  alias,
  day,
  direct,
  facts,
  hostname,
  hour,
  inDns,
  minute,
  noName,
  now,
  page,
  record,
  target,
  withRecord,
} from './fixture.ts';

// Expectations are from issue "One truth", item 11, and the specification (States and transitions; Errors, 1016): while the platform
// reports a fault, a diagnosis must not call anything correct, ready or done, and must not advise waiting if nobody acts in the meantime.

const { ssl: _none, ...recordWithoutSsl } = record;

function withoutSsl(more: Partial<Facts>): Facts {
  return facts({ record: known(recordWithoutSsl), ...more });
}

const noAlias = 'custom hostname does not CNAME to this zone.';
const certificates = [
  'active',
  'initializing',
  'pending_validation',
  'pending_issuance',
  'pending_deployment',
  'expired',
  'validation_timed_out',
  'issuance_timed_out',
  'inactive',
] as const;
const shapes = {
  alias: alias(target),
  elsewhere: alias('shop.elsewhere.net'),
  none: noName,
  old: direct(['203.0.113.9']),
  copied: direct(['192.0.2.1']),
  mixed: direct(['192.0.2.1', '203.0.113.9']),
} as const;

interface Case {
  readonly status: string;
  readonly certificate: string;
  readonly errors: readonly string[];
  readonly messages: readonly string[];
  readonly shape: keyof typeof shapes;
  readonly top: boolean;
  readonly token: 'none' | 'right' | 'stale';
  readonly wildcard: boolean;
  readonly texts: 'none' | 'one' | 'both';
  readonly age: number;
  readonly answer: number;
}

const cases = fc.record<Case>({
  status: fc.constantFrom(
    ...hostnameStatuses.filter((status) => !/delet|migration|provisioned|test_/.test(status)),
  ),
  certificate: fc.constantFrom(...certificates),
  errors: fc.constantFrom([], [noAlias], ['zone does not have a fallback origin set.'], ['something new']),
  messages: fc.constantFrom(
    [],
    ['caa_error: x'],
    ['Internal error with Certificate Authority'],
    ['something new'],
  ),
  shape: fc.constantFrom(...(Object.keys(shapes) as (keyof typeof shapes)[])),
  top: fc.boolean(),
  token: fc.constantFrom('none', 'right', 'stale'),
  wildcard: fc.boolean(),
  texts: fc.constantFrom('none', 'one', 'both'),
  age: fc.constantFrom(minute, hour, 5 * hour, 2 * day, 6 * day),
  answer: fc.constantFrom(200, 403, 530),
});

function getFacts({
  status,
  certificate,
  errors,
  messages,
  shape,
  top,
  token,
  wildcard,
  texts,
  age,
  answer,
}: Case): Facts {
  const wanted = ['one', 'two'];
  const issued = ['active', 'expired', 'inactive'].includes(certificate);
  const base = withRecord(
    { status, verification_errors: status === 'active' ? [] : errors, created_at: ago(age) },
    {
      status: certificate,
      wildcard,
      method: wildcard ? 'txt' : 'http',
      validation_errors: certificate === 'active' ? [] : messages.map((message) => ({ message })),
      ...(wildcard &&
        certificate === 'pending_validation' && {
          validation_records: wanted.map((txt_value) => ({ txt_value })),
        }),
      expires_on: issued && certificate === 'active' ? ago(-80 * day) : ago(day),
    },
    { http: page({ status: answer, ...(answer === 530 && { pageCode: 1016 }) }) },
  );
  return inDns(base, {
    targetAddresses: addresses(['192.0.2.1']),
    ...shapes[shape],
    ...(top && { zones: known([{ name: hostname, nameServers: ['ns1.dnsimple.com'] }]) }),
    ownershipTxt: known(token === 'none' ? [] : [token === 'right' ? 'token' : 'stale']),
    challengeTxt: known(texts === 'none' ? [] : texts === 'one' ? ['one'] : wanted),
  });
}

/** Returns true if the record alone shows that the platform reports a fault for the hostname. */
function isRefused({ status, certificate, errors, wildcard, texts }: Case): boolean {
  const denied = !['active', 'active_redeploying'].includes(status) && errors.length > 0;
  const stopped = ['moved', 'blocked', 'pending_blocked', 'caa_error'].includes(status);
  const over = ['expired', 'inactive'].includes(certificate) || certificate.endsWith('timed_out');
  const unproved = wildcard && certificate === 'pending_validation' && texts !== 'both';
  return denied || stopped || over || unproved;
}

/** Returns true if a diagnosis calls the hostname correct or done, or advises waiting. */
function isContent({ exit, headline }: Diagnosis): boolean {
  return exit === 0 || headline === undefined || headline.who === 'nobody';
}

it('never contradicts a fault that the platform reports, and never advises waiting for the fault to end', () => {
  fc.assert(
    fc.property(cases.filter(isRefused), (one) => {
      const found = diagnose(getFacts(one));
      expect({ ids: found.findings.map(({ id }) => id), isContent: isContent(found) }).toMatchObject({
        isContent: false,
      });
    }),
    { numRuns: roundsInPart(500, 5) },
  );
});

it('never calls a hostname without an active certificate healthy', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { findings, verdict, exit, headline } = diagnose(getFacts(one));
      const serves = one.status === 'active' && one.certificate === 'active';
      if (serves) return;
      if (one.status !== 'active_redeploying' || one.certificate !== 'active')
        expect(verdict).not.toBe('well');
      expect(findings.map(({ id }) => id)).not.toContain('G5');
      if (exit === 0 && !['active_redeploying'].includes(one.status))
        expect(headline?.severity).toBe('progress');
    }),
    { numRuns: roundsInPart(500, 5) },
  );
});

// A hostname is healthy only if its active certificate is served.
it('a hostname without a served certificate is pending, not healthy, if no action is needed', () => {
  const early = withRecord({ status: 'pending', created_at: ago(minute), verification_errors: [] });
  const issuing = withRecord({ created_at: ago(minute) }, { status: 'pending_issuance', expires_on: '' });
  for (const given of [inDns(early, alias(target)), inDns(issuing, alias(target))])
    expect(diagnose(given)).toMatchObject({ verdict: 'pending', exit: 0, headline: { who: 'nobody' } });
  const deployed = facts({ fallback: known({ origin: 'origin.saas.com', status: 'pending_deployment' }) });
  expect(diagnose(deployed)).toMatchObject({ verdict: 'pending', exit: 0, headline: { id: 'B2' } });
  const certificate = {
    ...{ subject: 's', issuer: 'i', names: ['other.com'], covers: false },
    ...{ validFrom: now - day, validTo: now + day, serialNumber: '1' },
  };
  const https = page({ status: 200, certificate });
  const issued = new Date(now - minute + 90 * day).toISOString();
  const spreading = diagnose(inDns(withRecord({}, { expires_on: issued }, { https }), alias(target)));
  expect(spreading).toMatchObject({ verdict: 'pending', exit: 0, headline: { id: 'G6', who: 'nobody' } });
  // Item 6: the exit code shows whether someone must act. A new certificate reaches the whole edge within minutes.
  const found = diagnose(inDns(withRecord({}, {}, { https }), alias(target)));
  expect(found).toMatchObject({ verdict: 'faulty', exit: 7, headline: { id: 'G6', who: 'provider' } });
  for (const { findings } of [spreading, found]) expect(findings.map(({ id }) => id)).not.toContain('G5');
});

// Item 8: the exit code is not 0 if no certificate was ever issued.
it('requests a certificate if none was ordered, unless the edge already presents a certificate for the hostname', () => {
  const certificate = {
    ...{ subject: 's', issuer: 'i', names: ['shop.acme.com'], covers: true },
    ...{ validFrom: now - day, validTo: now + day, serialNumber: '1' },
  };
  const given = inDns(withoutSsl({}), alias(target));
  expect(diagnose(given)).toMatchObject({ verdict: 'faulty', exit: 7, headline: { id: 'F1', who: 'us' } });
  expect(createInstructions(given, diagnose(given)).turn).toBe('us');
  const covered = inDns(withoutSsl({ https: page({ status: 200, certificate }) }), alias(target));
  expect(diagnose(covered)).toMatchObject({ verdict: 'well', exit: 0 });
  expect(createInstructions(covered, diagnose(covered)).turn).toBe('nobody');
});

it('the verdict is pending only if no action is needed', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { findings, verdict } = diagnose(getFacts(one));
      if (verdict !== 'pending') return;
      expect(findings.filter((finding) => asksToAct(finding) && finding.because === undefined)).toEqual([]);
    }),
    { numRuns: roundsInPart(500, 5) },
  );
});

it('never lists a root cause twice, and puts each consequence below an existing finding', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const { findings } = diagnose(getFacts(one));
      const ids = findings.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { because } of findings) if (because !== undefined) expect(ids).toContain(because);
      expect(findings[0]?.because).toBeUndefined();
    }),
    { numRuns: roundsInPart(300, 5) },
  );
});
