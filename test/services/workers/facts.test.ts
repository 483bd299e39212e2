import { expect, test } from 'vitest';
import { workerService } from '../../../src/services/console/workers.ts';
import { readWorkerFacts } from '../../../src/services/workers/facts.ts';
import { refusal, result, stubPlatform } from '../hostnames/platform.ts';

const deployment = {
  id: 'd',
  created_on: '2026-11-20T10:00:00Z',
  source: 'api',
  versions: [{ version_id: 'v', percentage: 100 }],
};

/** Creates a platform with one worker, or a platform that reports that the worker does not exist. */
function platform(isThere: boolean) {
  return stubPlatform(({ path }) => {
    if (!isThere) return refusal(404, 10007, 'no such worker');
    if (path.endsWith('/deployments')) return result({ deployments: [deployment] });
    if (!path.endsWith('/versions/v')) return refusal(400, 10021, 'not of the version that runs');
    const bindings = [{ name: 'API_KEY', type: 'secret_text' }];
    return result({ resources: { bindings, script_runtime: { compatibility_date: '2026-11-01' } } });
  });
}

test('gathers all facts about a worker except its code', async () => {
  expect(await readWorkerFacts(platform(true).session, 'api')).toEqual({
    bindings: [{ name: 'API_KEY', type: 'secret_text' }],
    compatibilityDate: '2026-11-01',
    compatibilityFlags: [],
    deployments: [
      { id: 'd', createdOn: deployment.created_on, source: 'api', versions: [{ id: 'v', percentage: 100 }] },
    ],
    secrets: ['API_KEY'],
  });
});

test('names the deleted worker and its account, and explains what to do', async () => {
  await expect(readWorkerFacts(platform(false).session, 'api')).rejects.toMatchObject({
    code: 'not-found',
    message: 'Worker "api" not found on profile stub.',
    remedy: { kind: 'list-workers' },
  });
});

test('reads the title of a namespace once, and shows a worker whose namespaces the token may not read', async () => {
  const [open, closed] = ['a'.repeat(32), 'b'.repeat(32)];
  const sent: string[] = [];
  const { session } = stubPlatform(({ path }) => {
    sent.push(path);
    if (path.endsWith(`/namespaces/${open}`)) return result({ id: open, title: 'sessions' });
    if (path.endsWith(`/namespaces/${closed}`)) return refusal(403, 10000, 'Authentication error');
    if (path.endsWith('/deployments')) return result({ deployments: [deployment] });
    const bindings = [open, closed].map((id) => ({ name: 'KV', type: 'kv_namespace', namespace_id: id }));
    return result({ resources: { bindings, script_runtime: {} } });
  });
  const workers = workerService(session);
  const { signal } = new AbortController();
  expect([...(await workers.read('api', signal)).namespaceTitles]).toEqual([[open, 'sessions']]);
  await workers.read('api', signal);
  expect(sent.filter((path) => path.includes('/namespaces/'))).toHaveLength(2);
});
