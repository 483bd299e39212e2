import { acceptedJurisdictions } from '../../model/jurisdiction.ts';
import type { S3Operation } from '../../model/objects/s3-operation.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import { objstoreWord } from '../../v4/wire.ts';
import type { Platform } from '../http/exchange.ts';
import { allAccounts, findAccountPlatform } from '../session/account-platform.ts';
import type { S3Call } from './call.ts';
import { isOperationAllowed, type Signer } from './credentials.ts';

const known = acceptedJurisdictions.join('|');
const ownPath = new RegExp(`^/([0-9a-f]{32})(?:\\.(${known}))?((?:[/?].*)?)$`);
const ownHost = new RegExp(`^[0-9a-f]{32}\\.(${known})\\.${objstoreWord}\\.`);

/** An S3 API endpoint, and the path of a request below it. */
export interface Endpoint {
  /** The platform as seen by the account of the endpoint; undefined if the endpoint contains no account. */
  readonly named: Platform | undefined;
  /** The jurisdiction whose buckets the endpoint serves; undefined for the buckets without a jurisdiction. */
  readonly jurisdiction: string | undefined;
  readonly path: string;
}

/**
 * Separates the endpoint of a request from the path below it. On the real platform, an account has its own hosts, one for each
 * jurisdiction: `<account id>.eu.r2…`. In the sandbox, the jurisdiction can be the first path segment: `/<account id>.eu/bucket/key`.
 */
export function splitEndpoint(
  platform: Platform,
  { path, headers }: Pick<S3Call, 'path' | 'headers'>,
): Endpoint {
  const [, id = '', inPath, rest = ''] = ownPath.exec(path) ?? [];
  const isAccount =
    platform.kind === 'sandbox' && id !== '' && allAccounts(platform).some((one) => one.id === id);
  const named = isAccount ? findAccountPlatform(platform, id) : undefined;
  if (named === undefined) return { named, jurisdiction: findHostJurisdiction(headers['host']), path };
  return { named, jurisdiction: inPath, path: rest.startsWith('/') ? rest : `/${rest}` };
}

/** Returns the jurisdiction in the real host name of an endpoint, which clients use with `sandbox exec --proxy`. */
function findHostJurisdiction(host = ''): string | undefined {
  return ownHost.exec(host)?.[1];
}

/**
 * Returns the platform as seen by the account of a signer: the account in the path, or else the account of the token, or else the first
 * account in which the token permits the operation. Throws AccessDenied if the token does not permit the operation.
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
