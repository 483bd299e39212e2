import type { Call } from './send.ts';

/** Anchored: a key of a value or an object can hold any of these words. */
const permissionOf: readonly (readonly [RegExp, string])[] = [
  [/^\/accounts\/[^/]+\/storage\/kv\//, 'Workers KV Storage'],
  [/^\/accounts\/[^/]+\/r2\//, 'Workers R2 Storage'],
  [/^\/zones\/[^/]+\/workers\//, 'Workers Routes'],
  [/^\/accounts\/[^/]+\/workers\//, 'Workers Scripts'],
  [/^\/zones\/[^/]+\/(?:custom_hostnames|dcv_delegation)/, 'SSL and Certificates'],
  [/^\/zones\/[^/]+\/dns_records/, 'DNS'],
  [/^\/zones\/[^/]+\/ssl\//, 'SSL and Certificates'],
  [/^\/zones\/[^/]+\/settings/, 'Zone Settings'],
  [/^\/zones\/[^/]+\/pagerules/, 'Page Rules'],
  [/^\/zones\/[^/]+\/hold/, 'Zone'],
  [/^\/zones/, 'Zone'],
  [/^\/accounts\/[^/]+\/addressing\/prefixes/, 'IP Prefixes'],
  [/^\/(accounts|memberships)/, 'Account Settings'],
  [/^\/user/, 'User Details'],
];

/** The token permission that a call needs, as the provider names it: `Workers KV Storage: Edit`. */
export function permissionFor(call: Call): string | undefined {
  const path = call.path.split('?', 1)[0] ?? call.path;
  const row = permissionOf.find(([pattern]) => pattern.test(path));
  if (row === undefined) return undefined;
  const reads = call.method === 'GET' || call.readsOnly === true;
  return `${row[1]}: ${reads ? 'Read' : 'Edit'}`;
}
