import { createHash } from 'node:crypto';
import { resourceKinds } from '../../model/permissions/policies.ts';

/** A group of permissions, as policies of tokens name it. */
export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  /** The kind of resource that it is about. */
  readonly scopes: readonly string[];
}

const names: Readonly<Record<keyof typeof resourceKinds, readonly string[]>> = {
  account: [
    'Workers KV Storage',
    'Workers R2 Storage',
    'Workers Scripts',
    'Account Settings',
    'Account API Tokens',
    'IP Prefixes',
  ],
  zone: ['Zone', 'Zone Settings', 'Page Rules', 'DNS', 'SSL and Certificates', 'Workers Routes'],
  user: ['User Details', 'API Tokens', 'Memberships'],
};

/** The groups of the products that the sandbox has. Their ids are its own: clients look them up by name. */
export const permissionGroups: readonly PermissionGroup[] = (
  Object.entries(names) as [keyof typeof resourceKinds, readonly string[]][]
).flatMap(([kind, all]) =>
  all.flatMap((subject) =>
    ['Read', 'Write'].map((right) => {
      const name = `${subject} ${right}`;
      const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
      return { id, name, scopes: [resourceKinds[kind]] };
    }),
  ),
);
