import { expect, test } from 'vitest';
import { carryOut } from '../../../src/services/hostnames/fleet/carry-out.ts';
import { refusal, result, stubPlatform } from './platform.ts';

const record = {
  id: 'b'.repeat(32),
  hostname: 'shop.acme.com',
  status: 'pending',
  ssl: { method: 'http', type: 'dv', status: 'initializing' },
};

/** The result of creating what somebody else creates at the same moment. */
async function createBeside(method: 'http' | 'txt') {
  const { session } = stubPlatform(({ method: verb, path }) => {
    if (!path.endsWith('/custom_hostnames')) return undefined;
    return verb === 'POST' ? refusal(409, 1406, 'Duplicate custom hostname found.') : result([record]);
  });
  const hostname = 'shop.acme.com';
  const step = { does: 'create', hostname, line: 2, asked: { hostname, method }, reason: 'new' } as const;
  const reporter = { progress: () => undefined, warn: () => undefined };
  const run = { operation: 'hostname reconcile', zoneId: 'z', steps: [step], rate: 14, reporter };
  return (await carryOut(session, run).next()).value;
}

test('a hostname that somebody else has made meanwhile is created only where it is as it was wanted', async () => {
  expect(await createBeside('http')).toMatchObject({
    result: 'created',
    record: { hostname: 'shop.acme.com' },
  });
  expect(await createBeside('txt')).toMatchObject({ result: 'failed', problem: { platformCode: 1406 } });
});
