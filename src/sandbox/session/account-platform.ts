import type { AccountRow } from '../../store/accounts.ts';
import { diskName } from '../../store/disk-name.ts';
import { accountObjects, accountRegistry } from '../../store/of-account.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { type Platform, rootPlatform } from '../http/exchange.ts';
import type { Tails } from '../workers/tails/tails.ts';

/** Returns the accounts of a sandbox, with the sandbox's own account first. */
export function allAccounts(platform: Platform): readonly AccountRow[] {
  const registry = rootPlatform(platform).registry();
  return [registry.account(), ...registry.furtherAccounts.list()];
}

/** Returns the platform as seen by each account. */
export function listAccountPlatforms(platform: Platform): readonly Platform[] {
  return allAccounts(platform).flatMap(({ id }) => findAccountPlatform(platform, id) ?? []);
}

/**
 * Returns the platform as seen by an account; undefined if the sandbox has no such account. Local data belongs to any account. Each account
 * has its own namespaces, buckets and workers. All accounts share the sandbox's zones, DNS, custom hostnames, tokens and clock.
 */
export function findAccountPlatform(platform: Platform, id: string): Platform | undefined {
  const whole = rootPlatform(platform);
  if (whole.kind === 'local' || id === whole.registry().account().id) return whole;
  const account = whole.registry().furtherAccounts.find(id);
  return account && toAccountPlatform(whole, account);
}

/** Returns the account that owns a zone. */
export function findZoneAccount(platform: Platform, { account }: Pick<StoredZone, 'account'>): AccountRow {
  const registry = rootPlatform(platform).registry();
  return (account !== undefined && registry.furtherAccounts.find(account)) || registry.account();
}

/** Returns the zones of the platform's account. */
export function listAccountZones(platform: Platform): readonly StoredZone[] {
  const account = platform.root && platform.registry().account().id;
  return platform
    .registry()
    .zones.list()
    .filter((zone) => zone.account === account);
}

/** Returns the platform as seen by the account of a zone. */
export function findZonePlatform(platform: Platform, zone: Pick<StoredZone, 'account'>): Platform {
  return findAccountPlatform(platform, findZoneAccount(platform, zone).id) ?? rootPlatform(platform);
}

/** Returns the platform as seen by an additional account, which need not exist yet. */
export function toAccountPlatform(platform: Platform, account: AccountRow): Platform {
  const whole = rootPlatform(platform);
  return {
    root: whole,
    kind: whole.kind,
    info: whole.info,
    emptyPages: whole.emptyPages,
    known: whole.known,
    kv: whole.kv,
    now: whole.now,
    random: whole.random,
    ...(whole.plan !== undefined && { plan: whole.plan }),
    ...(whole.origins !== undefined && { origins: whole.origins }),
    ...(whole.issuanceLimit !== undefined && { issuanceLimit: whole.issuanceLimit }),
    ...(whole.served !== undefined && { served: whole.served }),
    registry: () => accountRegistry(whole.registry(), account),
    objects: () => accountObjects(whole.objects(), account.id),
    edge: whole.edge,
    tails: whole.tails && toAccountTails(whole.tails, account.id),
  };
}

function toAccountTails(tails: Tails, account: string): Tails {
  return {
    ...tails,
    add: (worker, filters) => tails.add(diskName(account, worker), filters),
    forWorker: (worker) => tails.forWorker(diskName(account, worker)),
    remove: (worker, id) => tails.remove(diskName(account, worker), id),
  };
}
