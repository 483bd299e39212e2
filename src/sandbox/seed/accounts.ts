import { plainName } from '../../model/dns/dns.ts';
import type { Seed, SeedAccount } from '../../model/sandbox/seed.ts';
import { ownZoneName } from '../../store/zones/zones.ts';
import type { Platform } from '../http/exchange.ts';
import type { FieldPath, ShapeFault } from '../http/shape-faults.ts';
import { listAccountPlatforms, toAccountPlatform } from '../session/account-platform.ts';

/** The data of one account in a seed. */
interface AccountPart {
  /** The path of the account in the document. */
  readonly at: FieldPath;
  readonly data: Seed;
  /** The platform as seen by the account. */
  readonly seenAs: Platform;
}

/** Splits a seed by accounts. Existing accounts are matched by id, or by name if no id is given. */
export function planAccounts(
  platform: Platform,
  { accounts = [], ...own }: Seed,
  replaces: boolean,
): { readonly parts: readonly AccountPart[]; readonly faults: readonly ShapeFault[]; write(): void } {
  const registry = platform.registry();
  const [first, ...further] = accounts;
  const rows = further.map((account) => ({ ...toAccountRow(platform, account, replaces), account }));
  const parts: AccountPart[] = [
    { at: [], data: own, seenAs: platform },
    ...(first === undefined ? [] : [{ at: ['accounts', 0], data: readAccountData(first), seenAs: platform }]),
    ...rows.map(({ account, ...row }, index) => ({
      at: ['accounts', index + 1],
      data: readAccountData(account),
      seenAs: toAccountPlatform(platform, row),
    })),
  ];
  return {
    parts,
    faults: [
      ...findIdFaults(accounts, registry.account().id),
      ...findSharedFaults(platform, parts, replaces),
      ...findOwnZoneFaults(parts),
    ],
    write() {
      if (first !== undefined) registry.nameAccount(first.name);
      for (const { id, name } of rows) registry.furtherAccounts.put({ id, name });
    },
  };
}

function readAccountData({ name: _name, id: _id, ...data }: SeedAccount): Seed {
  return data;
}

function toAccountRow(platform: Platform, { id, name }: SeedAccount, replaces: boolean) {
  const known = replaces ? [] : platform.registry().furtherAccounts.list();
  const found = id === undefined ? known.find((one) => one.name === name)?.id : id;
  return { id: found ?? Buffer.from(platform.random(16)).toString('hex'), name };
}

function findIdFaults(accounts: readonly SeedAccount[], own: string): ShapeFault[] {
  return accounts.flatMap(({ id, name }, index): ShapeFault[] => {
    const at = (field: string) => ['accounts', index, field];
    const twin = accounts.findIndex((one) => one.name === name || (one.id === id && id !== undefined));
    if (twin !== index) {
      const field = accounts[twin]?.name === name ? 'name' : 'id';
      return [
        {
          at: at(field),
          message: `${JSON.stringify(field === 'id' ? id : name)} is also used in accounts[${twin}]`,
        },
      ];
    }
    if (id === undefined || (id === own) === (index === 0)) return [];
    const message =
      index === 0
        ? `the first account is the sandbox's own account, whose id is ${own}: omit the id, or move this account to a later entry`
        : "is the id of the sandbox's own account, which must be the first entry";
    return [{ at: at('id'), message }];
  });
}

/** Returns a fault for each namespace id and zone name that occurs in two accounts. Both must be unique on disk. */
function findSharedFaults(
  platform: Platform,
  parts: readonly AccountPart[],
  replaces: boolean,
): ShapeFault[] {
  const owners = new Map<string, string>();
  if (!replaces) {
    for (const seen of listAccountPlatforms(platform)) {
      const { namespaces, account } = seen.registry();
      for (const { id } of namespaces.list()) owners.set(`id ${id}`, account().id);
    }
    const own = platform.registry().account().id;
    for (const { name, account } of platform.registry().zones.list())
      owners.set(`zone ${name}`, account ?? own);
  }
  return parts.flatMap(({ at, data, seenAs }) => {
    const owner = seenAs.registry().account().id;
    const taken = (what: string, where: FieldPath): ShapeFault[] => {
      const other = owners.get(what) ?? owner;
      owners.set(what, other);
      return other === owner
        ? []
        : [{ at: [...at, ...where], message: `is already used by another account (${other})` }];
    };
    return [
      ...(data.namespaces ?? []).flatMap(({ id }, index) =>
        id === undefined ? [] : taken(`id ${id}`, ['namespaces', index, 'id']),
      ),
      ...(data.zones ?? []).flatMap(({ name }, index) =>
        taken(`zone ${plainName(name)}`, ['zones', index, 'name']),
      ),
    ];
  });
}

function findOwnZoneFaults(parts: readonly AccountPart[]): ShapeFault[] {
  const message = `${ownZoneName} is the zone of the first account`;
  return parts.flatMap(({ at, data, seenAs }) =>
    (data.zones ?? []).flatMap(({ name }, index) =>
      seenAs.root !== undefined && plainName(name) === ownZoneName
        ? [{ at: [...at, 'zones', index, 'name'], message }]
        : [],
    ),
  );
}
