// npm run test:mutations [-- MODULE ...] [--mutants N] [--seed N] [--json FILE] [--from FILE] [--only FILE:LINE]
// [--quick]
//
// Makes one change at a time in the code of a module, and runs the tests that execute the changed code. A mutant that no test notices
// survives: either a test is missing, or the change makes no difference (`equivalent.json` lists these changes, each with a reason).
//
// StrykerJS makes the mutants, all in one copy of the code, each enabled by a switch. StrykerJS's own runner would start
// a process for each mutant; `runner.ts` keeps one process, and runs each test once for every mutant that the test
// reaches. Code that runs only when it is loaded needs a separate process for each mutant.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** The modules that protect users' data, with the test files that detect changes in each module, fastest first. */
const modules = {
  'services/kv/bulk': [
    'services/kv/bulk/{batch,reading,run}',
    'services/kv/**/*',
    'model/kv/**/*',
    'faults/bulk-put',
    'services/tasks/**/*',
    'scripts/kv',
  ],
  'services/kv/transfer': ['services/kv/**/*', 'model/kv/**/*', 'services/tasks/**/*', 'scripts/kv'],
  'services/objects/parts': ['services/objects/**/*', 's3/**/*', 'services/tasks/**/*', 'scripts/objects'],
  'services/objects/sync.ts': ['services/objects/**/*', 'model/objects/**/*', 'scripts/objects'],
  'services/undo': [
    'services/undo/**/*',
    'services/kv/*',
    'cli/loss',
    'components/undo/**/*',
    'scripts/{kv,objects,hostnames}',
  ],
  'services/tasks': ['services/tasks/**/*', 'components/tasks/**/*', 'lock/**/*'],
  'services/hostnames/fleet': [
    'services/hostnames/**/*',
    'model/hostnames/**/*',
    'cli/commands/hostname*',
    'scripts/hostnames',
  ],
  store: [
    'store/**/*',
    'sandbox/seed/replace',
    'sandbox/kv/**/*',
    'sandbox/objects/**/*',
    'sandbox/hostnames/**/*',
  ],
  profiles: ['profiles/**/*', 'cli/where-it-acts', 'cli/commands/profile*'],
  v4: ['v4/**/*', 'services/session/**/*', 'fuzz/http', 'faults/cut-answers'],
};

/** Mutants that only change words and regular expressions, because screens and messages have separate tests. */
const excludedMutations = ['StringLiteral', 'Regex'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    // Writes the result of each mutant. With --from, only the mutants that survived are tested again.
    json: { type: 'string' },
    from: { type: 'string' },
    only: { type: 'string', multiple: true },
    // Skips scripts and panes, which take seconds for a surviving mutant.
    quick: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !(name in modules));
if (unknown.length > 0) {
  console.error(`Unknown module "${unknown[0]}". Modules: ${Object.keys(modules).join(', ')}.`);
  process.exit(2);
}
const Instrumenter = await loadInstrumenter();
const { createVitest } = await import('vitest/node');
const equivalent = JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'));
const earlier = values.from === undefined ? undefined : JSON.parse(readFileSync(values.from, 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'edgectl-mutations-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const results = [];
console.log(`seed ${values.seed}, up to ${values.mutants} mutants a module`);
for (const name of positionals.length > 0 ? positionals : Object.keys(modules)) {
  results.push(await runModule(name));
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));
}
process.exit();

/** Loads StrykerJS's instrumenter. The first run installs the instrumenter, because nothing else uses its 40 dependencies. */
async function loadInstrumenter() {
  const name = '@stryker-mutator/instrumenter';
  if (!existsSync(`node_modules/${name}`)) {
    const argv = ['install', '--no-save', '--no-audit', '--no-fund', `${name}@10.1.1`];
    const { status } = spawnSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) process.exit(status ?? 1);
  }
  return (await import(name)).Instrumenter;
}

async function runModule(name) {
  const started = Date.now();
  const possible = await instrument(name);
  const mutants = choose(name, possible);
  const { fates, warnings } = await judge(name, mutants, possible);
  for (const warning of new Set(warnings)) console.log(`  ${warning}`);
  const all = mutants.map((mutant) => ({ ...mutant, fate: fates.get(mutant.id) ?? 'survived' }));
  for (const mutant of all)
    if (mutant.fate === 'survived' && reasonOf(mutant) !== undefined) mutant.fate = 'equivalent';
  const count = (fate) => all.filter((mutant) => mutant.fate === fate).length;
  for (const mutant of all)
    if (mutant.fate === 'survived' || mutant.fate === 'timeout')
      console.log(`  ${mutant.fate} ${mutant.line}${mutant.reached ? '' : ' (not reached)'}`);
  const counted = all.length - count('equivalent');
  const score = counted === 0 ? 100 : (100 * (counted - count('survived'))) / counted;
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  console.log(
    `${name}: ${score.toFixed(1)} % of ${counted} killed (${count('timeout')} by timeout), ` +
      `${count('survived')} survived, ${count('equivalent')} equivalent, ${minutes} min`,
  );
  return { name, minutes, mutants: all.map(({ id: _id, at: _at, ...mutant }) => mutant) };
}

