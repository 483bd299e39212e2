import type { Answer } from '../../v4/send.ts';
import { type Exchange, isObject, readJson } from '../http/exchange.ts';
import { platformOf } from '../session/account-platform.ts';

const bodyLimit = 64 * 1024;

/**
 * `POST /graphql`: of the provider's analytics only how much a bucket holds (`r2StorageAdaptiveGroups`, filtered by
 * `bucketName`), because `wrangler r2 bucket info` asks for it. Any other query is answered with an error, as there.
 */
export async function readMetrics(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'query', bodyLimit);
  const { query, variables } = isObject(body) ? body : {};
  const filter = isObject(variables) ? variables['filter'] : undefined;
  const bucket = isObject(filter) ? filter['bucketName'] : undefined;
  if (typeof query !== 'string' || !query.includes('r2StorageAdaptiveGroups') || typeof bucket !== 'string') {
    return answer({
      data: null,
      errors: [{ message: 'the sandbox knows r2StorageAdaptiveGroups of a bucket only' }],
    });
  }
  const account = isObject(variables) ? variables['accountTag'] : undefined;
  const seen = typeof account === 'string' ? platformOf(exchange.platform, account) : undefined;
  const { objects, bytes } = (seen ?? exchange.platform).objects().usage(bucket);
  const max = { objectCount: objects, payloadSize: bytes, metadataSize: 0 };
  const datetime = new Date(exchange.platform.now()).toISOString();
  const groups = [{ max, dimensions: { datetime } }];
  return answer({ data: { viewer: { accounts: [{ r2StorageAdaptiveGroups: groups }] } }, errors: null });
}

function answer(value: unknown): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  };
}
