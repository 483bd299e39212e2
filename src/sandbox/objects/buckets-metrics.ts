import type { Answer } from '../../v4/send.ts';
import { type Exchange, isObject, type Platform, readJson } from '../http/exchange.ts';
import { platformOf } from '../session/account-platform.ts';

/**
 * `POST /graphql`: of the provider's analytics only how much a bucket holds (`r2StorageAdaptiveGroups`, filtered by
 * `bucketName`), because `wrangler r2 bucket info` asks for it. Any other query is answered with an error, as there.
 */
export async function readMetrics(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'query');
  const { query, variables: given } = isObject(body) ? body : {};
  const variables = isObject(given) ? given : {};
  const filter = variables['filter'];
  const bucket = isObject(filter) ? filter['bucketName'] : undefined;
  if (typeof query !== 'string' || !query.includes('r2StorageAdaptiveGroups') || typeof bucket !== 'string') {
    return answer({
      data: null,
      errors: [{ message: 'the sandbox knows r2StorageAdaptiveGroups of a bucket only' }],
    });
  }
  const seen = accountSeen(exchange, variables['accountTag']);
  if (seen === undefined)
    return answer({ data: null, errors: [{ message: 'not authorized for that account' }] });
  const { objects, bytes } = usageOf(seen, bucket);
  const max = { objectCount: objects, payloadSize: bytes, metadataSize: 0 };
  const datetime = new Date(exchange.platform.now()).toISOString();
  const groups = [{ max, dimensions: { datetime } }];
  return answer({ data: { viewer: { accounts: [{ r2StorageAdaptiveGroups: groups }] } }, errors: null });
}

/** The platform as the account sees it that the variables name, or the own one; undefined for who may not read its buckets. */
function accountSeen({ platform, token }: Exchange, named: unknown): Platform | undefined {
  if (platform.kind === 'local') return platform;
  const account = typeof named === 'string' ? named : platform.registry().account().id;
  const mayRead = token?.allows('Workers R2 Storage', 'Read', { account, zone: undefined }) !== false;
  return mayRead ? platformOf(platform, account) : undefined;
}

/** Of a name that is no bucket's nothing: on disk it may be that of another account. */
function usageOf(platform: Platform, bucket: string): { readonly objects: number; readonly bytes: number } {
  const isThere = platform.kind === 'local' || platform.registry().buckets.find(bucket) !== undefined;
  return isThere ? platform.objects().usage(bucket) : { objects: 0, bytes: 0 };
}

function answer(value: unknown): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}
