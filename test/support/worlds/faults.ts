import { randomBytes } from 'node:crypto';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { challengeName, ownershipName } from '../../../src/model/hostnames/tokens.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import { makeCertificate } from '../../../src/sandbox/hostnames/certificates.ts';
import { nameServers, pointHere } from './play.ts';
import type { Fault, Site } from './site.ts';

// Sources: SPEC is the specification of this project (area B: States and transitions, Errors, Limits). The others are
// pages of the provider's documentation: TROUBLE "Custom hostnames: troubleshooting", CODES "Custom hostnames: error codes",
// DCV "Domain control validation: troubleshooting", STATUS "Custom hostnames: validation status", APEX "Apex proxying",
// PRE "Custom hostnames: pre-validation", HTTP and TXT "Validate by HTTP / by TXT", DELEGATE "Delegated DCV", CA
// "Certificate authorities", HOLD "Zone holds", FALLBACK "Custom hostnames: get started, fallback origin", ORIGIN "Custom
// origin server", TLS "Edge certificates: troubleshooting", PRIORITY "Certificate and hostname priority", CUSTOM "Custom
// certificates (Cloudflare for SaaS)", 1xxx and 5xx the pages of those errors, PLANS "Cloudflare for SaaS: plans". RFCs by number.

const all = ['apex', 'subdomain', 'wildcard'] as const;
const below = ['subdomain', 'wildcard'] as const;
const either = ['before', 'after'] as const;
const away = '198.51.100.7';
const day = 24 * 60 * 60;

const customer = { parties: ['customer'], scope: 'hostname', phase: 'start' } as const;

async function route(
  site: Site,
  ...entries: readonly (readonly [string, string, ...string[]])[]
): Promise<void> {
  await site.forget(site.host);
  await site.dns(...entries);
}

const strayV6 = '2001:db8::77';

/** Runs a web server that does not have the token, at an address on the sandbox's internet. */
function strangerAt({ stage }: Site, address: string): Promise<unknown> {
  const port = Number(new URL(stage.ready?.apiBaseUrl ?? '').port);
  return stage.api('PUT', '/sandbox/origins', { name: address, port });
}

