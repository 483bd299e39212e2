/** A permission of a token, and the commands that need it. */
export interface PermissionFamily {
  readonly name: 'kv' | 'objects' | 'workers' | 'hostnames' | 'dns' | 'zones';
  /** The commands' purpose, for people. */
  readonly about: string;
  /** The permission's name in token policies, without the right: `DNS` for `DNS Read` and `DNS Write`. */
  readonly group: GroupName;
  /** The permission's name in a template URL of the dashboard. */
  readonly key: string;
  readonly scope: 'account' | 'zone';
  /** The first words of the commands. */
  readonly commands: readonly string[];
}

/**
 * The permissions that edgectl can use. The names are from the platform's page "API token permissions", the keys from its page "API token
 * template URLs".
 */
export const permissionFamilies: readonly PermissionFamily[] = [
  {
    name: 'kv',
    about: 'key-value data',
    group: 'Workers KV Storage',
    key: 'workers_kv_storage',
    scope: 'account',
    commands: ['kv'],
  },
  {
    name: 'objects',
    about: 'buckets and objects',
    group: 'Workers R2 Storage',
    key: 'workers_r2',
    scope: 'account',
    commands: ['objstore'],
  },
  {
    name: 'workers',
    about: 'workers and their secrets',
    group: 'Workers Scripts',
    key: 'workers_scripts',
    scope: 'account',
    commands: ['deploy', 'secret', 'worker'],
  },
  {
    name: 'hostnames',
    about: 'custom hostnames',
    group: 'SSL and Certificates',
    key: 'ssl_and_certificates',
    scope: 'zone',
    commands: ['hostname'],
  },
  {
    name: 'dns',
    about: 'DNS records',
    group: 'DNS',
    key: 'dns',
    scope: 'zone',
    commands: ['zone record'],
  },
  {
    name: 'zones',
    about: 'zones and their holds',
    group: 'Zone',
    key: 'zone',
    scope: 'zone',
    commands: ['zone hold', 'zone list'],
  },
];

/** Permission groups of tokens by resource kind, without the right. Source of the names: the platform's "API token permissions". */
export const permissionGroups = {
  account: [
    'Workers KV Storage',
    'Workers R2 Storage',
    'Workers Scripts',
    'Workers Tail',
    'Account Settings',
    'Account API Tokens',
    'IP Prefixes',
    'D1',
    'Queues',
    'Pages',
  ],
  zone: ['Zone', 'Zone Settings', 'Page Rules', 'DNS', 'SSL and Certificates', 'Workers Routes'],
  user: ['User Details', 'API Tokens', 'Memberships'],
} as const;

export type GroupName = (typeof permissionGroups)[keyof typeof permissionGroups][number];

const page = 'https://dash.cloudflare.com/profile/api-tokens';

/**
 * Returns the URL of the dashboard's form for a new token. The form is filled in with the token's name and all permissions that edgectl can
 * use; the user chooses only accounts and zones. Source: the platform's "API token template URLs".
 */
export function tokenPage(name: string, { readOnly }: { readonly readOnly: boolean }): string {
  const type = readOnly ? 'read' : 'edit';
  const keys = [
    ...permissionFamilies.map(({ key }) => ({ key, type })),
    { key: 'account_settings', type: 'read' },
  ];
  const permissions = encodeURIComponent(JSON.stringify(keys));
  return `${page}?permissionGroupKeys=${permissions}&accountId=*&zoneId=all&name=${encodeURIComponent(name)}`;
}
