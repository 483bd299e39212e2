import type { Method } from '../../../src/v4/send.ts';
import type { Payload, Reply, TestSandbox } from '../test-sandbox.ts';

export type BucketCall = (
  method: Method,
  path: string,
  body?: Payload,
  headers?: Record<string, string>,
) => Promise<Reply>;

/** Returns a function that sends authenticated calls below the buckets of a sandbox's account. */
export function bucketCalls({ sandbox, call }: TestSandbox): BucketCall {
  const local = sandbox.kind === 'local';
  const account = local ? 'anyone' : sandbox.access().accountId;
  const signed = local ? {} : { authorization: `Bearer ${sandbox.access().apiToken}` };
  return (method, path, body, headers = {}) =>
    call(method, `/accounts/${account}/r2/buckets${path}`, body, { ...signed, ...headers });
}
