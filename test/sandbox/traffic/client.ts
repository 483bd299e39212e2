import { randomBytes } from 'node:crypto';
import type { FaultRequest } from '../../../src/model/sandbox/fault.ts';
import type { LoggedRequest } from '../../../src/model/sandbox/logged-request.ts';
import { openSandbox } from '../../../src/sandbox/http/app.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { scratchFolder } from '../../support/world.ts';

/** A served sandbox, and a client that fetches below its account. */
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
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${server.apiBaseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${apiToken}` } });
  const json = async (path: string, init: RequestInit = {}) =>
    JSON.parse(await (await ask(path, init)).text());
  const keys = `/accounts/${accountId}/storage/kv/namespaces`;
  const created = await json(keys, { method: 'POST', body: '{"title":"web"}' });
  return {
    clock,
    ask,
    json,
    keys: `${keys}/${created.result.id}`,
    fault: (fault: FaultRequest) => json('/sandbox/faults', { method: 'POST', body: JSON.stringify(fault) }),
    log: async (query = ''): Promise<LoggedRequest[]> => (await json(`/sandbox/requests${query}`)).result,
    async close() {
      await server.close();
      sandbox.close();
    },
  };
}
