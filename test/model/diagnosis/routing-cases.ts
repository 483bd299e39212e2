import { expect } from 'vitest';
import { known, unknown } from '../../../src/model/diagnosis/facts.ts';
import { asksCustomer, type Case, pending, refresh } from './case.ts';
import {
  addresses,
  ago,
  alias,
  direct,
  facts,
  hostname,
  hour,
  inDns,
  noName,
  page,
  target,
  withRecord,
} from './fixture.ts';

/** Cases for the rules whose ids start with C. */
export const routing: readonly Case[] = [
  { id: 'C1', when: 'the name does not exist', given: inDns(pending(hour), noName), expected: asksCustomer },
  {
    id: 'C2',
    when: 'the name has only other records',
    given: inDns(pending(hour), direct([])),
    expected: asksCustomer,
  },
  { id: 'C3', when: 'the CNAME is correct', given: facts(), expected: { severity: 'ok' } },
  {
    id: 'C4',
    when: 'the CNAME points to another vendor',
    given: inDns(pending(hour), alias('shops.shopify.com')),
    expected: asksCustomer,
  },
  {
    id: 'C5',
    when: 'the panel appended the zone',
    given: inDns(pending(hour), alias(`${target}.acme.com`)),
    expected: {
      ...asksCustomer,
      evidence: [`DNS: ${hostname} → ${target}.acme.com`, `probably intended: ${target}`],
    },
  },
  {
    id: 'C6',
    when: 'our target does not exist',
    given: inDns(pending(hour), {
      chain: { hops: [{ name: hostname, target }], last: target, end: 'nothing' },
      addresses: addresses(),
    }),
    expected: {
      severity: 'error',
      who: 'us',
      fix: { kind: 'dns-record', type: 'CNAME', name: target, content: 'origin.saas.com', proxied: true },
    },
  },
  {
    id: 'C6',
    when: 'our target has no address',
    given: inDns(pending(hour), { addresses: addresses() }),
    expected: { severity: 'error', who: 'us' },
  },
  {
    id: 'C7',
    when: 'the CNAMEs form a loop',
    given: inDns(pending(hour), {
      chain: { hops: [{ name: hostname, target: hostname }], last: hostname, end: 'loop' },
    }),
    expected: asksCustomer,
  },
  {
    id: 'C8',
    when: 'the CNAME is flattened',
    given: inDns(facts(), direct(['192.0.2.1'])),
    expected: { severity: 'ok' },
  },
  {
    id: 'C8',
    when: 'the addresses are in the account range',
    given: inDns(facts({ apexRanges: known(['203.0.113.0/24']) }), direct(['203.0.113.9'])),
    expected: { severity: 'ok' },
  },
  {
    id: 'C9',
    when: 'the name is proxied in its own zone, and the platform reports that',
    given: inDns(
      withRecord({
        status: 'pending',
        verification_errors: ['The hostname is using Cloudflare and cannot be activated with a token.'],
      }),
      direct(['192.0.2.77']),
    ),
    expected: asksCustomer,
  },
  {
    id: 'C9',
    when: 'it may be proxied elsewhere',
    given: inDns(pending(hour), direct(['192.0.2.77'])),
    expected: { severity: 'warn' },
  },
  {
    id: 'C10',
    when: 'it has other addresses',
    given: inDns(pending(hour), direct(['203.0.113.9'])),
    expected: asksCustomer,
  },
  {
    id: 'C10',
    when: 'it is a zone apex',
    given: inDns(pending(hour), {
      ...direct(['203.0.113.9']),
      zones: known([{ name: hostname, nameServers: [] }]),
    }),
    expected: { cause: expect.stringContaining('where a CNAME is not allowed') },
  },
  {
    id: 'C24',
    when: 'it has copies of our addresses',
    given: inDns(
      withRecord({
        status: 'pending',
        created_at: ago(hour),
        verification_errors: ['custom hostname does not CNAME to this zone.'],
      }),
      direct(['192.0.2.1']),
    ),
    expected: asksCustomer,
  },
  {
    id: 'C11',
    when: 'one address is not in the account range',
    given: inDns(facts({ apexRanges: known(['203.0.113.0/24']) }), direct(['203.0.113.9', '198.51.100.9'])),
    expected: { severity: 'error', remedy: { records: [{ value: '198.51.100.9', remove: true }] } },
  },
  {
    id: 'C12',
    when: 'AAAA points elsewhere',
    given: inDns(facts(), direct(['192.0.2.1'], ['2001:db9::1'])),
    expected: { severity: 'warn', evidence: ['AAAA 2001:db9::1'] },
  },
  {
    id: 'C13',
    when: 'a zone below the domain is delegated',
    given: inDns(pending(hour), {
      ...noName,
      zones: known([
        { name: hostname, nameServers: ['ns.old.net'] },
        { name: 'acme.com', nameServers: ['ns1.acme.com'] },
      ]),
    }),
    expected: { severity: 'warn', who: 'customer' },
  },
  {
    id: 'C14',
    when: 'name servers fail',
    given: inDns(pending(hour), {
      chain: {
        hops: [],
        last: hostname,
        end: 'unknown',
        why: 'servfail',
        detail: 'SERVFAIL from 192.0.2.53',
      },
      addresses: { v4: unknown('SERVFAIL'), v6: unknown('SERVFAIL') },
    }),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'C14',
    when: 'name servers are silent while DNS answers about us',
    given: inDns(pending(hour), {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'timeout', detail: 'no answer' },
    }),
    expected: { severity: 'error' },
  },
  {
    id: 'C15',
    when: 'it is active but DNS points elsewhere',
    given: inDns(facts(), alias('shops.other.com')),
    expected: { severity: 'warn' },
  },
  {
    id: 'C16',
    when: 'the edge answers 1014 and the hostname is not registered',
    given: facts({ record: known(null), http: page({ status: 409, pageCode: 1014 }) }),
    expected: { severity: 'error', fix: { kind: 'create' } },
  },
  {
    id: 'C16',
    when: 'the edge answers 1014',
    given: withRecord({ status: 'pending' }, {}, { http: page({ pageCode: 1014 }) }),
    expected: refresh,
  },
];
