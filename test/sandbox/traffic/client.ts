import { randomBytes } from 'node:crypto';
import type { FaultRequest } from '../../../src/model/sandbox/fault.ts';
import type { LoggedRequest } from '../../../src/model/sandbox/logged-request.ts';
import { presignedUrl, signatureHeaders } from '../../../src/s3/sign.ts';
import { openSandbox } from '../../../src/sandbox/http/app.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { ownAccessKey } from '../../../src/sandbox/s3/credentials.ts';
import { serveS3 } from '../../../src/sandbox/s3/serve.ts';
import { withToken } from '../../../src/services/session/backend.ts';
import { scratchFolder } from '../../support/world.ts';

/** Opens a served sandbox, and a client that sends requests below the sandbox's account. */
export async function openClient(strict = false) {
  const folder = scratchFolder('faults');
  const clock = { now: Date.parse('2026-11-01T00:00:00Z') };
  const sandbox = openSandbox({
    kind: 'sandbox',
    folder,
    persistRoot: folder,
    now: () => clock.now,
    random: randomBytes,
  });
  const { accountId, apiToken } = sandbox.access();
  const server = await serve(sandbox, { port: 0, token: 'the-token-of-a-lease', strict });
  const s3 = await serveS3(sandbox, { port: 0 });
  const key = ownAccessKey(apiToken);
  /** Sends a signed S3 API request. */
  const askS3 = (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const { host } = new URL(s3.endpoint);
    const signed = signatureHeaders({ host, method, path, headers }, key, clock.now);
    return fetch(`${s3.endpoint}${path}`, {
      method,
      headers: { ...headers, ...signed },
      ...(body && { body }),
    });
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.apiBaseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${apiToken}` } });
  const json = async (path: string, init: RequestInit = {}) =>
    JSON.parse(await (await ask(path, init)).text());
  const keys = `/accounts/${accountId}/storage/kv/namespaces`;
  const created = await json(keys, { method: 'POST', body: '{"title":"web"}' });
  return {
    clock,
    /** Sends the request in this process, as the sandbox's own client, bypassing faults and the log. */
    send: withToken(sandbox.send, sandbox.access()),
    ask,
    /** Sends a body in chunks, without a Content-Length. */
    chunked: (path: string, type: string, body: RequestInit['body']) => {
      const headers = { authorization: `Bearer ${apiToken}`, 'content-type': type };
      return fetch(`${server.apiBaseUrl}${path}`, {
        method: 'PUT',
        headers,
        body,
        duplex: 'half',
      } as RequestInit);
    },
    askS3,
    /** Returns a link to an object. */
    link: (bucket: string, name: string) =>
      presignedUrl(s3.endpoint, { method: 'GET', bucket, key: name, seconds: 60 }, key, clock.now),
    json,
    keys: `${keys}/${created.result.id}`,
    fault: (fault: FaultRequest) => json('/sandbox/faults', { method: 'POST', body: JSON.stringify(fault) }),
    log: async (query = ''): Promise<LoggedRequest[]> => (await json(`/sandbox/requests${query}`)).result,
    async close() {
      await s3.close();
      await server.close();
      sandbox.close();
    },
  };
}
