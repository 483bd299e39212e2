import { isRunning, startOf } from '../liveness.ts';
import { IndexRanges } from '../model/index-ranges.ts';
import { asProblem, Problem } from '../model/problem.ts';
import type { Progress } from '../model/progress.ts';
import {
  isActive,
  isResumable,
  subjectsOf,
  type Task,
  type TaskState,
  type TaskWork,
} from '../model/task.ts';
import { type Pace, PaceMeter } from '../text/progress.ts';
import type { World } from '../world.ts';
import { targetOf } from './bulk.ts';
import type { Session } from './session.ts';
import { stoppable } from './stoppable.ts';
import { openTaskFiles, type TaskFiles } from './task-files.ts';
import type { TaskOutcome, TaskPlace, TaskRun } from './task-run.ts';
import { carryOut } from './task-work.ts';

/** Opens the session that a task acts through. `note` is told of retries and waits. */
export type OpenTaskSession = (place: TaskPlace, note: (message: string) => void) => Promise<Session>;

/** A task to start. */
export interface NewTask {
  readonly work: TaskWork;
  /** What was marked, as the work takes it: names of keys, or `MarkedObject`s. */
  readonly marked: Iterable<unknown>;
  readonly target: Task['target'];
  readonly profileName: string;
  readonly accountLabel: string;
}

/** Tasks that run side by side. */
const atOnce = 3;

/** Milliseconds between two tellings of progress, and between two notes of it on disk. */
const interval = { tell: 100, note: 1000 };

/** How long the end of the console waits for requests in flight, in milliseconds. What is not confirmed is sent again. */
const patience = 3000;

const day = 24 * 60 * 60 * 1000;
const kept = { done: 7 * day, other: 30 * day };

const mostWarnings = 20;

/**
 * The long pieces of work that people start in the console. They outlive panes and targets, are kept on disk, and go
 * on after a restart. Two of the same namespace or bucket run one after the other, in the order of their start.
 */
export class TaskList {
  readonly #world: World;
  readonly #open: OpenTaskSession;
  readonly #files: TaskFiles;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, Running>();
  #tasks: readonly Task[] = [];
  /** What listeners were last told of. */
  #told: readonly Task[] = [];
  #writing: Promise<void> = Promise.resolve();
  #isClosing = false;

  private constructor(world: World, open: OpenTaskSession) {
    this.#world = world;
    this.#open = open;
    this.#files = openTaskFiles(world);
  }

  /**
   * The tasks that are on disk. One that its process has left behind is interrupted. Old ones are removed. Where they
   * cannot be read there are none, and `note` is told why.
   */
  static async open(
    world: World,
    open: OpenTaskSession,
    note: (message: string) => void = () => undefined,
  ): Promise<TaskList> {
    const list = new TaskList(world, open);
    await list.reload().catch((error: unknown) => note(`Tasks cannot be read: ${asProblem(error).message}`));
    return list;
  }

  /** The newest first. The same array until listeners are told of a change. */
  get tasks(): readonly Task[] {
    return this.#told;
  }

  /** How fast a task is at the moment. */
  paceOf(id: string): Pace | undefined {
    return this.#running.get(id)?.pace;
  }

