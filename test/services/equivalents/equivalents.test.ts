import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandRoot } from '../../../src/cli/commands/table.ts';
import { readCommandLine } from '../../../src/cli/parsing/command-line.ts';
import { interpret } from '../../../src/cli/parsing/interpret.ts';
import { parseCustomHostname } from '../../../src/model/hostnames/parse.ts';
import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import { formatEquivalents, type Line } from '../../../src/services/equivalents/equivalents.ts';
import * as hostnames from '../../../src/services/equivalents/hostnames.ts';
import * as kv from '../../../src/services/equivalents/kv.ts';
import * as objects from '../../../src/services/equivalents/objects.ts';
import * as workers from '../../../src/services/equivalents/workers.ts';
import * as zones from '../../../src/services/equivalents/zones.ts';
import { readValue, writeValue } from '../../../src/services/kv/kv.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { type Choice, plainChoice, type Session } from '../../../src/services/session/session.ts';
import { readBody } from '../../../src/v4/send.ts';
import { sampleCases } from '../../support/in-part.ts';
import { runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { testWorld } from '../../support/world.ts';

const hostile = [
  'plain',
  'it\'s `id` $(touch owned) $HOME \\ "quoted"',
  '-rf',
  '--help',
  'a\nb\u001b[2J[x]{1,2}*?~#%2F../é',
  "'; touch owned; '",
] as const;

let served: Served;
let namespaceId: string;

beforeAll(async () => {
  served = await openServed();
  namespaceId = await served.createNamespace();
});

afterAll(() => served.close());

async function readSession(choice: Partial<Choice> = {}): Promise<Session> {
  const { env, home, cwd } = served.person;
  const world = testWorld({ env, cwd, folders: testWorld({}).folders });
  expect(home).not.toBe('');
  return openSession(world, { ...plainChoice, ...choice }, { note: () => undefined });
}

function getText(line: Line | undefined): string {
  if (line === undefined || !('text' in line)) throw new Error(`no line: ${JSON.stringify(line)}`);
  return line.text;
}

async function readLines(
  commands: readonly CliEquivalent[],
  words: string,
): Promise<{ command: string; curl: string }> {
  const found = await formatEquivalents(await readSession(), commands);
  const at = commands.findIndex((command) => command.words === words);
  return { command: getText(found[at]?.command), curl: getText(found[at]?.curl) };
}

/** Runs a line in a real shell, in which `edgectl` prints its arguments; then runs the command with these arguments. */
async function runInShell(line: string): Promise<string> {
  const { cwd } = served.person;
  const message = execFileSync('sh', ['-c', `edgectl() { printf '%s\\0' "$@"; }\n${line}`], { cwd, env: {} });
  const ran = await runCommand(served.person, ['--yes', ...message.toString().split('\0').slice(0, -1)]);
  expect(ran, line).toMatchObject({ code: 0 });
  return ran.out;
}

/** Runs a curl command line. The server runs in this process, so the process must not block. */
async function curl(line: string): Promise<string> {
  const { cwd, env } = served.person;
  const options = { cwd, env: { ...env, PATH: process.env['PATH'] } };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', line], options);
  expect(stderr, line).toBe('');
  return stdout;
}

const hasCurl = (process.env['PATH'] ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'curl')));

async function stored(key: string): Promise<string | undefined> {
  const value = await readValue(await readSession(), namespaceId, key);
  return value && Buffer.from(await readBody(value.body)).toString();
}

async function store(key: string): Promise<void> {
  await writeValue(await readSession(), namespaceId, key, { value: Buffer.from(`of ${key}`), anyKey: true });
}

describe.each(sampleCases(hostile, 2))('the key %j', (key) => {
  const commands = () =>
    [kv.kvKeyGet, kv.kvKeyPut, kv.kvKeyDelete].map((command) => command(namespaceId, key));

  test('the commands show, store and delete the key', async () => {
    await store(key);
    expect(await runInShell((await readLines(commands(), 'kv key get')).command)).toBe(`of ${key}`);
    writeFileSync(join(served.person.cwd, 'value'), `new ${key}`);
    await runInShell((await readLines(commands(), 'kv key put')).command);
    expect(await stored(key)).toBe(`new ${key}`);
    await runInShell((await readLines(commands(), 'kv key delete')).command);
    expect(await stored(key)).toBeUndefined();
    expect(existsSync(join(served.person.cwd, 'owned'))).toBe(false);
  });

  test.runIf(hasCurl)('the curl lines show, store and delete the key', async () => {
    await store(key);
    expect(await curl((await readLines(commands(), 'kv key get')).curl)).toBe(`of ${key}`);
    writeFileSync(join(served.person.cwd, 'value'), `new ${key}`);
    await curl((await readLines(commands(), 'kv key put')).curl);
    expect(await stored(key)).toBe(`new ${key}`);
    await curl((await readLines(commands(), 'kv key delete')).curl);
    expect(await stored(key)).toBeUndefined();
    expect(existsSync(join(served.person.cwd, 'owned'))).toBe(false);
  });
});