/** Faults of the target that DNS points to. */
const routing: readonly Fault[] = [
  {
    id: 'cname-missing',
    source: 'SPEC, Errors, 1016 (1); TROUBLE',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: either,
    cause: (site) => site.forget(site.host),
  },
  {
    id: 'cname-elsewhere',
    source: 'SPEC, States and transitions: Moved',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: either,
    cause: (site) =>
      route(
        site,
        [site.host, 'CNAME', `${site.domain}.elsewhere.net`],
        [`${site.domain}.elsewhere.net`, 'A', away],
      ),
  },
  {
    id: 'address-of-old-server',
    source: 'CODES: custom hostname does not CNAME to this zone',
    slot: 'routing',
    ...customer,
    kinds: all,
    when: either,
    cause: (site) => route(site, [site.host, 'A', away]),
  },
  {
    id: 'copied-address',
    source: 'CODES: custom hostname does not CNAME to this zone; 1034',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: either,
    cause: (site) => route(site, [site.host, 'A', edgeAddresses.own]),
  },
  {
    id: 'target-with-zone-appended',
    source: 'RFC 1034, 3.6.2: panels append the zone to a name without a dot at its end',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: ['before'],
    cause: (site) => route(site, [site.host, 'CNAME', `${site.target}.${site.domain}`]),
  },
  {
    id: 'name-with-zone-appended',
    source: 'RFC 1034, 3.6.2',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: ['before'],
    cause: (site) => route(site, [`${site.host}.${site.domain}`, 'CNAME', site.target]),
  },
  {
    id: 'cname-loop',
    source: 'RFC 1034, 3.6.2',
    slot: 'routing',
    ...customer,
    kinds: below,
    when: ['before'],
    cause: (site) =>
      route(site, [site.host, 'CNAME', `loop.${site.domain}`], [`loop.${site.domain}`, 'CNAME', site.host]),
  },
  {
    id: 'other-records-only',
    source: 'RFC 1034, 3.6.2',
    slot: 'routing',
    ...customer,
    kinds: all,
    when: ['before'],
    cause: (site) => route(site, [site.host, 'TXT', 'v=spf1 -all']),
  },
  {
    id: 'name-servers-fail',
    isOver: true,
    source: 'DCV: SERVFAIL during DNS lookup',
    slot: 'routing',
    ...customer,
    kinds: all,
    when: either,
    excludes: ['caa'],
    cause: (site) => site.dns([site.host, 'SERVFAIL']),
    words: /name servers?|NS records|DNS (?:provider|host)|DNSSEC|DS record/i,
    undo: (site) => site.forget(site.host, 'SERVFAIL'),
  },
  {
    id: 'dnssec-bogus',
    isOver: true,
    source: 'DCV: dnssec: bogus; RFC 4035, 5',
    slot: 'routing',
    ...customer,
    kinds: all,
    when: ['before'],
    excludes: ['caa'],
    cause: (site) => site.dns([site.host, 'BOGUS']),
    words: /DS record|DNSSEC/i,
    undo: (site) => site.forget(site.host, 'BOGUS'),
  },
  {
    id: 'proxied-in-own-zone',
    source: 'CODES: the hostname is using the platform and cannot be activated with a TXT or HTTP token',
    slot: 'routing',
    ...customer,
    kinds: ['subdomain'],
    when: ['before'],
    excludes: ['hold'],
    async cause(site) {
      await site.forget(site.host);
      const { id } = await site.stage.api<{ id: string }>('POST', '/zones', { name: site.domain });
      const record = { type: 'A', name: site.host, content: away, proxied: true };
      await site.stage.api('POST', `/zones/${id}/dns_records`, record);
    },
  },
  {
    id: 'target-of-ours-missing',
    source: 'SPEC, Errors, 1016; FALLBACK',
    slot: 'routing',
    parties: ['us', 'customer'],
    scope: 'hostname',
    phase: 'start',
    kinds: below,
    when: ['before'],
    cause: (site) => route(site, [site.host, 'CNAME', `gone-${site.domain.split('.')[0]}.saas.sandbox`]),
  },
  {
    // The DNS panel of the customer's zone still accepts records, but public DNS does not return them.
    id: 'delegated-to-other-servers',
    generation: 2,
    source: 'RFC 1034, 4.2.1; TLS: troubleshooting, NS records at or above the name',
    slot: 'routing',
    ...customer,
    kinds: ['subdomain'],
    when: ['before'],
    excludes: ['caa'],
    hidesRecords: true,
    cause: (site) => route(site, [site.host, 'SOA', 'ns.old-host.net'], [site.host, 'NS', 'ns.old-host.net']),
    words: /delegation|name servers of/i,
    async undo(site) {
      await site.forget(site.host);
      await pointHere(site);
    },
  },
  {
    id: 'stray-ipv6-address',
    generation: 2,
    source: 'DCV: authorities prefer IPv6; RFC 8555, 8.3',
    slot: 'routing',
    ...customer,
    kinds: ['apex'],
    when: either,
    async cause(site) {
      await site.forget(site.host);
      await strangerAt(site, strayV6);
      await site.dns([site.host, 'A', edgeAddresses.own], [site.host, 'AAAA', strayV6]);
    },
  },
  {
    id: 'apex-without-alias-records',
    generation: 2,
    source:
      'RFC 1034, 3.6.2; APEX: DNS providers without CNAME flattening; the panel of GoDaddy has no ALIAS',
    slot: 'routing',
    ...customer,
    kinds: ['apex'],
    when: ['before'],
    cause: (site) =>
      route(
        site,
        [site.domain, 'NS', 'ns01.domaincontrol.com', 'ns02.domaincontrol.com'],
        [site.host, 'A', away],
      ),
    words: /move its DNS to a provider/i,
    async undo(site) {
      await site.dns([site.domain, 'NS', ...nameServers]);
      await pointHere(site, 'instead');
    },
  },
  {
    id: 'apex-proxying-in-part',
    generation: 2,
    source: 'APEX: None of the A or AAAA records are owned by this account; all of them must be',
    slot: 'routing',
    ...customer,
    kinds: ['apex'],
    when: ['before'],
    scope: 'zone',
    async cause(site) {
      await site.stage.api('PUT', '/sandbox/prefixes', { cidrs: ['198.18.7.0/24'] });
      await route(site, [site.host, 'A', '198.18.7.10', away]);
    },
    undo: ({ stage }) => stage.api('PUT', '/sandbox/prefixes', { cidrs: [] }),
  },
  {
    id: 'foreign-address-beside-ours',
    source: 'APEX: all A and AAAA records must be owned',
    slot: 'routing',
    ...customer,
    kinds: ['apex'],
    when: either,
    cause: (site) => route(site, [site.host, 'A', edgeAddresses.own, away]),
  },
];

