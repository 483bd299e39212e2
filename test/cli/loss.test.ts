import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import type { CommandDeclaration } from '../../src/cli/parsing/declaration.ts';
import { known, noFacts } from '../../src/model/diagnosis/facts.ts';
import type { Seed } from '../../src/model/sandbox/seed.ts';
import { openSandbox } from '../../src/sandbox/http/app.ts';
import { saveSeed } from '../../src/sandbox/seed/save.ts';
import { bucket, emptyBucket, hostname, openStage, type Stage, worker } from '../faults/suite/stage.ts';
import { newPerson, type Person, type Ran, runCommand } from '../support/run-command.ts';
import { scratchFolder } from '../support/world.ts';

/**
 * A case of the rule of loss (docs/decisions.md), without a terminal and without --yes: a command loses only data that its command line
 * names, undo restores the data that was saved, and a command that would ask a question exits with code 5.
 */
interface LossCase {
  /** The command line; `rest` follows the words. */
  readonly words: string;
  readonly rest?: readonly string[] | ((stage: Stage) => readonly string[]);
  /** Items that are changed or deleted because the command line names them; undefined if the command asks. */
  readonly lost?: readonly string[] | ((stage: Stage) => readonly string[]);
  /** Exit code of a command line that asks no question. */
  readonly code?: number;
  /** Whether the lost data is saved for undo, and can be restored. */
  readonly kept?: boolean;
  /** Command lines to run first. */
  readonly before?: (stage: Stage) => readonly (readonly string[])[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const at = ({ namespace }: Stage): string[] => ['--namespace-id', namespace];
const key = (name: string) => (stage: Stage) => [`key ${stage.namespace} ${name}`];
const keys = { 'keys.json': '["greeting","note"]' };
const up = { 'up/one.txt': 'another one' };
const secretOf = ['--name', worker];
const world = JSON.stringify({
  ...noFacts('w.acme.com', 0),
  zone: known({ id: 'z', name: 'saas.sandbox' }),
  record: known(null),
});
const profile = ['profile', 'add', 'acme', '--no-verify'];
const held = [['zone', 'hold', 'set']];

const cases: readonly LossCase[] = [
  { words: 'kv namespace create', rest: ['NEW'], lost: [] },
  {
    words: 'kv namespace rename',
    rest: (stage) => ['new', ...at(stage)],
    lost: ({ namespace }) => [`namespace ${namespace}`],
  },
  { words: 'kv namespace delete', rest: at },
  { words: 'kv namespace clear', rest: at },
  { words: 'kv key put', rest: (stage) => ['fresh', 'value', ...at(stage)], lost: [] },
  { words: 'kv key put', rest: (stage) => ['note', 'value', ...at(stage)], lost: key('note') },
  {
    words: 'kv key put',
    rest: (stage) => ['note', 'value', '--undo', ...at(stage)],
    lost: key('note'),
    kept: true,
  },
  { words: 'kv key delete', rest: (stage) => ['note', ...at(stage)], lost: key('note'), kept: true },
  { words: 'kv key delete', rest: (stage) => ['note', '--no-undo', ...at(stage)], lost: key('note') },
  {
    words: 'kv bulk put',
    rest: (stage) => ['entries.json', ...at(stage)],
    files: { 'entries.json': '[{"key":"new","value":"1"},{"key":"note","value":"2"}]' },
    lost: key('note'),
  },
  { words: 'kv bulk delete', rest: (stage) => ['keys.json', ...at(stage)], files: keys },
  { words: 'kv bulk delete', rest: (stage) => ['--prefix', 'only:', ...at(stage)] },
  {
    words: 'kv copy',
    before: ({ other }) => [['kv', 'key', 'put', 'greeting', 'theirs', '--namespace-id', other]],
    rest: (stage) => [...at(stage), '--to-namespace-id', stage.other, '--on-conflict', 'overwrite'],
    lost: ({ other }) => [`key ${other} greeting`],
  },
  { words: 'secret put', rest: ['API_KEY', ...secretOf], stdin: 'new', lost: [`binding ${worker} API_KEY`] },
  { words: 'secret put', rest: ['API_KEY', '--all-workers'], stdin: 'new' },
  { words: 'secret delete', rest: ['API_KEY', ...secretOf] },
  { words: 'secret bulk', rest: ['s.json', ...secretOf], files: { 's.json': '{"API_KEY":null}' } },
  {
    words: 'secret bulk',
    rest: ['s.json', ...secretOf],
    files: { 's.json': '{"API_KEY":"new"}' },
    lost: [`binding ${worker} API_KEY`],
  },
  {
    words: 'deploy',
    rest: ['index.js', ...secretOf, '--compatibility-date', '2026-11-01'],
    files: { 'index.js': 'export default { fetch: () => new Response("again") };\n' },
  },
  { words: 'worker delete', rest: [worker] },
  { words: 'worker rollback', rest: [worker], lost: [] },
  // The second rollback would redeploy the version that the first rollback replaced.
  { words: 'worker rollback', before: () => [['worker', 'rollback', worker]], rest: [worker] },
  {
    words: 'worker rollback',
    before: () => [['secret', 'put', 'API_KEY', ...secretOf]],
    stdin: 'rotated',
    rest: [worker],
  },
  { words: 'objstore bucket create', rest: ['a-new-bucket'], lost: [] },
  { words: 'objstore bucket delete', rest: [emptyBucket] },
  { words: 'objstore bucket delete', rest: [bucket, '--empty-first'] },
  {
    words: 'objstore object put',
    rest: [`${bucket}/b.txt`, '--path', 'up/one.txt'],
    files: up,
    lost: [`object ${bucket}/b.txt`],
  },
  {
    words: 'objstore object put',
    rest: [`${bucket}/b.txt`, '--path', 'up/one.txt', '--undo'],
    files: up,
    lost: [`object ${bucket}/b.txt`],
    kept: true,
  },
  {
    words: 'objstore object copy',
    rest: [`${bucket}/a/one.txt`, `${bucket}/b.txt`],
    lost: [`object ${bucket}/b.txt`],
  },
  {
    words: 'objstore object copy',
    rest: [`${bucket}/a/one.txt`, `${bucket}/b.txt`, '--undo'],
    lost: [`object ${bucket}/b.txt`],
    kept: true,
  },
  {
    words: 'objstore object delete',
    rest: [`${bucket}/b.txt`],
    lost: [`object ${bucket}/b.txt`],
    kept: true,
  },
  { words: 'objstore object delete', rest: [`${bucket}/b.txt`, `${bucket}/a/one.txt`] },
  { words: 'objstore object delete', rest: [`${bucket}/a`, '--recursive'] },
  {
    words: 'objstore object sync',
    rest: ['up', `${bucket}/a`],
    files: up,
    lost: [`object ${bucket}/a/one.txt`],
  },
  { words: 'objstore object sync', rest: ['up', `${bucket}/a`, '--delete'], files: up },
  {
    words: 'objstore object sync',
    rest: ['up', `${bucket}/a`, '--download', '--delete'],
    files: { ...up, 'up/mine.txt': 'mine' },
  },
  { words: 'hostname create', rest: ['new.acme.com'], lost: [] },
  {
    words: 'hostname edit',
    rest: [hostname, '--min-tls', '1.2'],
    lost: [`hostname ${hostname}`],
    kept: true,
  },
  { words: 'hostname edit', rest: ['--status', 'active', '--min-tls', '1.2'] },
  { words: 'hostname refresh', rest: [hostname], lost: [] },
  { words: 'hostname refresh', rest: ['--status', 'active'] },
  { words: 'hostname delete', rest: [hostname] },
  { words: 'hostname delete', rest: ['--status', 'active'] },
  { words: 'hostname delete', rest: [hostname, '--yes'], lost: [`hostname ${hostname}`], kept: true },
  {
    words: 'hostname reconcile',
    rest: ['--file', 'new.csv', '--prune'],
    files: { 'new.csv': 'hostname\nnew.acme.com\n' },
  },
  {
    words: 'hostname diagnose',
    rest: ['missing.acme.com', '--fix', '--resolver', '127.0.0.1:9', '--no-probe'],
  },
  { words: 'hostname import-world', rest: ['world.ndjson'], files: { 'world.ndjson': world }, lost: [] },
  { words: 'hostname fallback-origin set', rest: ['customers.saas.sandbox'] },
  {
    words: 'hostname fallback-origin set',
    rest: ['customers.saas.sandbox', '--yes'],
    lost: ['fallback origin saas.sandbox'],
    kept: true,
  },
  { words: 'hostname fallback-origin delete' },
  {
    words: 'hostname fallback-origin delete',
    rest: ['--yes'],
    lost: ['fallback origin saas.sandbox'],
    kept: true,
  },
  { words: 'zone record set', rest: ['origin', 'A', '192.0.2.9'] },
  { words: 'zone record set', rest: ['origin', 'AAAA', '2001:db8::9'] },
  {
    words: 'zone record set',
    rest: ['customers', 'A', '192.0.2.9'],
    lost: ['record A customers.saas.sandbox'],
    kept: true,
  },
  { words: 'zone record delete', rest: ['customers', 'A'] },
  {
    words: 'zone record delete',
    rest: ['customers', 'A', '--yes'],
    lost: ['record A customers.saas.sandbox'],
    kept: true,
  },
  { words: 'zone hold set', rest: ['--include-subdomains'], before: () => held, lost: ['hold saas.sandbox'] },
  { words: 'zone hold release', before: () => held },
  { words: 'profile add', rest: ['acme', '--no-verify'], stdin: 'a-token-of-acme\n', lost: [] },
  {
    words: 'profile add',
    before: () => [profile],
    rest: ['acme', '--no-verify', '--replace', '--read-only'],
    stdin: 'a-token-of-acme\n',
    lost: ['config profiles/acme.json'],
  },
  {
    words: 'profile login',
    before: () => [profile],
    rest: ['acme', '--no-verify', '--replace', '--read-only'],
    stdin: 'a-token-of-acme\n',
    lost: ['config profiles/acme.json'],
  },
  {
    words: 'profile bind',
    before: () => [profile, ['profile', 'bind', 'acme']],
    rest: ['sandbox'],
    stdin: 'a-token-of-acme\n',
    // Accepting the new content replaces the acceptance of the old content.
    lost: ['config trusted.json', 'file .edgectl-profile'],
  },
  {
    words: 'profile unbind',
    before: () => [['profile', 'bind', 'sandbox']],
    lost: ['file .edgectl-profile'],
  },
  {
    words: 'profile use',
    before: () => [profile, ['profile', 'use', 'acme']],
    rest: ['sandbox'],
    stdin: 'a-token-of-acme\n',
    lost: ['config settings.json'],
  },
  { words: 'profile remove', before: () => [profile], rest: ['acme'], stdin: 'a-token-of-acme\n' },
  {
    words: 'setting set',
    before: () => [['setting', 'set', 'theme', 'light']],
    rest: ['theme', 'dark'],
    lost: ['config settings.json'],
  },
  { words: 'setting set', rest: ['undo', 'off'] },
  {
    words: 'setting set',
    before: () => [['setting', 'set', 'read-only', 'production']],
    rest: ['read-only', 'off'],
  },
  {
    words: 'setting unset',
    before: () => [['setting', 'set', 'theme', 'light']],
    rest: ['theme'],
    lost: ['config settings.json'],
  },
  {
    words: 'setting unset',
    before: () => [['setting', 'set', 'read-only', 'production']],
    rest: ['read-only'],
  },
  {
    words: 'undo restore',
    before: (stage) => [
      ['kv', 'key', 'delete', 'note', ...at(stage)],
      ['kv', 'key', 'put', 'note', 'another', ...at(stage)],
    ],
    rest: ['--force'],
    lost: key('note'),
  },
  { words: 'undo purge', before: (stage) => [['kv', 'key', 'delete', 'note', ...at(stage)]] },
  { words: 'sandbox reset' },
  { words: 'sandbox snapshot load', rest: ['none.json'], files: { 'none.json': '{}' } },
  {
    words: 'sandbox dns set',
    rest: [hostname, 'CNAME', 'other.saas.sandbox'],
    lost: [`dns CNAME ${hostname}`],
  },
  { words: 'sandbox dns unset', rest: [hostname], lost: [`dns CNAME ${hostname}`] },
  { words: 'sandbox clock advance', rest: ['1h'], lost: [] },
  { words: 'init', rest: ['new-worker'], lost: [] },
  // An existing file is overwritten only with --force.
  {
    words: 'kv export',
    rest: (stage) => ['-o', 'mine', ...at(stage)],
    files: { mine: 'x' },
    lost: [],
    code: 2,
  },
  { words: 'hostname export', rest: ['-o', 'mine'], files: { mine: 'x' }, lost: [], code: 2 },
  { words: 'hostname export-world', rest: ['mine'], files: { mine: 'x' }, lost: [], code: 2 },
  {
    words: 'objstore object get',
    rest: [`${bucket}/b.txt`, '--file', 'mine'],
    files: { mine: 'x' },
    lost: [],
    code: 2,
  },
  {
    words: 'objstore object get',
    rest: [`${bucket}/a`, '--recursive', '--file', 'up'],
    files: up,
    lost: [],
    code: 6,
  },
  { words: 'sandbox record', rest: ['mine'], files: { mine: 'x' }, lost: [], code: 2 },
  { words: 'sandbox snapshot save', rest: ['mine'], files: { mine: 'x' }, lost: [], code: 2 },
];

/** Operations that another test covers, because testing them requires a server or a running worker. */
const elsewhere: Readonly<Record<string, string>> = {
  'deploy names': 'test/services/workers/deploy.test.ts',
  'hostname refresh keeps': 'test/services/undo/hostnames.test.ts',
  'undo restore keeps': 'test/services/undo/records.test.ts',
  'sandbox fault add any': 'test/scripts/sandbox/traffic.txt',
  'sandbox fault clear any': 'test/scripts/sandbox/traffic.txt',
};

/** Commands that start a program, a server or the console, or that only print. They lose no data themselves. */
const losingNothing = [
  'audit export',
  'audit follow',
  'audit list',
  'audit show',
  'audit verify',
  'completion',
  'console',
  'demo',
  'dev',
  'guard approve',
  'guard exec',
  'guard held',
  'guard refuse',
  'guard start',
  'licenses',
  'man',
  'policy show',
  'policy test',
  'profile list',
  'profile lock',
  'profile unlock',
  'sandbox exec',
  'sandbox start',
  'sandbox status',
  'setting get',
  'setting list',
  'undo list',
  'undo show',
];

let stage: Stage;
/** A sandbox with one of each resource; each case gets a copy. */
let original: string;
let untouched: State;

beforeAll(async () => {
  stage = await openStage();
  original = stage.servedFolder;
  untouched = await readState(newPerson(), original);
});

type State = ReadonlyMap<string, string>;

/** Reads all resources by name: on the platform, in the configuration folder, and in the working directory. */
async function readState({ home, cwd }: Person, folder: string): Promise<State> {
  const now = () => stage.now;
  const sandbox = openSandbox({
    kind: 'sandbox',
    folder,
    persistRoot: folder,
    now,
    random: () => Buffer.alloc(16),
  });
  const seed = await saveSeed(sandbox.platform);
  sandbox.close();
  return new Map([...thingsIn(seed), ...filesIn('config', join(home, 'config')), ...filesIn('file', cwd)]);
}

function thingsIn({
  namespaces = [],
  buckets = [],
  workers = [],
  zones = [],
  hostnames = [],
  dns = [],
}: Seed) {
  const things: (readonly [string, unknown])[] = [
    ...namespaces.flatMap(({ id, title, keys: all = [] }) => [
      [`namespace ${id}`, title] as const,
      ...all.map(({ key: name, ...value }) => [`key ${id} ${name}`, value] as const),
    ]),
    ...buckets.flatMap(({ name, objects = [] }) => [
      [`bucket ${name}`, true] as const,
      ...objects.map(
        ({ key: one, body, http_metadata }) => [`object ${name}/${one}`, [body, http_metadata]] as const,
      ),
    ]),
    ...workers.flatMap(({ name, bindings = [], modules }) => [
      [`worker ${name}`, modules] as const,
      // The title of a namespace is ignored, because a renamed namespace is the same namespace.
      ...bindings.map((binding) => {
        const value = binding.type === 'kv_namespace' ? { ...binding, namespace: '' } : binding;
        return [`binding ${name} ${binding.name}`, value] as const;
      }),
    ]),
    ...zones.flatMap(({ name, hold, fallback_origin, records = [] }) => [
      [`hold ${name}`, hold] as const,
      ...(fallback_origin === undefined ? [] : [[`fallback origin ${name}`, fallback_origin] as const]),
      ...records.map(
        (one) => [`record ${one.type} ${one.name}`, [one.content, one.proxied, one.ttl]] as const,
      ),
    ]),
    ...hostnames.map(({ hostname: name, kept: saved }) => {
      const record = (saved?.state.record ?? {}) as Hostname;
      const { ssl, custom_origin_server: origin, custom_metadata: metadata } = record;
      return [`hostname ${name}`, [ssl?.method, ssl?.settings, origin, metadata]] as const;
    }),
    ...dns.map(({ type, name, contents }) => [`dns ${type} ${name}`, contents] as const),
  ];
  return things.map(([name, value]) => [name, JSON.stringify(value)] as const);
}

interface Hostname {
  readonly ssl?: { readonly method?: string; readonly settings?: unknown };
  readonly custom_origin_server?: string;
  readonly custom_metadata?: unknown;
}

function filesIn(kind: string, folder: string): (readonly [string, string])[] {
  const found =
    statSync(folder, { throwIfNoEntry: false }) === undefined
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [`${kind} ${relative(folder, path)}`, readFileSync(path, 'utf8')] as const;
    });
}

