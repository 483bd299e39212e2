import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../src/model/problem.ts';
import type { Reporter } from '../../../../src/model/progress.ts';
import { Samples } from '../../../../src/model/samples.ts';
import { openBulkJob } from '../../../../src/services/kv/bulk/bulk.ts';
import { openCheckpoints } from '../../../../src/services/kv/bulk/checkpoints.ts';
import { openBulkInput } from '../../../../src/services/kv/bulk/input.ts';
import type { BulkReport } from '../../../../src/services/kv/bulk/run.ts';
import { exportEntries } from '../../../../src/services/kv/transfer/export.ts';
import { openSession } from '../../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../../src/services/session/session.ts';
import type { Send } from '../../../../src/v4/send.ts';
import { roundsInPart } from '../../../support/in-part.ts';
import { type TestWorld, testWorld } from '../../../support/world.ts';

const silent: Reporter = { progress: () => undefined, warn: () => undefined };

interface Case {
  readonly keys: readonly string[];
  readonly wrong: ReadonlySet<number>;
  readonly batchSize: number;
  /** The number of successful bulk requests in each run. The next request fails, before or after the platform has accepted it. */
  readonly cuts: readonly { readonly after: number; readonly taken: boolean }[];
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  keys: fc.array(fc.constantFrom(...Array.from({ length: 30 }, (_, index) => `key${index}`)), {
    minLength: 1,
    maxLength: 60,
  }),
  wrong: fc.array(fc.nat(60)).map((indices) => new Set(indices)),
  batchSize: fc.integer({ min: 1, max: 12 }),
  cuts: fc.array(fc.record({ after: fc.nat(8), taken: fc.boolean() }), { minLength: 1, maxLength: 3 }),
});

async function putFile(
  session: Session,
  options: { resume: boolean; batchSize: number },
): Promise<BulkReport> {
  const input = await openBulkInput(session.world, 'input.ndjson');
  try {
    const job = await openBulkJob(session, 'ns', input, {
      operation: 'bulk put',
      anyKey: false,
      skipInvalid: true,
      resumeArguments: [],
      reporter: silent,
      ...options,
    });
    return await job.run();
  } finally {
    await input.close();
  }
}

/** Fails all bulk requests after the first `after` bulk requests. */
function breaking(send: Send, { after, taken }: Case['cuts'][number]): Send {
  let left = after;
  return async (call) => {
    if (!call.path.endsWith('/bulk')) return send(call);
    left--;
    if (left >= 0) return send(call);
    if (left === -1 && taken) await send(call);
    throw new Problem('unreachable', 'The connection was cut.');
  };
}

async function contents(session: Session): Promise<Record<string, string>> {
  const lost = new Samples();
  const found: Record<string, string> = {};
  for await (const group of exportEntries({ session, namespaceId: 'ns' }, { lost, reporter: silent })) {
    for (const { key, value } of group) found[key] = value;
  }
  return found;
}

async function openLocal(world: TestWorld): Promise<Session> {
  return openSession(world, { ...plainChoice, local: true, persistTo: 'data' }, { note: () => undefined });
}

describe('a bulk put that is interrupted anywhere and resumed', () => {
  it('has the result of an uninterrupted put, and sends no confirmed entry twice', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ keys, wrong, batchSize, cuts }) => {
        const world = testWorld();
        const lines = keys.map((key, index) =>
          JSON.stringify(wrong.has(index) ? { key } : { key, value: `${key} ${index}` }),
        );
        writeFileSync(join(world.cwd, 'input.ndjson'), lines.join('\n'));
        const session = await openLocal(world);
        try {
          const sent: number[][] = [];
          const recording: Send = (call) => {
            if (call.path.endsWith('/bulk')) sent.push(getIndices(call.body as Uint8Array));
            return session.send(call);
          };
          const runOnce = async (send: Send): Promise<BulkReport> => {
            const named = await namedIndices(world);
            sent.length = 0;
            const report = await putFile({ ...session, send }, { resume: true, batchSize });
            expect(sent.flat().filter((index) => named.has(index))).toEqual([]);
            return report;
          };
          for (const cut of cuts) await runOnce(breaking(recording, cut));
          expect((await runOnce(recording)).stopped).toBeUndefined();
          expect(await openCheckpoints(world).list()).toEqual([]);
          expect(await contents(session)).toEqual(getLast(keys, wrong));
        } finally {
          await session.close();
        }
      }),
      { numRuns: roundsInPart(60, 4) },
    );
  }, 60_000);
});

/** Returns the entries that checkpoints record as confirmed. */
async function namedIndices(world: TestWorld): Promise<Set<number>> {
  const named = new Set<number>();
  for (const { confirmed } of await openCheckpoints(world).list()) {
    for (const [from, to] of confirmed) for (let index = from; index < to; index++) named.add(index);
  }
  return named;
}

function getIndices(body: Uint8Array): number[] {
  const entries: { value: string }[] = JSON.parse(Buffer.from(body).toString());
  return entries.map(({ value }) => Number(value.split(' ')[1]));
}

function getLast(keys: readonly string[], wrong: ReadonlySet<number>): Record<string, string> {
  const last: Record<string, string> = {};
  for (const [index, key] of keys.entries()) if (!wrong.has(index)) last[key] = `${key} ${index}`;
  return last;
}
