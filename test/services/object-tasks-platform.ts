import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HttpMetadata, ObjectEntry } from '../../src/model/object.ts';
import { isActive, type Task, type TaskWork } from '../../src/model/task.ts';
import { createBucket } from '../../src/services/buckets.ts';
import { listObjects, readObject, writeObject } from '../../src/services/objects.ts';
import { openSession, plainChoice, type Session } from '../../src/services/session.ts';
import { TaskList } from '../../src/services/tasks.ts';
import { readBody, type Send } from '../../src/v4/send.ts';
import type { World } from '../../src/world.ts';
import { testWorld } from '../support/world.ts';

/** The embedded platform in this process with the bucket `assets`, and tasks that act on it. */
export interface ObjectTasks {
  readonly world: World;
  readonly session: Session;
  readonly list: TaskList;
  start(work: TaskWork, marked?: readonly unknown[]): Promise<Task>;
  /** Waits until a task is as it is wanted. */
  until(id: string, isWanted: (task: Task) => boolean): Promise<Task>;
  /** Starts a task and waits for its end. */
  run(work: TaskWork, marked?: readonly unknown[]): Promise<Task>;
  /** Goes on with a task and waits for its end. */
  again(id: string): Promise<Task>;
  put(key: string, value: string | Uint8Array, more?: Metadata): Promise<void>;
  entries(bucket?: string): Promise<ObjectEntry[]>;
  keys(bucket?: string): Promise<string[]>;
  text(key: string, bucket?: string): Promise<string | undefined>;
  /** A path below the working directory. */
  path(name: string): string;
  /** A file below the working directory, with its folders; gives its path. */
  write(name: string, value: string | Uint8Array): string;
  read(name: string): string;
}

interface Metadata {
  readonly httpMetadata?: HttpMetadata;
  readonly customMetadata?: Readonly<Record<string, string>>;
}

const now = Date.UTC(2026, 10, 21, 10);

/** A World whose sleeps take no time, but those that wait for requests in flight. */
function patientWorld(): World {
  const world = testWorld({ now: () => now });
  const sleep: World['sleep'] = (milliseconds, signal) =>
    milliseconds < 3_000 || signal === undefined
      ? world.sleep(milliseconds, signal)
      : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  return { ...world, sleep };
}

/** Opens it; a World that was used before brings its data and tasks. `through` stands between tasks and platform. */
export async function openObjectTasks(
  through: (send: Send) => Send = (send) => send,
  base?: World,
): Promise<ObjectTasks> {
  const world = base ?? patientWorld();
  const open = () => openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const session = await open();
  if (base === undefined) await createBucket(session, 'assets');
  const list = await TaskList.open(world, async () => {
    const opened = await open();
    return { ...opened, send: through(opened.send) };
  });
  const place = { target: 'production', profileName: 'sandbox', accountLabel: 'Sandbox' } as const;
  const start = (work: TaskWork, marked: readonly unknown[] = []) => list.start({ work, marked, ...place });
  const until = (id: string, isWanted: (task: Task) => boolean) => untilTask(list, id, isWanted);
  const ended = (id: string) => until(id, (task) => !isActive(task));
  return {
    world,
    session,
    list,
    start,
    until,
    run: async (work, marked) => ended((await start(work, marked)).id),
    async again(id) {
      await list.resume(id);
      return ended(id);
    },
    ...objectsOf(session),
    ...filesOf(world),
  };
}

function objectsOf(session: Session): Pick<ObjectTasks, 'put' | 'entries' | 'keys' | 'text'> {
  const entries = async (bucket = 'assets') => {
    const all: ObjectEntry[] = [];
    for await (const page of listObjects(session, bucket)) all.push(...page.objects);
    return all;
  };
  return {
    entries,
    keys: async (bucket) => (await entries(bucket)).map(({ key }) => key),
    async put(key, value, { httpMetadata = {}, ...more } = {}) {
      const bytes = Buffer.from(value);
      const open = async function* () {
        yield bytes;
      };
      await writeObject(
        session,
        { bucket: 'assets', key },
        { size: bytes.length, open, httpMetadata, ...more },
      );
    },
    async text(key, bucket = 'assets') {
      const opened = await readObject(session, { bucket, key });
      return opened && Buffer.from(await readBody(opened.body)).toString('utf8');
    },
  };
}

function filesOf({ cwd }: World): Pick<ObjectTasks, 'path' | 'write' | 'read'> {
  const path = (name: string) => join(cwd, name);
  return {
    path,
    write(name, value) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), value);
      return path(name);
    },
    read: (name) => readFileSync(path(name), 'utf8'),
  };
}

function untilTask(list: TaskList, id: string, isWanted: (task: Task) => boolean): Promise<Task> {
  return new Promise((resolve) => {
    const look = () => {
      const task = list.tasks.find((one) => one.id === id);
      if (task === undefined || !isWanted(task)) return;
      unsubscribe();
      resolve(task);
    };
    const unsubscribe = list.subscribe(look);
    look();
  });
}
