import { edgeAddresses } from '../dns/names.ts';

/**
 * An event in the history of a demo hostname. `daysAgo` counts back from the current time; the first event is the creation of the hostname.
 */
export interface DemoStep {
  readonly daysAgo: number;
  /** Changes to the customer's DNS. An entry without contents is removed. */
  readonly dns?: readonly (readonly [name: string, type: string, ...contents: readonly string[]])[];
  /** The requested TXT values that the customer publishes at their names; for `wrong-…`, a different value is published. */
  readonly tokens?: readonly ('ownership' | 'certificate' | 'wrong-ownership')[];
  /** A separate zone to create on the platform, with a hold on all its subdomains or with one proxied name. */
  readonly zone?: { readonly name: string; readonly held?: boolean; readonly proxied?: string };
}

export interface DemoHostname {
  readonly hostname: string;
  /** The body of the create request, without the hostname; by default, `ssl` uses HTTP validation. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly steps: readonly DemoStep[];
}

/** Names in the sandbox's own zone: the target of customers' CNAMEs, and the origins. */
export const demoTarget = 'customers.saas.sandbox';
export const demoOrigins: readonly string[] = ['origin.saas.sandbox', 'images.saas.sandbox', demoTarget];

/** A placeholder for the target of a delegation in a demo entry. */
export const delegationMark = '<delegation>';

const competitor = 'hosting.rival-platform.demo';
const toUs = (name: string) => [name, 'CNAME', demoTarget] as const;
const ssl = (more: object) => ({ ssl: { method: 'http', type: 'dv', ...more } });
const byText = { method: 'txt', type: 'dv' };

function pointing(
  hostname: string,
  daysAgo: number,
  body: Readonly<Record<string, unknown>> = {},
): DemoHostname {
  return { hostname, body, steps: [{ daysAgo, dns: [toUs(hostname)] }] };
}

const longName = 'customer-success-portal.enterprise-solutions-department.pinewood-international.demo';

/** Custom hostnames in every notable state. */
export const demoHostnames: readonly DemoHostname[] = [
  pointing('shop.tea-house.demo', 41),
  pointing('www.bluebird-books.demo', 23, ssl({ certificate_authority: 'lets_encrypt' })),
  pointing('app.northwind-cycles.demo', 12, {
    custom_origin_server: 'images.saas.sandbox',
    custom_metadata: { customer: '4711', plan: 'gold' },
  }),
  pointing('id.kingfisher-travel.demo', 77, ssl({ settings: { min_tls_version: '1.2', http2: 'on' } })),
  pointing(longName, 5, ssl({ cloudflare_branding: true })),
  pointing('new.saffron-kitchen.demo', 0),
  {
    hostname: 'landing.paperplane.demo',
    body: { ssl: undefined },
    steps: [{ daysAgo: 9, dns: [toUs('landing.paperplane.demo')] }],
  },
  {
    hostname: 'tickets.harbor-theatre.demo',
    body: ssl({ ...byText, wildcard: true }),
    steps: [
      {
        daysAgo: 18,
        dns: [
          toUs('tickets.harbor-theatre.demo'),
          ['_acme-challenge.tickets.harbor-theatre.demo', 'CNAME', delegationMark],
        ],
      },
    ],
  },
  {
    hostname: 'parks.atlas-maps.demo',
    body: ssl({ ...byText, wildcard: true }),
    steps: [
      {
        daysAgo: 30,
        dns: [
          toUs('parks.atlas-maps.demo'),
          ['*.parks.atlas-maps.demo', 'CNAME', demoTarget],
          ['_acme-challenge.parks.atlas-maps.demo', 'CNAME', delegationMark],
        ],
        zone: { name: 'north.parks.atlas-maps.demo' },
      },
    ],
  },
  { hostname: 'store.olive-and-fig.demo', steps: [{ daysAgo: 1.2 }] },
  {
    hostname: 'pay.mapleworks.demo',
    steps: [{ daysAgo: 2.5, dns: [['pay.mapleworks.demo', 'CNAME', `${demoTarget}.mapleworks.demo`]] }],
  },
  {
    hostname: 'blog.copper-kettle.demo',
    steps: [{ daysAgo: 6.1, dns: [['blog.copper-kettle.demo', 'A', '203.0.113.80']] }],
  },
  {
    // A zone apex: the ALIAS record of the DNS provider returns the edge's address, so the platform sees no CNAME.
    hostname: 'silver-fjord.demo',
    steps: [
      {
        daysAgo: 0.7,
        dns: [
          ['silver-fjord.demo', 'A', edgeAddresses.own],
          ['silver-fjord.demo', 'NS', 'ns1.dnsimple.com', 'ns2.dnsimple.com'],
        ],
      },
    ],
  },
  {
    hostname: 'beta.glasshouse.demo',
    steps: [
      { daysAgo: 3, dns: [['beta.glasshouse.demo', 'A', '203.0.113.81']] },
      { daysAgo: 2.9, tokens: ['wrong-ownership'] },
    ],
  },
  {
    hostname: 'shop.orange-grove.demo',
    steps: [
      { daysAgo: 4, zone: { name: 'orange-grove.demo', proxied: 'shop.orange-grove.demo' } },
      { daysAgo: 3.9, tokens: ['ownership'] },
    ],
  },
  {
    hostname: 'dns.broken-arrow.demo',
    steps: [{ daysAgo: 0.8, dns: [['dns.broken-arrow.demo', 'SERVFAIL']] }],
  },
  {
    hostname: 'shop.old-mill.demo',
    steps: [
      { daysAgo: 45, dns: [toUs('shop.old-mill.demo')] },
      { daysAgo: 2.2, dns: [['shop.old-mill.demo', 'CNAME', competitor]] },
    ],
  },
  {
    hostname: 'menu.sushi-garden.demo',
    steps: [
      { daysAgo: 50, dns: [toUs('menu.sushi-garden.demo')] },
      { daysAgo: 6.6, dns: [['menu.sushi-garden.demo', 'CNAME', competitor]] },
      { daysAgo: 0.4, dns: [toUs('menu.sushi-garden.demo')] },
    ],
  },
  {
    hostname: 'shop.lockwood.demo',
    steps: [{ daysAgo: 3.3, dns: [toUs('shop.lockwood.demo')], zone: { name: 'lockwood.demo', held: true } }],
  },
  {
    hostname: 'secure.cedar-savings.demo',
    body: ssl({ certificate_authority: 'google' }),
    steps: [
      {
        daysAgo: 1.5,
        dns: [toUs('secure.cedar-savings.demo'), ['cedar-savings.demo', 'CAA', '0 issue "letsencrypt.org"']],
      },
    ],
  },
  {
    hostname: 'cdn.fern-studio.demo',
    body: ssl({ ...byText, wildcard: true }),
    steps: [
      {
        daysAgo: 2,
        dns: [
          toUs('cdn.fern-studio.demo'),
          ['_acme-challenge.cdn.fern-studio.demo', 'CNAME', delegationMark],
          ['fern-studio.demo', 'CAA', '0 issue "pki.goog"', '0 issue "letsencrypt.org"', '0 issuewild ";"'],
        ],
      },
    ],
  },
  {
    hostname: 'portal.quiet-harbor.demo',
    body: ssl({ ...byText, wildcard: true }),
    steps: [{ daysAgo: 1.1, dns: [toUs('portal.quiet-harbor.demo')] }],
  },
  {
    hostname: 'forms.slow-panel.demo',
    body: ssl({ ...byText, wildcard: true }),
    steps: [
      { daysAgo: 19, dns: [toUs('forms.slow-panel.demo')] },
      // The customer fixes the DNS only after the platform has stopped checking; restarting validation succeeds.
      { daysAgo: 1, dns: [['_acme-challenge.forms.slow-panel.demo', 'CNAME', delegationMark]] },
    ],
  },
  {
    hostname: 'docs.lantern.demo',
    body: { ssl: byText },
    steps: [
      { daysAgo: 87, dns: [['docs.lantern.demo', 'A', '203.0.113.82']] },
      { daysAgo: 86.9, tokens: ['ownership', 'certificate'] },
      { daysAgo: 80, dns: [['_acme-challenge.docs.lantern.demo', 'TXT']] },
    ],
  },
  {
    hostname: 'promo.last-season.demo',
    body: { ssl: byText },
    steps: [
      { daysAgo: 94, dns: [['promo.last-season.demo', 'A', '203.0.113.83']] },
      { daysAgo: 93.9, tokens: ['ownership', 'certificate'] },
      { daysAgo: 80, dns: [['_acme-challenge.promo.last-season.demo', 'TXT']] },
    ],
  },
];