function lostBetween(before: State, after: State): string[] {
  return [...before].filter(([name, value]) => after.get(name) !== value).map(([name]) => name);
}

interface Scene {
  readonly person: Person;
  readonly folder: string;
  run(argv: readonly string[]): Promise<Ran>;
  entries(): number;
}

function openScene({ files = {}, stdin }: LossCase): Scene {
  const folder = join(scratchFolder('loss'), 'data');
  cpSync(original, folder, { recursive: true });
  const person = newPerson({ EDGECTL_PROFILE: 'sandbox', EDGECTL_SANDBOX_DIR: folder });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(person.cwd, name)), { recursive: true });
    writeFileSync(join(person.cwd, name), text);
  }
  const clock = { now: stage.now };
  return {
    person,
    folder,
    run: (argv) => runCommand(person, argv, { clock, ...(stdin !== undefined && { stdin }) }),
    entries: () => filesIn('undo', join(person.home, 'state', 'undo')).length,
  };
}

const declarations: readonly CommandDeclaration[] = commandTable;

function declared(words: string): CommandDeclaration {
  const row = declarations.find((one) => one.words === words);
  if (row === undefined) throw new Error(`there is no command "${words}"`);
  return row;
}

describe('a command that loses data, without a terminal and without --yes', () => {
  const titled = cases.map((one) => {
    const rest = typeof one.rest === 'function' ? '…' : (one.rest ?? []).join(' ');
    return { one, title: `${one.words} ${rest}`.trim(), outcome: one.lost === undefined ? 'asks' : 'does' };
  });

  test.each(titled)('$title: $outcome', async ({ one }) => {
    const { words, lost, code = 0, kept: saved = false } = one;
    const { loss = {} } = declared(words);
    const scene = openScene(one);
    const steps = one.before?.(stage) ?? [];
    for (const argv of steps) {
      const ran = await scene.run(argv);
      expect(ran, argv.join(' ')).toMatchObject({ code: 0 });
    }
    const isUntouched = steps.length === 0 && one.files === undefined;
    const before = isUntouched ? untouched : await readState(scene.person, scene.folder);
    const entries = scene.entries();
    const rest = typeof one.rest === 'function' ? one.rest(stage) : (one.rest ?? []);
    const ran = await scene.run([...words.split(' '), ...rest]);
    const after = await readState(scene.person, scene.folder);
    if (lost === undefined) {
      expect(loss.asks, `${words} asks, and does not declare it`).toBeDefined();
      expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 5 });
      expect(lostBetween(before, after)).toEqual([]);
      expect([...after.keys()]).toEqual([...before.keys()]);
      expect(scene.entries()).toBe(entries);
      return;
    }
    expect({ code: ran.code, err: ran.code === code ? '' : ran.err }).toMatchObject({ code });
    const named = typeof lost === 'function' ? lost(stage) : lost;
    expect(lostBetween(before, after)).toEqual(named);
    // With --yes, the command line need not name the data that is lost.
    if (named.length > 0 && !rest.includes('--yes'))
      expect(loss.names, `${words} names ${named}`).toBeDefined();
    if (words !== 'undo restore') expect(scene.entries() - entries).toBe(saved ? 1 : 0);
    if (!saved) return;
    expect(loss.keeps, `${words} keeps, and does not declare it`).toBeDefined();
    expect((await scene.run(['undo', 'restore'])).err).not.toContain('error');
    const back = await readState(scene.person, scene.folder);
    expect(lostBetween(before, back)).toEqual([]);
  });
});

