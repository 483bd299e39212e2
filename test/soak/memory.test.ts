import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runMeasured } from '../support/peak-memory.ts';
import { type ServedSandbox, startSandbox } from '../support/program.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';

const limit = 200 * 1024 * 1024;
const local = ['--local', '--persist-to', 'data', '--namespace-id', 'a'];
const toLocal = ['--to-local', '--to-persist-to', 'data', '--to-namespace-id', 'b'];

let person: Person;
beforeEach(() => {
  person = newPerson();
});
afterEach(() => {
  rmSync(person.cwd, { recursive: true, force: true });
});

/** Writes NDJSON entries to a file in the person's working directory. */
async function generate(name: string, count: number, entryAt: (index: number) => unknown): Promise<void> {
  function* lines(): Generator<string> {
    for (let index = 0; index < count; index++) yield `${JSON.stringify(entryAt(index))}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(person.cwd, name)));
}

async function lineCount(name: string): Promise<number> {
  let count = 0;
  for await (const _ of createInterface({ input: createReadStream(join(person.cwd, name)) })) count++;
  return count;
}

async function expectSmall(argv: readonly string[], stdout = 'out'): Promise<void> {
  const { code, peakBytes, err } = await runMeasured(person, [...argv, '--quiet'], stdout);
  expect({ argv, code, err }).toEqual({ argv, code: 0, err: '' });
  expect(peakBytes, argv.join(' ')).toBeLessThan(limit);
}

describe('a file of 1 GB in values of 25 kB', () => {
  const count = 40_000;
  const text = 'Lorem ipsum "dolor" sit amet, é ü 漢. '.repeat(700).slice(0, 24_600);
  beforeEach(() =>
    generate('big.ndjson', count, (index) => ({ key: `key:${index}`, value: `${index} ${text}` })),
  );

  it('is written to local data within 200 MB of memory', async () => {
    await expectSmall(['kv', 'bulk', 'put', 'big.ndjson', ...local]);
    await expectSmall(['kv', 'export', ...local], 'all.ndjson');
    expect(await lineCount('all.ndjson')).toBe(count);
  });

  it('is written to a platform within 200 MB of memory', async () => {
    const sandbox = await startSandbox();
    try {
      const env = getEnvironment(sandbox);
      const { out } = await runCommand({ ...person, env }, ['kv', 'namespace', 'create', 'BIG', '--json']);
      const { id } = JSON.parse(out);
      person = { ...person, env };
      await expectSmall(['kv', 'bulk', 'put', 'big.ndjson', '--namespace-id', id]);
      await expectSmall(['kv', 'export', '--namespace-id', id], 'all.ndjson');
      expect(await lineCount('all.ndjson')).toBe(count);
    } finally {
      await sandbox.stop();
      rmSync(sandbox.folder, { recursive: true, force: true });
    }
  });
});

it('writes, lists, exports, copies and compares 1,000,000 keys, each within 200 MB of memory', async () => {
  const count = 1_000_000;
  await generate('many.ndjson', count, (index) => ({
    key: `user:${String(index).padStart(8, '0')}:profile`,
    value: `value of ${index}`,
    ...(index % 10 === 0 ? { metadata: { index } } : {}),
  }));
  await expectSmall(['kv', 'bulk', 'put', 'many.ndjson', ...local]);
  await expectSmall(['kv', 'key', 'list', ...local], 'list.json');
  expect(await lineCount('list.json')).toBe(3 * count + 2);
  await expectSmall(['kv', 'export', ...local], 'all.ndjson');
  expect(await lineCount('all.ndjson')).toBe(count);
  await expectSmall(['kv', 'copy', ...local, ...toLocal]);
  await expectSmall(['kv', 'diff', ...local, ...toLocal], 'differences');
  expect(await lineCount('differences')).toBe(0);
});

function getEnvironment({ ready }: ServedSandbox): Record<string, string> {
  return {
    EDGECTL_API_BASE_URL: ready.apiBaseUrl,
    EDGECTL_API_TOKEN: ready.apiToken,
    EDGECTL_ACCOUNT_ID: ready.accountId,
  };
}
