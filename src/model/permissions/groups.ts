/** Permission groups of tokens, without the right, by the kind of resource. Names: the platform's "API token permissions". */
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
