import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSandbox } from '../../../src/library/sandbox-types.ts';
import { clients, zone } from '../../support/clients/declared.ts';
import { findVersion, findZoneId, knownDifference, runCalls } from '../../support/clients/run.ts';
import { findFilesWith, startGuardProgram } from '../../support/guard-program.ts';
import { mustRun } from '../../support/reliability/processes.ts';
import { newPerson } from '../../support/run-command.ts';
import { scratchFolder } from '../../support/world.ts';

const { startSandbox } = await import('../../../dist/sandbox.cjs' as string);

/** Allows every effect, because the programs delete what they have created. */
const policy = `
[[rule]]
name = "everything"
decision = "allow"
effect = ["read", "change", "destroy", "unknown"]
`;

test.for(clients)('$name $npm works behind a guard', { timeout: 30 * 60_000 }, async (client, { skip }) => {
  const found = await findVersion(client);
  if ('lack' in found) return skip(found.lack);
  await using sandbox: TestSandbox = await startSandbox({
    dir: scratchFolder('clients'),
    seed: { zones: [{ name: zone }] },
  });
  const { apiBaseUrl, apiToken, accountId } = sandbox;
  const person = newPerson({
    EDGECTL_API_BASE_URL: apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_ZONE_ID: await findZoneId(sandbox),
  });
  writeFileSync(join(person.cwd, 'policy.toml'), policy);
  const proxy = client.byProxy === true ? ['--proxy'] : [];
  const guard = await startGuardProgram(person, ['--policy', 'policy.toml', ...proxy]);
  const secrets = [apiToken, hash('sha256', apiToken)];
  expect(
    Object.entries(guard.variables).filter(([, value]) => secrets.some((one) => value.includes(one))),
  ).toEqual([]);
  await sandbox.clearRequests();
  const cwd = scratchFolder('client');
  const variables = {
    ...guard.variables,
    // The clients receive this address as an option, because not every program reads the variable that applies only to S3.
    AWS_ENDPOINT_URL: guard.variables['AWS_ENDPOINT_URL_S3'] ?? '',
    EDGE_PORT: new URL(sandbox.edgeUrl).port,
    ZONE: zone,
  };
  const results = await runCalls(client, variables, cwd);
  const wrong = results.filter(({ fault }) => fault !== undefined);
  expect(wrong.filter(({ does }) => knownDifference(client, does) === undefined)).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
  const requests = await sandbox.requests();
  expect(await guard.stop()).toBe(0);
  // No file written by the guard or the program contains the real credentials.
  expect([...findFilesWith(person.home, secrets), ...findFilesWith(cwd, secrets)]).toEqual([]);
  // The log contains each write that reached the sandbox, with the status of the write.
  const records = JSON.parse(await mustRun(person, ['audit', 'list', '--json', '--limit', '0']));
  await mustRun(person, ['audit', 'verify']);
  // "bulk/get" is a POST request that only reads.
  const writes = requests.filter(
    ({ method, path }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !path.endsWith('/bulk/get'),
  );
  // SDK 3 sends a bulk delete that no server understands: the guard cannot save the deleted data for undo, so it refuses the request.
  const sent = records.filter(({ status }: { status?: number }) => status !== undefined);
  expect(sent.length).toBe(writes.length);
});
