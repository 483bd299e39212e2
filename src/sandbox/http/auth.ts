import { createHash, timingSafeEqual } from 'node:crypto';
import { refused, refusedAll } from '../../v4/envelope.ts';
import type { DeclaredRoute } from '../../v4/routes.ts';
import type { Answer, Call } from '../../v4/send.ts';
import { accountOfZone, platformOf } from '../session/account-platform.ts';
import { mayComeFrom } from '../session/token-condition.ts';
import {
  findToken,
  type MadeToken,
  statusOf,
  timesOf,
  tokenAllows,
  tokenMayCall,
  tokenReaches,
} from '../session/tokens.ts';
import { clockNow } from './clock.ts';
import { codes } from './codes.ts';
import type { CallerToken, Platform, Route } from './exchange.ts';
import type { Match } from './router.ts';

/**
 * Checks a caller's credentials and account. Returns a refusal, the caller's token with policies, or undefined for unrestricted
 * access. Codes of the provider: 9106 no credentials, 6003 malformed headers, 9103 unknown e-mail or key, 10000 or 9109 (1000 on
 * verify) wrong token, 10000 or 9109 other account. Secrets are compared in constant time.
 */
export function refuseAccess(
  platform: Platform,
  { route, declared, params }: Match,
  call: Call,
): Answer | CallerToken | undefined {
  const who = identify(platform, route, call);
  if (who !== undefined && 'status' in who) return who;
  const { account, zone } = params;
  if (account !== undefined && platformOf(platform, account) === undefined) return strangeAccount(route);
  if (who === undefined) return undefined;
  const target = { account: account ?? (zone && ownerOfZone(platform, zone)), zone };
  return tokenMayCall(who.token, declared, target) ? callerOf(who.token) : notPermitted(declared);
}

function ownerOfZone(platform: Platform, zone: string): string {
  return accountOfZone(platform, platform.registry().zones.find(zone) ?? {}).id;
}

/** Refuses with different codes for routes of accounts and of zones. */
function notPermitted({ permission, path }: DeclaredRoute): Answer {
  if (permission === 'sandbox token')
    return refused(403, codes.unauthorized, "Everything below /sandbox/ requires the sandbox's own token.");
  return path.startsWith('/accounts/:account/')
    ? refused(403, codes.authenticationError, 'Authentication error')
    : refused(403, codes.unauthorized, 'Unauthorized to access requested resource');
}

function callerOf(token: MadeToken): CallerToken {
  return {
    verified: { id: token.id, status: 'active', ...timesOf(token) },
    owner: token.owner,
    mayComeFrom: (address) => mayComeFrom(token.condition ?? {}, address),
    reaches: (target) => tokenReaches(token, target),
    allows: (group, right, target) => tokenAllows(token, group, right, target),
  };
}

function strangeAccount(route: Route): Answer {
  return route.pattern === '/accounts/:account'
    ? refused(403, codes.unauthorized, 'Unauthorized to access requested resource')
    : refused(403, codes.authenticationError, 'Authentication error');
}

/** Returns a refusal, or the caller's token with policies; undefined for unrestricted access. */
function identify(
  platform: Platform,
  route: Route,
  { headers, from = '127.0.0.1' }: Pick<Call, 'headers' | 'from'>,
): Answer | { readonly token: MadeToken } | undefined {
  const bearer = headers['authorization'];
  const email = headers['x-auth-email'];
  const key = headers['x-auth-key'];
  const known = platform.registry().credentials();
  if (bearer !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(bearer)?.[1];
    if (token === undefined) return malformed(codes.authorizationHeaderInvalid, 'Authorization');
    if (same(token, known.apiToken)) return undefined;
    const made = findToken(platform, token);
    if (made === undefined || statusOf(made, clockNow(platform)) !== 'active') return wrongToken(route);
    return mayComeFrom(made.condition ?? {}, from) ? { token: made } : wrongPlace(from);
  }
  if (email === undefined && key === undefined) {
    const missing = 'Missing X-Auth-Key, X-Auth-Email or Authorization headers';
    return refused(400, codes.credentialsMissing, missing);
  }
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    return malformed(codes.emailHeaderInvalid, 'X-Auth-Email');
  }
  if (key === undefined || !/^[\w-]+$/.test(key)) return malformed(codes.keyHeaderInvalid, 'X-Auth-Key');
  const matches = [same(email.toLowerCase(), known.email.toLowerCase()), same(key, known.apiKey)];
  if (matches.every(Boolean)) return undefined;
  return refused(403, codes.emailOrKeyUnknown, 'Unknown X-Auth-Key or X-Auth-Email');
}

function malformed(code: number, header: string): Answer {
  const cause = { code, message: `Invalid format for ${header} header` };
  return refusedAll(400, [
    { code: codes.requestHeadersInvalid, message: 'Invalid request headers', error_chain: [cause] },
  ]);
}

function wrongPlace(from: string): Answer {
  return refused(403, codes.unauthorized, `Cannot use the access token from location: ${from}`);
}

function wrongToken(route: Route): Answer {
  if (route.pattern.endsWith('/tokens/verify')) return refused(401, codes.tokenInvalid, 'Invalid API Token');
  const ofAccount = route.pattern.includes('/:account/');
  if (ofAccount) return refused(401, codes.authenticationError, 'Authentication error');
  return refused(403, codes.unauthorized, 'Invalid access token');
}

/** Compares two secrets in constant time. */
export function same(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