/** Writes the files of a module with all their mutants, for `vitest.config.ts`. */
async function instrument(name) {
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
  const made = await new Instrumenter(logger).instrument(sources, {
    plugins: null,
    excludedMutations,
    ignorers: [],
    noHeader: false,
  });
  process.env['MUTATED_FILES'] = join(scratch, 'files.json');
  const contents = made.files.map((file) => [file.name, file.content]);
  writeFileSync(process.env['MUTATED_FILES'], JSON.stringify(Object.fromEntries(contents)));
  return made.mutants.filter(({ statusReason }) => statusReason === undefined).map(describe);
}

function describe({ id, fileName, location: { start }, mutatorName, replacement }) {
  const file = fileName.slice(fileName.lastIndexOf('src/'));
  const code = readFileSync(file, 'utf8').split('\n')[start.line] ?? '';
  const mutation = `${mutatorName} -> ${replacement.replaceAll(/\s+/g, ' ')}`;
  const at = `${file}:${start.line + 1}`;
  // Line numbers change, so the code on the line identifies the mutant.
  const column = start.column - (code.length - code.trimStart().length);
  const key = [file, code.trim(), column, mutatorName, replacement].join(' | ');
  return { id, at, file, code: code.trim(), replacement, line: `${at}:${start.column + 1} ${mutation}`, key };
}

function choose(name, mutants) {
  if (values.only !== undefined)
    return mutants.filter(({ at }) => values.only.some((place) => at.endsWith(place)));
  if (earlier === undefined) return draw(mutants, Number(values.mutants), random(Number(values.seed)));
  const before = earlier.find((module) => module.name === name)?.mutants ?? [];
  const keys = new Set(before.filter(({ fate }) => fate === 'survived').map(({ key }) => key));
  return mutants.filter(({ key }) => keys.has(key));
}

/** Returns the result of each mutant: killed or timeout. A mutant that survived has no result. */
async function judge(name, mutants, possible) {
  const files = [...new Set(modules[name].flatMap((glob) => expand(`test/${glob}.test.{ts,tsx}`)))];
  process.env['MUTATION_TESTS'] = JSON.stringify(files);
  process.env['MUTATION_PLAN'] = join(scratch, 'plan.json');
  const run = { fates: new Map(), finished: new Set(), warnings: [], sound: new Map(), ids: new Set() };
  for (const { id } of mutants) run.ids.add(id);
  Object.assign(run, { reachedBy: new Map(), alone: new Map(), late: new Set() });
  // Maps each source file to the test files that reach the file.
  const sources = new Map(possible.map(({ id, file }) => [id, file]));
  const testsOf = new Map();
  run.touch = (id, test) => {
    const source = sources.get(id);
    testsOf.set(source, (testsOf.get(source) ?? new Set()).add(fileOf(test)));
  };
  const vitest = await createVitest('test', {
    config: 'test/mutations/vitest.config.ts',
    include: files,
    watch: false,
    reporters: [{}],
    onConsoleLog: () => false,
  });
  // If a mutant ends or blocks the process, another process continues with the remaining mutants.
  while (!(await runTogether(vitest, run)));
  for (const mutant of mutants) mutant.reached = run.reachedBy.has(mutant.id);
  for (const [id, wanted] of run.alone) {
    if (run.fates.has(id)) continue;
    const reaching = testsOf.get(sources.get(id)) ?? new Set();
    const sound = [];
    for (const file of wanted.has('all') ? reaching : wanted)
      if (await isSound(vitest, run, file)) sound.push(file);
    if (sound.length > 0 && !(await passesAlone(vitest, id, sound))) run.fates.set(id, 'killed');
  }
  await vitest.close();
  return run;
}

