import { isRunning, readStartTicks } from '../../liveness.ts';
import { Problem } from '../../model/problem.ts';
import { isActive, type Task } from '../../model/tasks/task.ts';
import type { World } from '../../world.ts';
import { openTaskFiles, type TaskFiles } from './files.ts';

const day = 24 * 60 * 60 * 1000;
const maxAgeMs = { done: 7 * day, other: 30 * day };

/** All tasks of the user: in memory, with listeners, and on disk for the next console. */
export class TaskBoard {
  readonly files: TaskFiles;
  readonly #world: World;
  readonly #listeners = new Set<() => void>();
  #tasks: readonly Task[] = [];
  /** The tasks at the time of the last notification of listeners. */
  #notified: readonly Task[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(world: World) {
    this.#world = world;
    this.files = openTaskFiles(world);
  }

  /** The tasks at the last notification, newest first. Returns the same array until the next notification. */
  get notifiedTasks(): readonly Task[] {
    return this.#notified;
  }

  /** The current tasks, newest first. */
  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  find(id: string): Task | undefined {
    return this.#tasks.find((task) => task.id === id);
  }

  get(id: string): Task {
    const task = this.find(id);
    if (task === undefined) throw new Problem('bug', `No task ${id}.`);
    return task;
  }

  /** Returns this process, as the owner of a task. */
  owner(): Task['owner'] {
    const { pid } = this.#world;
    return { pid, start: readStartTicks(pid) };
  }

  /** Returns whether another process owns the task. */
  isElsewhere({ state, owner }: Pick<Task, 'state' | 'owner'>): boolean {
    return isActive({ state }) && owner?.pid !== this.#world.pid;
  }

  /**
   * Reads the tasks from disk again. Marks a task whose process has exited as interrupted, and deletes old tasks. Calls `note` with messages
   * about files that are skipped.
   */
  async reload(note?: (message: string) => void): Promise<void> {
    const all = await this.files.readAll(note);
    const found = all.filter((task) => !this.#isOld(task)).map((task) => this.#merged(task));
    const known = new Set(all.map(({ id }) => id));
    // Keeps tasks that were added during the reading.
    const added = this.#tasks.filter(
      (task) => !known.has(task.id) && isActive(task) && !this.isElsewhere(task),
    );
    this.#tasks = [...added, ...found];
    this.notify();
    for (const task of all) if (this.#isOld(task)) await this.files.remove(task.id);
  }

  /** Adds a task with its marked items: first on disk, then in memory. If a step fails, deletes the task's files. */
  async add(task: Task, marked: Iterable<unknown>): Promise<Task> {
    try {
      const added = { ...task, marked: await this.files.writeMarked(task.id, marked) };
      await this.files.write(added);
      this.#tasks = [added, ...this.#tasks];
      this.notify();
      return added;
    } catch (error) {
      await this.files.remove(task.id).catch(() => undefined);
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await this.files.remove(id);
    this.#tasks = this.#tasks.filter((one) => one.id !== id);
    this.notify();
  }

  /** Changes a task without notifying listeners, for changes that occur many times per second. */
  update(id: string, change: Partial<Task>): void {
    this.#tasks = this.#tasks.map((one) => (one.id === id ? { ...one, ...change } : one));
  }

  change(id: string, change: Partial<Task>): void {
    this.update(id, change);
    this.notify();
  }

  notify(): void {
    this.#notified = this.#tasks;
    for (const listener of this.#listeners) listener();
  }

  /** Saves a task. Tasks are saved one at a time, so an older state never replaces a newer state. */
  async save(id: string): Promise<void> {
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(async () => {
        const task = this.find(id);
        if (task !== undefined) await this.files.write(task);
      });
    await this.#writing;
  }

  #merged(read: Task): Task {
    const own = this.find(read.id);
    return own !== undefined && this.#isNewer(own, read) ? own : markInterrupted(read);
  }

  /** Returns whether the state of a task in memory is newer than its state on disk. Always true for a task that this process runs. */
  #isNewer(own: Task, read: Task): boolean {
    const isOurs = isActive(own) && !this.isElsewhere(own);
    return isOurs || read.owner?.pid === this.#world.pid || own.runs > read.runs;
  }

  #isOld(task: Task): boolean {
    if (isActive(task)) return false;
    return (
      (task.ended ?? task.started) < this.#world.now() - maxAgeMs[task.state === 'done' ? 'done' : 'other']
    );
  }
}

/** Returns the task; if it is active but its process has exited, returns it in the state `interrupted`. */
export function markInterrupted(task: Task): Task {
  return isActive(task) && !isOwned(task) ? { ...task, state: 'interrupted', owner: undefined } : task;
}

/** Returns whether a running process owns the task. */
export function isOwned(task: Task): task is Task & { readonly owner: NonNullable<Task['owner']> } {
  const { owner } = task;
  if (owner === undefined || !isRunning(owner.pid)) return false;
  return owner.start === undefined || readStartTicks(owner.pid) === owner.start;
}
