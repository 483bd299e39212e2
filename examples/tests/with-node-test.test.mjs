// node --test examples/tests/with-node-test.test.mjs
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startSandbox } from 'edgectl/sandbox';

/** The code under test: reads a feature flag, and uses a default when the platform is busy. */
async function isEnabled({ apiBaseUrl, apiToken, accountId }, namespaceId, flag) {
  const url = `${apiBaseUrl}/accounts/${accountId}/storage/kv/namespaces/${namespaceId}/values/${flag}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${apiToken}` } });
  return answer.ok && (await answer.text()) === 'on';
}

let sandbox;
let namespaceId;

before(async () => {
  sandbox = await startSandbox();
});

after(() => sandbox.close());

beforeEach(async () => {
  await sandbox.reset();
  await sandbox.clearFaults();
  const { apiBaseUrl, apiToken, accountId } = sandbox;
  const namespaces = `${apiBaseUrl}/accounts/${accountId}/storage/kv/namespaces`;
  const headers = { authorization: `Bearer ${apiToken}` };
  const body = JSON.stringify({ title: 'flags' });
  const created = await (await fetch(namespaces, { method: 'POST', headers, body })).json();
  namespaceId = created.result.id;
  await fetch(`${namespaces}/${namespaceId}/values/search`, { method: 'PUT', headers, body: 'on' });
});

test('a flag that is on', async () => {
  assert.equal(await isEnabled(sandbox, namespaceId, 'search'), true);
});

test('is off while the platform refuses, and was asked for once', async () => {
  await sandbox.addFault({ match: 'GET /accounts/*/storage/kv/**', status: 503 });
  await sandbox.clearRequests();
  assert.equal(await isEnabled(sandbox, namespaceId, 'search'), false);
  assert.equal((await sandbox.requests({ method: 'GET' })).length, 1);
});
