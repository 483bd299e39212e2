import { IndexRanges } from '../../model/kv/index-ranges.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { Progress } from '../../model/progress.ts';
import type { Remedy, RemedyTexts } from '../../model/remedy.ts';
import type { Task, TaskState } from '../../model/tasks/task.ts';
import { formatAdvice } from '../../text/problem.ts';
import { type Pace, PaceMeter } from '../../text/progress.ts';
import { groupDigits } from '../../text/size.ts';
import type { World } from '../../world.ts';
import { namespaceAddress } from '../kv/bulk/bulk.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import type { TaskBoard } from './board.ts';
import type { SessionChoice, TaskContext, TaskOutcome } from './context.ts';
import { diagnoseHostnames, exportHostnames } from './hostname-reading.ts';
import { changeHostnames, reconcileHostnames } from './hostnames.ts';
import {
  clearNamespace,
  copyMarkedKeys,
  deleteKeys,
  expireKeys,
  exportKeys,
  exportNamespace,
  importKeys,
} from './keys.ts';
import {
  copyMarkedObjects,
  deleteObjects,
  deleteWholeBucket,
  downloadMarked,
  uploadMarked,
} from './objects.ts';
import { planHostnames } from './planning.ts';
import { syncObjects } from './sync.ts';

/** The task that a session belongs to, for questions to the user about the session's writes. */
export interface TaskBehind {
  readonly task: Task;
  /** The signal is aborted when the task is stopped, to withdraw the question. */
  readonly stopped: AbortSignal;
}

/** Opens the session of a task. Calls `note` with messages about retries and waits, and with undefined to clear the message. */
type OpenTaskSession = (
  choice: SessionChoice,
  note: (message: string | undefined) => void,
  behind: TaskBehind,
) => Promise<Session>;

/** The parts that an interface provides for tasks: a function that opens sessions, and the wording of remedies. */
export interface TaskSurface {
  readonly open: OpenTaskSession;
  readonly words: RemedyTexts;
}

/** Minimum intervals in milliseconds: between two notifications of progress (`tell`), and between two saves of progress (`note`). */
const intervals = { tell: 100, note: 1000 };

const maxWarnings = 20;

/** One run of a task. Starts immediately, and updates the task's state on the board until the run ends. */
export class TaskRunner {
  readonly #id: string;
  readonly #world: World;
  readonly #board: TaskBoard;
  readonly #open: OpenTaskSession;
  readonly #words: RemedyTexts;
  readonly #stop = new AbortController();
  readonly #hard = new AbortController();
  readonly #signal: AbortSignal;
  readonly #meter = new PaceMeter();
  #isLeft = false;
  #isTelling = false;
  #noted: number;
  /** Resolves when the run has ended and the final state is saved. Never rejects. */
  readonly finished: Promise<void>;
  /** The current speed; undefined if unknown. */
  pace: Pace | undefined;

  constructor(id: string, world: World, board: TaskBoard, { open, words }: TaskSurface) {
    this.#id = id;
    this.#world = world;
    this.#board = board;
    this.#open = open;
    this.#words = words;
    this.#noted = world.now();
    this.#signal = AbortSignal.any([world.interrupted, this.#stop.signal]);
    const runs = board.get(id).runs + 1;
    board.change(id, { state: 'running', runs, begun: world.now(), owner: board.owner() });
    this.finished = this.#run();
  }

  /**
   * Stops the run once the requests in flight have finished. `isLeft` means that the console is closing; otherwise, the user stopped the
   * task.
   */
  stop({ isLeft }: { readonly isLeft: boolean }): void {
    this.#isLeft ||= isLeft;
    this.#stop.abort();
  }

  /** Stops the run and aborts the requests in flight. */
  stopNow(): void {
    this.#hard.abort();
  }

