import { asProblem, Problem } from '../../model/problem.ts';
import {
  isActive,
  isResumable,
  listSubjects,
  type Task,
  type TaskActor,
  type TaskWork,
} from '../../model/tasks/task.ts';
import { formatPlaceName, type Where } from '../../model/where.ts';
import type { Pace } from '../../text/progress.ts';
import type { World } from '../../world.ts';
import { isOwned, markInterrupted, TaskBoard } from './board.ts';
import { TaskRunner, type TaskSurface } from './runner.ts';

/** A task to start. */
export interface NewTask {
  readonly work: TaskWork;
  /** The marked items in the form that the task requires: key names, `MarkedObject`s, `MarkedHostname`s or `SyncStep`s. */
  readonly marked: Iterable<unknown>;
  readonly target: Task['target'];
  readonly where: Where;
  readonly actor?: TaskActor | undefined;
  readonly accountLabel: string;
}

/** Maximum number of tasks that run in parallel. */
const maxRunning = 3;

/** Maximum time to wait for requests in flight when the console closes, in milliseconds. Unconfirmed requests are sent again later. */
const stopTimeoutMs = 3000;

/**
 * Long operations that users start in the console. Tasks continue when the user switches the pane or the target. Tasks are saved on disk, and
 * can be resumed after a restart. Tasks for the same namespace, bucket or zone run one after another, in the order in which they were
 * started.
 */
export class TaskList {
  readonly #world: World;
  readonly #surface: TaskSurface;
  readonly #board: TaskBoard;
  readonly #running = new Map<string, TaskRunner>();
  #isClosing = false;

  private constructor(world: World, surface: TaskSurface) {
    this.#world = world;
    this.#surface = surface;
    this.#board = new TaskBoard(world);
  }

  /**
   * Opens the tasks on disk. Marks a task whose process has exited as interrupted, and deletes old tasks. If the tasks cannot be read, the
   * list is empty, and `note` is called with the reason. Also calls `note` for tasks from a newer edgectl, which are not in the list.
   */
  static async open(
    world: World,
    surface: TaskSurface,
    note: (message: string) => void = () => undefined,
  ): Promise<TaskList> {
    const list = new TaskList(world, surface);
    await list.#board
      .reload(note)
      .catch((error: unknown) => note(`Cannot read the tasks: ${asProblem(error).message}`));
    return list;
  }

  /** The tasks, newest first. Returns the same array until the next notification. */
  get tasks(): readonly Task[] {
    return this.#board.notifiedTasks;
  }

  /** Returns the current speed of a running task. */
  findPace(id: string): Pace | undefined {
    return this.#running.get(id)?.pace;
  }

  /** Returns the saved list of a task; empty if there is none. */
  async readResults<T>(id: string): Promise<readonly T[]> {
    return (await this.#board.files.readList<T>(id)) ?? [];
  }

  /** Returns whether another process owns the task. */
  isElsewhere(task: Pick<Task, 'state' | 'owner'>): boolean {
    return this.#board.isElsewhere(task);
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return this.#board.subscribe(listener);
  }

  /** Reads the tasks from disk again, including changes by other processes. */
  reload(): Promise<void> {
    return this.#board.reload();
  }

  /** Saves a new task. Starts the task as soon as fewer than `maxRunning` tasks, and no task for the same resources, are running. */
  async start({ work, marked, ...place }: NewTask): Promise<Task> {
    const id = Buffer.from(this.#world.random(8)).toString('hex');
    const task: Task = {
      version: 1,
      id,
      work,
      marked: 0,
      ...place,
      profileName: formatPlaceName(place.where),
      state: 'waiting',
      runs: 0,
      started: this.#world.now(),
      failed: { count: 0, first: [] },
      warnings: [],
      confirmed: [],
      owner: this.#board.owner(),
    };
    const added = await this.#board.add(task, marked);
    this.#startWaiting();
    return added;
  }

  /** Stops a task once its requests in flight have finished. Immediately stops a task that is waiting or already stopping. */
  async stop(id: string): Promise<void> {
    const task = this.#board.find(id);
    if (task === undefined || this.isElsewhere(task)) return;
    const running = this.#running.get(id);
    if (task.state === 'stopping') running?.stopNow();
    if (task.state === 'running') {
      this.#board.change(id, { state: 'stopping' });
      running?.stop({ isLeft: false });
    }
    if (task.state !== 'waiting') return;
    this.#board.change(id, { state: 'stopped', ended: this.#world.now(), owner: undefined });
    await this.#board.save(id);
  }

  /** Resumes a stopped task, or retries the failed items of a task. `actor` sets the profile and account (default: unchanged). */
  async resume(id: string, actor?: TaskActor): Promise<void> {
    const own = this.#board.find(id);
    if (own === undefined || (isActive(own) && !this.isElsewhere(own))) return;
    await this.#exclusively(id, async (task) => {
      if (!isResumable(task)) throw new Problem('refused', 'The task is done: another console resumed it.');
      const { files } = this.#board;
      const ended = {
        ended: undefined,
        outcome: undefined,
        faults: undefined,
        problem: undefined,
        note: undefined,
      };
      const failed = { count: 0, first: [] };
      const owner = this.#board.owner();
      const as = actor === undefined ? {} : { actor };
      const waiting = { ...task, ...as, ...ended, failed, state: 'waiting', owner } as const;
      await files.write(waiting);
      this.#board.change(id, waiting);
    });
    this.#startWaiting();
  }

