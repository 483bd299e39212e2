import type { S3Operation } from '../../v4/routes.ts';
import type { Platform } from '../http/exchange.ts';
import { allAccounts, findAccountPlatform } from '../session/account-platform.ts';
import { isOperationAllowed, type Signer } from './credentials.ts';
import { S3Refusal } from './refusal.ts';

/**
 * Splits an account off the path of a request. Returns the platform as seen by that account, and the rest of the path. On the
 * real platform, an account has its own host; here, it can be the first path segment: `/<account id>/bucket/key`.
 */
export function splitAccountPath(
  platform: Platform,
  path: string,
): { readonly named: Platform | undefined; readonly path: string } {
  const [, id = '', rest = ''] = /^\/([0-9a-f]{32})((?:[/?].*)?)$/.exec(path) ?? [];
  const isAccount =
    platform.kind === 'sandbox' && id !== '' && allAccounts(platform).some((one) => one.id === id);
  const named = isAccount ? findAccountPlatform(platform, id) : undefined;
  if (named === undefined) return { named, path };
  return { named, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Returns the platform as seen by the account of a signer: the account in the path, otherwise that of its token, otherwise the
 * first one in which the token permits the operation. Throws AccessDenied if the token does not permit it.
 */
export function chooseAccount(
  platform: Platform,
  signer: Signer,
  named: Platform | undefined,
  operation: S3Operation | undefined,
): Platform {
  const ofKey =
    signer.temporary?.account ?? (signer.token?.owner === 'user' ? undefined : signer.token?.owner);
  const all = ofKey === undefined ? allAccounts(platform).map(({ id }) => id) : [ofKey];
  const candidates = all.flatMap((id) => findAccountPlatform(platform, id) ?? []);
  const wanted = named && candidates.filter((one) => readAccountId(one) === readAccountId(named));
  const seen = (wanted ?? candidates).find((one) => isOperationAllowed(one, signer, operation));
  if (seen === undefined) throw new S3Refusal('AccessDenied');
  return seen;
}

function readAccountId(platform: Platform): string {
  return platform.registry().account().id;
}
