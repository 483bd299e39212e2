import type { AccountRow } from '../../store/accounts.ts';
import { keptName } from '../../store/kept-name.ts';
import { objectsOf, registryOf } from '../../store/of-account.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { type Platform, wholeOf } from '../http/exchange.ts';
import type { Tails } from '../workers/tails/tails.ts';

/** Returns the accounts of a sandbox, its own first. */
export function accountsOf(platform: Platform): readonly AccountRow[] {
  const registry = wholeOf(platform).registry();
  return [registry.account(), ...registry.furtherAccounts.list()];
}

/** Returns the platform as seen by each account. */
export function everyAccount(platform: Platform): readonly Platform[] {
  return accountsOf(platform).flatMap(({ id }) => platformOf(platform, id) ?? []);
}

/**
 * Returns the platform as seen by an account; undefined if the sandbox has no such account. Local data belongs to any account.
 * Namespaces, buckets and workers are those of the account; zones, DNS, custom hostnames, tokens and the clock are those of the
 * sandbox.
 */
export function platformOf(platform: Platform, id: string): Platform | undefined {
  const whole = wholeOf(platform);
  if (whole.kind === 'local' || id === whole.registry().account().id) return whole;
  const account = whole.registry().furtherAccounts.find(id);
  return account && seenBy(whole, account);
}

/** Returns the account that owns a zone. */
export function accountOfZone(platform: Platform, { account }: Pick<StoredZone, 'account'>): AccountRow {
  const registry = wholeOf(platform).registry();
  return (account !== undefined && registry.furtherAccounts.find(account)) || registry.account();
}

/** Returns the zones of the platform's account. */
export function zonesOf(platform: Platform): readonly StoredZone[] {
  const account = platform.whole && platform.registry().account().id;
  return platform
    .registry()
    .zones.list()
    .filter((zone) => zone.account === account);
}

/** Returns the platform as seen by the account of a zone. */
export function platformOfZone(platform: Platform, zone: Pick<StoredZone, 'account'>): Platform {
  return platformOf(platform, accountOfZone(platform, zone).id) ?? wholeOf(platform);
}

/** Returns the platform as seen by a further account, which need not exist yet. */
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
