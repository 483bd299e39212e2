import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HttpMetadata, ObjectEntry } from '../../../src/model/objects/object.ts';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import { listObjects, readObject, writeObject } from '../../../src/services/objects/objects.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { readBody, type Send } from '../../../src/v4/send.ts';
import type { World } from '../../../src/world.ts';
import { isEnded, openTasks, type Tasks } from './platform.ts';

/** The embedded platform in this process with the bucket `assets`, and tasks that act on the bucket. */
export interface ObjectTasks extends Tasks {
  /** Starts a task, and waits until it ends. */
  run(work: TaskWork, marked?: readonly unknown[]): Promise<Task>;
  /** Resumes a task, and waits until it ends. */
  again(id: string): Promise<Task>;
  put(key: string, value: string | Uint8Array, more?: Metadata): Promise<void>;
  entries(bucket?: string): Promise<ObjectEntry[]>;
  keys(bucket?: string): Promise<string[]>;
  text(key: string, bucket?: string): Promise<string | undefined>;
  /** Returns a path below the working directory. */
  path(name: string): string;
  /** Creates a file below the working directory, including the folders on its path, and returns the path of the file. */
  write(name: string, value: string | Uint8Array): string;
  read(name: string): string;
}

interface Metadata {
  readonly httpMetadata?: HttpMetadata;
  readonly customMetadata?: Readonly<Record<string, string>>;
}

/**
 * Opens the platform. `base` is the World of an earlier platform, whose data and tasks are reused. `through` wraps the platform calls of
 * tasks.
 */
export async function openObjectTasks(
  through: (send: Send) => Send = (send) => send,
  base?: World,
): Promise<ObjectTasks> {
  const tasks = await openTasks(through, base);
  const { world, session, list, start, until } = tasks;
  if (base === undefined) await createBucket(session, 'assets');
  return {
    ...tasks,
    run: async (work, marked) => until((await start(work, marked)).id, isEnded),
    async again(id) {
      await list.resume(id);
      return until(id, isEnded);
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
