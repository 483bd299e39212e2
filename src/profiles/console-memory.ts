import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { makePrivateFolder } from '../files/folders.ts';
import { findDoubt } from '../files/found.ts';
import { findNewerVersion } from '../files/stored.ts';
import { describeNewer } from '../model/formats.ts';
import { type Memory, memoryShape, noMemory } from '../model/places/memory.ts';
import { sha256 } from '../model/sha256.ts';
import { formatPlaceName, type Where } from '../model/where.ts';

/** The platform and account to which a memory belongs. */
export interface MemoryOwner {
  readonly where: Where;
  readonly accountLabel: string;
}

type Change = (memory: Memory) => Memory;

/**
 * The console's memory for a profile and account, in a separate file (mode 0600, replaced as a whole). Two consoles preserve each other's
 * changes, because each console applies its changes to the current content of the file.
 */
export class ConsoleMemory {
  readonly #path: Location;
  readonly #listeners = new Set<() => void>();
  /** The visits before this console was opened, by target. */
  readonly visitsBefore: NonNullable<Memory['visits']>;
  #memory: Memory;
  #unsaved: Change[] = [];
  #saved: Promise<void> = Promise.resolve();

  private constructor(path: Location, memory: Memory) {
    this.#path = path;
    this.#memory = memory;
    this.visitsBefore = memory.visits ?? {};
  }

  /** Reads the memory from the user's state folder (`folder`). Invalid content counts as empty and is reported to `note`. */
  static async open(
    folder: string,
    owner: MemoryOwner,
    note: (message: string) => void,
  ): Promise<ConsoleMemory> {
    const { where, accountLabel } = owner;
    const of = where.kind === 'remote' ? [where.profile, where.baseUrl] : [where.kind, where.folder];
    const hash = Buffer.from(sha256(Buffer.from(JSON.stringify([...of, accountLabel])))).toString('hex');
    const path = { folder: join(folder, 'console'), name: `${formatPlaceName(where)}-${hash.slice(0, 16)}` };
    return new ConsoleMemory(path, await read(path, note));
  }

  /** The memory's content. Returns the same object until the memory changes. */
  get current(): Memory {
    return this.#memory;
  }

  /** Changes the memory. `save` writes the change to disk. */
  readonly change = (change: Change): void => {
    const changed = change(this.#memory);
    if (changed === this.#memory) return;
    this.#memory = changed;
    this.#unsaved.push(change);
    for (const listener of this.#listeners) listener();
  };

  /** Registers a listener for changes. The returned function unregisters the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /**
   * Writes the changes to disk, one write at a time. Never rejects: the only effect of a failure is that the next console lacks the
   * changes.
   */
  save(): Promise<void> {
    this.#saved = this.#saved.then(() => this.#write());
    return this.#saved;
  }

  async #write(): Promise<void> {
    if (this.#unsaved.length === 0) return;
    const changes = this.#unsaved;
    this.#unsaved = [];
    try {
      if (findNewerVersion('console-places', getFile(this.#path)) !== undefined) return;
      const now = changes.reduce((memory, change) => change(memory), await read(this.#path, () => undefined));
      makePrivateFolder(this.#path.folder);
      (await store(this.#path)).store = { ...now };
    } catch {
      // The disk may be full or read-only. The user did not request the save.
    }
  }
}

interface Location {
  readonly folder: string;
  readonly name: string;
}

async function store({ folder, name }: Location) {
  const { default: Store } = await import('conf');
  return new Store<Record<string, unknown>>({
    cwd: folder,
    configName: name,
    configFileMode: 0o600,
  });
}

function getFile({ folder, name }: Location): string {
  return join(folder, `${name}.json`);
}

/** Reads the memory from the file. Uses the library conf only if the file exists, because conf would create the folder. */
async function read(path: Location, note: (message: string) => void): Promise<Memory> {
  const file = getFile(path);
  const version = findNewerVersion('console-places', file);
  if (version !== undefined) {
    note(describeNewer('console-places', file, version));
    return noMemory;
  }
  try {
    if (findDoubt('state', file) !== undefined) throw new Error('it is not trusted');
    return existsSync(file) ? v.parse(memoryShape, (await store(path)).store) : noMemory;
  } catch {
    note(`${file} does not contain the console's places and will be overwritten.`);
    return noMemory;
  }
}
