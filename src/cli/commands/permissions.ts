import { permissionFamilies } from '../../model/permissions/token-permissions.ts';
import type { CommandDeclaration } from '../parsing/declaration.ts';

const addressRangePermission = 'IP Prefixes: Read, if the account has its own address ranges';

/** Permissions in addition to the permissions of a command's family. */
const additionalPermissions: Readonly<Record<string, readonly string[]>> = {
  console: ['for each action, the permissions of the corresponding command'],
  deploy: [
    'Workers R2 Storage: Read, if buckets are bound',
    'Workers KV Storage: Read, if namespaces are bound',
  ],
  'worker tail': ['Workers Tail: Read'],
  'hostname create': ['Zone: Read, if the zone is specified by name'],
  'hostname diagnose': ['Zone: Read', 'DNS: Read', 'Workers Routes: Read', addressRangePermission],
  'hostname forecast': ['Zone: Read', 'DNS: Read', addressRangePermission],
  'hostname export-world': ['Zone: Read', 'DNS: Read', addressRangePermission],
  'hostname instructions': ['Zone: Read'],
  'zone record set': ['Zone: Read'],
  'zone record delete': ['Zone: Read'],
  'undo restore': ['the permissions of the command that made the change'],
  'sandbox record': permissionFamilies.map(({ group }) => `${group}: Read`),
};

/**
 * Lists the token permissions that a command can use, under their dashboard names; empty if the command sends no request to a platform.
 */
export function listPermissions({ words, effect, needs }: CommandDeclaration): readonly string[] {
  const also = additionalPermissions[words] ?? [];
  if (needs === 'nothing' || effect === 'none') return also;
  const family = permissionFamilies.find(({ commands }) =>
    commands.some((start) => words === start || words.startsWith(`${start} `)),
  );
  const own =
    family === undefined || words === 'worker tail'
      ? []
      : [`${family.group}: ${effect === 'read' ? 'Read' : 'Edit'}`];
  return [...own, ...also];
}
