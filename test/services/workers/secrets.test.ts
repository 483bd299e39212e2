import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWorkerSandbox, type WorkerSandbox } from '../../sandbox/workers/test-sandbox.ts';
import { inSoak } from '../../support/in-part.ts';
import { program } from '../../support/program.ts';
import { closePtys, openPty } from '../../support/pty.ts';
import { scratchFolder } from '../../support/world.ts';
import { commandAt } from '../command-at.ts';

const text = 'correct-horse-battery-staple';

let place: WorkerSandbox;
let folder: string;
beforeAll(async () => {
  place = await openWorkerSandbox('over a socket');
  folder = scratchFolder('secrets');
  writeFileSync(join(folder, 'edgectl.toml'), 'name = "vault"\n');
});
afterAll(() => place.close());
afterEach(closePtys);

const source = `export default { fetch(request, env) {
  return Response.json(Object.fromEntries(['TOKEN', 'OTHER', 'THIRD'].map((name) => [name, env[name]])));
} }`;

beforeAll(() => place.deploy('vault', { 'index.js': source }));

/** Removes all bindings of the worker directly, because an upload would start a runtime to test the code. */
beforeEach(async () => {
  const { registry, edge } = place.sandbox.platform;
  const { workers } = registry();
  const [latest] = workers.versions('vault');
  if (latest === undefined || latest.bindings.length === 0) return;
  const { source, annotations, id } = workers.addVersion('vault', latest.codeId, { ...latest, bindings: [] });
  workers.addDeployment('vault', { source, annotations, versions: [{ id, percentage: 100 }] });
  edge?.workersChanged();
});

const seen = async () => JSON.parse((await place.visit('vault', '/')).text);
const run = (argv: readonly string[], options = {}) => commandAt(place, folder, argv, options);

describe('secret put', () => {
  test('returns after the running worker has the value', async () => {
    expect(await seen()).toEqual({});
    const { code, out, err } = await run(['secret', 'put', 'TOKEN'], { stdin: text });
    expect({ code, out }).toEqual({ code: 0, out: 'Set secret TOKEN for worker "vault".\n' });
    expect(err).not.toContain('newline');
    expect(await seen()).toEqual({ TOKEN: text });
    await run(['secret', 'put', 'TOKEN'], { stdin: 'another' });
    expect(await seen()).toEqual({ TOKEN: 'another' });
  });

  test('removes and reports one newline at the end of standard input, and keeps any other newline', async () => {
    const { err } = await run(['secret', 'put', 'TOKEN'], { stdin: `two\nlines\n\n` });
    expect(err).toContain('Removed the newline at the end of standard input.\n');
    expect(await seen()).toEqual({ TOKEN: 'two\nlines\n' });
  });

  test('is refused for a worker that runs an older version, and the error explains how to deploy the newest version', async () => {
    const { workers } = place.sandbox.platform.registry();
    const [latest] = workers.versions('vault');
    if (latest === undefined) throw new Error('vault has no version');
    const { source, annotations, id } = workers.addVersion('vault', latest.codeId, latest);
    const { code, err } = await run(['secret', 'put', 'TOKEN'], { stdin: text });
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('hint: The worker runs an older version. Deploy the worker again'),
    ]);
    workers.addDeployment('vault', { source, annotations, versions: [{ id, percentage: 100 }] });
    expect(await run(['secret', 'put', 'TOKEN'], { stdin: text })).toMatchObject({ code: 0 });
  });

  inSoak(() => {
    test('uses --name instead of the worker of the configuration', async () => {
      await place.deploy('other', { 'index.js': source });
      await run(['secret', 'put', 'TOKEN', '--name', 'other'], { stdin: text });
      expect(await seen()).toEqual({});
      expect(JSON.parse((await place.visit('other', '/')).text)).toEqual({ TOKEN: text });
    });
  });

  test('exits with 3 for an unknown worker, and creates no worker', async () => {
    const { code, out, err } = await run(['secret', 'put', 'TOKEN', '--name', 'valut'], { stdin: text });
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('Worker "valut" not found');
    const { result } = (await place.workers('GET', '/scripts')).envelope<{ id: string }[]>();
    expect(result?.map(({ id }) => id)).not.toContain('valut');
  });

  test.each([
    ['an empty value', 'TOKEN', '', 'hint: Type the secret at a terminal, or use standard input'],
    ['a value that is not UTF-8', 'TOKEN', Buffer.from([0xff, 0xfe]), 'not UTF-8'],
    ['a name that is not an identifier', 'MY-TOKEN', text, 'Invalid secret name "MY-TOKEN"'],
    ['a name that is a reserved word', 'class', text, 'reserved word'],
  ])('rejects %s before any request', async (_, name, stdin, message) => {
    const { code, err } = await run(['secret', 'put', name], { stdin });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    expect(await seen()).toEqual({});
  });

  test('rejects the name of another binding', async () => {
    const bindings = [{ type: 'plain_text', name: 'TOKEN', text: 'plain' }];
    await place.deploy('vault', { 'index.js': source }, { bindings });
    const { code, err } = await run(['secret', 'put', 'TOKEN'], { stdin: text });
    expect([code, err]).toEqual([1, expect.stringMatching(/already in use.*10053/s)]);
  });

  test('requires the name of a worker in flags or configuration', async () => {
    const { code, err } = await commandAt(place, scratchFolder(), ['secret', 'put', 'TOKEN'], {
      stdin: text,
    });
    expect([code, err]).toEqual([2, expect.stringContaining('no edgectl.toml')]);
  });

  test('rejects a second argument, which could be a value, without showing it', async () => {
    const { code, err } = await run(['secret', 'put', 'TOKEN', text]);
    expect(code).toBe(2);
    expect(err).not.toContain(text);
  });
});