const ownershipName_ = ({ host }: Site) => ownershipName(host);

/** Creates a fault in which DNS contains the ownership token in a form that differs from the issued token. */
function ownership(id: string, source: string, toText: (token: string) => string | undefined): Fault {
  return {
    id,
    source,
    slot: 'ownership',
    parties: ['customer'],
    scope: 'hostname',
    phase: 'tokens',
    kinds: ['apex'],
    when: ['before'],
    async cause(site) {
      await site.forget(ownershipName_(site));
      const token = (await site.record())?.ownership_verification?.value;
      const text = token === undefined ? undefined : toText(token);
      if (text !== undefined) await site.dns([ownershipName_(site), 'TXT', text]);
    },
  };
}

/** Faults in the proof of ownership, for a name that cannot be a CNAME. */
const ownerships: readonly Fault[] = [
  ownership('ownership-missing', 'PRE: TXT; APEX: flattened names cannot be seen', () => undefined),
  ownership(
    'ownership-stale',
    'PRE: the token changes when a hostname is created again',
    () => '5cc07c04-ea62-4a5a-95f0-419334a875a4',
  ),
  ownership('ownership-quoted', 'RFC 1035, 5.1: quotes delimit a string and are not part of it', (token) =>
    `"${token}"`.replaceAll('"', "'"),
  ),
  ownership('ownership-cut', 'RFC 1035, 3.3.14', (token) => token.slice(0, 20)),
  {
    ...ownership('ownership-at-wrong-name', 'PRE: TXT; panels append the zone', () => undefined),
    async cause(site) {
      await site.forget(ownershipName_(site));
      const token = (await site.record())?.ownership_verification?.value;
      if (token !== undefined) await site.dns([`${ownershipName_(site)}.${site.domain}`, 'TXT', token]);
    },
  },
];

async function readTokens(site: Site): Promise<readonly string[]> {
  return ((await site.record())?.ssl?.validation_records ?? []).flatMap(({ txt_value }) => txt_value ?? []);
}

const challenge = {
  slot: 'challenge',
  parties: ['customer'],
  scope: 'hostname',
  phase: 'tokens',
  kinds: ['wildcard'],
  when: ['before'],
} as const;

function challengeTexts(
  id: string,
  source: string,
  toTexts: (tokens: readonly string[]) => readonly string[],
): Fault {
  return {
    id,
    source,
    ...challenge,
    async cause(site) {
      const texts = toTexts(await readTokens(site));
      if (texts.length > 0) await site.dns([challengeName(site.host), 'TXT', ...texts]);
    },
  };
}

/** Faults in the proof of control that the authority requires. */
const challenges: readonly Fault[] = [
  challengeTexts('challenge-missing', 'TXT: all tokens are needed', () => []),
  challengeTexts('challenge-incomplete', 'TXT: a wildcard has two tokens', (tokens) => tokens.slice(0, 1)),
  challengeTexts('challenge-stale', 'DCV: tokens change with each order', () => [
    '6LpqmBo2sFvMgcIcAHFp2aTnJyRYSOXwzHoUOmSqdXw',
    'nz1yUTFyIHGGfSLLSPhzPRL3V0iCSTbUAYEkdFEBTCY',
  ]),
  challengeTexts('challenge-quoted', 'RFC 1035, 5.1', (tokens) => tokens.map((token) => `'${token}'`)),
  challengeTexts('challenge-cut', 'RFC 1035, 3.3.14', (tokens) => tokens.map((token) => token.slice(0, 24))),
  {
    id: 'challenge-at-wrong-name',
    source: 'TXT; panels append the zone',
    ...challenge,
    // An authority that does not respond has issued no tokens.
    async cause(site) {
      const texts = await readTokens(site);
      if (texts.length > 0) await site.dns([`${challengeName(site.host)}.${site.domain}`, 'TXT', ...texts]);
    },
  },
  {
    id: 'delegation-hidden-by-texts',
    generation: 2,
    source: 'DELEGATE: the universal certificate of a zone on the platform has TXT records at the same name',
    ...challenge,
    async cause(site) {
      const [delegation] = (await site.record())?.ssl?.dcv_delegation_records ?? [];
      if (delegation?.cname_target === undefined) return;
      const name = challengeName(site.host);
      await site.forget(name);
      for (const [type, content] of [
        ['TXT', 'of the universal certificate of that zone'],
        ['CNAME', delegation.cname_target],
      ])
        await site.stage.api('PUT', '/sandbox/dns?hidden=true', { name, type, contents: [content] });
    },
    words: /universal certificate/i,
    undo: (site) => site.forget(challengeName(site.host), 'TXT'),
  },
  {
    id: 'delegated-elsewhere',
    source: 'DELEGATE: the target has the id of the zone',
    ...challenge,
    cause: (site) =>
      site.dns([challengeName(site.host), 'CNAME', `${site.host}.0123456789abcdef.dcv.cloudflare.com`]),
  },
];

