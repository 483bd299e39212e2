import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandPolicy, decide } from '../../../src/model/guard/policy.ts';
import { auditFolder } from '../../../src/services/guard/audit-log.ts';
import { listAudit, verifyAudit } from '../../../src/services/guard/read-audit.ts';
import { openRecorder, refusalLimits } from '../../../src/services/guard/recorder.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { testWorld } from '../../support/world.ts';

const minute = 60_000;
const session = { command: undefined, place: 'profile acme', url: undefined };
const namespace = `/accounts/${'a'.repeat(32)}/storage/kv/namespaces/${'b'.repeat(32)}`;
const denied = {
  source: 'user',
  path: '/policy.toml',
  rules: [{ name: 'no', decision: 'deny', effect: ['destroy'] }],
} as const;

/** Opens a recorder whose clock and sleeps the test controls. */
function openAt(start: number) {
  let now = start;
  const sleeps: { readonly until: number; wake(): void }[] = [];
  const world = {
    ...testWorld({ now: () => now }),
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        sleeps.push({ until: now + milliseconds, wake });
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const recorder = openRecorder(world, session);
  const send = (method: string, path: string, names?: readonly string[]) => {
    const body = names && Buffer.from(JSON.stringify(names));
    const input = { method, path: namespace + path, headers: {}, ...(body && { body }) };
    const facts = readRequestFacts(input, { target: 'production', client: 'wrangler' });
    return recorder.record(facts, decide({ deciding: [denied, commandPolicy] }, facts));
  };
  return {
    world,
    write: async (name: string) => {
      const finish = await send('PUT', `/values/${name}`);
      await finish({ status: 200, requestId: undefined });
    },
    refuse: async (count: number, names?: readonly string[]) => {
      for (let index = 0; index < count; index++)
        await (names === undefined
          ? send('DELETE', `/values/k${index}`)
          : send('POST', '/bulk/delete', names));
    },
    pass: async (milliseconds: number) => {
      now += milliseconds;
      for (const { until, wake } of sleeps) if (until <= now) wake();
      await new Promise(setImmediate);
    },
    close: () => recorder.close(),
  };
}

test('a flood of refused requests deletes no older record, and is counted', async () => {
  const guard = openAt(1_000_000_000_000);
  const { world } = guard;
  await guard.write('wanted');
  const names = Array.from({ length: 100 }, (_, index) => '€'.repeat(1020) + index);
  await guard.refuse(refusalLimits.records + 300, names);
  await guard.close();
  expect(await verifyAudit(world)).toMatchObject({ faults: [], first: 1 });
  const entries = await listAudit(world);
  expect(entries[0]).toMatchObject({ name: 'wanted', outcome: 'answered', status: 200 });
  expect(entries).toHaveLength(1 + refusalLimits.records + 1);
  expect(entries.at(-1)).toMatchObject({ outcome: 'refused', rule: 'no', count: 100, refusals: 300 });
  const files = readdirSync(auditFolder(world)).map((name) => statSync(join(auditFolder(world), name)).size);
  expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(2 * 1024 * 1024);
});

test('refused requests are recorded one by one again after five minutes, and counted ones are recorded at that time', async () => {
  const guard = openAt(1_000_000_000_000);
  const { world } = guard;
  await guard.refuse(refusalLimits.records + 3);
  expect(await listAudit(world)).toHaveLength(refusalLimits.records);
  await guard.pass(5 * minute);
  await guard.refuse(2);
  const last = (await listAudit(world)).slice(refusalLimits.records);
  expect(last.map(({ name, refusals }) => [name, refusals])).toEqual([
    [`k${refusalLimits.records + 2}`, 3],
    ['k0', undefined],
    ['k1', undefined],
  ]);
  await guard.refuse(refusalLimits.records - 1);
  await guard.write('k');
  expect((await listAudit(world)).at(-1)).toMatchObject({ method: 'PUT', name: 'k' });
  await guard.close();
  expect((await listAudit(world)).at(-1)).toMatchObject({ method: 'DELETE', refusals: 1 });
});

test('a request that a person refused always has its own record', async () => {
  const { world } = openAt(1_000_000_000_000);
  const recorder = openRecorder(world, session);
  const facts = readRequestFacts(
    { method: 'DELETE', path: `${namespace}/values/asked`, headers: {} },
    { target: 'production', client: 'wrangler' },
  );
  const asked = decide(
    { deciding: [{ ...denied, rules: [{ name: 'ask', decision: 'ask' }] }, commandPolicy] },
    facts,
  );
  for (let index = 0; index <= refusalLimits.records; index++)
    await recorder.record(facts, asked, { number: '100-1', refusal: 'unanswered' });
  await recorder.record(facts, asked, { number: '100-2', refusal: 'refused' });
  expect((await listAudit(world)).at(-1)).toMatchObject({ held: '100-2', refusal: 'refused' });
  await recorder.close();
  expect((await listAudit(world)).at(-1)).toMatchObject({ refusals: 1, refusal: 'unanswered' });
});