/** Runs one process for all tests and mutants. Returns whether the process completed. */
async function runTogether(vitest, run) {
  const journal = join(scratch, 'journal.jsonl');
  const alive = [...run.ids].filter((id) => !run.fates.has(id));
  writeFileSync(journal, '');
  writeFileSync(
    process.env['MUTATION_PLAN'],
    JSON.stringify({ journal, alive, finished: [...run.finished] }),
  );
  let last;
  const watch = stopWhenSilent(journal);
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  await vitest.start();
  const stopped = watch.end();
  for (const entry of readJournal(journal)) {
    if (entry.try !== undefined) last = entry;
    note(run, entry);
  }
  const died = stopped || [...vitest.state.errorsSet].some((error) => /worker|exited/i.test(String(error)));
  if (!died || last === undefined) return true;
  if (run.ids.has(last.try)) run.fates.set(last.try, stopped ? 'timeout' : 'killed');
  else {
    run.finished.add(last.test);
    run.warnings.push(`${last.test} ended the process without a mutant`);
  }
  return false;
}

/**
 * Ends a process that has written nothing for a minute, because a mutant blocks the process. `end` returns whether the process was ended.
 */
function stopWhenSilent(journal) {
  let stopped = false;
  const watch = setInterval(() => {
    if (stopped || Date.now() - statSync(journal).mtimeMs < 60_000) return;
    const pid = readJournal(journal).at(-1)?.pid;
    if (pid === undefined) return;
    stopped = true;
    process.kill(pid, 'SIGKILL');
  }, 2_000);
  return {
    end: () => {
      clearInterval(watch);
      return stopped;
    },
  };
}

/** Records the output of a process about a mutant or a test. */
function note(run, entry) {
  if (entry.reached !== undefined)
    for (const id of entry.reached) {
      if (!run.reachedBy.has(id)) run.reachedBy.set(id, new Set());
      run.reachedBy.get(id).add(entry.test);
    }
  for (const id of entry.touched ?? []) run.touch(id, entry.test);
  if (entry.killed !== undefined)
    run.fates.set(entry.killed, run.late.has(entry.killed) ? 'timeout' : 'killed');
  if (entry.suspect !== undefined && /^(Test|Hook) timed out|Hit count limit/.test(entry.message))
    run.late.add(entry.suspect);
  const alone = (id, file) => run.alone.set(id, (run.alone.get(id) ?? new Set()).add(file));
  if (entry.survived !== undefined && entry.hits === 0) alone(entry.survived, fileOf(entry.test));
  if (entry.finished !== undefined) run.finished.add(entry.finished);
  for (const id of entry.static ?? []) if (run.ids.has(id)) alone(id, 'all');
  if (entry.unrepeatable === undefined) return;
  // A test that did not kill a mutant together with other tests may still kill the mutant alone.
  for (const [id, tests] of run.reachedBy)
    if (tests.has(entry.unrepeatable)) alone(id, fileOf(entry.unrepeatable));
}

/**
 * Returns true if a test file passes in a separate process without a mutant. A file that fails without a mutant proves nothing about
 * mutants.
 */
async function isSound(vitest, run, file) {
  if (!run.sound.has(file)) {
    run.sound.set(file, await passesAlone(vitest, 'none', [file]));
    if (!run.sound.get(file)) run.warnings.push(`${file} fails without a mutant`);
  }
  return run.sound.get(file);
}

/** Returns true if test files pass in a separate process in which a mutant is active while the code is loaded. */
async function passesAlone(vitest, active, files) {
  const journal = join(scratch, 'journal.jsonl');
  writeFileSync(process.env['MUTATION_PLAN'], JSON.stringify({ journal, alive: [], active, finished: [] }));
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  vitest.config.bail = 1;
  for (const project of vitest.projects) project.config.bail = 1;
  writeFileSync(journal, '');
  const watch = stopWhenSilent(journal);
  await vitest.start(files);
  return (
    !watch.end() &&
    vitest.state.errorsSet.size === 0 &&
    vitest.state.getFiles().every(({ result }) => result?.state !== 'fail')
  );
}

function fileOf(test) {
  return test.split(' > ')[0];
}

function readJournal(journal) {
  const lines = readFileSync(journal, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function draw(all, count, next) {
  const left = [...all];
  const drawn = [];
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(Math.floor(next() * left.length), 1));
  return drawn;
}

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns why a mutant makes no difference, if known. Line numbers change, so the code on the line identifies the mutant. */
function reasonOf({ file, code, replacement }) {
  return equivalent.find((one) => one.file === file && one.code === code && one.replacement === replacement)
    ?.reason;
}

function expand(glob) {
  const found = globSync(glob)
    .filter((file) => !values.quick || !/^test\/(scripts|components)\//.test(file))
    // This test mounts a file system; a mutant that prevents its cleanup would leave the mount.
    .filter((file) => file !== 'test/store/full-disk.test.ts')
    .sort();
  if (found.length === 0 && !values.quick) console.error(`No test file matches ${glob}.`);
  return found;
}
