import { expect } from 'vitest';
import { known, type TokenAnswer } from '../../../src/model/diagnosis/facts.ts';
import { asksCustomer, type Case, pending, validating } from './case.ts';
import {
  addresses,
  ago,
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

const url = `http://${hostname}/.well-known/acme-challenge/x`;
const wanted = 'a-token-of-this-order-0123456789';

const answered = { url, redirects: [], status: 200, body: wanted, cached: false, challenged: false };

/** Returns the facts of a certificate that is waiting for its HTTP token, with the response that an authority would get. */
function fetching(change: Partial<TokenAnswer>) {
  const base = validating({ method: 'http', validation_records: [{ http_url: url, http_body: wanted }] });
  return { ...base, token: known({ ...answered, ...change }) };
}

/** Returns facts with redirects that form a loop. */
const onTheWay = (...urls: readonly string[]) =>
  facts({ trail: known({ urls: [`https://${hostname}/`, ...urls], isCircle: true }) });

const mine = (status: number) => facts({ https: page({ status, url: `https://${hostname}/` }) });
const origin = (content: string, status: number) => ({
  ...mine(status),
  originRecord: known({ id: 'o', type: 'A', name: 'origin.saas.com', content, proxied: true }),
});
const token = 'token-of-the-hostname';
const owned = (text: string) =>
  inDns(
    withRecord({
      status: 'pending',
      created_at: ago(hour),
      ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${hostname}`, value: token },
    }),
    { ...noName, ownershipTxt: known([text]) },
  );
const challenge = [{ txt_name: `_acme-challenge.${hostname}`, txt_value: wanted }];
const byText = { method: 'txt', wildcard: true, validation_records: challenge };

/** Cases for the rules about the edge, the origins, and almost correct records. */
export const edge: readonly Case[] = [
  {
    id: 'C17',
    when: 'the CNAME is at a name with the zone repeated',
    given: inDns(pending(hour), {
      ...noName,
      doubledAlias: known({ name: `${hostname}.acme.com`, target }),
    }),
    expected: asksCustomer,
  },
  {
    id: 'C18',
    when: 'DNSSEC signatures do not match',
    given: inDns(pending(hour), {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'servfail', detail: 'SERVFAIL (DNSSEC bogus)' },
    }),
    expected: { severity: 'error', who: 'customer', cause: expect.stringContaining('DNSSEC') },
  },
  {
    id: 'C19',
    when: "the origin's record is an address of the edge",
    given: origin('192.0.2.1', 403),
    expected: { severity: 'error', who: 'us', remedy: { command: { kind: 'set-record' } } },
  },
  {
    id: 'C19',
    when: 'the edge reports 1000 for the name itself',
    given: facts({ http: page({ pageCode: 1000 }) }),
    expected: asksCustomer,
  },
  {
    id: 'C20',
    when: 'the edge answers 1034',
    given: { ...inDns(pending(hour), direct(['192.0.2.9'])), http: page({ pageCode: 1034 }) },
    expected: asksCustomer,
  },
  {
    id: 'C21',
    when: 'a name below a wildcard has an address',
    given: inDns(
      facts({
        record: known(null),
        wildcardRecord: known({ id: 'w', hostname: 'acme.com', status: 'active' }),
        http: page({ pageCode: 1001 }),
      }),
      direct(['192.0.2.9']),
    ),
    expected: asksCustomer,
  },
  {
    id: 'C21',
    when: 'the edge does not know the name',
    given: facts({ record: known(null), http: page({ pageCode: 1001 }) }),
    expected: { severity: 'error', who: 'us', remedy: { command: { kind: 'create' } } },
  },
  {
    id: 'C22',
    when: 'the edge does not know the host yet',
    given: facts({ http: page({ pageCode: 1023 }) }),
    expected: { severity: 'progress', who: 'nobody' },
  },
  {
    id: 'C23',
    when: "the customer's own zone proxies the name",
    given: inDns(facts({ http: page({ status: 403 }) }), {
      ...direct(['192.0.2.9']),
      targetAddresses: addresses(['192.0.2.1']),
      zones: known([{ name: 'acme.com', nameServers: ['ada.ns.cloudflare.com'] }]),
    }),
    expected: { severity: 'warn', who: 'customer' },
  },
  {
    id: 'D8',
    when: 'quotes are part of the value',
    given: owned(`"${token}"`),
    expected: { cause: 'The ownership token contains quotes as part of its value.', who: 'customer' },
  },
  {
    id: 'D8',
    when: 'it is truncated',
    given: owned(token.slice(0, 9)),
    expected: { cause: expect.stringContaining('truncated') },
  },
  {
    id: 'D8',
    when: 'it has a trailing dot',
    given: owned(`${token}.`),
    expected: { cause: expect.stringContaining('dot') },
  },
  {
    id: 'D8',
    when: 'it is in capitals',
    given: owned(token.toUpperCase()),
    expected: { cause: expect.stringContaining('wrong case') },
  },
  {
    id: 'D8',
    when: 'there are other words around it',
    given: owned(`value=${token}`),
    expected: { cause: expect.stringContaining('additional text') },
  },
  {
    id: 'F29',
    when: 'the TXT token is quoted twice',
    given: inDns(validating(byText), { ...noName, challengeTxt: known([`"${wanted}"`]) }),
    expected: { who: 'customer', remedy: { records: [{ value: wanted }] } },
  },
  {
    id: 'F30',
    when: 'the TXT token is at a name with the zone repeated',
    given: inDns(validating(byText), {
      ...noName,
      misplacedChallenge: [{ name: `_acme-challenge.${hostname}.acme.com`, texts: [wanted] }],
    }),
    expected: {
      who: 'customer',
      remedy: { records: [{ name: `_acme-challenge.${hostname}`, value: wanted }] },
    },
  },
  {
    id: 'F31',
    when: 'a redirect points to another host',
    given: fetching({ status: 301, body: '', redirects: ['https://www.acme.com/'] }),
    expected: { severity: 'error', who: 'customer' },
  },
  {
    id: 'F32',
    when: 'a firewall protects the token path',
    given: fetching({ status: 403, body: '<html>' }),
    expected: { cause: expect.stringContaining('firewall') },
  },
  {
    id: 'F33',
    when: 'another page answers',
    given: fetching({ body: '<html><body>Welcome to our shop' }),
    expected: { cause: expect.stringContaining('another server or a rule answers') },
  },
  {
    id: 'F34',
    when: 'a cache returns an old token',
    given: fetching({ body: 'another-token-of-another-order', cached: true }),
    expected: { cause: expect.stringContaining('cache') },
  },
  {
    id: 'F35',
    when: 'a redirect to HTTPS ends at the token',
    given: fetching({ redirects: [url.replace('http:', 'https:')] }),
    expected: { severity: 'info', who: 'nobody' },
  },
  {
    id: 'F31',
    when: 'redirects form a loop',
    given: fetching({ status: 301, body: '', redirects: ['https://www.acme.com/', url], isCircle: true }),
    expected: { cause: expect.stringContaining('form a loop') },
  },
  {
    id: 'F36',
    when: 'another server answers over IPv6',
    given: {
      ...fetching({}),
      dns: { ...facts().dns, addresses: addresses(['192.0.2.1'], ['2001:db9::1']) },
      tokenV6: known({ ...answered, address: '2001:db9::1', status: 404, body: 'Not here' }),
    },
    expected: {
      who: 'customer',
      evidence: [
        `over IPv6, at 2001:db9::1: ${url}: 404`,
        'the response starts with: Not here',
        'over IPv4: the token',
      ],
      remedy: {
        text: expect.any(String),
        records: [{ name: hostname, type: 'AAAA', value: '2001:db9::1', remove: true }],
        command: { kind: 'refresh', hostname },
      },
    },
  },
  {
    id: 'G15',
    when: 'two hosts redirect visitors to each other',
    given: onTheWay(`https://www.acme.com/`, `https://${hostname}/`),
    expected: { severity: 'error', cause: expect.stringContaining(`${hostname} and www.acme.com`) },
  },
  {
    id: 'G16',
    when: 'HTTPS redirects to HTTP, and HTTP back',
    given: onTheWay(`http://${hostname}/`, `https://${hostname}/`),
    expected: { severity: 'error', who: 'us' },
  },
  { id: 'G7', when: 'the origin is down', given: mine(521), expected: { severity: 'error', who: 'us' } },
  {
    id: 'G8',
    when: 'a record without a server has no worker',
    given: origin('203.0.113.1', 522),
    expected: { cause: expect.stringContaining('worker') },
  },
  {
    id: 'G9',
    when: 'the origin is unreachable',
    given: origin('8.8.4.4', 523),
    expected: { severity: 'error' },
  },
  { id: 'G10', when: 'the TLS handshake fails', given: mine(525), expected: { severity: 'error' } },
  {
    id: 'G11',
    when: "the origin's certificate is for another name",
    given: withRecord(
      { custom_origin_server: 'o.saas.com', custom_origin_sni: 'x.saas.com' },
      {},
      { https: page({ status: 526 }) },
    ),
    expected: { remedy: { command: { kind: 'edit', field: 'origin-sni', value: 'o.saas.com' } } },
  },
  {
    id: 'G12',
    when: 'the origin is too slow',
    given: mine(524),
    expected: { cause: expect.stringContaining('524') },
  },
  {
    id: 'G13',
    when: 'a URL redirects to itself',
    given: facts({
      https: page({ url: `https://${hostname}/`, status: 301, location: `https://${hostname}/` }),
    }),
    expected: { cause: expect.stringContaining('flexible') },
  },
  {
    id: 'G14',
    when: 'a worker answers before the origin, with an error',
    given: facts({
      workerRoutes: known([{ id: 'w', pattern: '*/*', script: 'router' }]),
      https: page({ url: `https://${hostname}/`, status: 500 }),
    }),
    expected: { severity: 'error', cause: expect.stringContaining('router') },
  },
  {
    id: 'G14',
    when: 'a worker answers before the origin, without an error',
    given: facts({ workerRoutes: known([{ id: 'w', pattern: `${hostname}/*`, script: 'router' }]) }),
    expected: { severity: 'info' },
  },
];
