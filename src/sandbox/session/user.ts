import { json, ok, refused } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import type { Exchange, Handler, Route } from '../http/exchange.ts';

const tokens = () => import('./token-routes.ts');
const members = () => import('./members.ts');

/** Routes for the signed-in user, and for the verification of tokens. */
export const userRoutes: readonly Route[] = [
  { method: 'GET', pattern: '/user', handle: getUser },
  { method: 'GET', pattern: '/user/tokens/verify', handle: verifyToken },
  { method: 'GET', pattern: '/accounts/:account/tokens/verify', handle: verifyToken },
  on('GET', '/accounts/:account/members', async () => (await members()).listMembers),
  on('GET', '/accounts/:account/members/:member', async () => (await members()).getMember),
  on('GET', '/accounts/:account/roles', async () => (await members()).listRoles),
  on('GET', '/accounts/:account/roles/:role', async () => (await members()).getRole),
  ...['/user/tokens', '/accounts/:account/tokens'].flatMap(tokenRoutesBelow),
];

/**
 * Routes for tokens with policies, which belong to the user or to an account. The code is loaded lazily, because most calls do not need
 * these routes.
 */
function tokenRoutesBelow(all: string): Route[] {
  const one = `${all}/:token`;
  return [
    on('GET', all, async () => (await tokens()).listTokens),
    on('POST', all, async () => (await tokens()).createToken),
    on('GET', `${all}/permission_groups`, async () => (await tokens()).listGroups),
    on('GET', one, async () => (await tokens()).getToken),
    on('PUT', one, async () => (await tokens()).changeToken),
    on('DELETE', one, async () => (await tokens()).removeToken),
    on('PUT', `${one}/value`, async () => (await tokens()).rollToken),
  ];
}

function on(method: Route['method'], pattern: string, load: () => Promise<Handler>): Route {
  return { method, pattern, handle: async (exchange) => (await load())(exchange) };
}

function getUser({ platform }: Exchange): Answer {
  const email = platform.kind === 'local' ? 'local@localhost' : platform.registry().credentials().email;
  return ok({
    id: toFixedId(platform.kind),
    email,
    first_name: null,
    last_name: null,
    username: email,
    two_factor_authentication_enabled: false,
    suspended: false,
    created_on: '2026-01-01T00:00:00Z',
    modified_on: '2026-01-01T00:00:00Z',
  });
}

/**
 * Verifies the caller's token. A caller with an API key has no token to verify. An account token is valid only in paths of that
 * account.
 */
function verifyToken({ call, platform, token, params }: Exchange): Answer {
  const isKey = platform.kind === 'sandbox' && call.headers['authorization'] === undefined;
  const isStrange = token !== undefined && token.owner !== 'user' && token.owner !== params['account'];
  if (isKey || isStrange) return refused(401, codes.tokenInvalid, 'Invalid API Token');
  return json(200, {
    success: true,
    result: token?.verified ?? { id: ownTokenId, status: 'active' },
    errors: [],
    messages: [{ code: 10000, message: 'This API Token is valid and active', type: null }],
  });
}

/** Returns a fixed id of 32 hex digits, because a sandbox has only one user, who has only one token. */
function toFixedId(word: string): string {
  return Buffer.from(word).toString('hex').padEnd(32, '0').slice(0, 32);
}

/** The id of the sandbox's own token. */
export const ownTokenId = toFixedId('token');
