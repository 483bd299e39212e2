import { expect, test } from 'vitest';
import type { TestSandbox } from '../../../src/library/sandbox-types.ts';
import { clients, zone } from '../../support/clients/declared.ts';
import { saveRow } from '../../support/clients/matrix.ts';
import { findVersion, findZoneId, knownDifference, runCalls } from '../../support/clients/run.ts';
import { scratchFolder } from '../../support/world.ts';

const { startSandbox } = await import('../../../dist/sandbox.cjs' as string);

test.for(clients)('$name $npm', { timeout: 30 * 60_000 }, async (client, { skip }) => {
  const found = await findVersion(client);
  if ('lack' in found) return skip(found.lack);
  const dir = scratchFolder('clients');
  await using sandbox: TestSandbox = await startSandbox({
    dir,
    proxy: client.byProxy ?? false,
    seed: { zones: [{ name: zone }] },
  });
  const variables = { ...sandbox.env, EDGE_PORT: new URL(sandbox.edgeUrl).port, ZONE: zone };
  const results = await runCalls(client, { ...variables, CLOUDFLARE_ZONE_ID: await findZoneId(sandbox) });
  const wrong = results.filter(({ fault }) => fault !== undefined);
  const unexplained = wrong.filter(({ does }) => knownDifference(client, does) === undefined);
  expect(unexplained).toEqual([]);
  // A difference that no longer exists must be deleted from the declaration.
  const right = results.filter(({ fault }) => fault === undefined);
  expect(right.filter(({ does }) => knownDifference(client, does) !== undefined)).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
  saveRow({
    name: client.name,
    version: found.version,
    calls: results.length,
    right: right.length,
    different: wrong.map(({ does }) => ({ does, why: knownDifference(client, does) ?? '' })),
    date: new Date().toISOString().slice(0, 10),
  });
});
