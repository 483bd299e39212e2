import { timingSafeEqual } from 'node:crypto';
import { refused, refusedAll } from '../../v4/envelope.ts';
import type { DeclaredRoute } from '../../v4/routes.ts';
import type { Answer, Call } from '../../v4/send.ts';
import { findAccountPlatform, findZoneAccount } from '../session/account-platform.ts';
import { isAddressAllowed } from '../session/token-condition.ts';
import {
  canTokenCall,
  doesTokenAllow,
  doesTokenReach,
  findToken,
  formatTokenTimes,
  readTokenStatus,
  type StoredToken,
} from '../session/tokens.ts';
import { clockNow } from './clock.ts';
import { codes } from './codes.ts';
import { type CallerToken, type Platform, type Route, unroutableAnswer } from './exchange.ts';
import type { Match } from './router.ts';

/**
 * Checks a caller's credentials and account. Returns a refusal, the caller's token with policies, or undefined for unrestricted access. The
 * provider's codes: 9106 for missing credentials; 6003 for malformed headers; 9103 for an unknown email or key; 10000 or 9109 (1000 on
 * verify) for a wrong token; 10000 or 9109 for another account. Secrets are compared in constant time.
 */
export function authorize(
  platform: Platform,
  { route, declared, params }: Match,
  call: Call,
): Answer | CallerToken | undefined {
  const who = identify(platform, route, call);
  if (who !== undefined && 'status' in who) return who;
  const { account, zone } = params;
  if (account !== undefined && findAccountPlatform(platform, account) === undefined)
    return isObjectId(account) ? unknownAccountAnswer(route) : unroutableAnswer(barePath(call.path));
  if (who === undefined) return undefined;
  const target = { account: account ?? (zone && findZoneOwner(platform, zone)), zone };
  return canTokenCall(who.token, declared, target) ? toCallerToken(who.token) : notPermittedAnswer(declared);
}

/** Returns whether a string has the form of an id. A path with any other string is an unknown route (7003), as for zones. */
function isObjectId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

function barePath(path: string): string {
  return path.split('?', 1)[0] ?? path;
}

function findZoneOwner(platform: Platform, zone: string): string {
  return findZoneAccount(platform, platform.registry().zones.find(zone) ?? {}).id;
}

/**
 * Returns the refusal of a call that the token does not permit. The error code depends on whether the route belongs to an account or a
 * zone.
 */
function notPermittedAnswer({ permission, path }: DeclaredRoute): Answer {
  if (permission === 'sandbox token')
    return refused(403, codes.unauthorized, "Everything below /sandbox/ requires the sandbox's own token.");
  return path.startsWith('/accounts/:account/')
    ? refused(403, codes.authenticationError, 'Authentication error')
    : refused(403, codes.unauthorized, 'Unauthorized to access requested resource');
}

function toCallerToken(token: StoredToken): CallerToken {
  return {
    verified: { id: token.id, status: 'active', ...formatTokenTimes(token) },
    owner: token.owner,
    isAddressAllowed: (address) => isAddressAllowed(token.condition ?? {}, address),
    reaches: (target) => doesTokenReach(token, target),
    allows: (group, right, target) => doesTokenAllow(token, group, right, target),
  };
}

function unknownAccountAnswer(route: Route): Answer {
  return route.pattern === '/accounts/:account'
    ? refused(403, codes.unauthorized, 'Unauthorized to access requested resource')
    : refused(403, codes.authenticationError, 'Authentication error');
}

/** Returns a refusal, or the caller's token with policies; undefined for unrestricted access. */
function identify(
  platform: Platform,
  route: Route,
  { headers, from = '127.0.0.1' }: Pick<Call, 'headers' | 'from'>,
): Answer | { readonly token: StoredToken } | undefined {
  const bearer = headers['authorization'];
  const email = headers['x-auth-email'];
  const key = headers['x-auth-key'];
  const known = platform.registry().credentials();
  if (bearer !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(bearer)?.[1];
    if (token === undefined) return malformedAnswer(codes.authorizationHeaderInvalid, 'Authorization');
    if (secretsEqual(token, known.apiToken)) return undefined;
    const made = findToken(platform, token);
    if (made === undefined || readTokenStatus(made, clockNow(platform)) !== 'active')
      return wrongTokenAnswer(route);
    return isAddressAllowed(made.condition ?? {}, from) ? { token: made } : wrongAddressAnswer(from);
  }
  if (email === undefined && key === undefined) {
    const missing = 'Missing X-Auth-Key, X-Auth-Email or Authorization headers';
    return refused(400, codes.credentialsMissing, missing);
  }
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return malformedAnswer(codes.emailHeaderInvalid, 'X-Auth-Email');
  }
  if (key === undefined || !/^[\w-]+$/.test(key))
    return malformedAnswer(codes.keyHeaderInvalid, 'X-Auth-Key');
  const matches = [
    secretsEqual(email.toLowerCase(), known.email.toLowerCase()),
    secretsEqual(key, known.apiKey),
  ];
  if (matches.every(Boolean)) return undefined;
  return refused(403, codes.emailOrKeyUnknown, 'Unknown X-Auth-Key or X-Auth-Email');
}

function malformedAnswer(code: number, header: string): Answer {
  const cause = { code, message: `Invalid format for ${header} header` };
  return refusedAll(400, [
    { code: codes.requestHeadersInvalid, message: 'Invalid request headers', error_chain: [cause] },
  ]);
}

function wrongAddressAnswer(from: string): Answer {
  return refused(403, codes.unauthorized, `Cannot use the access token from location: ${from}`);
}

function wrongTokenAnswer(route: Route): Answer {
  if (route.pattern.endsWith('/tokens/verify')) return refused(401, codes.tokenInvalid, 'Invalid API Token');
  const ofAccount = route.pattern.includes('/:account/');
  if (ofAccount) return refused(401, codes.authenticationError, 'Authentication error');
  return refused(403, codes.unauthorized, 'Invalid access token');
}

/** Compares two secrets in time that depends only on their lengths, which are not secret. */
export function secretsEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
