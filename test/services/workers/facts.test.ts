import { expect, test } from 'vitest';
import { readWorkerFacts } from '../../../src/services/workers/facts.ts';
import { refusal, result, stubPlatform } from '../hostnames/platform.ts';

const deployment = {
  id: 'd',
  created_on: '2026-11-20T10:00:00Z',
  source: 'api',
  versions: [{ version_id: 'v', percentage: 100 }],
};

/** A platform with one worker whose settings it answers, or says that there is no such worker. */
function platform(hasSettings: boolean) {
  return stubPlatform(({ path }) => {
    if (path.endsWith('/deployments')) return result({ deployments: [deployment] });
    if (path.endsWith('/secrets')) return result([{ name: 'API_KEY', type: 'secret_text' }]);
    return hasSettings ? result({ compatibility_date: '2026-11-01' }) : refusal(404, 10007, 'no such worker');
  });
}

test('gathers what is known of a worker but its code', async () => {
  expect(await readWorkerFacts(platform(true).session, 'api')).toEqual({
    bindings: [],
    compatibilityDate: '2026-11-01',
    compatibilityFlags: [],
    deployments: [
      { id: 'd', createdOn: deployment.created_on, source: 'api', versions: [{ id: 'v', percentage: 100 }] },
    ],
    secrets: ['API_KEY'],
  });
});

test('says of a worker that is gone which one, where, and what to do', async () => {
  await expect(readWorkerFacts(platform(false).session, 'api')).rejects.toMatchObject({
    code: 'not-found',
    message: 'There is no worker "api" on profile stub.',
    remedy: { kind: 'list-workers' },
  });
});
