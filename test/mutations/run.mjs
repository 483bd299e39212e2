// npm run test:mutations [-- MODULE ...] [--mutants N] [--seed N] [--json FILE]
//
// Changes the code of a module in one place at a time, and runs the tests that reach this place. A mutant that no test
// notices survives: either a test is missing, or the change makes no difference (`equivalent.json`, each with a reason).
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The modules that guard users' data, and the test files that are expected to notice a change of each. */
const modules = {
  'services/kv/bulk': ['services/kv/**', 'faults/bulk-*', 'model/kv/**', 'services/tasks/**', 'scripts/kv*'],
  'services/kv/transfer': ['services/kv/**', 'services/tasks/**', 'model/kv/**', 'scripts/kv*'],
  'services/objects/parts': ['services/objects/**', 'services/tasks/**', 's3/**', 'scripts/objects*'],
  'services/objects/sync.ts': ['services/objects/**', 'model/objects/**', 'scripts/objects*'],
  'services/undo': [
    'services/undo/**',
    'faults/undo-*',
    'components/undo/**',
    'scripts/{objects,hostnames}*',
  ],
  'services/tasks': ['services/tasks/**', 'components/tasks/**', 'lock/**'],
  'services/hostnames/fleet': [
    'services/hostnames/**',
    'model/hostnames/**',
    'cli/commands/hostname*',
    'scripts/hostnames*',
  ],
  store: ['store/**', 'fuzz/store*', 'sandbox/kv/**', 'sandbox/objects/**', 'sandbox/hostnames/**'],
  profiles: ['profiles/**', 'cli/commands/profile*', 'cli/where-it-acts*', 'scripts/profile*'],
  v4: ['v4/**', 'services/session/**', 'faults/cut-answers*', 'fuzz/v4*'],
};

/** Mutants that change nothing but words and their escapes: screens and messages have tests of their own. */
const excludedMutations = ['StringLiteral', 'Regex'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    json: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !(name in modules));
if (unknown.length > 0) {
  console.error(`Unknown module "${unknown[0]}". Modules: ${Object.keys(modules).join(', ')}.`);
  process.exit(2);
}
const { Stryker, Instrumenter } = await loadStryker();
const equivalent = JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'));
const results = [];
console.log(`seed ${values.seed}, up to ${values.mutants} mutants a module`);
for (const name of positionals.length > 0 ? positionals : Object.keys(modules))
  results.push(await runModule(name));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));

/** StrykerJS brings 167 packages that nothing else here needs, so it is installed at the first run only. */
async function loadStryker() {
  const version = '10.1.1';
  const packages = ['core', 'instrumenter', 'vitest-runner'].map((name) => `@stryker-mutator/${name}`);
  if (!existsSync(`node_modules/${packages[2]}`)) {
    const argv = [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      ...packages.map((name) => `${name}@${version}`),
    ];
    const { status } = spawnSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) process.exit(status ?? 1);
  }
  const [core, instrumenter] = await Promise.all(packages.slice(0, 2).map((name) => import(name)));
  return { Stryker: core.Stryker, Instrumenter: instrumenter.Instrumenter };
}

async function runModule(name) {
  const started = Date.now();
  const drawn = draw(await mutantsOf(name), Number(values.mutants), random(Number(values.seed)));
  const wanted = new Set(drawn.map((mutant) => placeOf(asReported(mutant))));
  process.env['MUTATION_TESTS'] = modules[name]
    .map((glob) => `test/${glob}.test.{ts,tsx}`)
    .flatMap(expand)
    .join(',');
  const all = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutations/vitest.config.ts', pool: 'forks', related: false },
    coverageAnalysis: 'perTest',
    mutate: drawn.map(rangeOf),
    mutator: { excludedMutations },
    concurrency: 2,
    reporters: [],
    logLevel: 'warn',
    tempDirName: join(tmpdir(), `edgectl-mutations-${process.pid}`),
    // The compiler's own check is not a test; TypeScript 7 has none of the programming interface that Stryker would use.
    disableTypeChecks: false,
    tsconfigFile: 'none.json',
    timeoutMS: 30_000,
    allowEmpty: true,
  }).runMutationTest();
  const tried = all.filter((mutant) => wanted.has(placeOf(mutant)));
  const survived = tried.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const excused = survived.filter((mutant) => reasonOf(mutant) !== undefined);
  const open = survived.filter((mutant) => reasonOf(mutant) === undefined);
  const counted = tried.length - excused.length;
  for (const mutant of open) console.log(`  survived ${lineOf(mutant)}`);
  const score = counted === 0 ? 1 : (counted - open.length) / counted;
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `${name}: ${(100 * score).toFixed(1)} % of ${counted} killed, ${open.length} survived, ` +
      `${excused.length} equivalent, ${minutes} min`,
  );
  return { name, mutants: counted, survived: open.map(lineOf), equivalent: excused.map(lineOf) };
}

/** All mutants of a module that could be drawn. */
async function mutantsOf(name) {
  const path = `src/${name}`;
  const files = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`).sort();
  const silent = Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => undefined]),
  );
  const logger = {
    ...silent,
    isDebugEnabled: () => false,
    isInfoEnabled: () => false,
    isTraceEnabled: () => false,
  };
  const sources = files.map((file) => ({ name: file, content: readFileSync(file, 'utf8'), mutate: true }));
  const { mutants } = await new Instrumenter(logger).instrument(sources, {
    plugins: null,
    excludedMutations,
    ignorers: [],
    noHeader: true,
  });
  return mutants;
}

function draw(all, count, next) {
  const left = [...all];
  const drawn = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(next() * left.length), 1));
  return drawn;
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Results count lines and columns from 1, the instrumenter from 0. */
function asReported({ location: { start, end }, ...mutant }) {
  const next = ({ line, column }) => ({ line: line + 1, column: column + 1 });
  return { ...mutant, location: { start: next(start), end: next(end) } };
}

function placeOf({ fileName, location: { start, end }, mutatorName, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  return [file, start.line, start.column, end.line, end.column, mutatorName, replacement].join(':');
}

function rangeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

function lineOf({ fileName, location, mutatorName, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  return `${file}:${location.start.line} ${mutatorName} -> ${(replacement ?? '').replaceAll(/\s+/g, ' ')}`;
}

/** Why a mutant makes no difference, if somebody has found that out. Lines move, so the code on the line decides. */
function reasonOf({ fileName, location, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  if (!existsSync(file)) return undefined;
  const code = readFileSync(file, 'utf8').split('\n')[location.start.line - 1]?.trim();
  return equivalent.find((one) => one.file === file && one.code === code && one.replacement === replacement)
    ?.reason;
}

function expand(glob) {
  const found = globSync(glob);
  if (found.length === 0) console.error(`No test file matches ${glob}.`);
  return found;
}

process.on('exit', () =>
  rmSync(join(tmpdir(), `edgectl-mutations-${process.pid}`), { recursive: true, force: true }),
);
