/** The terms and field names in one DNS provider's panel. */
export interface DnsProvider {
  /** The provider's name as a value of `--for`. */
  readonly id: string;
  readonly label: string;
  /** A pattern for the end of the provider's name server names. */
  readonly servers: RegExp;
  /** The labels of the fields in the provider's form. */
  readonly fields: { readonly name: string; readonly value: string; readonly ttl: string };
  /** The provider's notation for the zone apex. */
  readonly apex: string;
  /** Whether TXT values are entered in quotes. */
  readonly quotes?: boolean;
  /**
   * The provider's record type that points the zone apex to a name; undefined if it has none. The platform sees a CNAME at the apex only if
   * the platform's own DNS flattens the CNAME. Other providers answer only with addresses, so ownership must be proved by TXT.
   */
  readonly apexAlias?: { readonly type: 'CNAME' | 'ALIAS' | 'ANAME' };
  /** One sentence that prevents a mistake in the provider's panel. */
  readonly note?: string;
}

const fields = (name: string, value: string, ttl = 'TTL') => ({ name, value, ttl });

/** Common providers. The order of fields is not described, because panels sometimes change. */
export const dnsProviders: readonly DnsProvider[] = [
  {
    id: 'cloudflare',
    label: 'Cloudflare',
    servers: /\.ns\.cloudflare\.com$/,
    fields: fields('Name', 'Target or Content'),
    apex: '@',
    apexAlias: { type: 'CNAME' },
    note: 'Set the proxy status of the CNAME to "DNS only" (grey cloud), at least until the hostname is active.',
  },
  {
    id: 'godaddy',
    label: 'GoDaddy',
    servers: /\.domaincontrol\.com$/,
    fields: fields('Name', 'Value'),
    apex: '@',
  },
  {
    id: 'namecheap',
    label: 'Namecheap',
    servers: /\.registrar-servers\.com$/,
    fields: fields('Host', 'Value'),
    apex: '@',
    apexAlias: { type: 'ALIAS' },
  },
  {
    id: 'route53',
    label: 'Amazon Route 53',
    servers: /\.awsdns-\d+\.(?:com|net|org|co\.uk)$/,
    fields: fields('Record name', 'Value', 'TTL (seconds)'),
    apex: '(empty)',
    quotes: true,
  },
  {
    id: 'google',
    label: 'Google Cloud DNS',
    servers: /^ns-cloud-[a-z]\d\.googledomains\.com$/,
    fields: fields('DNS name', 'Canonical name or TXT data'),
    apex: '(empty)',
    quotes: true,
  },
  {
    id: 'azure',
    label: 'Azure DNS',
    servers: /\.azure-dns\.(?:com|net|org|info)$/,
    fields: fields('Name', 'Alias or Value'),
    apex: '@',
  },
  {
    id: 'squarespace',
    label: 'Squarespace',
    servers: /\.squarespacedns\.com$/,
    fields: fields('Host', 'Data'),
    apex: '@',
  },
  {
    id: 'ionos',
    label: 'IONOS',
    servers: /\.ui-dns\.(?:com|de|org|biz)$/,
    fields: fields('Host name', 'Points to or Value'),
    apex: '@',
  },
  {
    id: 'ovh',
    label: 'OVHcloud',
    servers: /\.(?:ovh\.net|anycast\.me)$/,
    fields: fields('Sub-domain', 'Target or Value'),
    apex: '(empty)',
    note: 'The panel shows a dot after the domain of the target, but does not add one: write the target without a dot and check the preview.',
  },
  {
    id: 'gandi',
    label: 'Gandi',
    servers: /\.gandi\.net$/,
    fields: fields('Name', 'Hostname or Text value'),
    apex: '@',
    apexAlias: { type: 'ALIAS' },
    note: 'Gandi appends the domain to a target without a trailing dot: add a dot to the target, but not to any other field.',
  },
  {
    id: 'hetzner',
    label: 'Hetzner',
    servers: /\.(?:hetzner\.(?:com|de)|first-ns\.de|second-ns\.(?:com|de))$/,
    fields: fields('Name', 'Value'),
    apex: '@',
    note: 'Hetzner appends the domain to a target without a trailing dot: add a dot to the target, but not to any other field.',
  },
  {
    id: 'digitalocean',
    label: 'DigitalOcean',
    servers: /\.digitalocean\.com$/,
    fields: fields('Hostname', 'Is an alias of or Value', 'TTL (seconds)'),
    apex: '@',
  },
  {
    id: 'dnsimple',
    label: 'DNSimple',
    servers: /\.dnsimple(?:-edge)?\.(?:com|net|org|io)$/,
    fields: fields('Name', 'Content'),
    apex: '@',
    apexAlias: { type: 'ALIAS' },
  },
  {
    id: 'porkbun',
    label: 'Porkbun',
    servers: /\.porkbun\.com$/,
    fields: fields('Host', 'Answer'),
    apex: '(empty)',
    apexAlias: { type: 'ALIAS' },
  },
  {
    id: 'namecom',
    label: 'Name.com',
    servers: /\.name\.com$/,
    fields: fields('Host', 'Answer'),
    apex: '(empty)',
    apexAlias: { type: 'ANAME' },
  },
  {
    id: 'vercel',
    label: 'Vercel',
    servers: /\.vercel-dns\.com$/,
    fields: fields('Name', 'Value'),
    apex: '(empty)',
    apexAlias: { type: 'ALIAS' },
  },
  {
    id: 'wix',
    label: 'Wix',
    servers: /\.wixdns\.net$/,
    fields: fields('Host Name', 'Value'),
    apex: '(empty)',
  },
];

/** Returns the provider whose panel manages a zone, recognized by the zone's name servers; undefined if no provider matches. */
export function findProvider(nameServers: readonly string[]): DnsProvider | undefined {
  return dnsProviders.find(({ servers }) => nameServers.some((server) => servers.test(server)));
}

/** Returns the name as panels expect it: without the zone, because panels append it. */
export function relativeName(name: string, zone: string | undefined, provider?: DnsProvider): string {
  if (zone === undefined) return name;
  if (name === zone) return provider?.apex ?? '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/**
 * Returns one sentence, with a leading space, about the name to enter in the panel of the customer's DNS provider. Empty if the zone is
 * unknown, or its provider is not recognized.
 */
export function inPanel(
  zone: { readonly name: string; readonly nameServers: readonly string[] } | undefined,
  name: string,
): string {
  const provider = findProvider(zone?.nameServers ?? []);
  if (zone === undefined || provider === undefined) return '';
  return ` At ${provider.label}, the field "${provider.fields.name}" must contain ${relativeName(name, zone.name, provider)}.`;
}
