import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { type Stage, target } from '../hostnames/stage.ts';

type Entry = readonly [string, string, ...string[]];

type Step = (stage: Stage, host: string, domain: string) => Promise<unknown>;

/** How one finding comes about in the sandbox, over real DNS, HTTP and TLS. */
export interface Scene {
  readonly id: string;
  /** Flags of its creation; undefined where it is not created. */
  readonly create?: readonly string[];
  /** The customer's DNS, by hostname and domain. */
  readonly dns?: (host: string, domain: string) => readonly Entry[];
  /** More that comes before the creation. */
  readonly before?: Step;
  /** Findings beside it, which are remedied as well. */
  readonly also?: readonly string[];
  /** What changes ten minutes after it. */
  readonly after?: Step;
  /** What the remedy asks of somebody in words, and no record or command says. */
  readonly mend?: Step;
  /** Diagnosed in place of the hostname that is created. */
  readonly asked?: (host: string) => string;
}

const here = (host: string): readonly Entry[] => [[host, 'CNAME', target]];
const away = (host: string): Entry => [host, 'CNAME', 'shop.elsewhere.com'];
const caa =
  (...values: readonly string[]) =>
  (host: string, domain: string): readonly Entry[] => [...here(host), [domain, 'CAA', ...values]];
const wildcard = ['--wildcard', '--method', 'txt'];

async function tokens(stage: Stage, host: string): Promise<readonly string[]> {
  const records = (await stage.record(host)).ssl?.validation_records ?? [];
  return records.flatMap((record) => record.txt_value ?? []);
}

async function ownership(stage: Stage, host: string): Promise<string> {
  return (await stage.record(host)).ownership_verification?.value ?? '';
}

/** Puts texts made of the ownership token at a name. */
const owned =
  (nameOf: (host: string, domain: string) => string, textOf: (token: string) => string) =>
  async (stage: Stage, host: string, domain: string) =>
    stage.dns([nameOf(host, domain), 'TXT', textOf(await ownership(stage, host))]);

/** Puts texts made of the certificate's tokens at a name. */
const proved =
  (nameOf: (host: string, domain: string) => string, textOf: (token: string) => string) =>
  async (stage: Stage, host: string, domain: string) =>
    stage.dns([nameOf(host, domain), 'TXT', ...(await tokens(stage, host)).map(textOf)]);

/** An origin of its own in our zone, with what stands behind it. */
const originOf = (id: string) => `o-${id.toLowerCase()}.saas.sandbox`;
function behind(id: string, server: object, content = '192.0.2.50'): Scene {
  const name = originOf(id);
  return {
    id,
    create: ['--origin', name],
    dns: here,
    before: async (stage) => {
      await stage.edgectl('zone', 'record', 'set', name, 'A', content, '--proxied');
      await stage.api('PUT', '/sandbox/origins', { name, ...server });
    },
    mend: (stage) => stage.api('DELETE', `/sandbox/origins?name=${name}`),
  };
}

/** An answer of the customer's own before the token of a certificate. */
function before(id: string, rule: object): Scene {
  return {
    id,
    create: [],
    dns: here,
    before: (stage, host) =>
      stage.api('PUT', '/sandbox/edge-rules', { host, path: '/.well-known/', ...rule }),
    mend: (stage, host) => stage.api('DELETE', `/sandbox/edge-rules?host=${host}`),
  };
}

/** A hostname that is proved before the change-over does not lead here yet. */
const routing = ['C1', 'C2'];

const unset = (type: string) => (stage: Stage, host: string) =>
  stage.api('DELETE', `/sandbox/dns?name=${host}&type=${type}`);