function caa(id: string, source: string, contents: readonly string[], more: Partial<Fault> = {}): Fault {
  return {
    id,
    source,
    slot: 'caa',
    ...customer,
    kinds: all,
    when: either,
    cause: (site) => site.dns([site.domain, 'CAA', ...contents]),
    ...more,
  };
}

/** Faults in CAA records, which specify who may issue certificates. */
const caas: readonly Fault[] = [
  caa('caa-names-another', 'SPEC, caa_error; RFC 8659, 4.2', ['0 issue "sectigo.com"']),
  caa('caa-names-only-google', 'SPEC, caa_error; CA', ['0 issue "pki.goog"'], {
    parties: ['us', 'customer'],
    fits: ({ authority }) => authority === 'lets_encrypt',
  }),
  caa('caa-names-only-lets-encrypt', 'SPEC, caa_error; CA', ['0 issue "letsencrypt.org"'], {
    parties: ['us', 'customer'],
    fits: ({ authority }) => authority === 'google',
  }),
  caa('caa-names-nobody', 'RFC 8659, 4.2', ['0 issue ";"']),
  caa('caa-critical-unknown', 'RFC 8659, 4.1', ['128 tbs "unknown"']),
  caa(
    'caa-no-wildcards',
    'SPEC, caa_error: issuewild; RFC 8659, 4.3',
    ['0 issue "pki.goog"', '0 issue "letsencrypt.org"', '0 issuewild ";"'],
    { kinds: ['wildcard'] },
  ),
  caa('caa-other-account', 'RFC 8657, 3', [
    '0 issue "pki.goog; accounturi=https://pki.example/account/1"',
    '0 issue "letsencrypt.org; accounturi=https://le.example/account/1"',
  ]),
  caa('caa-other-method', 'RFC 8657, 4', [
    '0 issue "pki.goog; validationmethods=tls-alpn-01"',
    '0 issue "letsencrypt.org; validationmethods=tls-alpn-01"',
  ]),
  caa('caa-lookup-fails', 'RFC 8659, 6; DCV: SERVFAIL', [], {
    cause: (site) => site.dns([site.domain, 'SERVFAIL', 'CAA']),
    words: /CAA/,
    undo: (site) => site.forget(site.domain, 'SERVFAIL'),
  }),
  {
    id: 'caa-of-our-target',
    source: 'RFC 8659, 3: CAA of the target of a CNAME; CA: for SaaS customers',
    slot: 'caa',
    parties: ['us'],
    scope: 'zone',
    phase: 'start',
    kinds: below,
    when: ['before'],
    excludes: ['routing'],
    cause: (site) => site.stage.edgectl('zone', 'record', 'set', site.target, 'CAA', '0 issue "sectigo.com"'),
    undo: (site) => dropRecords(site, site.target, 'CAA'),
  },
];

async function dropRecords({ stage }: Site, name: string, type: string): Promise<void> {
  const found = await stage.zone<{ id: string }[]>('GET', `/dns_records?name=${name}&type=${type}`);
  for (const { id } of found) await stage.zone('DELETE', `/dns_records/${id}`);
}