test('a script that cannot save the old state continues with a warning, unless it uses --undo', async () => {
  const line: LossCase = { words: 'kv key delete' };
  const argv = ['kv', 'key', 'delete', 'note', ...at(stage)];
  const asking = openScene(line);
  writeFileSync(join(asking.person.home, 'state'), '');
  const refused = await asking.run([...argv, '--undo']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('cannot be saved for undo') });
  expect(lostBetween(untouched, await readState(asking.person, asking.folder))).toEqual([]);
  const done = await asking.run(argv);
  expect(done).toMatchObject({ code: 0, err: expect.stringContaining('cannot be saved for undo') });
  expect(lostBetween(untouched, await readState(asking.person, asking.folder))).toEqual(key('note')(stage));
});

test('deletes an object that is too large for undo with a warning, or refuses with --undo', async () => {
  const scene = openScene({ words: '', files: { big: 'x'.repeat(25 * 1024 * 1024 + 1) } });
  const big = `${bucket}/big`;
  expect(await scene.run(['objstore', 'object', 'put', big, '--path', 'big'])).toMatchObject({ code: 0 });
  const asked = await scene.run(['objstore', 'object', 'delete', big, '--undo']);
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('too large for undo') });
  const done = await scene.run(['objstore', 'object', 'delete', big, '--json']);
  expect(JSON.parse(done.out)).toMatchObject({ deleted: true });
  expect(done.err).toContain('the old data was not saved');
  expect(scene.entries()).toBe(0);
});

