import type { AccountRow } from '../../store/accounts.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type Exchange, param, type Route } from '../http/exchange.ts';
import { isDescending, pageInfo, readWholeNumber } from '../http/paging.ts';

/** Routes for accounts and memberships. Local data has one account, with any id. */
export const accountRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/accounts', handle: listAccounts },
  { method: 'GET', pattern: '/accounts/:account', handle: getAccount },
  { method: 'GET', pattern: '/memberships', handle: listMemberships },
];

async function listAccounts(exchange: Exchange): Promise<Answer> {
  const wanted = exchange.query.get('name');
  const found = (await listReachableAccounts(exchange)).filter(
    ({ name }) => wanted === null || name === wanted,
  );
  if (isDescending(exchange.query)) found.reverse();
  return formatPage(exchange, found.map(formatAccount));
}

function getAccount(exchange: Exchange): Answer {
  const { platform } = exchange;
  const account =
    platform.kind === 'local' ? localAccount(param(exchange, 'account')) : platform.registry().account();
  return ok(formatAccount(account));
}

async function listMemberships(exchange: Exchange): Promise<Answer> {
  const { query } = exchange;
  const shown = (query.get('status') ?? 'accepted') === 'accepted';
  const wanted = query.get('account.name');
  const found = (await listReachableAccounts(exchange)).filter(
    ({ name }) => wanted === null || name === wanted,
  );
  return formatPage(exchange, shown ? found.map(formatMembership) : []);
}

function formatMembership(account: AccountRow) {
  const all = { read: true, write: true };
  return {
    id: account.id,
    status: 'accepted',
    account: formatAccount(account),
    roles: ['Super Administrator - All Privileges'],
    permissions: { zones: all, ssl: all, dns_records: all },
  };
}

/** Returns the accounts for which the caller has a permission, either for the account itself or for one of its zones. */
async function listReachableAccounts({ platform, token }: Exchange): Promise<AccountRow[]> {
  if (platform.kind === 'local') return [localAccount('local')];
  const { allAccounts, findZoneAccount } = await import('./account-platform.ts');
  const zones = platform.registry().zones.list();
  return allAccounts(platform).filter(({ id: account }) => {
    const targets = zones.flatMap((zone) =>
      findZoneAccount(platform, zone).id === account ? [zone.id] : [],
    );
    return [undefined, ...targets].some((zone) => token?.reaches({ account, zone }) !== false);
  });
}

function localAccount(id: string): AccountRow {
  return { id, name: 'Local data' };
}

function formatPage(exchange: Exchange, all: readonly unknown[]): Answer {
  const page = readWholeNumber(exchange.query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(exchange.query, 'per_page', 1, 1000, 20);
  const result = all.slice((page - 1) * perPage, page * perPage);
  return ok(result, pageInfo(page, perPage, result.length, all.length));
}

function formatAccount({ id, name }: AccountRow) {
  return {
    id,
    name,
    type: 'standard',
    settings: { enforce_twofactor: false },
    created_on: '2026-01-01T00:00:00Z',
  };
}
