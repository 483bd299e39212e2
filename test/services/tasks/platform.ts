import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { remedyWords } from '../../../components/kit/remedy-words.ts';
import { isActive, type Task, type TaskWork } from '../../../src/model/tasks/task.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import type { SessionChoice } from '../../../src/services/tasks/context.ts';
import { TaskList } from '../../../src/services/tasks/tasks.ts';
import type { Send } from '../../../src/v4/send.ts';
import type { World } from '../../../src/world.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

/** The embedded platform in this process, and tasks that act on it. */
export interface Tasks {
  readonly world: World;
  readonly session: Session;
  readonly list: TaskList;
  /** Sessions that tasks have opened, in order. */
  readonly opened: { readonly choice: SessionChoice; isOpen: boolean }[];
  /** Notices that the next session reports, such as a retry. */
  readonly noteOf: string[];
  start(work: TaskWork, marked?: readonly unknown[]): Promise<Task>;
  /** Waits until a task meets a condition. */
  until(id: string, isWanted: (task: Task) => boolean): Promise<Task>;
}

/** A fixed point in time: 2026-11-21T10:00:00Z. */
export const now = Date.UTC(2026, 10, 21, 10);

/** Waits until a check passes, even on a busy machine. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 8000, interval: 5 });
}

/** Returns true if a task has ended, with any result. */
export const isEnded = (task: Task): boolean => !isActive(task);

/**
 * Opens the platform. `base` is the World of an earlier platform, whose data and tasks are reused. `through` wraps the platform calls of
 * tasks.
 */
export async function openTasks(
  through: (send: Send) => Send = (send) => send,
  base?: World,
): Promise<Tasks> {
  const world = base ?? patientWorld();
  const open = (note: (message: string) => void = () => undefined) =>
    openSession(world, { ...plainChoice, profile: 'sandbox' }, { note });
  const opened: Tasks['opened'] = [];
  const noteOf: string[] = [];
  const list = await TaskList.open(world, {
    words: remedyWords,
    async open(choice, note) {
      const session = await open(note);
      const one = { choice, isOpen: true };
      opened.push(one);
      for (const words of noteOf.splice(0)) session.note(words);
      const close = async () => {
        one.isOpen = false;
        await session.close();
      };
      return { ...session, send: through(session.send), close };
    },
  });
  const session = await open();
  const place = { target: 'production', where: session.where, accountLabel: 'Sandbox' } as const;
  return {
    world,
    session,
    list,
    opened,
    noteOf,
    start: (work, marked = []) => list.start({ work, marked, ...place }),
    until: (id, isWanted) => untilTask(list, id, isWanted),
  };
}

/** Returns a World whose sleeps take no time, except those that wait for running requests. */
export function patientWorld(clock: () => number = () => now): World {
  // The working directory is below a separate folder, so that stray files are detected.
  const cwd = join(scratchFolder('cwd'), 'work');
  mkdirSync(cwd);
  const world = testWorld({ now: clock, cwd });
  const sleep: World['sleep'] = (milliseconds, signal) =>
    milliseconds < 10_000 || signal === undefined
      ? world.sleep(milliseconds, signal)
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return { ...world, sleep };
}

function untilTask(list: TaskList, id: string, isWanted: (task: Task) => boolean): Promise<Task> {
  return new Promise((resolve) => {
    const view = () => {
      const task = list.tasks.find((one) => one.id === id);
      if (task === undefined || !isWanted(task)) return;
      unsubscribe();
      resolve(task);
    };
    const unsubscribe = list.subscribe(view);
    view();
  });
}
