import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../src/model/diagnosis/diagnose.ts';
import type { Fix } from '../../../src/model/diagnosis/finding.ts';
import { planFixes, stepText } from '../../../src/model/diagnosis/fix-plan.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { facts } from './fixture.ts';

function createCase(hostname: string, record: Partial<CustomHostname> | null, ...fixes: readonly Fix[]) {
  const known = record === null ? null : { id: hostname, hostname, ...record };
  const findings = fixes.map((fix, at) => ({
    id: `X${at}`,
    severity: 'error' as const,
    cause: 'cause',
    evidence: [],
    who: 'us' as const,
    remedy: { text: 'do it' },
    fix,
  }));
  const diagnosis: Diagnosis = { hostname, findings, missing: [], verdict: 'faulty', exit: 7 };
  return { facts: facts({ hostname, record: { known } }), diagnosis };
}

const texts = (...cases: Parameters<typeof planFixes>[0][]) =>
  planFixes(cases.flatMap((one) => [...one])).map(stepText);

test('runs steps for the zone once, and before the steps for its hostnames', () => {
  const fallback: Fix = { kind: 'set-fallback', origin: 'origin.saas.com' };
  const dns: Fix = {
    kind: 'dns-record',
    type: 'A',
    name: 'origin.saas.com',
    content: '192.0.2.1',
    proxied: true,
  };
  const cases = [
    createCase('a.acme.com', { status: 'pending' }, fallback, dns),
    createCase('b.acme.com', { status: 'pending' }, fallback, dns),
    createCase('c.acme.com', { status: 'active' }, fallback),
  ];
  expect(texts(cases)).toEqual([
    'create the DNS record origin.saas.com A 192.0.2.1, proxied',
    'set the fallback origin to origin.saas.com',
    'restart validation of a.acme.com',
    'restart validation of b.acme.com',
  ]);
});

test('merges several refreshes of a hostname, and drops them if the certificate of the hostname changes', () => {
  const refresh: Fix = { kind: 'refresh' };
  expect(texts([createCase('a.acme.com', { status: 'moved' }, refresh, refresh)])).toEqual([
    'restart validation of a.acme.com',
  ]);
  const change: Fix = { kind: 'set-ca', authority: 'default' };
  expect(texts([createCase('a.acme.com', {}, refresh, change)])).toEqual([
    'change a.acme.com: authority default',
  ]);
});

test('creates a missing hostname, with branding if a finding requires it', () => {
  const cases = [
    createCase('a.acme.com', null, { kind: 'create-exact' }),
    createCase('b.acme.com', null, { kind: 'create', branding: false }, { kind: 'create', branding: true }),
  ];
  expect(texts(cases)).toEqual([
    'create custom hostname a.acme.com',
    'create custom hostname b.acme.com with provider branding',
  ]);
});

test('never automatically runs changes that give the customer new tokens', () => {
  const method: Fix = { kind: 'set-method', method: 'txt' };
  expect(texts([createCase('a.acme.com', { ssl: { method: 'http' } }, method)])).toEqual([]);
  expect(texts([createCase('a.acme.com', {}, { kind: 'recreate-branding' })])).toEqual([]);
  expect(texts([createCase('a.acme.com', { ssl: { method: 'http', wildcard: true } }, method)])).toEqual([
    'change a.acme.com: validation by txt',
  ]);
});
