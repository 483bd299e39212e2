import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { listDeployments } from '../../../src/services/workers/deployments.ts';
import { listWorkers } from '../../../src/services/workers/workers.ts';
import { openWorkerSandbox, type WorkerSandbox } from '../../sandbox/workers/test-sandbox.ts';
import { inSoak } from '../../support/in-part.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';
import { commandAt } from '../command-at.ts';

let place: WorkerSandbox;
beforeAll(async () => {
  place = await openWorkerSandbox('over a socket');
});
afterAll(() => place.close());
afterEach(() => place.forgetWorkers());

/** Creates a project folder with these files. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder('project');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const config = (name: string, more = '') =>
  `name = "${name}"\nmain = "src/index.ts"\ncompatibility_date = "2026-11-01"\n${more}`;
const worker = (body: string) =>
  `interface Env { KV: { get(key: string): Promise<string | null> }; WORD: string; SHAPE: { sides: number } }
   export default { async fetch(request: Request, env: Env): Promise<Response> { ${body} } };`;

test('deploys a TypeScript worker with modules, text and variables at the printed URL', async () => {
  const folder = project({
    'edgectl.toml': config('typed', '[vars]\nWORD = "blue"\nSHAPE = { sides = 3 }\n'),
    'src/index.ts': `import { greet } from './greet'; import page from './page.html';
      ${worker('return new Response(greet(page, env.WORD, env.SHAPE.sides))')}`,
    'src/greet.ts':
      'export const greet = (page: string, word: string, sides: number) => [page, word, sides].join(" ");',
    'src/page.html': '<p>page</p>',
  });
  const { code, out, err } = await commandAt(place, folder, ['deploy']);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(out).toMatch(
    /^Deployed worker "typed" at http:\/\/typed\.localhost:\d+ \(version [0-9a-f-]{36}\)\.\n$/,
  );
  expect(out).toContain(`:${place.edge.port} `);
  expect(err).toContain('+ binding WORD: "blue"');
  expect((await place.visit('typed', '/')).text).toBe('<p>page</p> blue 3');
});

test('gives a worker the namespace that its binding names', async () => {
  const id = await place.create('bound to a worker');
  await place.kv('PUT', `/${id}/values/colour`, 'green');
  const folder = project({
    'edgectl.toml': config('reader', `[[kv_namespaces]]\nbinding = "KV"\nid = "${id}"\n`),
    'src/index.ts': worker('return new Response(await env.KV.get("colour"))'),
  });
  expect((await commandAt(place, folder, ['deploy'])).code).toBe(0);
  expect((await place.visit('reader', '/')).text).toBe('green');
});

inSoak(() => {
  // A binding has the field `jurisdiction` both in wrangler's configuration and in an upload (SDK workers/scripts).
  test('gives a worker a bucket in a jurisdiction, and requires the name of the jurisdiction', async () => {
    const run = (folder: string, ...args: string[]) => commandAt(place, folder, args);
    const inFolder = (jurisdiction: string) =>
      project({
        'edgectl.toml': config(
          'european',
          `[[r2_buckets]]\nbinding = "B"\nbucket_name = "european"\n${jurisdiction}`,
        ),
        'src/index.ts': `export default { async fetch(_: Request, env: { B: { put(key: string, value: string): Promise<unknown> } }) {
        await env.B.put('a', 'from a worker'); return new Response('stored'); } };`,
      });
    const folder = inFolder('jurisdiction = "eu"\n');
    await run(folder, 'objstore', 'bucket', 'create', 'european', '--jurisdiction', 'eu');
    const { code, err } = await run(folder, 'deploy');
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('bucket european (eu)') });
    expect((await place.visit('european', '/')).text).toBe('stored');
    expect((await run(folder, 'objstore', 'object', 'get', 'european/a', '--file', '-')).out).toBe(
      'from a worker',
    );
    const { result } = (await place.workers('GET', '/scripts/european/settings')).envelope<{
      bindings: unknown;
    }>();
    expect(result?.bindings).toEqual([
      { type: 'r2_bucket', name: 'B', bucket_name: 'european', jurisdiction: 'eu' },
    ]);
    const none = await run(inFolder(''), 'deploy');
    expect([none.code, none.err]).toEqual([
      3,
      expect.stringMatching(
        /The bucket "european" of the binding B does not exist\..*in another jurisdiction/s,
      ),
    ]);
    const other = await run(inFolder('jurisdiction = "us"\n'), 'deploy');
    expect([other.code, other.err]).toEqual([
      3,
      expect.stringContaining('does not exist in the jurisdiction "us"'),
    ]);
  });
});

test('prints name, url and the deployed version with --json', async () => {
  const folder = project({
    'edgectl.toml': config('machine'),
    'src/index.ts': worker('return new Response("1")'),
  });
  const { out, err } = await commandAt(place, folder, ['deploy', '--json']);
  const answer = JSON.parse(out);
  expect(answer).toEqual({
    name: 'machine',
    url: `http://machine.localhost:${place.edge.port}`,
    versionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  for (const line of err.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('type');
  const { result } = (await place.workers('GET', '/scripts/machine/deployments')).envelope<{
    deployments: { versions: unknown }[];
  }>();
  expect(result?.deployments[0]?.versions).toEqual([{ version_id: answer.versionId, percentage: 100 }]);
});

test('shows the changes in a second deploy, replaces the running version, and keeps secrets', async () => {
  const folder = project({
    'edgectl.toml': config('twice', '[vars]\nWORD = "old"\n'),
    'src/index.ts': worker('return new Response(env.WORD + " " + (env as never)["TOKEN"])'),
  });
  await commandAt(place, folder, ['deploy']);
  await commandAt(place, folder, ['secret', 'put', 'TOKEN'], { stdin: 'kept' });
  expect((await place.visit('twice', '/')).text).toBe('old kept');
  writeFileSync(join(folder, 'edgectl.toml'), config('twice', '[vars]\nWORD = "new"\n'));
  const dry = await commandAt(place, folder, ['deploy', '--dry-run']);
  expect(dry.out).toMatch(/~ binding WORD: "old" -> "new"\n/);
  expect(dry.out).toMatch(/= secret TOKEN: kept\n/);
  expect(dry.out).not.toContain('module');
  const { changes } = JSON.parse((await commandAt(place, folder, ['deploy', '--dry-run', '--json'])).out);
  expect(changes[0]).toMatchObject({ name: 'WORD', before: '"old"', after: '"new"' });
  expect((await place.visit('twice', '/')).text).toBe('old kept');
  expect((await commandAt(place, folder, ['deploy'])).code).toBe(0);
  expect((await place.visit('twice', '/')).text).toBe('new kept');
});

inSoak(() => {
  // Secrets are bindings of a version (developers.cloudflare.com/workers/configuration/versions-and-deployments), so a version can lack a
  // secret. An upload keeps the secrets of the previous upload (keep_bindings in the provider's SDK).
  test('shows the running version in all commands after a rollback', async () => {
    const folder = project({ 'i.js': '' });
    const run = (...args: string[]) => commandAt(place, folder, args);
    const answer = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
    const flags = ['i.js', '--name', 'back', '--compatibility-date', '2026-11-01'];
    const deployWord = (word: string) => {
      const body = `new Response("${word} " + Object.keys(env))`;
      writeFileSync(join(folder, 'i.js'), `export default { fetch: (request, env) => ${body} }`);
      return answer('deploy', ...flags);
    };
    const { versionId: one } = await deployWord('one');
    await commandAt(place, folder, ['secret', 'put', 'K', '--name', 'back'], { stdin: 'text of K' });
    await deployWord('two22');
    expect((await place.visit('back', '/')).text).toBe('two22 K');
    const back = await run('worker', 'rollback', 'back', one, '--yes', '--json');
    expect(JSON.parse(back.out)).toMatchObject({
      changes: expect.arrayContaining([{ change: 'removed', what: 'secret', name: 'K' }]),
      secrets: [],
    });
    expect(back.err).toContain(`Version ${one} does not have the secret K`);
    expect(back.err).not.toContain('older value');
    expect((await place.visit('back', '/')).text).toBe('one ');
    expect(await answer('secret', 'list', '--name', 'back')).toEqual([]);
    expect(await answer('worker', 'get', 'back')).toMatchObject({ secrets: [] });
    const { changes } = await answer('deploy', ...flags, '--dry-run');
    expect(changes).toEqual([
      {
        change: 'changed',
        what: 'module',
        name: 'i.js',
        before: expect.any(String),
        after: expect.any(String),
      },
      { change: 'added', what: 'secret', name: 'K' },
    ]);
    await run('deploy', ...flags);
    expect((await place.visit('back', '/')).text).toBe('two22 K');
  });
});

test('shows a changed module of the same length and a changed long value, but no secret', async () => {
  const long = 'x'.repeat(200);
  const files = (text: string) => ({
    'edgectl.toml': config('honest', `[vars]\nLONG = "${long}${text}"\n`),
    'src/index.ts': worker(`return new Response("${text}")`),
  });
  await commandAt(place, project(files('1')), ['deploy']);
  await commandAt(place, project(files('1')), ['secret', 'put', 'TOKEN'], { stdin: 'hush-hush' });
  const { out } = await commandAt(place, project(files('2')), ['deploy', '--dry-run']);
  expect(out).toMatch(/~ module index\.js: (\d+ bytes) -> \1, content changed\n/);
  expect(out).toMatch(/~ binding LONG: "x{79}… \(the values differ after this point\)\n/);
  expect(out).not.toContain('hush');
});

test.each([['nonsense'], ['2026-02-30'], ['2026-1-1']])('refuses the compatibility date %s', async (date) => {
  const folder = project({
    'edgectl.toml': config('dated'),
    'src/index.ts': worker('return new Response("1")'),
  });
  const { code, err } = await commandAt(place, folder, ['deploy', '--dry-run', '--compatibility-date', date]);
  expect([code, err]).toEqual([2, expect.stringContaining(`Invalid compatibility date "${date}"`)]);
});

test('--dry-run --json lists the changes and uploads nothing', async () => {
  const folder = project({
    'edgectl.toml': config('dry'),
    'src/index.ts': worker('return new Response("1")'),
  });
  const { code, out } = await commandAt(place, folder, ['deploy', '--dry-run', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    name: 'dry',
    dryRun: true,
    new: true,
    changes: [
      { change: 'added', what: 'compatibility date', name: '2026-11-01' },
      { change: 'added', what: 'module', name: 'index.js' },
    ],
  });
  expect((await place.workers('GET', '/scripts/dry/settings')).code).toBe(10007);
});

test('asks before it removes bindings that this project has not deployed', async () => {
  const files = (vars: string) => ({
    'edgectl.toml': config('shared', `[vars]\n${vars}`),
    'src/index.ts': worker('return new Response(env.WORD)'),
  });
  await commandAt(place, project(files('WORD = "a"\nOURS = "b"\nTHEIRS = "c"\n')), ['deploy']);
  const folder = project(files('WORD = "a"\nOURS = "b"\n'));
  const dry = await commandAt(place, folder, ['deploy', '--dry-run', '--json']);
  expect(JSON.parse(dry.out)).toMatchObject({ foreign: ['THEIRS'] });
  const asked = await commandAt(place, folder, ['deploy']);
  expect(asked).toMatchObject({ code: 5, err: expect.stringContaining('THEIRS ("c")') });
  const settings = async () => (await place.workers('GET', '/scripts/shared/settings')).text;
  expect(await settings()).toContain('THEIRS');
  const folders = foldersIn(scratchFolder('home'));
  expect((await commandAt(place, folder, ['deploy', '--yes'], { folders })).code).toBe(0);
  expect(await settings()).not.toContain('THEIRS');
  // The deployment removes bindings without asking, because this project deployed these bindings from this machine.
  writeFileSync(join(folder, 'edgectl.toml'), config('shared', '[vars]\nWORD = "a"\n'));
  expect((await commandAt(place, folder, ['deploy'], { folders })).code).toBe(0);
  expect(await settings()).not.toContain('OURS');
});

test('accepts entry point, name and date from the command line alone', async () => {
  const folder = project({ 'hello.js': 'export default { fetch() { return new Response("plain") } }' });
  const argv = ['deploy', 'hello.js', '--name', 'flags-only', '--compatibility-date', '2026-11-01'];
  expect((await commandAt(place, folder, argv)).code).toBe(0);
  expect((await place.visit('flags-only', '/')).text).toBe('plain');
});

test('deploys an environment as a separate worker with its own bindings', async () => {
  const more = '[vars]\nWORD = "top"\n[env.staging.vars]\nWORD = "staging"\n';
  const folder = project({
    'edgectl.toml': config('several', more),
    'src/index.ts': worker('return new Response(env.WORD)'),
  });
  const { out } = await commandAt(place, folder, ['deploy', '--env', 'staging']);
  expect(out).toContain('worker "several-staging"');
  expect((await place.visit('several-staging', '/')).text).toBe('staging');
});

test('passes compatibility flags to the runtime, and warns about bindings that edgectl cannot provide', async () => {
  const more = 'compatibility_flags = ["nodejs_compat"]\n[triggers]\ncrons = ["* * * * *"]\n';
  const folder = project({
    'edgectl.toml': config('flagged', more),
    'src/index.ts': `import { Buffer } from 'node:buffer';
      export default { fetch: () => new Response(Buffer.from('node').toString('hex')) };`,
  });
  const { code, err } = await commandAt(place, folder, ['deploy']);
  expect(code).toBe(0);
  expect(err).toMatch(/edgectl\.toml: edgectl ignores triggers/);
  expect(err).toContain('+ compatibility flag nodejs_compat');
  expect((await place.visit('flagged', '/')).text).toBe('6e6f6465');
});

test('gives a worker with workers_dev = false no hostname', async () => {
  const folder = project({
    'edgectl.toml': config('hidden', 'workers_dev = false\n'),
    'src/index.ts': worker('return new Response()'),
  });
  const { out, err } = await commandAt(place, folder, ['deploy']);
  expect(out).toMatch(/^Deployed worker "hidden" \(version /);
  expect(err).toContain('no workers.dev hostname');
  expect((await place.visit('hidden', '/')).status).toBe(530);
});

test('lists workers and their deployments', async () => {
  const folder = project({
    'edgectl.toml': config('listed'),
    'src/index.ts': worker('return new Response()'),
  });
  const { versionId } = JSON.parse((await commandAt(place, folder, ['deploy', '--json'])).out);
  await commandAt(place, folder, ['secret', 'put', 'TOKEN'], { stdin: 'x' });
  await using stack = new AsyncDisposableStack();
  const { accountId, apiToken } = place.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const session = await openSession(testWorld({ env }), plainChoice, { note: () => undefined });
  stack.defer(() => session.close());
  expect((await listWorkers(session)).map(({ name }) => name)).toContain('listed');
  const deployments = await listDeployments(session, 'listed');
  expect(deployments.map(({ versions }) => versions[0]?.id)).toEqual([expect.any(String), versionId]);
  await expect(listDeployments(session, 'nobody')).rejects.toMatchObject({ code: 'not-found' });
});

inSoak(() => {
  test('runs an old script that calls addEventListener', async () => {
    const folder = project({
      'edgectl.toml': config('listener'),
      'src/index.ts': 'addEventListener("fetch", (event: any) => event.respondWith(new Response("old")));',
    });
    expect((await commandAt(place, folder, ['deploy'])).code).toBe(0);
    expect((await place.visit('listener', '/')).text).toBe('old');
  });
});

const refusals: readonly [string, Record<string, string>, number, RegExp][] = [
  ['no configuration', {}, 2, /name is required, but there is no edgectl\.toml/],
  ['no entry', { 'edgectl.toml': 'name = "a"\ncompatibility_date = "2026-11-01"' }, 2, /contains no entry/],
  ['a missing entry', { 'edgectl.toml': config('a') }, 2, /The worker's entry .*src\/index\.ts/],
  [
    'an entry that is a folder',
    {
      'edgectl.toml': 'name = "a"\nmain = "src"\ncompatibility_date = "2026-11-01"',
      'src/index.ts': '',
    },
    2,
    /src is a folder; the worker's entry must be a file/,
  ],
  [
    'no date',
    { 'edgectl.toml': 'name = "a"\nmain = "i.js"', 'i.js': '' },
    2,
    /contains no compatibility_date/,
  ],
  [
    'a worker name that is not a hostname label',
    { 'edgectl.toml': config('My Worker'), 'src/index.ts': '' },
    2,
    /Invalid worker name "My Worker"/,
  ],
  [
    'code that does not parse, with its position',
    { 'edgectl.toml': config('a'), 'src/index.ts': 'export default {\n  fetch( {' },
    2,
    /src\/index\.ts:2:\d+: /,
  ],
  [
    'an import that is not found',
    { 'edgectl.toml': config('a'), 'src/index.ts': 'import x from "./nothing"; export default x' },
    2,
    /src\/index\.ts:1:15: Could not resolve "\.\/nothing"/,
  ],
  [
    'a binding that is not an identifier',
    {
      'edgectl.toml': config('a', '[[objstore_buckets]]\nbinding = "my-bucket"\nbucket_name = "b"\n'),
      'src/index.ts': '',
    },
    2,
    /edgectl\.toml:5:\d+: .*binding is the string "my-bucket"/,
  ],
  [
    'a namespace binding without an id',
    {
      'edgectl.toml': config('a', '[[kv_namespaces]]\nbinding = "KV"\n'),
      'src/index.ts': worker('return new Response()'),
    },
    2,
    /binding "KV" has no id/,
  ],
  [
    'a bucket that does not exist',
    {
      'edgectl.toml': config('a', '[[objstore_buckets]]\nbinding = "B"\nbucket_name = "none-such"\n'),
      'src/index.ts': worker('return new Response()'),
    },
    3,
    /The bucket "none-such" of the binding B does not exist/,
  ],
  [
    'a namespace that does not exist',
    {
      'edgectl.toml': config('a', `[[kv_namespaces]]\nbinding = "KV"\nid = "${'f'.repeat(32)}"\n`),
      'src/index.ts': worker('return new Response()'),
    },
    3,
    /The namespace "f{32}" of the binding KV does not exist.*hint: Remove the id from/s,
  ],
  [
    'an invalid namespace id',
    {
      'edgectl.toml': config('a', '[[kv_namespaces]]\nbinding = "KV"\nid = "my namespace"\n'),
      'src/index.ts': worker('return new Response()'),
    },
    2,
    /id of the binding "KV" at .*edgectl\.toml:\d+: "my namespace" is not a valid namespace id/,
  ],
  [
    "code that does not start, with the runtime's message",
    { 'edgectl.toml': config('a'), 'src/index.ts': 'throw new Error("at the top"); export default {}' },
    1,
    /Uncaught Error: at the top.*10021/s,
  ],
];

test.each(refusals)('refuses %s, and uploads nothing', async (_, files, code, message) => {
  const ran = await commandAt(place, project(files), ['deploy']);
  expect(ran.err).toMatch(message);
  expect(ran).toMatchObject({ code, out: '' });
  expect((await place.workers('GET', '/scripts/a/settings')).code).toBe(10007);
});

test('refuses a variable with the name of a secret, because the secret would be lost', async () => {
  const folder = project({
    'edgectl.toml': config('clash'),
    'src/index.ts': worker('return new Response()'),
  });
  await commandAt(place, folder, ['deploy']);
  await commandAt(place, folder, ['secret', 'put', 'TOKEN'], { stdin: 'precious' });
  writeFileSync(join(folder, 'edgectl.toml'), config('clash', '[vars]\nTOKEN = "plain"\n'));
  const { code, err } = await commandAt(place, folder, ['deploy']);
  expect([code, err]).toEqual([1, expect.stringContaining('"TOKEN" is both a secret of the worker "clash"')]);
});

test('reports that nothing serves the worker if no edge is served', async () => {
  const folder = project({
    'edgectl.toml': config('unserved'),
    'src/index.ts': worker('return new Response()'),
  });
  const { code, out, err } = await commandAt(place, folder, ['deploy', '--json', '--sandbox'], { env: {} });
  expect([code, JSON.parse(out).url]).toEqual([0, null]);
  expect(err).toContain('edgectl sandbox start');
});

test('names files outside the project, and refuses files outside its repository and workspace', async () => {
  const top = project({
    'secret.txt': 'a secret of the user',
    'secret.json': '{}',
    'repository/app/edgectl.toml': config('reaching'),
    'repository/shared/word.ts': 'export const word = "shared";',
    'node_modules/lib/package.json': '{"name":"lib","main":"index.js"}',
    'node_modules/lib/index.js': 'export const lib = "lib";',
  });
  const app = join(top, 'repository', 'app');
  const dryRun = async (index: string, ...more: string[]) => {
    mkdirSync(join(app, 'src'), { recursive: true });
    writeFileSync(join(app, 'src', 'index.ts'), index);
    return commandAt(place, app, ['deploy', '--dry-run', ...more]);
  };
  const shared = `import { word } from '../../shared/word'; import { lib } from 'lib'; ${worker('return new Response(word + lib)')}`;
  const alone = await dryRun(shared);
  expect([alone.code, alone.err]).toEqual([
    2,
    expect.stringContaining(
      `${join(top, 'repository/shared/word.ts')} was not bundled: it is outside the project, its repository`,
    ),
  ]);
  mkdirSync(join(top, 'repository', '.git'));
  // A home folder can be a repository of dotfiles, but the user's other files do not belong to a worker's repository.
  const { accountId, apiToken } = place.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
    HOME: join(top, 'repository'),
  };
  const inHome = await commandAt(place, app, ['deploy', '--dry-run'], { env });
  expect([inHome.code, inHome.err]).toEqual([2, expect.stringContaining('is outside the project')]);
  const inRepository = await dryRun(shared);
  expect([inRepository.code, inRepository.err]).toEqual([
    0,
    expect.stringContaining('The bundle contains files from outside the project: ../shared/word.ts\n'),
  ]);
  const secret = worker('return new Response(text)');
  const refusal = expect.stringContaining(
    `${join(top, 'secret.txt')} was not bundled: it is outside the project`,
  );
  const direct = await dryRun(`import text from '../../../secret.txt'; ${secret}`);
  expect([direct.code, direct.err]).toEqual([2, refusal]);
  expect(direct.err).toContain(`edgectl setting set trusted-folders ${top}`);
  symlinkSync(join(top, 'secret.txt'), join(app, 'innocent.txt'));
  const linked = await dryRun(`import text from '../innocent.txt'; ${secret}`);
  expect([linked.code, linked.err]).toEqual([2, refusal]);
  // esbuild's documentation, "External paths": an import path may have a query or a hash, neither of which is part of the file name.
  for (const name of ['secret.txt?a', 'secret.txt#a', 'secret.json?a', 'secret.json#a?b']) {
    const file = join(top, name.slice(0, name.search(/[?#]/)));
    const suffixed = await dryRun(`import text from '../../../${name}'; ${secret}`);
    expect([suffixed.code, suffixed.err], name).toEqual([
      2,
      expect.stringContaining(`${file} was not bundled`),
    ]);
  }
  expect((await commandAt(place, app, ['deploy'])).code).toBe(2);
  expect((await place.workers('GET', '/scripts')).text).not.toContain('reaching');
  // docs/threat-model.md: "Links are followed first", including links in a trusted folder.
  symlinkSync(top, join(app, 'trusted'));
  const as = { folders: foldersIn(scratchFolder('home')) };
  await commandAt(place, app, ['setting', 'set', 'trusted-folders', join(app, 'trusted')], as);
  expect((await commandAt(place, app, ['deploy', '--dry-run'], as)).code).toBe(0);
  rmSync(join(top, 'repository', '.git'), { recursive: true });
  writeFileSync(join(top, 'package.json'), '{"workspaces":["repository/*"]}');
  expect((await dryRun(`import text from '../../../secret.txt'; ${secret}`)).code).toBe(0);
});
