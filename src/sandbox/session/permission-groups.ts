import { createHash } from 'node:crypto';
import { permissionGroups as names } from '../../model/permissions/groups.ts';
import { resourceKinds } from '../../model/permissions/policies.ts';

/** A group of permissions, as policies of tokens name it. */
export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  /** The kind of resource that it is about. */
  readonly scopes: readonly string[];
}

/** The groups of the products that the sandbox has. Their ids are its own: clients look them up by name. */
export const permissionGroups: readonly PermissionGroup[] = (
  Object.entries(names) as [keyof typeof names, readonly string[]][]
).flatMap(([kind, all]) =>
  all.flatMap((subject) =>
    ['Read', 'Write'].map((right) => {
      const name = `${subject} ${right}`;
      const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
      return { id, name, scopes: [resourceKinds[kind]] };
    }),
  ),
);
