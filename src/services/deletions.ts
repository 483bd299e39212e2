import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../files/folders.ts';
import { removeExpired } from '../files/stored.ts';
import type { World } from '../world.ts';
import { readStoredState, writeStoredState } from './session/state-file.ts';

/** Maximum number of names that are saved, to name what differs later. */
const maxNames = 1000;

/** Milliseconds after which a saved dry run is about yesterday's data. */
const lifeMs = 24 * 60 * 60 * 1000;

const shape = v.object({
  expires: v.number(),
  /** Name of a deleted item, and the value that distinguishes it from another item of the same name. */
  things: v.array(v.tuple([v.string(), v.string()])),
});

type Thing = readonly [name: string, detail: string];

/** The items that a command would delete in one place, in a fixed order. The hash identifies exactly these. */
export class Deletion {
  readonly #hash = createHash('sha256');
  readonly #first: Thing[] = [];
  #digest: string | undefined;
  #count = 0;

  /** `place` identifies the place, so that the hash of one place confirms nothing in another. */
  constructor(place: readonly string[]) {
    this.#hash.update(JSON.stringify(place));
  }

  /** `detail` differs if another item now has the same name. */
  add(name: string, detail = ''): void {
    this.#hash.update(JSON.stringify([name, detail]));
    this.#count++;
    if (this.#first.length < maxNames) this.#first.push([name, detail]);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the hash, as 12 hexadecimal digits. After this call, nothing can be added. */
  get hash(): string {
    this.#digest ??= this.#hash.digest('hex').slice(0, 12);
    return this.#digest;
  }

  /** All deleted items; undefined if they are too many to save. */
  get things(): readonly Thing[] | undefined {
    return this.#count > maxNames ? undefined : this.#first;
  }
}

/** Names of the items that differ between a dry run and now. */
export interface DeletionDifference {
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly changed: readonly string[];
}

function getFolder(world: World): string {
  return join(world.folders.state, 'deletions');
}

function getPath(world: World, hash: string): string {
  return join(getFolder(world), `${hash}.json`);
}

/**
 * Saves the names of a dry run for a day. The hash alone is enough to confirm it, so a failure to save is ignored.
 */
export async function saveDeletion(world: World, deletion: Deletion): Promise<void> {
  const { hash, things } = deletion;
  if (things === undefined) return;
  try {
    makePrivateFolder(getFolder(world));
    for (const name of readdirSync(getFolder(world))) {
      const other = join(getFolder(world), name);
      if ((read(other)?.expires ?? 0) <= world.now()) await removeExpired('deletion', other);
    }
    const fields = { expires: world.now() + lifeMs, things };
    await writeStoredState(world, 'deletion', getPath(world, hash), fields, { sync: false });
  } catch {
    // The cause is a read-only home, a full disk, or a file of a newer edgectl.
  }
}

/** The difference from a saved dry run; undefined if it was not saved here, or is too large. */
export function findDifference(
  world: World,
  hash: string,
  deletion: Deletion,
): DeletionDifference | undefined {
  const saved = read(getPath(world, hash));
  if (saved === undefined || deletion.things === undefined) return undefined;
  const before = new Map(saved.things);
  const now = new Map(deletion.things);
  return {
    added: [...now.keys()].filter((name) => !before.has(name)),
    gone: [...before.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, detail]) =>
      before.has(name) && before.get(name) !== detail ? [name] : [],
    ),
  };
}

function read(path: string): v.InferOutput<typeof shape> | undefined {
  try {
    return v.parse(shape, JSON.parse(readStoredState('deletion', path) ?? ''));
  } catch {
    return undefined;
  }
}