  /** Whether another process runs the task. */
  isElsewhere({ state, owner }: Pick<Task, 'state' | 'owner'>): boolean {
    return isActive({ state }) && owner?.pid !== this.#world.pid;
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads again what other processes have changed. */
  async reload(): Promise<void> {
    const oldest = (task: Task) => this.#world.now() - kept[task.state === 'done' ? 'done' : 'other'];
    const read: Task[] = [];
    for (const task of await this.#files.readAll()) {
      const own = this.#find(task.id);
      if (own !== undefined && isActive(own)) read.push(own);
      else if (isActive(task) && !isOwned(task)) read.push({ ...task, state: 'interrupted' });
      else if (!isActive(task) && (task.ended ?? task.started) < oldest(task))
        await this.#files.remove(task.id);
      else read.push(task);
    }
    this.#publish(read);
  }

  /** Notes a task on disk, and starts it as soon as its turn comes. */
  async start({ work, marked, ...where }: NewTask): Promise<Task> {
    const id = Buffer.from(this.#world.random(8)).toString('hex');
    const started = this.#world.now();
    const fresh = { state: 'waiting', runs: 0, started, warnings: [], confirmed: [] } as const;
    const failed = { count: 0, first: [] };
    let task: Task = { version: 1, id, work, marked: 0, ...where, ...fresh, failed, owner: this.#owner() };
    try {
      task = { ...task, marked: await this.#files.writeMarked(id, marked) };
      await this.#files.write(task);
    } catch (error) {
      await this.#files.remove(id).catch(() => undefined);
      throw error;
    }
    this.#publish([task, ...this.#tasks]);
    this.#startWaiting();
    return task;
  }

  /** Stops a task after what is in flight; one that waits, and one that is stopping already, at once. */
  async stop(id: string): Promise<void> {
    const task = this.#find(id);
    if (task === undefined || this.isElsewhere(task)) return;
    if (task.state === 'waiting') await this.#end(task, 'stopped', {});
    if (task.state === 'stopping') this.#running.get(id)?.hard.abort();
    if (task.state !== 'running') return;
    this.#change(id, { state: 'stopping' });
    this.#running.get(id)?.controller.abort();
  }

  /** Goes on with a task that has stopped, or tries again what of it has failed. */
  async resume(id: string): Promise<void> {
    // Another console may have done so since.
    const task = await this.#files.read(id);
    const own = this.#find(id);
    if (task === undefined) return this.reload();
    if (own === undefined || !isResumable(own)) return;
    if (isActive(task) && isOwned(task) && task.owner?.pid !== this.#world.pid) {
      await this.reload();
      throw new Problem('store-busy', `The task runs in another console (process ${task.owner?.pid}).`);
    }
    const state = 'waiting';
    this.#change(id, {
      state,
      owner: this.#owner(),
      ended: undefined,
      outcome: undefined,
      problem: undefined,
    });
    await this.#write(id);
    this.#startWaiting();
  }

  /** Forgets a task that is not under way. What it has done stays done. */
  async remove(id: string): Promise<void> {
    const task = this.#find(id);
    if (task === undefined || isActive(task)) return;
    await this.#files.remove(id);
    this.#publish(this.#tasks.filter((one) => one.id !== id));
  }

  /** Ends all that runs, so that it can be resumed; gives how many. Waits a little for what is in flight. */
  async close(): Promise<number> {
    this.#isClosing = true;
    const all = [...this.#running.values()];
    const active = new Set(this.#running.keys());
    for (const { controller } of all) controller.abort();
    const late = new AbortController();
    const waited = this.#world.sleep(patience, late.signal).catch(() => undefined);
    await Promise.race([Promise.all(all.map(({ ended }) => ended)), ...(all.length === 0 ? [] : [waited])]);
    late.abort();
    for (const { hard } of all) hard.abort();
    const left = this.#tasks.filter((task) => isActive(task) && !this.isElsewhere(task));
    for (const task of left) {
      await this.#files.write({ ...task, state: 'interrupted', owner: undefined }).catch(() => undefined);
    }
    const ended = this.#tasks.filter(({ id, state }) => state === 'interrupted' && active.has(id));
    return left.length + ended.length;
  }

  #startWaiting(): void {
    const taken = new Set([...this.#running.keys()].flatMap((id) => subjectsOfTask(this.#find(id))));
    for (const task of [...this.#tasks].reverse()) {
      if (task.state !== 'waiting' || this.isElsewhere(task)) continue;
      const subjects = subjectsOf(task.work);
      const isFree = this.#running.size < atOnce && !subjects.some((subject) => taken.has(subject));
      for (const subject of subjects) taken.add(subject);
      if (isFree && !this.#isClosing) this.#begin(task);
    }
  }

  #begin(task: Task): void {
    const controller = new AbortController();
    const { interrupted } = this.#world;
    const signal = AbortSignal.any([interrupted, controller.signal]);
    const running: Running = {
      controller,
      hard: new AbortController(),
      meter: new PaceMeter(),
      ended: Promise.resolve(),
      isTelling: false,
    };
    this.#running.set(task.id, running);
    this.#change(task.id, { state: 'running', runs: task.runs + 1, owner: this.#owner() });
    running.ended = this.#run(task.id, signal).finally(() => {
      this.#running.delete(task.id);
      this.#startWaiting();
    });
  }

  /** Never fails. */
  async #run(id: string, signal: AbortSignal): Promise<void> {
    const end = (state: TaskState, change: Partial<Task>) => this.#end(this.#find(id), state, change);
    try {
      const outcome = await this.#work(id, signal);
      if (outcome.stopped !== undefined) await end(...endOf(outcome.stopped, this.#isClosing, outcome));
      else await end(outcome.failed.count === 0 ? 'done' : 'partly', resultOf(outcome));
    } catch (error) {
      const problem = signal.aborted ? new Problem('interrupted', 'Stopped.') : asProblem(error);
      await end(...endOf(problem, this.#isClosing, undefined));
    }
  }

  async #work(id: string, signal: AbortSignal): Promise<TaskOutcome> {
    await this.#write(id);
    const task = this.#get(id);
    const note = (message: string) => this.#warn(id, message);
    const hard = this.#running.get(id)?.hard.signal ?? signal;
    const open = async (place: TaskPlace): Promise<Session> =>
      stoppable(endable(await this.#open(place, note), hard), signal);
    const session = await open({ target: task.target });
    try {
      const place = await targetOf(session, '');
      if (task.place !== undefined && task.place !== place) throw otherPlace(task);
      this.#change(id, { place, progress: undefined });
      return await carryOut(this.#runOf(id, session, open));
    } finally {
      await session.close();
    }
  }

  #runOf(id: string, session: Session, open: TaskRun['open']): TaskRun {
    const task = this.#get(id);
    const confirmed = new IndexRanges(task.confirmed);
    const noted = { at: this.#world.now() };
    return {
      task,
      work: task.work,
      session,
      files: this.#files,
      open,
      confirmed,
      confirm: (range) => {
        confirmed.add(range);
        this.#replace({ ...this.#get(id), confirmed: confirmed.toArray() });
        this.#noteLater(id, noted);
      },
      watch: {
        progress: (progress) => {
          this.#progress(id, progress);
          this.#noteLater(id, noted);
        },
        warn: (message) => this.#warn(id, message),
      },
    };
  }

  #progress(id: string, progress: Progress): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.pace = running.meter.add(progress, this.#world.now());
    this.#replace({ ...this.#get(id), progress });
    if (running.isTelling) return;
    running.isTelling = true;
    const tell = () => {
      running.isTelling = false;
      this.#tell();
    };
    this.#world.sleep(interval.tell).then(tell, tell);
  }

  #warn(id: string, message: string): void {
    const { warnings } = this.#get(id);
    if (warnings.at(-1) !== message)
      this.#change(id, { warnings: [...warnings, message].slice(-mostWarnings) });
  }

  #noteLater(id: string, noted: { at: number }): void {
    const now = this.#world.now();
    if (Math.abs(now - noted.at) < interval.note) return;
    noted.at = now;
    this.#write(id).catch(() => undefined);
  }

  async #end(task: Task | undefined, state: TaskState, change: Partial<Task>): Promise<void> {
    if (task === undefined) return;
    this.#replace({ ...task, ...change, state, ended: this.#world.now(), owner: undefined });
    await this.#write(task.id).catch(() => undefined);
    this.#tell();
  }

  /** One after the other: an older state must not replace a newer one. */
  async #write(id: string): Promise<void> {
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const task = this.#find(id);
        if (task !== undefined) await this.#files.write(task);
      });
    await this.#writing;
  }

  #owner(): Task['owner'] {
    const { pid } = this.#world;
    return { pid, start: startOf(pid) };
  }

  #find(id: string): Task | undefined {
    return this.#tasks.find((task) => task.id === id);
  }