describe('secret put at a terminal', () => {
  function open(...argv: string[]) {
    const { accountId, apiToken } = place.sandbox.access();
    return openPty(process.execPath, [program, ...argv], {
      columns: 100,
      cwd: folder,
      env: {
        HOME: scratchFolder('home'),
        EDGECTL_API_BASE_URL: place.apiBaseUrl,
        EDGECTL_ACCOUNT_ID: accountId,
        EDGECTL_API_TOKEN: apiToken,
      },
    });
  }

  test('asks for the value, and hides what is typed, including corrections', async () => {
    const { screen, send, press, ended } = open('secret', 'put', 'TOKEN');
    await screen.waitFor('(not shown):');
    send(`${text}xy`);
    press('backspace', 'backspace', 'enter');
    expect(await ended).toEqual({ code: 0, signal: 0 });
    expect(screen.text()).toContain('Set secret TOKEN');
    expect(screen.text()).not.toMatch(/correct|horse|staple|\*{2}|•/);
    expect(await seen()).toEqual({ TOKEN: text });
  });

  inSoak(() => {
    test('ends with 130 on Ctrl-C and changes nothing', async () => {
      const { screen, send, press, ended } = open('secret', 'put', 'TOKEN');
      await screen.waitFor('(not shown):');
      send('half');
      press('ctrl+c');
      expect(await ended).toEqual({ code: 130, signal: 0 });
      expect(await seen()).toEqual({});
    });
  });

  test('rejects several pasted lines, and passes none of them to the shell or the worker', async () => {
    const { screen, send, ended } = open('secret', 'put', 'TOKEN');
    await screen.waitFor('(not shown):');
    send('-----BEGIN KEY-----\rabcdef\r-----END KEY-----\r');
    expect((await ended).code).toBe(2);
    expect(screen.text()).toContain('Several lines were pasted');
    expect(screen.text()).not.toContain('abcdef');
    expect(await seen()).toEqual({});
  });
});

describe('secret list and delete', () => {
  test('secret list prints a JSON array of names and types', async () => {
    expect((await run(['secret', 'list'])).out).toBe('[]\n');
    await run(['secret', 'put', 'TOKEN'], { stdin: text });
    const { out } = await run(['secret', 'list']);
    expect(JSON.parse(out)).toEqual([{ name: 'TOKEN', type: 'secret_text' }]);
  });

  test('secret list of an unknown worker is an error with exit code 3', async () => {
    expect((await run(['secret', 'list', '--name', 'nobody'])).code).toBe(3);
  });

  test('secret delete without a terminal and --yes changes nothing', async () => {
    await run(['secret', 'put', 'TOKEN'], { stdin: text });
    const { code, err } = await run(['secret', 'delete', 'TOKEN']);
    expect([code, err]).toEqual([5, expect.stringContaining('TOKEN')]);
    expect(await seen()).toEqual({ TOKEN: text });
  });

  test('secret delete asks, then deletes the secret of the worker', async () => {
    await run(['secret', 'put', 'TOKEN'], { stdin: text });
    expect((await run(['secret', 'delete', 'TOKEN'], { answers: ['n'] })).code).toBe(5);
    expect((await run(['secret', 'delete', 'TOKEN'], { answers: ['y'] })).code).toBe(0);
    expect(await seen()).toEqual({});
    expect((await run(['secret', 'delete', 'TOKEN', '--yes'])).code).toBe(3);
  });
});