  async #run(): Promise<void> {
    try {
      const outcome = await this.#work();
      if (outcome.stopped === undefined) {
        await this.#end(outcome.failed.count === 0 ? 'done' : 'partly', toResult(outcome));
      } else await this.#endEarly(outcome.stopped, toResult(outcome));
    } catch (error) {
      await this.#endEarly(
        this.#signal.aborted ? new Problem('interrupted', 'Stopped.') : asProblem(error),
        {},
      );
    }
  }

  async #work(): Promise<TaskOutcome> {
    await this.#board.save(this.#id);
    const task = this.#board.get(this.#id);
    const session = await this.#session({ ...task.actor, target: task.target });
    try {
      const place = await namespaceAddress(session, '');
      if (task.place !== undefined && task.place !== place) throw findOtherPlace(task);
      this.#board.change(this.#id, { place, where: task.where ?? session.where, progress: undefined });
      return await doWork(this.#runOver(session));
    } finally {
      await session.close();
    }
  }

  async #session(choice: SessionChoice): Promise<Session> {
    const behind = { task: this.#board.get(this.#id), stopped: this.#signal };
    const session = await this.#open(choice, (note) => this.#board.change(this.#id, { note }), behind);
    return stoppable(withEndSignal(session, this.#hard.signal), this.#signal);
  }

  #runOver(session: Session): TaskContext {
    const task = this.#board.get(this.#id);
    const confirmed = new IndexRanges(task.confirmed);
    return {
      task,
      work: task.work,
      session,
      files: this.#board.files,
      open: (choice) => this.#session(choice.profile === undefined ? { ...choice, ...task.actor } : choice),
      confirmed,
      confirm: (range) => {
        confirmed.add(range);
        this.#board.update(this.#id, { confirmed: confirmed.toArray() });
        this.#noteNowAndThen();
      },
      reporter: {
        progress: (progress) => this.#progress(progress),
        warn: (message) => this.#warn(message),
      },
    };
  }

  #progress(progress: Progress): void {
    this.pace = this.#meter.add(progress, this.#world.now());
    this.#board.update(this.#id, { progress });
    this.#noteNowAndThen();
    if (this.#isTelling) return;
    this.#isTelling = true;
    const tell = () => {
      this.#isTelling = false;
      this.#board.notify();
    };
    this.#world.sleep(intervals.tell).then(tell, tell);
  }

  /**
   * Adds a warning to the task. Ignores remedies, which are about an earlier run or about stopping, because the task's pane shows the same
   * advice.
   */
  #warn(message: string | Remedy): void {
    if (typeof message !== 'string') return;
    const { warnings } = this.#board.get(this.#id);
    if (warnings.at(-1) === message) return;
    this.#board.change(this.#id, { warnings: [...warnings, message].slice(-maxWarnings) });
  }

  #noteNowAndThen(): void {
    const now = this.#world.now();
    if (Math.abs(now - this.#noted) < intervals.note) return;
    this.#noted = now;
    this.#board.save(this.#id).catch(() => undefined);
  }

  /** Ends a run after a problem, or because the user stopped the task or closed the console. */
  async #endEarly(problem: Problem, result: Partial<Task>): Promise<void> {
    const { code, message } = problem;
    const isLeft = this.#isLeft || this.#world.interrupted.aborted;
    if (code === 'interrupted') return this.#end(isLeft ? 'interrupted' : 'stopped', result);
    return this.#end('failed', {
      ...result,
      problem: { code, message, hint: formatAdvice(problem, this.#words) },
    });
  }

  /** Saves the final state before notifying listeners, because a listener may resume the task immediately. */
  async #end(state: TaskState, change: Partial<Task>): Promise<void> {
    const { confirmed } = this.#board.get(this.#id);
    const done = new IndexRanges(confirmed).count;
    const outcome = done === 0 ? undefined : `Done so far: ${groupDigits(done)}.`;
    const ended = { state, ended: this.#world.now(), owner: undefined, note: undefined };
    this.#board.update(this.#id, { outcome, ...change, ...ended });
    await this.#board.save(this.#id).catch(() => undefined);
    this.#board.notify();
  }
}

/** Returns a session whose calls are aborted by the signal `end`, including calls that continue after an interruption. */
function withEndSignal(session: Session, end: AbortSignal): Session {
  return {
    ...session,
    send(call) {
      const signal = call.signal === undefined ? end : AbortSignal.any([call.signal, end]);
      return session.send({ ...call, signal });
    },
  };
}

function toResult({ summary, failed, faults }: TaskOutcome): Partial<Task> {
  return { outcome: summary, failed, ...(faults && { faults }) };
}

function findOtherPlace({ profileName, accountLabel }: Task): Problem {
  return new Problem(
    'usage',
    `The task belongs to ${profileName} (${accountLabel}), but this console uses another profile or account.`,
    { hint: `Switch to ${profileName}, or open the console with ${profileName}, and resume the task.` },
  );
}

/** Runs the work of a task, by its kind. */
export function doWork(context: TaskContext): Promise<TaskOutcome> {
  const { work } = context;
  switch (work.does) {
    case 'import-keys':
      return importKeys({ ...context, work });
    case 'export-keys':
      return exportKeys({ ...context, work });
    case 'export-namespace':
      return exportNamespace({ ...context, work });
    case 'clear-namespace':
      return clearNamespace({ ...context, work });
    case 'delete-keys':
      return deleteKeys({ ...context, work });
    case 'expire-keys':
      return expireKeys({ ...context, work });
    case 'copy-keys':
      return copyMarkedKeys({ ...context, work });
    case 'upload':
      return uploadMarked({ ...context, work });
    case 'download':
      return downloadMarked({ ...context, work });
    case 'copy-objects':
      return copyMarkedObjects({ ...context, work });
    case 'delete-objects':
      return deleteObjects({ ...context, work });
    case 'delete-bucket':
      return deleteWholeBucket({ ...context, work });
    case 'sync-objects':
      return syncObjects({ ...context, work });
    case 'delete-hostnames':
    case 'refresh-hostnames':
    case 'edit-hostnames':
      return changeHostnames({ ...context, work });
    case 'diagnose-hostnames':
      return diagnoseHostnames({ ...context, work });
    case 'export-hostnames':
      return exportHostnames({ ...context, work });
    case 'plan-hostnames':
      return planHostnames({ ...context, work });
    case 'reconcile-hostnames':
      return reconcileHostnames({ ...context, work });
  }
}
