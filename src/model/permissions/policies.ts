/** The scope of a policy for one resource: `*`, or the zones of an account. */
export type Reach = '*' | Readonly<Record<string, string>>;

/** The part of a token's policy that determines whether a call is allowed. Source: SDK user/tokens, TokenPolicy. */
export interface Policy {
  readonly effect: 'allow' | 'deny';
  readonly permission_groups: readonly { readonly name: string }[];
  readonly resources: Readonly<Record<string, Reach>>;
}

/** The kinds of resources, as written before the id in policies. */
export const resourceKinds = {
  account: 'com.cloudflare.api.account',
  zone: 'com.cloudflare.api.account.zone',
  user: 'com.cloudflare.api.user',
} as const;

/** The account or zone that a call concerns. For a zone, `account` is the zone's account if it is known. */
export interface PolicyTarget {
  readonly account: string | undefined;
  readonly zone: string | undefined;
}

/** Read access, or write access, which includes reading. */
export type Right = 'Read' | 'Write';

/** Permission groups in whose names a colon precedes the right (`Read` or `Write`). */
const colonGroups: readonly string[] = ['IP Prefixes'];

/** Formats the name of a permission group with a right, as in the platform's list: `DNS Read`, `IP Prefixes: Read`. */
export function formatGroupName(group: string, right: string): string {
  return `${group}${colonGroups.includes(group) ? ':' : ''} ${right}`;
}

/** Returns whether policies allow a permission group, such as `DNS`, for at least one resource. Denying policies override all others. */
export function policiesAllow(
  policies: readonly Policy[],
  group: string,
  right: Right,
  target: PolicyTarget,
): boolean {
  const enough = (right === 'Read' ? ['Read', 'Write', 'Edit'] : ['Write', 'Edit']).map((word) =>
    formatGroupName(group, word),
  );
  const about = policies.filter(
    ({ permission_groups: groups, resources }) =>
      groups.some(({ name }) => enough.includes(name)) && reachesTarget(resources, target),
  );
  return about.length > 0 && about.every(({ effect }) => effect === 'allow');
}

/** Returns whether a policy's resources include a target. */
export function reachesTarget(resources: Policy['resources'], target: PolicyTarget): boolean {
  return Object.entries(resources).some(([resource, reach]) => reaches(resource, reach, target));
}

function reaches(resource: string, reach: Reach, { account, zone }: PolicyTarget): boolean {
  const { account: ofAccount, zone: ofZone, user } = resourceKinds;
  if (zone !== undefined) {
    if (resource === `${ofZone}.${zone}` || resource === `${ofZone}.*`) return true;
    return typeof reach === 'object' && belongsTo(resource, ofAccount, account) && hasZone(reach, zone);
  }
  if (account !== undefined) return belongsTo(resource, ofAccount, account);
  return resource.startsWith(`${user}.`) || resource.startsWith(`${ofAccount}.`);
}

function belongsTo(resource: string, kind: string, id: string | undefined): boolean {
  return resource === `${kind}.*` || resource === `${kind}.${id}`;
}

function hasZone(reach: Readonly<Record<string, string>>, zone: string): boolean {
  return Object.keys(reach).some((key) =>
    [`${resourceKinds.zone}.*`, `${resourceKinds.zone}.${zone}`].includes(key),
  );
}