/** Findings about one hostname, which can come about beside each other. */
export const scenes: readonly Scene[] = [
  { id: 'A0', dns: here },
  {
    id: 'A4',
    create: [],
    dns: here,
    after: async (stage, host) => {
      await stage.dns(away(host));
      await stage.dns([host, 'CNAME', target]);
    },
  },
  { id: 'A5', create: [], dns: here, after: (stage, host) => stage.dns(away(host)) },
  {
    id: 'A8',
    create: [],
    dns: here,
    before: async (stage, _host, domain) => {
      await stage.api('POST', '/zones', { name: domain });
      await stage.edgectl('zone', 'hold', 'set', '--zone', domain, '--include-subdomains');
    },
  },
  {
    id: 'B5',
    create: ['--origin', originOf('B5')],
    dns: here,
    before: madeOrigin('B5'),
    after: lostOrigin('B5'),
  },
  { id: 'C1', create: [] },
  { id: 'C2', create: [], dns: (host) => [[host, 'TXT', 'hello']] },
  { id: 'C4', create: [], dns: (host) => [away(host), ['shop.elsewhere.com', 'A', '198.51.100.7']] },
  { id: 'C5', create: [], dns: (host, domain) => [[host, 'CNAME', `${target}.${domain}`]] },
  { id: 'C6', create: [], dns: (host) => [[host, 'CNAME', 'gone.saas.sandbox']] },
  { id: 'C7', create: [], dns: (host) => [[host, 'CNAME', host]] },
  { id: 'C10', create: [], dns: (host) => [[host, 'A', '198.51.100.7']] },
  { id: 'C14', create: [], dns: (host) => [...here(host), [host, 'SERVFAIL']], mend: unset('SERVFAIL') },
  { id: 'C17', create: [], dns: (host, domain) => [[`${host}.${domain}`, 'CNAME', target]] },
  { id: 'C18', create: [], dns: (host) => [...here(host), [host, 'BOGUS']], mend: unset('BOGUS') },
  {
    id: 'C19',
    create: ['--origin', originOf('C19')],
    dns: here,
    before: (stage) => stage.edgectl('zone', 'record', 'set', originOf('C19'), 'A', '127.0.0.1', '--proxied'),
  },
  { id: 'C20', create: [], dns: (host) => [[host, 'A', '127.0.0.1']] },
  {
    id: 'C21',
    create: wildcard,
    dns: (host) => [...here(host), [`x.${host}`, 'A', '127.0.0.1']],
    after: delegate,
    asked: (host) => `x.${host}`,
  },
  { id: 'D4', also: routing, create: [], dns: (host) => [[`_cf-custom-hostname.${host}`, 'TXT', 'stale']] },
  { id: 'D5', also: routing, create: [] },
  {
    id: 'D6',
    also: routing,
    create: [],
    after: owned(
      (host, domain) => `_cf-custom-hostname.${host}.${domain}`,
      (token) => token,
    ),
  },
  {
    id: 'D8',
    also: routing,
    create: [],
    after: owned(
      (host) => `_cf-custom-hostname.${host}`,
      (token) => `'${token}'`,
    ),
  },
  { id: 'E3', create: ['--ca', 'google'], dns: caa('0 issue "letsencrypt.org"') },
  { id: 'E4', create: wildcard, dns: caa('0 issue "pki.goog"', '0 issuewild ";"'), after: delegate },
  { id: 'E5', create: [], dns: caa('0 issue ";"') },
  { id: 'E6', create: [], dns: caa('128 tbs "x"') },
  { id: 'E7', create: [], dns: caa('0 issue "pki.goog; validationmethods=dns-01"') },
  {
    id: 'E8',
    create: [],
    dns: (host) => [[host, 'CNAME', 't-e8.saas.sandbox']],
    before: async (stage) => {
      await stage.edgectl('zone', 'record', 'set', 't-e8', 'A', '192.0.2.1', '--proxied');
      await stage.edgectl('zone', 'record', 'set', 't-e8', 'CAA', '0 issue "other-ca.net"');
    },
  },
  {
    id: 'E9',
    create: [],
    dns: (host) => [...here(host), [host, 'SERVFAIL', 'CAA']],
    mend: unset('SERVFAIL'),
  },
  { id: 'F8', create: wildcard, dns: here, after: firstToken },
  {
    id: 'F9',
    create: wildcard,
    dns: (host) => [...here(host), [`_acme-challenge.${host}`, 'TXT', 'foreign']],
  },
  { id: 'F10', create: wildcard, dns: here },
  {
    id: 'F12',
    create: wildcard,
    dns: (host) => [...here(host), [`_acme-challenge.${host}`, 'CNAME', `${host}.other.dcv.cloudflare.com`]],
  },
  {
    id: 'F29',
    create: wildcard,
    dns: here,
    after: proved(
      (host) => `_acme-challenge.${host}`,
      (token) => `“${token}”`,
    ),
  },
  {
    id: 'F30',
    create: wildcard,
    dns: here,
    after: proved(
      (host, domain) => `_acme-challenge.${host}.${domain}`,
      (token) => token,
    ),
  },
  before('F31', { status: 301, location: 'https://www.elsewhere.com/' }),
  before('F32', { status: 403, body: 'Who are you?' }),
  before('F33', { status: 200, body: '<html>Welcome to our shop</html>' }),
  before('F34', { status: 200, body: 'an-old-token', headers: { age: '7200' } }),
  behind('G7', { port: 1 }),
  behind('G8', { fault: 522 }),
  behind('G9', { fault: 523 }, '8.8.4.4'),
  behind('G12', { fault: 524 }),
];

function madeOrigin(id: string): Step {
  return (stage) => stage.edgectl('zone', 'record', 'set', originOf(id), 'A', '192.0.2.50', '--proxied');
}

function lostOrigin(id: string): Step {
  return (stage) => stage.edgectl('zone', 'record', 'delete', originOf(id), 'A', '--yes');
}

async function delegate(stage: Stage, host: string): Promise<void> {
  const [record] = (await stage.record(host)).ssl?.dcv_delegation_records ?? [];
  await stage.dns([record?.cname ?? '', 'CNAME', record?.cname_target ?? '']);
}

async function firstToken(stage: Stage, host: string): Promise<void> {
  const [first = ''] = await tokens(stage, host);
  await stage.dns([`_acme-challenge.${host}`, 'TXT', first]);
}

/** Whether hostname and certificate are in service. */
export function isActive({ status, ssl }: CustomHostname): boolean {
  return status === 'active' && ssl?.status === 'active';
}
