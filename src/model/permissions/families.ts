import type { GroupName } from './groups.ts';

/** Commands that one permission of a token is for. */
export interface PermissionFamily {
  readonly name: 'kv' | 'objects' | 'workers' | 'hostnames' | 'dns' | 'zones';
  /** For people. */
  readonly about: string;
  /** The permission, as policies of tokens name it without the right: `DNS Read`, `DNS Write`. */
  readonly group: GroupName;
  /** The same in a template URL of the dashboard. */
  readonly key: string;
  readonly scope: 'account' | 'zone';
  /** The first words of its commands. */
  readonly commands: readonly string[];
}

/**
 * The permissions that edgectl can make use of. Names: the platform's "API token permissions"; keys: its "API token
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
