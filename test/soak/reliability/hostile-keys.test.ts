import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Cloudflare from 'cloudflare';
import { expect } from 'vitest';
import { startSandbox as startInProcess } from '../../../src/library/sandbox.ts';
import { startSandbox } from '../../support/program.ts';
import { hostileKeys } from '../../support/reliability/hostile-keys.ts';
import { createNamespace, mustRun, personAt } from '../../support/reliability/processes.ts';
import { type Run, trial } from '../../support/reliability/trial.ts';
import { type Person, runCommand } from '../../support/run-command.ts';

/** An entry in the format of `kv bulk put` and `kv export`. */
interface Entry {
  readonly key: string;
  readonly value: string;
  readonly base64?: boolean;
  readonly metadata?: unknown;
}

/** Creates an entry whose value depends on its key, so that swapped values are detected. */
function createEntry(key: string, at: number): Entry {
  const metadata = at % 10 === 0 ? { metadata: { at, of: key.slice(0, 20).toWellFormed() } } : {};
  if (at % 50 !== 1) return { key, value: `${at} ${key}`, ...metadata };
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00, 0xfe]), Buffer.from(String(at))]);
  return { key, value: bytes.toString('base64'), base64: true, ...metadata };
}

const contentOf = ({ value, base64 = false, metadata }: Omit<Entry, 'key'>): string =>
  JSON.stringify([value, base64, metadata ?? null]);

class Expected {
  readonly #run: Run;
  readonly #contents: ReadonlyMap<string, string>;

  constructor(run: Run, entries: readonly Entry[]) {
    this.#run = run;
    this.#contents = new Map(entries.map((entry) => [entry.key, contentOf(entry)]));
  }

  /** Compares the entries returned by one way of reading with the entries that were written. */
  async compare(way: string, entries: AsyncIterable<Entry> | Iterable<Entry>): Promise<void> {
    const seen = new Set<string>();
    let wrong = 0;
    for await (const entry of entries) {
      if (seen.has(entry.key) || this.#contents.get(entry.key) !== contentOf(entry)) {
        wrong += 1;
        if (wrong < 5) this.#run.found(`${way}: ${JSON.stringify(entry)}`);
      }
      seen.add(entry.key);
    }
    const missing = this.#contents.size - seen.size;
    if (wrong > 0 || missing !== 0) this.#run.found(`${way}: ${wrong} wrong entries, ${missing} missing`);
    this.#run.attempted(this.#contents.size);
  }
}

/** Parses NDJSON entries. Node's readline would also split lines at U+2028. */
function* entriesIn(path: string): Generator<Entry> {
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') yield JSON.parse(line);
}

trial('hostile keys', async (run) => {
  const sandbox = await startSandbox();
  const person = personAt(sandbox);
  const path = (name: string) => join(person.cwd, name);
  try {
    const keys = hostileKeys(run.chance, run.size);
    const entries = keys.map(createEntry);
    const expected = new Expected(run, entries);
    const lines = function* () {
      for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
    };
    await pipeline(Readable.from(lines()), createWriteStream(path('in.ndjson')));
    const one = ['--namespace-id', await createNamespace(person, 'ONE')];
    const two = ['--namespace-id', await createNamespace(person, 'TWO')];
    const local = ['--local', '--persist-to', 'data', '--namespace-id', 'local'];
    const put = (file: string, at: readonly string[]) =>
      mustRun(person, ['kv', 'bulk', 'put', file, '--any-key', ...at]);
    const exported = async (file: string, at: readonly string[]) => {
      await mustRun(person, ['kv', 'export', '--output', file, '--force', ...at]);
      return path(file);
    };

    await put('in.ndjson', one);
    await expected.compare('export NDJSON', entriesIn(await exported('one.ndjson', one)));
    const json = readFileSync(await exported('one.json', one), 'utf8');
    await expected.compare('export JSON', JSON.parse(json) as Entry[]);
    await put('one.json', local);
    await expected.compare('--local', entriesIn(await exported('local.ndjson', local)));
    await mustRun(person, ['kv', 'copy', ...one, '--to-namespace-id', two[1] ?? '']);
    await expected.compare('copy', entriesIn(await exported('two.ndjson.gz', two).then(unzipped)));
    expect(await mustRun(person, ['kv', 'diff', ...one, '--to-namespace-id', two[1] ?? ''])).toBe('');
    run.attempted(keys.length);
    await listAll(run, person, keys, local);
    await oneByOne(run, person, entries, sandbox.ready, one[1] ?? '');
    await throughSnapshots(person, expected);
    await mustRun(person, ['kv', 'bulk', 'delete', 'list.json', '--yes', ...local]);
    expect(JSON.parse(await mustRun(person, ['kv', 'key', 'list', ...local]))).toEqual([]);
    run.attempted(keys.length);
    run.remark(
      `${keys.length.toLocaleString('en')} keys through bulk put, export (NDJSON, gzip, JSON), copy, diff, list, bulk delete, ` +
        '--local, snapshots and the in-process sandbox; a sample through single commands and the Cloudflare SDK',
    );
  } finally {
    await sandbox.stop();
    for (const folder of [sandbox.folder, person.cwd]) rmSync(folder, { recursive: true, force: true });
  }

  async function unzipped(file: string): Promise<string> {
    const { createGunzip } = await import('node:zlib');
    await pipeline(createReadStream(file), createGunzip(), createWriteStream(`${file}.out`));
    return `${file}.out`;
  }
});