const record = parseCustomHostname({
  id: '0f2a0f2a-0f2a-0f2a-0f2a-0f2a0f2a0f2a',
  hostname: 'shop.acme.com',
  status: 'active',
  ssl: { status: 'active', method: 'txt', type: 'dv' },
});

const id = 'a'.repeat(32);
const zoneId = 'b'.repeat(32);
const chosen = { zoneId, record, marked: [] };
const dnsRecord = { id, name: 'shop.acme.com', type: 'A', content: '192.0.2.1', proxied: true };

const everyCommand: readonly CliEquivalent[] = [
  kv.kvNamespaceList,
  kv.kvNamespaceDelete(id),
  kv.kvExport(id),
  kv.kvNamespaceClear(id),
  kv.kvKeyList(id),
  kv.kvKeyGet(id, 'k'),
  kv.kvKeyPut(id, 'k'),
  kv.kvKeyDelete(id, 'k'),
  kv.kvKeyDiff(id, 'k', { namespaceId: 'c'.repeat(32), target: 'local' }),
  kv.kvDiff(id, { namespaceId: 'c'.repeat(32) }),
  objects.bucketList,
  objects.bucketDelete('assets'),
  objects.objectList('assets', 'img/'),
  objects.objectGet('assets', 'img/a.png'),
  objects.objectPresign('assets', 'img/a.png', 'eu'),
  objects.objectDelete('assets', 'img/a.png'),
  objects.objectSync({ bucket: 'assets', prefix: 'img/', path: 'site', direction: 'download', remove: true }),
  objects.folderGet('assets', 'img/'),
  objects.folderDelete('assets', 'img/'),
  hostnames.hostnameList(zoneId),
  hostnames.hostnameGet(zoneId, record),
  hostnames.hostnameInstructions(zoneId, record),
  hostnames.hostnameDiagnose(zoneId, 'shop.acme.com'),
  hostnames.hostnameFix(zoneId, 'shop.acme.com'),
  ...hostnames.chosenDiagnose(chosen),
  ...hostnames.chosenRefresh(chosen),
  ...hostnames.chosenEdit(chosen),
  ...hostnames.chosenDelete({ ...chosen, marked: [record, record] }),
  ...hostnames.hostnamesDiagnose(zoneId, ['shop.acme.com']),
  hostnames.hostnameForecast(zoneId),
  hostnames.hostnameExport(zoneId),
  hostnames.hostnamePlan(zoneId),
  hostnames.hostnameReconcile(zoneId, { path: 'wanted.csv', prune: true, limit: 3 }),
  hostnames.fallbackOriginSet(zoneId),
  hostnames.zoneHoldGet(zoneId),
  workers.secretList('guide'),
  workers.secretPut('guide', 'KEY'),
  workers.secretDelete('guide', 'KEY'),
  workers.workerTail('guide'),
  zones.recordList(zoneId),
  zones.recordAdd(zoneId),
  zones.recordSet(zoneId, dnsRecord),
  zones.recordDelete(zoneId, dnsRecord),
];

test.each(everyCommand.map((command) => [command.words, command] as const))(
  'parses "%s" as a command',
  async (_, command) => {
    const session = await readSession({ profile: undefined });
    const [found] = await formatEquivalents(session, [command]);
    const message = execFileSync('sh', [
      '-c',
      `edgectl() { printf '%s\\0' "$@"; }\n${getText(found?.command)}`,
    ]);
    const meaning = interpret(
      readCommandLine(message.toString().split('\0').slice(0, -1), commandRoot),
      commandRoot,
    );
    expect(meaning).toMatchObject({ kind: 'command', row: { words: command.words } });
    if (command.send !== undefined)
      expect(getText(found?.curl)).toMatch(/^curl -sSg .*"Authorization: Bearer \$EDGECTL_API_TOKEN"/);
  },
);

test('the command line contains the target of the session, or a reason why no command line exists', async () => {
  const local = await readSession({ local: true, persistTo: '/tmp/no such' });
  const [found] = await formatEquivalents(local, [kv.kvKeyGet('kv', 'a\0b')]);
  expect(found).toMatchObject({
    command: { reason: 'A command line cannot contain NUL.' },
    curl: { reason: 'No server is running. To start one: edgectl dev' },
  });
  const [shown] = await formatEquivalents(local, [kv.kvKeyGet('kv', 'a')]);
  expect(getText(shown?.command)).toBe(
    "edgectl kv key get --namespace-id kv --local --persist-to '/tmp/no such' a",
  );
  expect(await formatEquivalents(local, [kv.kvNamespaceList])).toEqual([]);
  const further = await readSession({ profile: 'sandbox', accountId: 'a5'.repeat(16) });
  const [listed] = await formatEquivalents(further, [objects.bucketList]);
  expect(getText(listed?.command)).toMatch(
    /^edgectl objstore bucket list --sandbox=\S+ --account-id (?:a5){16}$/,
  );
});
