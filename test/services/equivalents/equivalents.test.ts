import { execFile, execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandRoot } from '../../../src/cli/commands/table.ts';
import { readCommandLine } from '../../../src/cli/parsing/command-line.ts';
import { meaningOf } from '../../../src/cli/parsing/meaning.ts';
import { parseCustomHostname } from '../../../src/model/hostnames/parse.ts';
import type { Act } from '../../../src/services/equivalents/act.ts';
import { equivalentsOf, type Line } from '../../../src/services/equivalents/equivalents.ts';
import { diagnosisActs, hostnameActs } from '../../../src/services/equivalents/hostnames.ts';
import { comparisonActs, keyActs, namespaceActs } from '../../../src/services/equivalents/kv.ts';
import { bucketActs, folderActs, objectActs } from '../../../src/services/equivalents/objects.ts';
import { workerActs } from '../../../src/services/equivalents/workers.ts';
import { readValue, writeValue } from '../../../src/services/kv/kv.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { type Choice, plainChoice, type Session } from '../../../src/services/session/session.ts';
import { readBody } from '../../../src/v4/send.ts';
import { inPart } from '../../support/in-part.ts';
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

async function sessionOf(choice: Partial<Choice> = {}): Promise<Session> {
  const { env, home, cwd } = served.person;
  const world = testWorld({ env, cwd, folders: testWorld({}).folders });
  expect(home).not.toBe('');
  return openSession(world, { ...plainChoice, ...choice }, { note: () => undefined });
}

function textOf(line: Line | undefined): string {
  if (line === undefined || !('text' in line)) throw new Error(`no line: ${JSON.stringify(line)}`);
  return line.text;
}

async function linesOf(acts: readonly Act[], words: string): Promise<{ command: string; curl: string }> {
  const found = await equivalentsOf(await sessionOf(), acts);
  const at = acts.findIndex((act) => act.words === words);
  return { command: textOf(found[at]?.command), curl: textOf(found[at]?.curl) };
}

/** Runs a line in a real shell, in which `edgectl` tells its arguments, and then the command with them. */
async function runInShell(line: string): Promise<string> {
  const { cwd } = served.person;
  const told = execFileSync('sh', ['-c', `edgectl() { printf '%s\\0' "$@"; }\n${line}`], { cwd, env: {} });
  const ran = await runCommand(served.person, ['--yes', ...told.toString().split('\0').slice(0, -1)]);
  expect(ran, line).toMatchObject({ code: 0 });
  return ran.out;
}

/** The server is in this process: it has to go on meanwhile. */
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
  const value = await readValue(await sessionOf(), namespaceId, key);
  return value && Buffer.from(await readBody(value.body)).toString();
}

async function store(key: string): Promise<void> {
  await writeValue(await sessionOf(), namespaceId, key, { value: Buffer.from(`of ${key}`), anyKey: true });
}

describe.each(inPart(hostile, 2))('the key %j', (key) => {
  const acts = () => keyActs(namespaceId, key);

  test('is shown, stored and deleted by the command lines', async () => {
    await store(key);
    expect(await runInShell((await linesOf(acts(), 'kv key get')).command)).toBe(`of ${key}`);
    writeFileSync(join(served.person.cwd, 'value'), `new ${key}`);
    await runInShell((await linesOf(acts(), 'kv key put')).command);
    expect(await stored(key)).toBe(`new ${key}`);
    await runInShell((await linesOf(acts(), 'kv key delete')).command);
    expect(await stored(key)).toBeUndefined();
    expect(existsSync(join(served.person.cwd, 'owned'))).toBe(false);
  });

  test.runIf(hasCurl)('is shown, stored and deleted by the lines of curl', async () => {
    await store(key);
    expect(await curl((await linesOf(acts(), 'kv key get')).curl)).toBe(`of ${key}`);
    writeFileSync(join(served.person.cwd, 'value'), `new ${key}`);
    await curl((await linesOf(acts(), 'kv key put')).curl);
    expect(await stored(key)).toBe(`new ${key}`);
    await curl((await linesOf(acts(), 'kv key delete')).curl);
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

const everyAct: readonly Act[] = [
  ...namespaceActs('a'.repeat(32)),
  ...keyActs('a'.repeat(32), 'k'),
  ...comparisonActs('a'.repeat(32), 'k', { namespaceId: 'c'.repeat(32), target: 'local' }).slice(0, 1),
  ...bucketActs('assets'),
  ...objectActs('assets', 'img/', 'img/a.png'),
  ...folderActs('assets', 'img/'),
  ...hostnameActs('b'.repeat(32), record),
  ...diagnosisActs('b'.repeat(32), 'shop.acme.com'),
  ...workerActs('guide', 'KEY'),
];

test.each(everyAct.map((act) => [act.words, act] as const))('"%s" is a command of ours', async (_, act) => {
  const session = await sessionOf({ profile: undefined });
  const [found] = await equivalentsOf(session, [act]);
  const told = execFileSync('sh', ['-c', `edgectl() { printf '%s\\0' "$@"; }\n${textOf(found?.command)}`]);
  const meaning = meaningOf(
    readCommandLine(told.toString().split('\0').slice(0, -1), commandRoot),
    commandRoot,
  );
  expect(meaning).toMatchObject({ kind: 'command', row: { words: act.words } });
  if (act.send !== undefined)
    expect(textOf(found?.curl)).toMatch(/^curl -sSg .*"Authorization: Bearer \$EDGECTL_API_TOKEN"/);
});

test('names the place of the session, and says why there is no line where there is none', async () => {
  const local = await sessionOf({ local: true, persistTo: '/tmp/no such' });
  const [found] = await equivalentsOf(local, keyActs('kv', 'a\0b'));
  expect(found).toMatchObject({
    command: { reason: 'No command line can hold a NUL.' },
    curl: { reason: 'No server runs here: edgectl dev serves it.' },
  });
  const [shown] = await equivalentsOf(local, keyActs('kv', 'a'));
  expect(textOf(shown?.command)).toBe(
    "edgectl kv key get --namespace-id kv --local --persist-to '/tmp/no such' a",
  );
  expect(await equivalentsOf(local, namespaceActs(undefined))).toEqual([]);
  const further = await sessionOf({ profile: 'sandbox', accountId: 'a5'.repeat(16) });
  const [listed] = await equivalentsOf(further, bucketActs(undefined));
  expect(textOf(listed?.command)).toMatch(
    /^edgectl objstore bucket list --sandbox=\S+ --account-id (?:a5){16}$/,
  );
});