function tokenPath(id: string, source: string, rule: object, words: RegExp, path = '/.well-known/'): Fault {
  return {
    id,
    source,
    slot: 'token-path',
    ...customer,
    kinds: ['apex', 'subdomain'],
    when: either,
    cause: ({ stage, host }) => stage.api('PUT', '/sandbox/edge-rules', { host, path, ...rule }),
    words,
    undo: ({ stage, host }) => stage.api('DELETE', `/sandbox/edge-rules?host=${host}`),
  };
}

/** Faults in which something in front of the edge answers at the authority's token path. */
const tokenPaths: readonly Fault[] = [
  tokenPath(
    'token-redirected',
    'HTTP: the path must not be redirected',
    { status: 301, location: 'https://www.elsewhere.net/' },
    /redirect/i,
  ),
  tokenPath(
    'token-forbidden',
    'HTTP: the path must not be challenged or blocked',
    { status: 403, body: 'Who are you?' },
    /login|firewall|bot protection/i,
  ),
  tokenPath(
    'token-other-content',
    'HTTP: the body is the token',
    { status: 200, body: '<html>Welcome</html>' },
    /another server or a rule answers|\.well-known/i,
  ),
  tokenPath(
    'token-cached',
    'HTTP: the body is the token',
    { status: 200, body: 'a-token-of-last-year', headers: { age: '86400' } },
    /cache/i,
  ),
];

const origin = {
  slot: 'origin',
  parties: ['us'],
  kinds: all,
} as const;

function ownOrigin(id: string, source: string, server: object, words?: RegExp): Fault {
  return {
    id,
    source,
    ...origin,
    scope: 'hostname',
    phase: 'start',
    when: either,
    creation: (body) => ({
      ...body,
      custom_origin_server: `o-${body.hostname.replaceAll('.', '-').slice(-40)}.saas.sandbox`,
    }),
    cause: (site) => site.stage.api('PUT', '/sandbox/origins', { name: site.origin, ...server }),
    ...(words && { words }),
    undo: (site) => site.stage.api('DELETE', `/sandbox/origins?name=${site.origin}`),
  };
}

const fallbackName = 'origin.saas.sandbox';

async function restoreFallback(site: Site): Promise<void> {
  const found = await site.stage.zone<{ id: string; proxied: boolean }[]>(
    'GET',
    `/dns_records?name=${fallbackName}`,
  );
  for (const { id } of found) await site.stage.zone('DELETE', `/dns_records/${id}`);
  await site.stage.zone('POST', '/dns_records', {
    type: 'A',
    name: fallbackName,
    content: '192.0.2.2',
    proxied: true,
  });
  await site.stage.api('DELETE', `/sandbox/interventions?hostname=${fallbackName}`);
  await site.stage.zone('PUT', '/custom_hostnames/fallback_origin', { origin: fallbackName });
}

const fallback = { ...origin, scope: 'zone', phase: 'start', when: either, undo: restoreFallback } as const;

/** Faults of the origin behind the edge. */
const origins: readonly Fault[] = [
  ownOrigin('origin-refuses', '521', { port: 1 }, /web server/i),
  ownOrigin('origin-silent', '522', { fault: 522 }, /network|firewall|address/i),
  ownOrigin('origin-cuts', '520', { fault: 520 }, /web server/i),
  ownOrigin('origin-slow', '524', { fault: 524 }, /web server/i),
  {
    ...ownOrigin(
      'origin-certificate-invalid',
      '526: an authority that nobody trusts, another name',
      {},
      /certificate/i,
    ),
    generation: 2,
    cause: (site) =>
      site.stage.api('PUT', '/sandbox/origins', {
        ...{ name: site.origin, tls: 'strict' },
        port: Number(new URL(site.stage.ready?.edgeTlsUrl ?? '').port),
      }),
  },
  {
    ...ownOrigin('origin-without-tls', '525', {}, /TLS/),
    generation: 2,
    cause: (site) =>
      site.stage.api('PUT', '/sandbox/origins', {
        ...{ name: site.origin, tls: 'full' },
        port: Number(new URL(site.stage.ready?.apiBaseUrl ?? '').port),
      }),
  },
  {
    ...ownOrigin('origin-record-missing', 'ORIGIN; SPEC, Errors, 1016', {}),
    when: ['after'],
    cause: (site) => dropRecords(site, site.origin, 'A'),
  },
  {
    ...fallback,
    id: 'fallback-not-set',
    source: 'SPEC, Errors, 1016 (2); FALLBACK',
    cause: ({ stage }) => stage.zone('DELETE', '/custom_hostnames/fallback_origin'),
  },
  {
    ...fallback,
    id: 'fallback-record-missing',
    source: 'SPEC, Errors, 1016 (2)',
    cause: (site) => dropRecords(site, fallbackName, 'A'),
  },
  {
    ...fallback,
    id: 'fallback-and-record-missing',
    source: 'SPEC, Errors, 1016 (2)',
    async cause(site) {
      await site.stage.zone('DELETE', '/custom_hostnames/fallback_origin');
      await dropRecords(site, fallbackName, 'A');
    },
  },
  {
    ...fallback,
    id: 'fallback-not-proxied',
    source: 'FALLBACK: a proxied record',
    async cause({ stage }) {
      const [found] = await stage.zone<{ id: string }[]>('GET', `/dns_records?name=${fallbackName}`);
      await stage.zone('PATCH', `/dns_records/${found?.id}`, { proxied: false });
    },
  },
  {
    ...fallback,
    id: 'origin-address-of-the-platform',
    source: '1000',
    async cause({ stage }) {
      const [found] = await stage.zone<{ id: string }[]>('GET', `/dns_records?name=${fallbackName}`);
      await stage.zone('PATCH', `/dns_records/${found?.id}`, { content: edgeAddresses.own });
    },
  },
];