describe('secret bulk', () => {
  test('sets and deletes the members of a JSON object together, and asks before it deletes', async () => {
    await run(['secret', 'put', 'TOKEN'], { stdin: text });
    writeFileSync(join(folder, 'many.json'), JSON.stringify({ TOKEN: null, OTHER: 'one', THIRD: 'two' }));
    expect((await run(['secret', 'bulk', 'many.json'])).code).toBe(5);
    expect(await seen()).toEqual({ TOKEN: text });
    const { code, out } = await run(['secret', 'bulk', 'many.json', '--yes', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { worker: 'vault', set: ['OTHER', 'THIRD'], deleted: ['TOKEN'] },
    ]);
    expect(await seen()).toEqual({ OTHER: 'one', THIRD: 'two' });
  });

  test('reads lines of a .env file from standard input', async () => {
    const stdin = '# comment\nTOKEN="quoted text"\nOTHER=plain\n';
    expect((await run(['secret', 'bulk', '-'], { stdin })).code).toBe(0);
    expect(await seen()).toEqual({ TOKEN: 'quoted text', OTHER: 'plain' });
  });

  test.each([
    ['nosuch', 'File not found: nosuch.'],
    ['.', 'Cannot read .: it is a folder.'],
    ['empty.env', 'empty.env contains no secrets.'],
  ])('names the rejected file %s as the user typed it', async (name, message) => {
    writeFileSync(join(folder, 'empty.env'), '# nothing\n');
    const { code, err } = await run(['secret', 'bulk', name]);
    expect([code, err.split('\n')[0]]).toEqual([2, `error: ${message}`]);
  });

  test.each([
    ['broken JSON', `{"TOKEN": "${text}`, 'starts like JSON'],
    ['a value that is not a string', `{"TOKEN": "${text}", "OTHER": 5}`, 'The secret OTHER is a number'],
    ['an empty value', `{"TOKEN": "${text}", "OTHER": ""}`, 'The secret OTHER is empty'],
    ['a bad name', `{"TOKEN": "${text}", "no-name": "${text}"}`, 'Invalid secret name "no-name"'],
    ['no secret', '# nothing', 'contains no secret'],
    [
      'more than a hundred',
      JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`S${at}`, text]))),
      'At most 100',
    ],
  ])('rejects %s without showing a value', async (_, stdin, message) => {
    const { code, out, err } = await run(['secret', 'bulk', '-', '--debug'], { stdin });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).not.toContain(text);
    expect(await seen()).toEqual({});
  });
});

describe('the value of a secret', () => {
  test('is not in output, --debug, answers, the process list, or any file except the registry', async () => {
    const ran = [
      await run(['secret', 'put', 'TOKEN', '--debug'], { stdin: text }),
      await run(['secret', 'list', '--debug', '--json']),
      await run(['secret', 'put', 'TOKEN', '--debug', '--name', 'nobody'], { stdin: text }),
    ];
    expect(await seen()).toEqual({ TOKEN: text });
    for (const { out, err } of ran) expect(`${out}${err}`).not.toContain(text);
    const answers = ['secrets', 'secrets/TOKEN', 'settings', 'versions', 'deployments'].map(
      async (path) => (await place.workers('GET', `/scripts/vault/${path}`)).text,
    );
    for (const answer of await Promise.all(answers)) expect(answer).not.toContain(text);
    expect(execFileSync('ps', ['axwwe'], { encoding: 'utf8' })).not.toContain(text);
    const holding = filesBelow(place.folder).filter((file) => readFileSync(file).includes(text));
    expect(holding.every((file) => /registry\.sqlite(-wal|-shm)?$/.test(file))).toBe(true);
    expect(holding.length).toBeGreaterThan(0);
    for (const file of holding) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