  /** Removes an inactive task from the list. Does not revert the changes that the task made. */
  async remove(id: string): Promise<void> {
    const own = this.#board.find(id);
    if (own === undefined || (isActive(own) && !this.isElsewhere(own))) return;
    await this.#exclusively(id, () => this.#board.remove(id));
  }

  /**
   * Runs `work` with the state of a task on disk, which another console may have changed. Throws store-busy if another console is running
   * the task. If another console has deleted the task, only reloads the list.
   */
  async #exclusively(id: string, work: (task: Task) => Promise<void>): Promise<void> {
    const { files } = this.#board;
    try {
      await files.exclusively(id, async () => {
        const task = await files.read(id);
        if (task === undefined) return this.reload();
        if (isActive(task) && isOwned(task)) {
          throw new Problem(
            'store-busy',
            `The task is running in another console (process ${task.owner.pid}).`,
          );
        }
        await work(markInterrupted(task));
      });
    } catch (error) {
      await this.reload();
      throw error;
    }
  }

  /**
   * Interrupts all active tasks, after a short wait for requests in flight. Returns the number of interrupted tasks, which can be resumed
   * later.
   */
  async close(): Promise<number> {
    this.#isClosing = true;
    const ids = this.#board.tasks
      .filter((task) => isActive(task) && !this.isElsewhere(task))
      .map(({ id }) => id);
    const all = [...this.#running.values()];
    for (const running of all) running.stop({ isLeft: true });
    await this.#ended(all);
    for (const running of all) running.stopNow();
    for (const id of ids) {
      if (!isActive(this.#board.get(id))) continue;
      this.#board.update(id, { state: 'interrupted', owner: undefined });
      await this.#board.save(id).catch(() => undefined);
    }
    return ids.filter((id) => this.#board.get(id).state === 'interrupted').length;
  }

  async #ended(all: readonly TaskRunner[]): Promise<void> {
    if (all.length === 0) return;
    const late = new AbortController();
    const waited = this.#world.sleep(stopTimeoutMs, late.signal).catch(() => undefined);
    await Promise.race([Promise.all(all.map(({ finished }) => finished)), waited]);
    late.abort();
  }

  #startWaiting(): void {
    const running = [...this.#running.keys()].map((id) => this.#board.get(id));
    const taken = new Set(running.flatMap(({ work }) => listSubjects(work)));
    for (const task of [...this.#board.tasks].reverse()) {
      if (task.state !== 'waiting' || this.isElsewhere(task)) continue;
      const subjects = listSubjects(task.work);
      const isFree = this.#running.size < maxRunning && !subjects.some((subject) => taken.has(subject));
      for (const subject of subjects) taken.add(subject);
      if (isFree && !this.#isClosing) this.#begin(task.id);
    }
  }

  #begin(id: string): void {
    const running = new TaskRunner(id, this.#world, this.#board, this.#surface);
    this.#running.set(id, running);
    void running.finished.then(() => {
      this.#running.delete(id);
      this.#startWaiting();
    });
  }
}
