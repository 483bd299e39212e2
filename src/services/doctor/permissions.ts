import * as v from 'valibot';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { type Policy, policiesAllow } from '../../model/permissions/policies.ts';
import { type PermissionFamily, permissionFamilies } from '../../model/permissions/token-permissions.ts';
import { isProblem } from '../../model/problem.ts';
import { capitalize } from '../../model/sentence.ts';
import { callResult } from '../../v4/client.ts';
import type { Call } from '../../v4/send.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from '../session/session.ts';
import type { Place } from './place.ts';

/** Whether the credentials have a permission. */
type PermissionState = boolean | 'unknown';

interface Rights {
  readonly read: PermissionState;
  readonly write: PermissionState;
  /** Why the permissions are unknown. */
  readonly why?: string;
}

/**
 * Checks the permissions of the credentials for each family of commands. Uses the token's policies if the token can read them, and
 * otherwise sends one read request per family. `token` is the token's path, in segments.
 */
export async function permissionChecks(
  session: Session,
  place: Pick<Place, 'account' | 'zone'>,
  token: readonly string[] | undefined,
): Promise<DoctorCheck[]> {
  const isAsked = session.where.kind === 'remote' && token !== undefined;
  const policies = isAsked ? await readPolicies(session, token) : undefined;
  return Promise.all(
    permissionFamilies.map(async (family) => {
      const id = place[family.scope];
      if (id === undefined) return uncheckedPermission(family);
      const rights =
        policies === undefined ? await tryRead(session, family, id) : readRights(policies, family, place);
      return permissionCheck(session, family, rights);
    }),
  );
}

const groupsShape = v.array(v.object({ name: v.optional(v.string(), '') }));
const policyShape = v.object({
  effect: v.picklist(['allow', 'deny']),
  permission_groups: groupsShape,
  resources: v.record(v.string(), v.union([v.literal('*'), v.record(v.string(), v.string())])),
});
const tokenShape = v.object({ policies: v.array(policyShape) });

/** Reads a token's policies. Returns undefined if the token is not permitted to read its policies, which is common. */
async function readPolicies(session: Session, token: readonly string[]): Promise<Policy[] | undefined> {
  try {
    const { result } = await callResult(session.send, reading(token), (value) => v.parse(tokenShape, value));
    return result.policies;
  } catch (error) {
    if (isProblem(error) && ['not-permitted', 'not-found', 'refused'].includes(error.code)) return undefined;
    throw error;
  }
}

function readRights(
  policies: readonly Policy[],
  { group, scope }: PermissionFamily,
  place: Pick<Place, 'account' | 'zone'>,
): Rights {
  const target = scope === 'account' ? { ...place, zone: undefined } : place;
  return {
    read: policiesAllow(policies, group, 'Read', target),
    write: policiesAllow(policies, group, 'Write', target),
  };
}

/** One read request for each family of commands, chosen to cost the platform little. */
const reads: Readonly<Record<PermissionFamily['name'], (id: string) => Call>> = {
  kv: (id) => reading(['accounts', id, 'storage', 'kv', 'namespaces'], { per_page: 5 }),
  objects: (id) => reading(['accounts', id, 'r2', 'buckets'], { per_page: 5 }),
  workers: (id) => reading(['accounts', id, 'workers', 'scripts']),
  hostnames: (id) => reading(['zones', id, 'custom_hostnames'], { per_page: 5 }),
  dns: (id) => reading(['zones', id, 'dns_records'], { per_page: 5 }),
  zones: (id) => reading(['zones', id]),
};

async function tryRead(session: Session, { name }: PermissionFamily, id: string): Promise<Rights> {
  try {
    await callResult(session.send, reads[name](id), () => undefined);
    return { read: true, write: session.where.kind === 'sandbox' || 'unknown' };
  } catch (error) {
    if (!isProblem(error) || ['bug', 'interrupted'].includes(error.code)) throw error;
    if (error.code === 'not-permitted') return { read: false, write: false };
    return { read: 'unknown', write: 'unknown', why: error.message.replace(/\.$/, '') };
  }
}

function permissionCheck(
  { readOnly }: Session,
  family: PermissionFamily,
  { read, write, why }: Rights,
): DoctorCheck {
  const { about, group, commands } = family;
  const name = permissionCheckName(family);
  const plain = (has: PermissionState) => (has === 'unknown' ? null : has);
  const facts = { permission: group, commands, read: plain(read), write: plain(write) };
  const what = capitalize(about);
  const lacking = { remedy: { kind: 'add-permission', permission: `${group}: Edit` } } as const;
  if (why !== undefined) return check.warning(name, `${what}: unknown; ${why}`, lacking, facts);
  if (write === true) return check.ok(name, `${what}: read and change`, facts);
  if (read === false) return check.warning(name, `${what}: neither read nor change`, lacking, facts);
  if (write === false && !readOnly)
    return check.warning(name, `${what}: read, but not change`, lacking, facts);
  if (write === 'unknown')
    return check.unknown(
      name,
      `${what}: read; whether changes are permitted is unknown until a change is made`,
      facts,
    );
  return check.ok(name, `${what}: read`, facts);
}

function uncheckedPermission(family: PermissionFamily): DoctorCheck {
  const { about, group, scope, commands } = family;
  const facts = { permission: group, commands, read: null, write: null };
  return check.unknown(permissionCheckName(family), `Not checked for ${about}: no ${scope} is chosen`, facts);
}

function permissionCheckName({ name }: PermissionFamily): string {
  return `permission-${name}`;
}
