import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../../files/folders.ts';
import { findNewerVersion, removeExpired } from '../../../files/stored.ts';
import {
  type Checkpoint,
  type CheckpointKey,
  isSameFile,
  parseCheckpoint,
} from '../../../model/kv/checkpoint.ts';
import { isProblem, Problem } from '../../../model/problem.ts';
import type { World } from '../../../world.ts';
import { onMissing, readStoredState, writeStoredState } from '../../session/state-file.ts';

/** The user's checkpoints, in the state folder. Each checkpoint is a file whose name is a hash of the checkpoint's key. */
export interface Checkpoints {
  find(key: CheckpointKey): Promise<Checkpoint | undefined>;
  /** Returns all checkpoints that this version can read, newest first. */
  list(): Promise<Checkpoint[]>;
  /**
   * Replaces the checkpoint's file atomically. If the process is killed, nothing is lost. A power failure loses at most the progress in the
   * last second; the entries that were sent in that second are sent again.
   */
  write(checkpoint: Checkpoint): Promise<void>;
  remove(key: CheckpointKey): Promise<void>;
  /** Deletes checkpoints for earlier contents of the same file, and checkpoints that have not changed for a month. */
  removeStale(key: CheckpointKey, path: string | undefined): Promise<void>;
}

/** Minimum time between two disk syncs, in milliseconds: a sandbox can accept hundreds of batches per second. */
const syncInterval = 1000;

const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/** Opens the user's checkpoints. Creates no folder before the first write. */
export function openCheckpoints(world: World): Checkpoints {
  const folder = join(world.folders.state, 'checkpoints');
  let synced = Number.NEGATIVE_INFINITY;
  const getFile = (key: CheckpointKey): string => join(folder, `${checkpointName(key)}.json`);
  return {
    find: async (key) => read(getFile(key)),
    async list() {
      const names = (await readdir(folder).catch(onMissing([]))).filter((name) => name.endsWith('.json'));
      const found = names.map((name) => readKnown(join(folder, name)));
      return found.filter((one) => one !== undefined).sort((a, b) => b.updated - a.updated);
    },
    async write(checkpoint) {
      makePrivateFolder(folder);
      const path = getFile(checkpoint);
      const now = world.now();
      const isDue = Math.abs(now - synced) >= syncInterval;
      if (isDue) synced = now;
      await writeStoredState(world, 'checkpoint', path, checkpoint, { sync: isDue }).catch(unwritable);
    },
    remove: (key) => rm(getFile(key), { force: true }),
    async removeStale(key, path) {
      const oldest = world.now() - maxAgeMs;
      for (const name of await readdir(folder).catch(onMissing([]))) {
        const file = join(folder, name);
        const found = readKnown(file);
        const updated = found?.updated ?? (await stat(file).catch(onMissing(undefined)))?.mtimeMs ?? 0;
        const isOther = found !== undefined && isSameFile(found, key, path) && file !== getFile(key);
        if (isOther || updated < oldest) await removeExpired('checkpoint', file);
      }
    },
  };
}

function checkpointName({ operation, target, input }: CheckpointKey): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, target, input]))
    .digest('hex')
    .slice(0, 40);
}

function read(path: string): Checkpoint | undefined {
  const text = readStoredState('checkpoint', path);
  return text === undefined ? undefined : parseCheckpoint(text);
}

/** Reads a checkpoint as `read` does, but returns undefined for a checkpoint in the format of a newer edgectl. */
function readKnown(path: string): Checkpoint | undefined {
  return findNewerVersion('checkpoint', path) === undefined ? read(path) : undefined;
}

function unwritable(error: unknown): never {
  if (isProblem(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Problem('store-invalid', `Cannot save the progress: ${reason}.`, { cause: error });
}
