import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type Exchange, type Platform, param, type Route } from '../http/exchange.ts';
import { pageInfo, wholeNumber } from '../http/paging.ts';

/** Accounts and who belongs to them. A sandbox has one account, local data one that answers to any id. */
export const accountRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/accounts', handle: listAccounts },
  { method: 'GET', pattern: '/accounts/:account', handle: getAccount },
  { method: 'GET', pattern: '/memberships', handle: listMemberships },
];

function listAccounts(exchange: Exchange): Answer {
  const account = accountOf(exchange.platform, 'local');
  const name = exchange.query.get('name');
  return paged(exchange, name === null || name === account.name ? [account] : []);
}

function getAccount(exchange: Exchange): Answer {
  return ok(accountOf(exchange.platform, param(exchange, 'account')));
}

function listMemberships(exchange: Exchange): Answer {
  const account = accountOf(exchange.platform, 'local');
  const all = { read: true, write: true };
  const membership = {
    id: account.id,
    status: 'accepted',
    account,
    roles: ['Super Administrator - All Privileges'],
    permissions: { workers: all, zones: all, ssl: all, dns_records: all },
  };
  const { query } = exchange;
  const shown = (query.get('status') ?? 'accepted') === 'accepted';
  const named = (query.get('account.name') ?? account.name) === account.name;
  return paged(exchange, shown && named ? [membership] : []);
}

/** The answer to a list that fits one page. */
function paged(exchange: Exchange, all: readonly unknown[]): Answer {
  const page = wholeNumber(exchange.query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = wholeNumber(exchange.query, 'per_page', 1, 1000, 20);
  const result = page === 1 ? all : [];
  return ok(result, pageInfo(page, perPage, result.length, all.length));
}

function accountOf(platform: Platform, localId: string) {
  const { id, name } =
    platform.kind === 'local' ? { id: localId, name: 'Local data' } : platform.registry().account();
  return {
    id,
    name,
    type: 'standard',
    settings: { enforce_twofactor: false },
    created_on: '2026-01-01T00:00:00Z',
  };
}
