import type { AccountRow } from '../../store/accounts.ts';
import { keptName } from '../../store/kept-name.ts';
import { objectsOf, registryOf } from '../../store/of-account.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { type Platform, wholeOf } from '../http/exchange.ts';
import type { Tails } from '../workers/tails/tails.ts';

/** The accounts of a sandbox, its own one first. */
export function accountsOf(platform: Platform): readonly AccountRow[] {
  const registry = wholeOf(platform).registry();
  return [registry.account(), ...registry.furtherAccounts.list()];
}

/** Every account as a separate platform. */
export function everyAccount(platform: Platform): readonly Platform[] {
  return accountsOf(platform).flatMap(({ id }) => platformOf(platform, id) ?? []);
}

/**
 * The platform as an account sees it; undefined where the sandbox has no such account. Local data are those of any. Namespaces,
 * buckets and workers are those of the account; zones, DNS, custom hostnames, tokens and the clock those of the sandbox.
 */
export function platformOf(platform: Platform, id: string): Platform | undefined {
  const whole = wholeOf(platform);
  if (whole.kind === 'local' || id === whole.registry().account().id) return whole;
  const account = whole.registry().furtherAccounts.find(id);
  return account && seenBy(whole, account);
}

/** The account that has a zone. */
export function accountOfZone(platform: Platform, { account }: Pick<StoredZone, 'account'>): AccountRow {
  const registry = wholeOf(platform).registry();
  return (account !== undefined && registry.furtherAccounts.find(account)) || registry.account();
}

/** The zones of the account that the platform is seen as. */
export function zonesOf(platform: Platform): readonly StoredZone[] {
  const account = platform.whole && platform.registry().account().id;
  return platform
    .registry()
    .zones.list()
    .filter((zone) => zone.account === account);
}

/** The platform as the account of a zone sees it. */
export function platformOfZone(platform: Platform, zone: Pick<StoredZone, 'account'>): Platform {
  return platformOf(platform, accountOfZone(platform, zone).id) ?? wholeOf(platform);
}

/** The platform as a further account sees it, whether or not it is made already. */
export function seenBy(platform: Platform, account: AccountRow): Platform {
  const whole = wholeOf(platform);
  return {
    whole,
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
    registry: () => registryOf(whole.registry(), account),
    objects: () => objectsOf(whole.objects(), account.id),
    edge: whole.edge,
    tails: whole.tails && tailsOf(whole.tails, account.id),
  };
}

function tailsOf(tails: Tails, account: string): Tails {
  return {
    ...tails,
    add: (worker, filters) => tails.add(keptName(account, worker), filters),
    of: (worker) => tails.of(keptName(account, worker)),
    remove: (worker, id) => tails.remove(keptName(account, worker), id),
  };
}
