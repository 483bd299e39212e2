import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatVersions } from '../src/model/formats.ts';
import { destinations, traces } from '../src/model/traces.ts';
import { type FoundTrace, listTraces } from '../src/services/doctor/traces.ts';
import { plainChoice } from '../src/services/session/session.ts';
import { rows } from './formats/rows.ts';
import { program, userEnvironment } from './support/program.ts';
import { newPerson, runCommand } from './support/run-command.ts';
import { openServed } from './support/served.ts';
import { foldersIn, scratchFolder, testWorld } from './support/world.ts';

const sources = ['src', 'components'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|cjs)$/.test(name))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') })),
);

/** Returns only the traces below a home. */
async function tracesIn(home: string, folders = foldersIn(home), cwd = home): Promise<FoundTrace[]> {
  const found = await listTraces(testWorld({ folders, cwd }), plainChoice);
  return found.filter(({ path }) => path.startsWith(home));
}

test.each(Object.entries(rows))('%s: docs/traces.md declares its file', async (format, { open }) => {
  const place = open();
  await place.write();
  if (place.folders === undefined) return;
  const home = join(place.folders.state, '..');
  const [trace, ...others] = await tracesIn(home, place.folders);
  expect(others).toEqual([]);
  expect(traces.find(({ name }) => name === trace?.name)?.format).toBe(format);
  expect(place.path().startsWith(trace?.path ?? '?')).toBe(true);
  expect(trace).toMatchObject({ mode: 0o600, newer: 0, name: expect.not.stringMatching('unknown') });
});

test('docs/traces.md declares a file for every format', () => {
  const shown = new Set(traces.map(({ format }) => format));
  // The format `world` has no trace, because the user names its files.
  expect(Object.keys(formatVersions).filter((format) => !shown.has(format as never))).toEqual(['world']);
});

test('docs/traces.md declares every folder of the user that the code names', () => {
  const places = ['config', 'state', 'data'] as const;
  const named = sources.flatMap(({ text }) =>
    [...text.matchAll(/folders\.(config|state|data), '([^']+)'/g)].map(([, place, name]) => [place, name]),
  );
  expect(named.length).toBeGreaterThan(10);
  const declared = places.flatMap((place) =>
    traces
      .filter((trace) => trace.in === place)
      .flatMap(({ paths }) => paths.map((path) => [place, path.split('/')[0]])),
  );
  for (const one of named) expect(declared).toContainEqual(one);
});

test('commands store no files that docs/traces.md does not declare', async () => {
  const served = await openServed();
  const {
    EDGECTL_API_TOKEN: token = '',
    EDGECTL_API_BASE_URL: url = '',
    EDGECTL_ACCOUNT_ID: account = '',
  } = served.person.env;
  const person = newPerson();
  const { home, cwd } = person;
  const failed: string[] = [];
  const run = async (argv: readonly string[], stdin?: string) => {
    const ran = await runCommand(person, argv, stdin === undefined ? {} : { stdin });
    if (ran.code !== 0) failed.push(`${argv.join(' ')}: ${ran.code} ${ran.err}`);
    return ran;
  };
  const id = await served.createNamespace('notes');
  const other = await served.createNamespace('copies');
  writeFileSync(
    join(cwd, 'entries.json'),
    JSON.stringify([
      { key: 'a', value: '1' },
      { key: 'b', value: '2' },
    ]),
  );
  writeFileSync(join(cwd, 'big.bin'), 'x'.repeat(1000));
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site', 'index.html'), 'hello');
  await run(['setting', 'set', 'theme', 'dark']);
  await run(['profile', 'add', 'acme', '--api-base-url', url, '--account-id', account], token);
  await run(['profile', 'use', 'acme']);
  await run(['profile', 'bind', 'acme']);
  await run(['kv', 'bulk', 'put', 'entries.json', '--namespace-id', id]);
  await run(['kv', 'key', 'put', 'a', '3', '--namespace-id', id, '--undo']);
  await run(['kv', 'key', 'delete', 'a', '--namespace-id', id]);
  await run(['kv', 'copy', '--namespace-id', id, '--to-namespace-id', other]);
  await run(['kv', 'bulk', 'delete', '--prefix', 'b', '--namespace-id', id, '--dry-run']);
  await run(['kv', 'export', '--namespace-id', id]);
  await run(['undo', 'list']);
  await run(['objstore', 'bucket', 'create', 'shots']);
  await run(['objstore', 'object', 'put', 'shots/piped', '--path', '-'], 'from a pipe');
  await run(['objstore', 'object', 'put', 'shots/big', '--path', 'big.bin']);
  await run(['objstore', 'object', 'get', 'shots/big', '--file', 'got.bin']);
  await run(['objstore', 'object', 'sync', 'site', 'shots/site']);
  const zone = JSON.parse((await run(['zone', 'list', '--json'])).out)[0].name;
  await run(['hostname', 'create', 'shop.acme.com', '--zone', zone]);
  await run(['hostname', 'list', '--zone', zone]);
  await runCommand(person, ['hostname', 'diagnose', '--all', '--zone', zone]);
  writeFileSync(join(cwd, 'wanted.csv'), 'hostname\nshop.acme.com\nnew.acme.com\n');
  await run(['hostname', 'reconcile', '--zone', zone, '--file', 'wanted.csv', '--plan']);
  await runCommand(person, ['hostname', 'export-world', 'world.ndjson', '--zone', zone]);
  await run(['sandbox', 'record', 'recorded.json']);
  await run(['completion', 'words', 'profile', 'use', '']);
  await run(['kv', 'key', 'put', 'a', '1', '--local', '--namespace-id', 'x']);
  await run(['kv', 'namespace', 'create', 'notes', '--sandbox']);
  await run(['sandbox', 'snapshot', 'save', 'snapshot.json']);
  await run(['doctor']);
  await served.close();
  expect(failed).toEqual([]);

  const found = await tracesIn(home);
  const names = found.map(({ name }) => name);
  expect(found.filter(({ name }) => name === 'unknown')).toEqual([]);
  for (const name of [
    'settings',
    'profiles',
    'accepted-profiles',
    'completion-names',
    'deletions',
    'hostname-dates',
    'plans',
    'sandbox',
    'undo-entries',
  ])
    expect(names).toContain(name);
  expect(
    found.filter(({ folderMode = 0o700, path }) => folderMode !== 0o700 && !path.endsWith('.json')),
  ).toEqual([]);
  // The working directory may contain only named or declared files.
  const here = await tracesIn(cwd, foldersIn(scratchFolder('another')), cwd);
  expect(here.map(({ name }) => name).sort()).toEqual(['folder-profile', 'local-data']);
  expect(readdirSync(cwd).sort()).toEqual([
    '.edgectl',
    '.edgectl-profile',
    'big.bin',
    'entries.json',
    'got.bin',
    'recorded.json',
    'site',
    'snapshot.json',
    'wanted.csv',
    'world.ndjson',
  ]);

  // The command prints the same list, for people and for programs.
  const plain = await runCommand(person, ['doctor', '--traces']);
  expect(plain.code).toBe(0);
  expect(plain.out).toContain(`${join(home, 'state', 'undo')}\n`);
  expect(plain.out).toContain('remove: edgectl undo purge');
  const { traces: listed } = JSON.parse((await runCommand(person, ['doctor', '--traces', '--json'])).out);
  expect(listed).toContainEqual(
    expect.objectContaining({
      name: 'profiles',
      files: 1,
      mode: '0600',
      folderMode: '0700',
      remove: 'edgectl profile remove NAME',
    }),
  );
});