/** Lists all names, which must be in the order of their UTF-8 bytes, and saves the list for a bulk delete. */
async function listAll(
  run: Run,
  person: Person,
  keys: readonly string[],
  at: readonly string[],
): Promise<void> {
  const out = await mustRun(person, ['kv', 'key', 'list', ...at]);
  const listed = (JSON.parse(out) as { name: string }[]).map(({ name }) => name);
  const wanted = keys.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const wrong = wanted.findIndex((key, index) => key !== listed[index]);
  if (wrong !== -1 || listed.length !== wanted.length)
    run.found(`list: ${listed.length} names; ${JSON.stringify(wanted[wrong])} is out of order`);
  writeFileSync(join(person.cwd, 'list.json'), out);
  run.attempted(keys.length);
}

/** Reads, deletes and writes a sample of keys one by one, with commands and with the Cloudflare SDK. */
async function oneByOne(
  run: Run,
  person: Person,
  entries: readonly Entry[],
  { apiBaseUrl, apiToken, accountId }: { apiBaseUrl: string; apiToken: string; accountId: string },
  namespace: string,
): Promise<void> {
  const client = new Cloudflare({ apiToken, baseURL: apiBaseUrl });
  const ids = { account_id: accountId, namespace_id: namespace };
  const at = ['--namespace-id', namespace];
  const sample = entries.filter((_, index) => index < 60 || index % Math.ceil(entries.length / 100) === 0);
  for (const entry of sample) {
    const bytes = Buffer.from(entry.value, entry.base64 === true ? 'base64' : 'utf8');
    const wrong = (what: string) => run.found(`${what}: ${JSON.stringify(entry.key)}`);
    const answer = await client.kv.namespaces.values.get(entry.key, ids);
    if (!Buffer.from(await answer.arrayBuffer()).equals(bytes)) wrong('the SDK reads another value');
    writeFileSync(join(person.cwd, 'value'), bytes);
    const get = () => runCommand(person, ['kv', 'key', 'get', ...at, '--', entry.key]);
    const got = await get();
    if (entry.base64 !== true && got.out !== entry.value) wrong('kv key get reads another value');
    await runCommand(person, ['kv', 'key', 'delete', '--no-undo', ...at, '--', entry.key]);
    if ((await get()).code !== 3) wrong('kv key delete left it');
    const put = ['kv', 'key', 'put', '--any-key', '--path', 'value', ...at, '--', entry.key];
    const { code, err } = await runCommand(person, put);
    if (code !== 0) wrong(`kv key put refused it (${err})`);
    const again = await client.kv.namespaces.values.get(entry.key, ids);
    if (!Buffer.from(await again.arrayBuffer()).equals(bytes)) wrong('kv key put wrote another value');
    run.attempted();
  }
}

/** Loads all keys into the in-process sandbox as a seed, takes a snapshot of it, and loads the snapshot with commands. */
async function throughSnapshots(person: Person, expected: Expected): Promise<void> {
  const id = 'a'.repeat(32);
  const keys = [...entriesIn(join(person.cwd, 'one.ndjson'))];
  await using sandbox = await startInProcess({ seed: { namespaces: [{ title: 'SEEDED', id, keys }] } });
  const snapshot = await sandbox.snapshot();
  const kept = snapshot.namespaces?.find((namespace) => namespace.id === id)?.keys ?? [];
  await expected.compare('in-process sandbox', kept);
  writeFileSync(join(person.cwd, 'snapshot.json'), JSON.stringify(snapshot));
  const elsewhere = { ...person, env: { EDGECTL_SANDBOX_DIR: join(person.cwd, 'sandbox') } };
  mkdirSync(elsewhere.env.EDGECTL_SANDBOX_DIR);
  await mustRun(elsewhere, ['kv', 'namespace', 'list', '--sandbox']);
  await mustRun(elsewhere, ['sandbox', 'snapshot', 'load', 'snapshot.json', '--yes']);
  await mustRun(elsewhere, ['sandbox', 'snapshot', 'save', 'saved.json']);
  const saved = JSON.parse(readFileSync(join(person.cwd, 'saved.json'), 'utf8'));
  const again = saved.namespaces.find((namespace: { id: string }) => namespace.id === id).keys;
  await expected.compare('snapshot load and save', again);
}