function refusal(id: string, source: string, message: string, more: Partial<Fault>): Fault {
  return {
    id,
    source,
    slot: 'authority',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: all,
    when: ['before'],
    cause: ({ stage, host }) =>
      stage.api('PUT', '/sandbox/interventions', { hostname: host, refusal: message, authority: 'google' }),
    undo: ({ stage, host }) => stage.api('DELETE', `/sandbox/interventions?hostname=${host}`),
    fits: ({ authority }) => authority !== 'lets_encrypt',
    // Choosing the authority, and therefore switching to another authority, requires an Enterprise plan (CODES: 1459).
    partiesIn: ({ plan }) =>
      plan === 'enterprise'
        ? ['us', 'customer', 'nobody']
        : ['us', 'provider', ...(more.lasts === undefined ? [] : ['nobody' as const])],
    excludes: ['abuse'],
    ...more,
  };
}

const everyAuthority =
  (message: string): Fault['cause'] =>
  ({ stage, host }) =>
    stage.api('PUT', '/sandbox/interventions', { hostname: host, refusal: message });

/** Faults of the certificate authority. */
const authorities: readonly Fault[] = [
  refusal(
    'authority-rate-limit',
    'DCV: the authority has rate limited these domains',
    'The authority has rate limited these domains.',
    { lasts: 7 * day },
  ),
  refusal(
    'authority-internal-error',
    'DCV: Internal error with Certificate Authority',
    'Internal error with Certificate Authority.',
    { lasts: day },
  ),
  refusal(
    'authority-internal-error-for-days',
    'DCV: Internal error with Certificate Authority',
    'Internal error with Certificate Authority.',
    {},
  ),
  refusal(
    'authority-sees-a-risk',
    'DCV: reported as potential risk',
    'The hostname was reported as potential risk by the authority.',
    {},
  ),
  refusal('every-authority-sees-a-risk', 'DCV: reported as potential risk', 'x', {
    partiesIn: () => ['us', 'customer', 'provider'],
    fits: () => true,
    cause: everyAuthority('The hostname was reported as potential risk by the authority.'),
  }),
  {
    ...refusal('authority-gives-no-tokens', 'DCV: initializing', 'x', {
      fits: () => true,
      partiesIn: () => ['us', 'provider'],
    }),
    cause: ({ stage, host }) => stage.api('PUT', '/sandbox/interventions', { hostname: host, silent: true }),
  },
  {
    id: 'international-name-at-google',
    source: 'CA: Google does not issue certificates for internationalized domain names',
    slot: 'authority',
    parties: ['us', 'customer'],
    scope: 'hostname',
    phase: 'start',
    kinds: below,
    when: ['before'],
    label: 'xn--bcher-kva',
    authority: 'google',
    fits: ({ plan }) => plan === 'enterprise',
    excludes: ['registration'],
    cause: async () => undefined,
  },
];

