import { challengeName, ownershipName } from '../../../src/model/hostnames/tokens.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import type { Fault, Site } from './site.ts';

// Sources: SPEC is the specification of this project (area B: States and transitions, Errors, Limits). The others are
// pages of the provider's documentation: TROUBLE "Custom hostnames: troubleshooting", CODES "Custom hostnames: error codes",
// DCV "Domain control validation: troubleshooting", STATUS "Custom hostnames: validation status", APEX "Apex proxying",
// PRE "Custom hostnames: pre-validation", HTTP and TXT "Validate by HTTP / by TXT", DELEGATE "Delegated DCV", CA
// "Certificate authorities", HOLD "Zone holds", FALLBACK "Custom hostnames: get started, fallback origin", ORIGIN "Custom
// origin server", 1xxx and 5xx the pages of those errors, PLANS "Cloudflare for SaaS: plans". RFCs by number.

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

/** Where DNS leads. */
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

/** The token that proves ownership, in DNS in another form than it was given. */
function ownership(id: string, source: string, textOf: (token: string) => string | undefined): Fault {
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
      const text = token === undefined ? undefined : textOf(token);
      if (text !== undefined) await site.dns([ownershipName_(site), 'TXT', text]);
    },
  };
}

/** The proof of ownership of a name that cannot be a CNAME. */
const ownerships: readonly Fault[] = [
  ownership('ownership-missing', 'PRE: TXT; APEX: flattened names cannot be seen', () => undefined),
  ownership(
    'ownership-stale',
    'PRE: the token changes when a hostname is created again',
    () => '5cc07c04-ea62-4a5a-95f0-419334a875a4',
  ),
  ownership('ownership-quoted', 'RFC 1035, 5.1: quotes delimit a text and are no part of it', (token) =>
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

async function tokensOf(site: Site): Promise<readonly string[]> {
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
  textsOf: (tokens: readonly string[]) => readonly string[],
): Fault {
  return {
    id,
    source,
    ...challenge,
    async cause(site) {
      const texts = textsOf(await tokensOf(site));
      if (texts.length > 0) await site.dns([challengeName(site.host), 'TXT', ...texts]);
    },
  };
}

/** The proof of control to the authority. */
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
    // An authority that is silent has given no tokens.
    async cause(site) {
      const texts = await tokensOf(site);
      if (texts.length > 0) await site.dns([`${challengeName(site.host)}.${site.domain}`, 'TXT', ...texts]);
    },
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

/** Who may issue. */
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

/** Answers before the edge where the authority looks for its token. */
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
    /whatever answers|something else answers|\.well-known/i,
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

/** What is behind the edge. */
const origins: readonly Fault[] = [
  ownOrigin('origin-refuses', '521', { port: 1 }, /web server/i),
  ownOrigin('origin-silent', '522', { fault: 522 }, /network|firewall|address/i),
  ownOrigin('origin-cuts', '520', { fault: 520 }, /web server/i),
  ownOrigin('origin-slow', '524', { fault: 524 }, /web server/i),
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
    excludes: ['abuse'],
    ...more,
  };
}

const everyAuthority =
  (message: string): Fault['cause'] =>
  ({ stage, host }) =>
    stage.api('PUT', '/sandbox/interventions', { hostname: host, refusal: message });

/** What the certificate authority does. */
const authorities: readonly Fault[] = [
  refusal(
    'authority-rate-limit',
    'DCV: the authority has rate limited these domains',
    'The authority has rate limited these domains.',
    { parties: ['us', 'customer', 'nobody'], lasts: 7 * day },
  ),
  refusal(
    'authority-internal-error',
    'DCV: Internal error with Certificate Authority',
    'Internal error with Certificate Authority.',
    { parties: ['us', 'customer', 'nobody'], lasts: day },
  ),
  refusal(
    'authority-internal-error-for-days',
    'DCV: Internal error with Certificate Authority',
    'Internal error with Certificate Authority.',
    { parties: ['us', 'customer', 'nobody', 'provider'] },
  ),
  refusal(
    'authority-sees-a-risk',
    'DCV: reported as potential risk',
    'The hostname was reported as potential risk by the authority.',
    { parties: ['us', 'customer', 'provider'] },
  ),
  refusal('every-authority-sees-a-risk', 'DCV: reported as potential risk', 'x', {
    parties: ['us', 'customer', 'provider'],
    fits: () => true,
    cause: everyAuthority('The hostname was reported as potential risk by the authority.'),
  }),
  {
    ...refusal('authority-gives-no-tokens', 'DCV: initializing', 'x', {
      fits: () => true,
      parties: ['us', 'provider'],
    }),
    cause: ({ stage, host }) => stage.api('PUT', '/sandbox/interventions', { hostname: host, silent: true }),
  },
  {
    id: 'international-name-at-google',
    source: 'CA: Google certifies no international names',
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

/** The hostname itself, its zone's hold, and the abuse desk. */
const others: readonly Fault[] = [
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
  ...others,
];