/** A mass delete, and a command that adds an item to the set after the dry run. */
interface MassDelete {
  readonly line: (stage: Stage) => readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly add: (scene: Scene, stage: Stage) => unknown;
  readonly added: string;
  readonly lost: (stage: Stage) => readonly string[];
}

const massDeletes: readonly MassDelete[] = [
  {
    line: (one) => ['kv', 'bulk', 'delete', '--prefix', 'gr', ...at(one)],
    add: (scene, one) => scene.run(['kv', 'key', 'put', 'grown', 'since', ...at(one)]),
    added: 'grown',
    lost: (one) => [`key ${one.namespace} greeting`, `key ${one.namespace} grown`],
  },
  {
    line: () => ['objstore', 'object', 'sync', 'up', `${bucket}/a`, '--delete'],
    files: { 'up/other.txt': 'other' },
    add: (scene) => scene.run(['objstore', 'object', 'put', `${bucket}/a/z.txt`, '--path', 'up/other.txt']),
    added: 'z.txt',
    lost: () => ['one', 'two', 'z'].map((name) => `object ${bucket}/a/${name}.txt`),
  },
  {
    line: () => ['objstore', 'object', 'sync', 'up', `${bucket}/a`, '--delete', '--download'],
    files: { 'up/mine.txt': 'mine' },
    add: ({ person }) => writeFileSync(join(person.cwd, 'up/z.txt'), 'z'),
    added: 'z.txt',
    lost: () => ['file up/mine.txt', 'file up/z.txt'],
  },
  {
    line: () => ['hostname', 'delete', '--file', 'gone.csv'],
    files: { 'gone.csv': `hostname\n${hostname}\nnew.acme.com\n` },
    add: (scene) => scene.run(['hostname', 'create', 'new.acme.com']),
    added: 'new.acme.com',
    lost: () => [`hostname ${hostname}`, 'hostname new.acme.com'],
  },
];

