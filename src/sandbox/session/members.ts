import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type Exchange, param, refusal } from '../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../http/paging.ts';

const all = { read: true, write: true };

/** The only role in a sandbox. */
const administrator = {
  id: '33666b9c79b9a5273fc7344ff42f953d',
  name: 'Super Administrator - All Privileges',
  description: 'Can edit any setting, make purchases, and manage memberships.',
  permissions: { dns_records: all, organization: all, ssl: all, zone_settings: all, zones: all },
};

function formatMember({ platform, params }: Exchange) {
  const email = platform.kind === 'local' ? 'local@localhost' : platform.registry().credentials().email;
  return {
    id: params['account'],
    email,
    status: 'accepted',
    user: {
      id: params['account'],
      email,
      first_name: null,
      last_name: null,
      two_factor_authentication_enabled: false,
    },
    roles: [administrator],
    policies: [],
  };
}

/** Lists the members of an account; the only member is the user. */
export function listMembers(exchange: Exchange): Answer {
  const shown = (exchange.query.get('status') ?? 'accepted') === 'accepted';
  return formatPage(exchange, shown ? [formatMember(exchange)] : []);
}

export function getMember(exchange: Exchange): Answer {
  const member = formatMember(exchange);
  if (param(exchange, 'member') !== member.id) throw refusal(404, 1003, 'Member not found for account');
  return ok(member);
}

export function listRoles(exchange: Exchange): Answer {
  return formatPage(exchange, [administrator]);
}

export function getRole(exchange: Exchange): Answer {
  if (param(exchange, 'role') !== administrator.id) throw refusal(404, 1003, 'Role not found');
  return ok(administrator);
}

function formatPage({ query }: Exchange, found: readonly object[]): Answer {
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 5, 50, 20);
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(shown, pageInfo(page, perPage, shown.length, found.length));
}