/** Creates a fault with the customer's own certificate, which expires after this many seconds. */
function uploaded(id: string, source: string, seconds: number): Fault {
  const ssl = ({ stage, host }: Site, from: number, valid: number) => createUpload(stage, host, from, valid);
  return {
    id,
    generation: 2,
    source,
    slot: 'authority',
    parties: ['us', 'customer'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['subdomain', 'apex'],
    when: ['before'],
    fits: ({ plan }) => plan === 'enterprise',
    excludes: ['caa', 'token-path', 'registration', 'hold', 'abuse'],
    creation: (body) => ({ ...body, ssl: { method: 'http', type: 'dv' } }),
    upload: (site) => ssl(site, 0, seconds),
    cause: async () => undefined,
    words: /new certificate|upload/i,
    async undo(site) {
      const record = await site.record();
      if (record === undefined) return;
      await site.stage.zone('PATCH', `/custom_hostnames/${record.id}`, {
        ssl: await ssl(site, 0, 300 * day),
      });
    },
  };
}

/** Returns the `ssl` of an upload whose certificate is valid for this many seconds, starting `from` seconds from now. */
async function createUpload(
  stage: Site['stage'],
  hostname: string,
  from: number,
  seconds: number,
): Promise<object> {
  const { now } = await stage.api<{ now: string }>('GET', '/sandbox/clock');
  const since = Date.parse(now) + from * 1000;
  const { settings } = stage.sandbox.platform.registry();
  const wanted = { hostname, wildcard: false, branding: false, authority: 'google', since } as const;
  const { keyed } = await makeCertificate(settings, randomBytes, {
    ...wanted,
    expiresAt: since + seconds * 1000,
  });
  return { custom_certificate: keyed.certificate, custom_key: keyed.privateKey };
}

function rivalZone(domain: string): string {
  return `rival-of-${domain.replaceAll('.', '-')}.net`;
}

/** Creates the same hostname in another zone, which validates it with a token after our zone has done so. */
async function validateElsewhere(site: Site): Promise<void> {
  const { stage, host, domain } = site;
  const { id } = await stage.api<{ id: string }>('POST', '/zones', { name: rivalZone(domain) });
  const origin = `origin.${rivalZone(domain)}`;
  await stage.api('POST', `/zones/${id}/dns_records`, {
    type: 'A',
    name: origin,
    content: '8.8.4.4',
    proxied: true,
  });
  const rival = await stage.api<CustomHostname>('POST', `/zones/${id}/custom_hostnames`, {
    ...{ hostname: host, custom_origin_server: origin, ssl: { method: 'http', type: 'dv' } },
  });
  const token = rival.ownership_verification?.value;
  if (token !== undefined) await site.dns([ownershipName(host), 'TXT', token]);
}

/** Returns the API path of the hostname in the other zone, if it exists. */
async function findRival({ stage, host, domain }: Site): Promise<string | undefined> {
  const [zone] = await stage.api<{ id: string }[]>('GET', `/zones?name=${rivalZone(domain)}`);
  if (zone === undefined) return undefined;
  const below = `/zones/${zone.id}/custom_hostnames`;
  const [rival] = await stage.api<{ id: string }[]>('GET', `${below}?hostname=${host}`);
  return rival === undefined ? undefined : `${below}/${rival.id}`;
}

/** Edits the hostname in the other zone, as that zone's owner would, which makes that zone active again. */
async function editRival(site: Site): Promise<void> {
  const path = await findRival(site);
  const isOurs = (await site.record())?.status === 'active';
  if (path !== undefined && isOurs)
    await site.stage.api('PATCH', path, { ssl: { method: 'http', type: 'dv' } });
}

/** Faults caused by the hostname itself, by its zone's hold, and by the abuse desk. */
const otherFaults: readonly Fault[] = [
  {
    id: 'never-created',
    source: 'SPEC, What the service does; STATUS',
    slot: 'registration',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['subdomain'],
    when: ['before'],
    creation: () => null,
    cause: async () => undefined,
  },
  {
    id: 'longer-than-64',
    source: 'SPEC, Errors, 1469',
    slot: 'registration',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['subdomain'],
    when: ['before'],
    label: 'a'.repeat(60),
    creation: () => null,
    cause: async () => undefined,
  },
  {
    id: 'quota-used-up',
    source: 'CODES: 1404, 1405; PLANS',
    slot: 'registration',
    parties: ['us'],
    scope: 'zone',
    phase: 'start',
    kinds: ['subdomain'],
    when: ['before'],
    creation: () => null,
    cause: ({ stage }) => stage.api('PUT', '/sandbox/quota', { allocated: 0, hard_cap: 0 }),
    words: /quota/i,
    undo: ({ stage }) => stage.api('PUT', '/sandbox/quota', { allocated: 5000, hard_cap: 50_000 }),
  },
  {
    id: 'wildcard-by-http',
    source: 'HTTP: not for wildcards',
    slot: 'registration',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['wildcard'],
    when: ['before'],
    excludes: ['challenge'],
    creation: (body) => ({ ...body, ssl: { ...body.ssl, method: 'http' } }),
    cause: async () => undefined,
  },
  {
    id: 'deleted-after-a-week-in-moved',
    source: 'SPEC, States and transitions: Moved, 7 days',
    slot: 'registration',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['subdomain'],
    when: ['after'],
    async cause(site) {
      const record = await site.record();
      if (record !== undefined) await site.stage.zone('DELETE', `/custom_hostnames/${record.id}`);
    },
  },
  {
    id: 'zone-of-its-own-beats-the-wildcard',
    generation: 2,
    source: 'SPEC, Errors, 1016 (3); PRIORITY: zone DNS wins over a wildcard custom hostname',
    slot: 'registration',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: ['subdomain'],
    when: ['before'],
    label: 'www.shop',
    fits: ({ plan }) => plan === 'enterprise',
    excludes: ['hold', 'routing', 'caa'],
    creation: () => null,
    async cause({ stage, domain, target, dns }) {
      const covering = `shop.${domain}`;
      await dns([covering, 'CNAME', target]);
      await stage.zone('POST', '/custom_hostnames', {
        hostname: covering,
        ssl: { method: 'txt', type: 'dv', wildcard: true },
      });
      await stage.api('POST', '/zones', { name: domain });
    },
  },
  uploaded(
    'uploaded-certificate-expires',
    'CUSTOM: the platform does not renew uploaded certificates',
    10 * day,
  ),
  {
    id: 'taken-by-another-zone',
    generation: 2,
    source: 'PRIORITY: the last zone that validates a hostname wins; STATUS: moved',
    slot: 'rival',
    parties: ['us'],
    scope: 'hostname',
    phase: 'start',
    kinds: below,
    when: ['after'],
    excludes: ['hold', 'routing', 'registration'],
    cause: validateElsewhere,
  },
  {
    id: 'taken-again-and-again',
    generation: 2,
    source: 'PRIORITY: any edit validates a hostname again, so that two zones take it from each other',
    slot: 'rival',
    parties: ['us', 'customer'],
    scope: 'hostname',
    phase: 'start',
    kinds: below,
    when: ['after'],
    excludes: ['hold', 'routing', 'registration'],
    cause: validateElsewhere,
    reacts: editRival,
    words: /removed? where else/i,
    async undo(site) {
      const rival = await findRival(site);
      if (rival !== undefined) await site.stage.api('DELETE', rival);
    },
  },
  {
    id: 'held-zone',
    source: 'SPEC, Blocked status; HOLD',
    slot: 'hold',
    parties: ['zone-owner'],
    scope: 'hostname',
    phase: 'start',
    kinds: all,
    when: ['before'],
    async cause({ stage, domain }) {
      const { id } = await stage.api<{ id: string }>('POST', '/zones', { name: domain });
      await stage.api('POST', `/zones/${id}/hold?include_subdomains=true`);
    },
  },
  {
    id: 'flagged-for-abuse',
    source: 'STATUS: blocked',
    slot: 'abuse',
    parties: ['provider'],
    scope: 'hostname',
    phase: 'start',
    kinds: all,
    when: either,
    cause: ({ stage, host }) => stage.api('PUT', '/sandbox/interventions', { hostname: host, flagged: true }),
    undo: ({ stage, host }) => stage.api('DELETE', `/sandbox/interventions?hostname=${host}`),
  },
];

/** All faults that a world can have. */
export const faults: readonly Fault[] = [
  ...routing,
  ...ownerships,
  ...challenges,
  ...caas,
  ...tokenPaths,
  ...origins,
  ...authorities,
  ...otherFaults,
];
