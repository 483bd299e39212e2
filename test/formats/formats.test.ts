import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Facts } from '../../src/model/diagnosis/facts.ts';
import { type Format, formatVersions } from '../../src/model/formats.ts';
import { readWorldFile } from '../../src/services/forecast/world-file.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder, testWorld } from '../support/world.ts';
import { rows } from './rows.ts';

/**
 * Samples are files written by a version of edgectl: `<format>.<version>.<ending>`, or `<format>.unversioned.<ending>` for files that
 * predate format versions. Published versions never change, and later programs must read them.
 * `UPDATE_SAMPLES=1 npx vitest run test/formats` adds the missing samples of the current versions.
 */
const samples = join(import.meta.dirname, 'samples');

const formats = Object.keys(rows) as (keyof typeof rows)[];

function getSamples(format: Format | 'sandbox'): string[] {
  return readdirSync(samples).filter((name) => name.startsWith(`${format}.`));
}

function withVersion(text: string, version: number): string {
  const changed = text.replace(/^(\s*\{\s*)"version"\s*:\s*\d+/, `$1"version":${version}`);
  expect(changed).not.toBe(text);
  return changed;
}

/** Expects a refusal or notice to name a file from a newer version, and the version of the file's format. */
function expectRefusal(told: string, path: string, format: Format): void {
  expect(told).toContain(`${path} was written by a newer edgectl`);
  expect(told).toContain(`its format has version ${formatVersions[format] + 1}`);
  expect(told).toContain('Upgrade edgectl');
}

test.each(formats)('%s: writes the current version, and has a sample of each version', async (format) => {
  const place = rows[format].open();
  await place.write();
  const written = readFileSync(place.path(), 'utf8');
  expect(written).toMatch(new RegExp(`^\\s*\\{\\s*"version"\\s*:\\s*${formatVersions[format]}\\b`));
  const path = join(samples, `${format}.${formatVersions[format]}.${rows[format].ending}`);
  if (process.env['UPDATE_SAMPLES'] === '1' && !existsSync(path)) writeFileSync(path, written);
  const saved = getSamples(format).map((name) => name.split('.')[1]);
  for (let version = 1; version <= formatVersions[format]; version++)
    expect(saved).toContain(String(version));
});

test.each(formats.flatMap((format) => getSamples(format).map((name) => [name, format] as const)))(
  'reads the sample file %s',
  async (name, format) => {
    const place = rows[format].open();
    await place.write();
    const text = readFileSync(join(samples, name), 'utf8');
    writeFileSync(place.path(), place.adapt?.(text) ?? text, { mode: 0o600 });
    expect(await place.read()).toEqual(rows[format].expected);
    expect(place.notes).toEqual([]);
  },
);

test.each(formats)(
  '%s: refuses a file of a newer version with its name, and does not change the file',
  async (format) => {
    const place = rows[format].open();
    const { expected, newer: policy } = rows[format];
    await place.write();
    const path = place.path();
    const newer = withVersion(readFileSync(path, 'utf8'), formatVersions[format] + 1);
    writeFileSync(path, newer, { mode: 0o600 });
    const outcome = await place.read().then(
      (value) => ({ value, told: place.notes.join('\n') }),
      (error: Error & { hint?: string }) => ({ value: undefined, told: `${error.message} ${error.hint}` }),
    );
    expect(outcome.value).not.toEqual(expected);
    if (policy === undefined) expectRefusal(outcome.told, path, format);
    await place.write().catch((error: unknown) => expect(error).toMatchObject({ name: 'Problem' }));
    await place.expire?.();
    if (policy === 'replaced') expect(readFileSync(path, 'utf8')).not.toBe(newer);
    else expect(readFileSync(path, 'utf8')).toBe(newer);
  },
);

/** Copies the sample of a sandbox's folder, whose databases are compressed. */
function sandboxSample(name = `sandbox.${formatVersions.registry}`): string {
  const folder = scratchFolder('sandbox');
  cpSync(join(samples, name), folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue;
    const path = join(folder, name);
    writeFileSync(path.replace(/\.gz$/, ''), gunzipSync(readFileSync(path)), { mode: 0o600 });
    rmSync(path);
  }
  return folder;
}

/** Expects a sandbox to contain the data from the samples. */
async function expectSampleData(folder: string): Promise<void> {
  const person = newPerson();
  const at = `--sandbox=${folder}`;
  const run = async (...argv: string[]) => (await runCommand(person, [...argv, at])).out;
  expect(await run('kv', 'key', 'get', 'greeting', '--namespace', 'worker-notes')).toBe('hello');
  expect(await run('objstore', 'object', 'get', 'shots/a/o.txt')).toBe('hello object');
  const [hostname, ...others] = JSON.parse(await run('hostname', 'list', '--json'));
  expect([hostname.hostname, others]).toEqual(['shop.acme.com', []]);
}

test.each(getSamples('sandbox'))(
  'reads and changes the folder of a sandbox (%s), and refuses a folder of a newer version',
  async (name) => {
    const folder = sandboxSample(name);
    await expectSampleData(folder);
    const person = newPerson();
    const put = ['kv', 'key', 'put', 'other', '1', '--namespace', 'worker-notes', `--sandbox=${folder}`];
    expect(await runCommand(person, put)).toMatchObject({ code: 0 });
    const path = join(folder, 'registry.sqlite');
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${formatVersions.registry + 1}`);
    database.close();
    const before = readFileSync(path);
    for (const argv of [
      put,
      ['kv', 'namespace', 'list', `--sandbox=${folder}`],
      ['sandbox', 'reset', '--yes', '--dir', folder],
    ]) {
      const { code, err } = await runCommand(person, argv);
      expect(code).toBe(1);
      expectRefusal(err, path, 'registry');
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);

test.each(getSamples('seed'))('loads the seed file %s', async (name) => {
  const folder = scratchFolder('seeded');
  const load = ['sandbox', 'snapshot', 'load', join(samples, name), '--yes', '--dir', folder];
  const person = newPerson();
  await runCommand(person, ['kv', 'namespace', 'list', `--sandbox=${folder}`]);
  expect(await runCommand(person, load)).toMatchObject({ code: 0 });
  await expectSampleData(folder);
});

test.each(['seed.1.json', 'seed.1.yaml'])('refuses a newer %s, and changes nothing', async (name) => {
  const folder = sandboxSample();
  const person = newPerson();
  const path = join(person.cwd, name);
  const text = readFileSync(join(samples, name), 'utf8');
  writeFileSync(path, text.replace(/("?version"?:) 1/, '$1 2'));
  const load = ['sandbox', 'snapshot', 'load', path, '--yes', '--dir', folder];
  const { code, err } = await runCommand(person, load);
  expect(code).toBe(2);
  expectRefusal(err, path, 'seed');
  await expectSampleData(folder);
});

async function readWorld(path: string): Promise<Facts[]> {
  const fleet: Facts[] = [];
  for await (const facts of readWorldFile(testWorld(), path)) fleet.push(facts);
  return fleet;
}

test.each(getSamples('world'))('reads the world file %s', async (name) => {
  expect(await readWorld(join(samples, name))).toMatchObject([{ hostname: 'shop.acme.com' }]);
});

test('refuses a world file of a newer version, even after a line of an older version', async () => {
  const path = join(scratchFolder('world'), 'world.ndjson');
  const line = readFileSync(join(samples, 'world.1.ndjson'), 'utf8');
  writeFileSync(path, line + withVersion(line, 2));
  const error = await readWorld(path).catch((reason: unknown) => reason as Error & { hint?: string });
  expectRefusal(`${(error as Error).message} ${(error as { hint?: string }).hint}`, path, 'world');
});
