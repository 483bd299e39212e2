import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makePrivateFolder } from '../../files/folders.ts';
import { findNewerVersion } from '../../files/stored.ts';
import { withLock } from '../../lock.ts';
import { describeNewer } from '../../model/formats.ts';
import { Problem } from '../../model/problem.ts';
import { parseTask, type Task } from '../../model/tasks/task.ts';
import type { World } from '../../world.ts';
import type { NamedKeys } from '../kv/transfer/plan.ts';
import {
  checkStateFile,
  onMissing,
  readStateFile,
  readStoredState,
  replaceStateFile,
  writeStoredState,
} from '../session/state-file.ts';

/**
 * The user's tasks on disk, readable only by the user. `<state>/tasks/<id>/` contains the task in `task.json`, the items that the user marked
 * in `marked.ndjson`, and a list in `list.ndjson`: the items to process, or the results.
 */
export interface TaskFiles {
  /** Reads all tasks, newest first. Skips invalid tasks. Also skips tasks that a newer edgectl wrote, and reports them to `note`. */
  readAll(note?: (message: string) => void): Promise<Task[]>;
  read(id: string): Promise<Task | undefined>;
  write(task: Task): Promise<void>;
  remove(id: string): Promise<void>;
  /** Runs `work` while no other console can change the task. Throws store-busy if another console is changing the task. */
  exclusively<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Returns the path of the file with a task's marked items. Throws if the file is untrusted. */
  markedPath(id: string): string;
  /** Writes the marked items, one JSON value per line. Returns their number. */
  writeMarked(id: string, marked: Iterable<unknown>): Promise<number>;
  /** Reads the list of a task; undefined if no list has been saved. */
  readList<T>(id: string): Promise<T[] | undefined>;
  writeList(id: string, list: readonly unknown[]): Promise<void>;
  /**
   * Returns the path of the file with a task's list. If no list has been saved, saves the list that `make` yields in parts. Throws if the
   * file is untrusted.
   */
  listPathOnce(id: string, make: () => AsyncIterable<readonly unknown[]>): Promise<string>;
}

/** Opens the user's tasks. Creates no folder before the first write. */
export function openTaskFiles(world: World): TaskFiles {
  const folder = join(world.folders.state, 'tasks');
  const taskPath = (id: string, name: string): string => join(folder, id, name);
  const read = async (id: string): Promise<Task | undefined> =>
    parseTask(readStoredState('task', taskPath(id, 'task.json')) ?? '');
  return {
    read,
    async readAll(note) {
      const ids = (await readdir(folder).catch(onMissing([]))).filter((name) => /^[0-9a-f]{16}$/.test(name));
      const known = ids.filter((id) => {
        const path = taskPath(id, 'task.json');
        const version = findNewerVersion('task', path);
        if (version !== undefined) note?.(describeNewer('task', path, version));
        return version === undefined;
      });
      const found = await Promise.all(known.map(read));
      return found.filter((task) => task !== undefined).sort((one, other) => other.started - one.started);
    },
    write: (task) => writeStoredState(world, 'task', taskPath(task.id, 'task.json'), task, { sync: false }),
    remove: (id) => rm(join(folder, id), { recursive: true, force: true }),
    async exclusively(id, work) {
      let isIn = false;
      const enter = (): ReturnType<typeof work> => {
        isIn = true;
        return work();
      };
      try {
        return await withLock(taskPath(id, 'held'), { world, timeoutMs: 0, toProblem: busyProblem }, enter);
      } catch (error) {
        if (isIn) throw error;
        // A task without a folder needs no lock, and its lock file cannot be created.
        onMissing(undefined)(error);
        return work();
      }
    },
    markedPath(id) {
      const path = taskPath(id, 'marked.ndjson');
      checkStateFile(path);
      return path;
    },
    async writeMarked(id, marked) {
      makePrivateFolder(join(folder, id));
      const count = { lines: 0 };
      await writeFile(taskPath(id, 'marked.ndjson'), splitChunks(marked, count), { mode: 0o600, flag: 'wx' });
      return count.lines;
    },
    async readList<T>(id: string) {
      const text = readStateFile(taskPath(id, 'list.ndjson'));
      const lines = text?.split('\n').filter((line) => line !== '');
      return lines?.map((line): T => JSON.parse(line));
    },
    async writeList(id, list) {
      const text = list.map((item) => `${JSON.stringify(item)}\n`).join('');
      await replaceStateFile(world, taskPath(id, 'list.ndjson'), text, false);
    },
    async listPathOnce(id, make) {
      const path = taskPath(id, 'list.ndjson');
      if (!existsSync(path)) await replaceStateFile(world, path, jsonLines(make()), false);
      checkStateFile(path);
      return path;
    },
  };
}

/** Returns the error for a locked task. Callers do not wait for the lock, because changes to a task are quick. */
function busyProblem(): Problem {
  return new Problem('store-busy', 'Another console is changing this task. Try again.');
}

const linesPerChunk = 1000;

function* splitChunks(values: Iterable<unknown>, count: { lines: number }): Generator<string> {
  let lines: string[] = [];
  for (const value of values) {
    lines.push(`${JSON.stringify(value)}\n`);
    count.lines++;
    if (lines.length < linesPerChunk) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

async function* jsonLines(parts: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const part of parts) yield part.map((value) => `${JSON.stringify(value)}\n`).join('');
}

/** Yields the values in a file that `writeMarked` wrote, up to 1,000 at a time. */
export async function* readMarked<T>(path: string): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    page.push(JSON.parse(line));
    if (page.length < linesPerChunk) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Returns the keys in a file that `writeMarked` wrote. `count` is their number. */
export async function namedKeys(path: string, count: number): Promise<NamedKeys> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { count, fingerprint: hash.digest('hex'), pages: () => readMarked<string>(path) };
}
