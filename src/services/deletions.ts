import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../files/folders.ts';
import { removeExpired } from '../files/stored.ts';
import type { World } from '../world.ts';
import { readStoredState, writeStoredState } from './session/state-file.ts';

/** Maximum number of names to save for a report of differences. */
const maxNames = 1000;

/** Lifetime of a saved dry run, in milliseconds. */
const lifeMs = 24 * 60 * 60 * 1000;

const shape = v.object({
  expires: v.number(),
  /** The name of each item, and a value that distinguishes the item from a later item with the same name. */
  things: v.array(v.tuple([v.string(), v.string()])),
});

type Thing = readonly [name: string, detail: string];

/**
 * The items that a command would delete in one location (such as a namespace), in a fixed order. The hash identifies exactly these items.
 */
export class Deletion {
  readonly #hash = createHash('sha256');
  readonly #first: Thing[] = [];
  #digest: string | undefined;
  #count = 0;

  /** `place` identifies the location of the items, so that a hash for another location does not match. */
  constructor(place: readonly string[]) {
    this.#hash.update(JSON.stringify(place));
  }

  /** Adds an item. `detail` distinguishes the item from a later item with the same name. */
  add(name: string, detail = ''): void {
    this.#hash.update(JSON.stringify([name, detail]));
    this.#count++;
    if (this.#first.length < maxNames) this.#first.push([name, detail]);
  }

  get count(): number {
    return this.#count;
  }

  /** The hash of the items, as 12 hexadecimal digits. Items cannot be added after the first use. */
  get hash(): string {
    this.#digest ??= this.#hash.digest('hex').slice(0, 12);
    return this.#digest;
  }

  /** All items; undefined if there are too many to save. */
  get things(): readonly Thing[] | undefined {
    return this.#count > maxNames ? undefined : this.#first;
  }
}

/** Names of the items that differ between a dry run and the current data. */
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

/** Saves the names of a dry run for one day. Ignores a failure, because the hash alone is sufficient to confirm a deletion. */
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
    // Possible causes: a read-only home folder, a full disk, or a file written by a newer edgectl.
  }
}

/** Returns the difference from the dry run with this hash; undefined if it was not saved on this machine, or if there are too many items. */
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