/** Part of the rule of loss: with --yes, mass deletes require --limit or the hash of a dry run. */
describe('a mass delete with the hash of a dry run', () => {
  const titled = massDeletes.map((one) => ({ one, title: one.line({ namespace: 'N' } as Stage).join(' ') }));

  test.each(titled)('$title', async ({ one }) => {
    const scene = openScene({ words: '', ...(one.files && { files: one.files }) });
    const line = one.line(stage);
    const dry = async () => {
      const ran = await scene.run([...line, '--dry-run', '--yes', '--json']);
      expect(ran).toMatchObject({ code: 0 });
      return JSON.parse(ran.out).hash as string;
    };
    const first = await dry();
    expect(first).toMatch(/^[0-9a-f]{12}$/);
    expect((await scene.run([...line, '--dry-run'])).out).toContain(`--confirm ${first}`);
    await one.add(scene, stage);
    const before = await readState(scene.person, scene.folder);
    for (const more of [[], ['--yes'], ['--yes', '--limit', '9']]) {
      const refused = await scene.run([...line, '--confirm', first, ...more]);
      expect(refused).toMatchObject({ code: 5, err: expect.stringContaining(`added since: "${one.added}"`) });
    }
    expect(await scene.run([...line, '--confirm', first, '--dry-run'])).toMatchObject({ code: 2 });
    expect(lostBetween(before, await readState(scene.person, scene.folder))).toEqual([]);
    const second = await dry();
    expect(second).not.toBe(first);
    expect(await scene.run([...line, '--confirm', second])).toMatchObject({ code: 0 });
    expect(lostBetween(before, await readState(scene.person, scene.folder))).toEqual(one.lost(stage));
  });

  test('rejects a hash if the command line names the items to delete', async () => {
    const scene = openScene({ words: '', files: keys });
    for (const line of [
      ['kv', 'bulk', 'delete', 'keys.json', ...at(stage)],
      ['hostname', 'delete', hostname],
      ['objstore', 'object', 'sync', '.', `${bucket}/a`],
    ])
      expect(await scene.run([...line, '--confirm', '0123456789ab'])).toMatchObject({ code: 2 });
    expect(lostBetween(untouched, await readState(scene.person, scene.folder))).toEqual([]);
  });
});

