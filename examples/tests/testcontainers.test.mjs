// docker build -t edgectl ../.. && npm install testcontainers && node --test testcontainers.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GenericContainer, Wait } from 'testcontainers';

test('lists the namespaces of a sandbox in a container', async () => {
  const container = await new GenericContainer('edgectl')
    .withExposedPorts(8787)
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  try {
    const { output } = await container.exec(['cat', '/home/node/data/ready.json']);
    const { accountId, apiToken } = JSON.parse(output);
    const url = `http://${container.getHost()}:${container.getMappedPort(8787)}/client/v4/accounts/${accountId}/storage/kv/namespaces`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${apiToken}` } });
    assert.equal(answer.status, 200);
  } finally {
    await container.stop();
  }
});
