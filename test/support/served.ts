import { randomBytes } from 'node:crypto';
import { openSandbox, type Sandbox } from '../../src/sandbox/http/app.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import { serveS3 } from '../../src/sandbox/s3/serve.ts';
import { type FaultProxy, openProxy } from './proxy.ts';
import { newPerson, type Person } from './run-command.ts';
import { scratchFolder } from './world.ts';

/** A sandbox in this process behind a proxy, and a person whose environment selects the proxy. */
export interface Served {
  readonly sandbox: Sandbox;
  readonly proxy: FaultProxy;
  readonly person: Person;
  /** Creates a namespace. */
  createNamespace(title?: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the sandbox. `issuanceLimit` is the number of certificates per minute. */
export async function openServed(issuanceLimit?: number): Promise<Served> {
  const folder = scratchFolder('served');
  const sandbox = openSandbox({
    kind: 'sandbox',
    folder,
    persistRoot: folder,
    now: () => Date.now(),
    random: randomBytes,
    ...(issuanceLimit !== undefined && { issuanceLimit }),
  });
  const { accountId, apiToken } = sandbox.access();
  const server = await serve(sandbox, { port: 0, token: 'the-token-of-a-lease' });
  const s3 = await serveS3(sandbox, { port: 0 });
  sandbox.platform.served = { s3Endpoint: s3.endpoint };
  const proxy = await openProxy(server.apiBaseUrl);
  let titles = 0;
  return {
    sandbox,
    proxy,
    person: newPerson({
      EDGECTL_API_BASE_URL: proxy.apiBaseUrl,
      EDGECTL_API_TOKEN: apiToken,
      EDGECTL_ACCOUNT_ID: accountId,
    }),
    async createNamespace(title = `namespace ${titles++}`) {
      const answer = await sandbox.send({
        method: 'POST',
        path: `/accounts/${accountId}/storage/kv/namespaces`,
        headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ title })),
        repeatable: false,
      });
      const { result } = JSON.parse(Buffer.from(answer.body as Uint8Array).toString());
      return result.id;
    },
    async close() {
      await proxy.close();
      await s3.close();
      await server.close();
      sandbox.close();
    },
  };
}