  #get(id: string): Task {
    const task = this.#find(id);
    if (task === undefined) throw new Problem('bug', `There is no task ${id}.`);
    return task;
  }

  #change(id: string, change: Partial<Task>): void {
    const task = this.#find(id);
    if (task === undefined) return;
    this.#replace({ ...task, ...change });
    this.#tell();
  }

  #replace(task: Task): void {
    this.#tasks = this.#tasks.map((one) => (one.id === task.id ? task : one));
  }

  #publish(tasks: readonly Task[]): void {
    this.#tasks = tasks;
    this.#tell();
  }

  #tell(): void {
    this.#told = this.#tasks;
    for (const listener of this.#listeners) listener();
  }
}

interface Running {
  /** Ends the task after what is in flight. */
  readonly controller: AbortController;
  /** Ends what is in flight too. */
  readonly hard: AbortController;
  readonly meter: PaceMeter;
  ended: Promise<void>;
  pace?: Pace;
  /** Whether its progress is going to be told. */
  isTelling: boolean;
}

/** The session whose calls, also those that outlive an interruption, end with a signal. */
function endable(session: Session, end: AbortSignal): Session {
  return {
    ...session,
    send(call) {
      const signal = call.signal === undefined ? end : AbortSignal.any([call.signal, end]);
      return session.send({ ...call, signal });
    },
  };
}

function isOwned({ owner }: Task): boolean {
  return (
    owner !== undefined &&
    isRunning(owner.pid) &&
    (owner.start === undefined || startOf(owner.pid) === owner.start)
  );
}

function subjectsOfTask(task: Task | undefined): string[] {
  return task === undefined ? [] : subjectsOf(task.work);
}

/** How a run ends that a problem, or a person, has ended early. */
function endOf(
  problem: Problem,
  isClosing: boolean,
  outcome: TaskOutcome | undefined,
): [TaskState, Partial<Task>] {
  const result = outcome === undefined ? {} : resultOf(outcome);
  if (problem.code === 'interrupted') return [isClosing ? 'interrupted' : 'stopped', result];
  const { code, message, hint } = problem;
  // What the command line would say is no advice here.
  const advice = hint?.includes('--') ? undefined : hint;
  return ['failed', { ...result, problem: { code, message, hint: advice } }];
}

function resultOf({ words, failed }: TaskOutcome): Partial<Task> {
  return { outcome: words, failed };
}

function otherPlace({ profileName, accountLabel }: Task): Problem {
  return new Problem(
    'usage',
    `The task belongs to ${profileName} (${accountLabel}), and this console shows another place.`,
    {
      hint: `Open the console on ${profileName}, and resume it there.`,
    },
  );
}