test('programs leave only declared files in the home, the cache and the temporary folder', async () => {
  const [home, temporary, cwd] = [scratchFolder('home'), scratchFolder('tmp'), scratchFolder('cwd')];
  const env = { ...userEnvironment(home), XDG_CACHE_HOME: join(home, '.cache'), TMPDIR: temporary };
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [program, ...argv], { cwd, env, encoding: 'utf8' });
  expect(run('sandbox', 'exec', '--', 'true')).toMatchObject({ status: 0 });
  expect(run('demo')).toMatchObject({ status: 0 });
  expect(run('deploy', '--help')).toMatchObject({ status: 0 });
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
  const { traces: listed } = JSON.parse(run('doctor', '--traces', '--json').stdout);
  expect(listed.map(({ name }: FoundTrace) => name)).toEqual(['compiled-code']);
  expect(listed[0]).toMatchObject({
    path: join(home, '.cache', 'edgectl'),
    mode: '0600',
    folderMode: '0700',
  });
  // Everything below the home is in one of the four folders that are searched.
  expect(readdirSync(home)).toEqual(['.cache']);
  expect(readdirSync(join(home, '.cache'))).toEqual(['edgectl']);
});

test('treats files that no version writes as unknown, and counts files of a newer version', async () => {
  const home = scratchFolder('home');
  const { state } = foldersIn(home);
  mkdirSync(join(state, 'plans'), { recursive: true });
  writeFileSync(join(state, 'plans', 'a.json'), '{"version":2}');
  writeFileSync(join(state, 'plans', '.edgectl-0123456789abcdef.tmp'), '');
  writeFileSync(join(state, 'plans', 'stray'), '');
  writeFileSync(join(state, 'stray.txt'), '12345');
  const found = await tracesIn(home);
  expect(found.map(({ name, path, files, newer }) => [name, path, files, newer])).toEqual([
    ['plans', join(state, 'plans'), 2, 1],
    ['unknown', join(state, 'plans', 'stray'), 1, 0],
    ['unknown', join(state, 'stray.txt'), 1, 0],
  ]);
  expect(found[2]?.remove).toBe(`rm ${join(state, 'stray.txt')}`);
});

/** Modules that can connect to something, or start a program. */
const connecting =
  /(?:from|import\() ?'(?:node:(?:net|http|https|http2|dgram|tls|child_process)|got)'|\bfetch\(|new WebSocket\(/;
/** Names from these modules that only parse, listen or describe. */
const harmless =
  /^import (?:type )?\{ (?:(?:type )?(?:isIP|isIPv4|isIPv6|AddressInfo|Socket|BlockList|SocketAddress|getCACertificates|createSecureContext|rootCertificates|ServerResponse|IncomingMessage|IncomingHttpHeaders|OutgoingHttpHeaders|Server)(?:, )?)+ \} from 'node:\w+';$/gm;

test('docs/traces.md declares each module that connects to a destination outside the sandbox', () => {
  const outside = sources
    // The sandbox connects only to this machine, which the tests named in SECURITY.md check.
    .filter(({ path }) => !path.startsWith('src/sandbox/'))
    // This module reads standard input as a socket.
    .filter(({ path }) => path !== 'src/files/read.ts')
    .filter(({ text }) => connecting.test(text.replaceAll(harmless, '')))
    .map(({ path }) => path);
  const declared = new Set(destinations.flatMap(({ modules }) => modules));
  expect(outside.sort()).toEqual([...declared].sort());
});