describe('the rule of loss', () => {
  const rule = declarations.filter(({ loss }) => loss !== undefined);
  const casesOf = (words: string) => cases.filter((one) => one.words === words);

  test('every command that changes or destroys something declares the rule of loss', () => {
    const changing = declarations.filter(({ effect }) => effect === 'write' || effect === 'destroy');
    expect(changing.filter(({ loss }) => loss === undefined).map(({ words }) => words)).toEqual([]);
  });

  // Commands without this declaration change nothing on a platform. test/faults/dry-run.test.ts checks the requests of commands that only
  // read.
  test('every other command declares the rule of loss, unless it is known to lose nothing', () => {
    const others = declarations.filter(({ effect, loss }) => effect === 'none' && loss === undefined);
    expect(others.map(({ words }) => words).sort()).toEqual(losingNothing);
  });

  test('a test case covers each rule of loss', () => {
    const missing = rule.flatMap(({ words, loss = {} }) => {
      const all = casesOf(words);
      const parts = [
        ...(loss.asks !== undefined && all.every(({ lost }) => lost !== undefined) ? ['asks'] : []),
        ...(loss.names !== undefined && all.every(({ lost }) => lost === undefined) ? ['names'] : []),
        ...(loss.keeps !== undefined && all.every(({ kept: saved }) => !saved) ? ['keeps'] : []),
      ];
      if (all.length === 0) return [`${words} any`];
      return parts.map((part) => `${words} ${part}`);
    });
    expect(missing.filter((part) => elsewhere[part] === undefined)).toEqual([]);
    for (const path of Object.values(elsewhere)) expect(statSync(path).isFile()).toBe(true);
  });

  test('the rule of loss requires the undo flags if undo saves something, and --force if a file is written', () => {
    for (const { words, loss, flags } of rule) {
      if (loss?.keeps === undefined || words === 'undo restore') continue;
      expect([words, Object.keys(flags)]).toEqual([words, expect.arrayContaining(['undo', 'no-undo'])]);
    }
    const forcing = declarations.filter(
      ({ flags }) => flags['force']?.about === 'Overwrite an existing file',
    );
    const writing = forcing.map(({ words }) => words).sort();
    expect(writing).toEqual(
      [
        ...new Set(cases.filter(({ files }) => files?.['mine'] !== undefined).map(({ words }) => words)),
      ].sort(),
    );
  });
});
