import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  TestRunner,
  type TestTryOptions,
  vi,
} from 'vitest';

/** The input from `run.mjs`: the living mutants, or a single mutant that is active from the start of the process. */
interface Plan {
  journal: string;
  alive: string[];
  active?: string;
  /** The tests completed by an earlier process. */
  finished: string[];
}

/** The state that StrykerJS's switches use. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

type Stage = 'first' | 'again' | 'mutant' | 'confirm';

const plan: Plan = JSON.parse(readFileSync(process.env['MUTATION_PLAN'] ?? '', 'utf8'));
const switches: Switches = { activeMutant: plan.active, mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: switches });
const alive = new Set(plan.alive);
const finished = new Set(plan.finished);
/** Maximum number of mutants that a test may kill before the test is repeated without a mutant. */
const maxSuspects = 8;
// A copy, because tests may replace the global function.
const { setImmediate } = globalThis;
let strayErrors = 0;
for (const event of ['unhandledRejection', 'uncaughtException'])
  process.on(event, () => {
    strayErrors += 1;
  });

/**
 * A test runner that runs each test without a mutant, a second time to check that the result is repeatable, and then once for each living
 * mutant that the test reached. A kill counts only if the test later passes with another mutant or without a mutant.
 */
export default class MutantRunner extends TestRunner {
  #name = '';
  #stage: Stage = 'first';
  #mutant: string | undefined;
  #reached = new Set<string>();
  #left: string[] = [];
  #suspects: string[] = [];
  #folders = new Set<string>();
  #strayBefore = 0;
  #started = 0;

  /** Tests run one after another, because the active mutant applies to the whole process. */
  onCollected(files: RunnerTestFile[]): void {
    const inOrder = (task: RunnerTask): void => {
      task.concurrent = false;
      if ('tasks' in task) for (const inner of task.tasks) inOrder(inner);
    };
    for (const file of files) inOrder(file);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#name = getName(test);
    if (finished.has(this.#name)) test.mode = 'skip';
    this.#stage = 'first';
    this.#mutant = undefined;
    this.#reached = new Set();
    this.#left = [];
    this.#suspects = [];
    if (plan.active === undefined) test.retry = 1_000_000;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    this.#strayBefore = strayErrors;
    if (plan.active !== undefined) {
      write({ alone: this.#name });
      return;
    }
    this.#folders = new Set(readdirSync(tmpdir()));
    const covered = {};
    Object.assign(switches, {
      activeMutant: this.#mutant,
      currentTestId: 'now',
      hitCount: 0,
      hitLimit: 1_000_000,
    });
    switches.mutantCoverage.perTest = { now: covered };
    this.#started = Date.now();
    write({ try: this.#mutant ?? this.#stage, test: this.#name });
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    if (plan.active !== undefined) return;
    await new Promise((resolve) => setImmediate(resolve));
    const { result } = test;
    if (result === undefined || result.state === 'skip') return;
    const message = result.errors?.at(-1)?.message ?? '';
    const failed = result.state === 'fail' || strayErrors > this.#strayBefore;
    const hits = switches.hitCount ?? 0;
    Object.assign(switches, { activeMutant: undefined, currentTestId: undefined });
    if (failed) vi.useRealTimers();
    // Deletes the folders that a mutant has left behind, but not those of the first runs, which later runs may share.
    const isMutant = this.#mutant !== undefined;
    for (const name of isMutant ? readdirSync(tmpdir()) : [])
      if (!this.#folders.has(name)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
    const done = this.#next(failed, hits, message);
    result.state = done ? 'pass' : 'fail';
    // Vitest repeats a test only if the test reports an error.
    result.errors = done ? [] : [{ message: '' }];
    result.attempts = [];
    if (done) write({ finished: this.#name });
  }

  /** Records the result of a run, and prepares the next run. Returns whether no run is left. */
  #next(failed: boolean, hits: number, message: string): boolean {
    if (this.#stage === 'first' || this.#stage === 'again') return this.#clean(failed, message);
    if (this.#stage === 'mutant' && this.#mutant !== undefined)
      this.#judge(this.#mutant, failed, hits, message);
    else if (failed) return this.#giveUp(message);
    else this.#confirm();
    if (this.#left.length === 0 && this.#suspects.length === 0) return true;
    const isDue = this.#left.length === 0 || this.#suspects.length >= maxSuspects;
    this.#stage = isDue ? 'confirm' : 'mutant';
    this.#mutant = isDue ? undefined : this.#left.shift();
    return false;
  }

  /** Handles the first two runs, which have no mutant. */
  #clean(failed: boolean, message: string): boolean {
    const touched = Object.keys(switches.mutantCoverage.perTest['now'] ?? {});
    for (const id of touched) if (alive.has(id)) this.#reached.add(id);
    if (this.#stage === 'first')
      write({ reached: [...this.#reached], touched, test: this.#name, ms: Date.now() - this.#started });
    if (failed) return this.#giveUp(message);
    this.#left = [...this.#reached];
    if (this.#stage === 'first') this.#stage = 'again';
    else {
      this.#stage = 'mutant';
      this.#mutant = this.#left.shift();
    }
    return this.#reached.size === 0;
  }

  #judge(id: string, failed: boolean, hits: number, message: string): void {
    if (failed && hits > 0) {
      this.#suspects.push(id);
      write({ suspect: id, message: message.slice(0, 300) });
    } else {
      write({ survived: id, hits, test: this.#name });
      if (!failed) this.#confirm();
    }
  }

  /** Records the suspected mutants as killed, because the test still passes without a mutant. */
  #confirm(): void {
    for (const id of this.#suspects.splice(0)) {
      alive.delete(id);
      write({ killed: id, test: this.#name });
    }
  }

  #giveUp(message: string): true {
    write({ unrepeatable: this.#name, stage: this.#stage, message: message.slice(0, 300) });
    this.#suspects = [];
    return true;
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files);
    write({ static: Object.keys(switches.mutantCoverage.static), pid: process.pid });
  }
}

function getName(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  return `${test.file.name} > ${names.join(' > ')}`;
}

function write(entry: object): void {
  appendFileSync(plan.journal, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
}
