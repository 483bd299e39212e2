import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { readStoredText } from '../files/stored.ts';
import type { Format } from '../model/formats.ts';
import { asProblem, Problem } from '../model/problem.ts';
import {
  checkProfile,
  checkProfileName,
  defaultBrand,
  isProfileName,
  nameTakenProblem,
  type Profile,
  sandboxProfile,
  unknownProfileProblem,
  unstoredProfileProblem,
} from './profile.ts';
import { sealedShape } from './sealed.ts';
import { readStored } from './settings.ts';
import { type OpenStore, openStore, writeStore } from './store.ts';

/** A row of the list of profiles. `chosen`: whether it is the active profile. */
export interface ProfileRow {
  readonly name: string;
  readonly builtIn: boolean;
  readonly chosen: boolean;
  /** The profile; undefined for the built-in profile, and if the file cannot be read. */
  readonly profile?: Profile;
  /** The reason why the profile's file cannot be read. */
  readonly problem?: Problem;
}

/**
 * The user's profiles, and the name of the active profile. Each profile is a separate file (mode 0600, written atomically), so that two
 * processes do not overwrite each other's changes. Every call reads the disk again. An unreadable file causes an error that names the file,
 * and is never overwritten.
 */
export interface Profiles {
  /** Returns all profiles sorted by name, with the built-in profile first. */
  list(): ProfileRow[];
  names(): string[];
  find(name: string): Profile | undefined;
  /** Returns the name of the active profile, which may no longer exist. */
  chosen(): string | undefined;
  use(name: string): void;
  /** Saves a profile. Throws if the name already exists, unless `replace` is set. */
  save(profile: Profile, options?: { replace?: boolean }): void;
  /** Throws if there is no stored profile with this name. */
  checkRemovable(name: string): void;
  /** Removes a profile. If the profile was active, no profile is active afterwards. */
  remove(name: string): void;
}

const stored = v.object({
  apiBaseUrl: v.string(),
  auth: v.optional(
    v.union([v.object({ token: v.string() }), v.object({ email: v.string(), apiKey: v.string() })]),
  ),
  sealed: v.optional(sealedShape),
  accountId: v.optional(v.string()),
  zoneId: v.optional(v.string()),
  brand: v.optional(v.string(), defaultBrand),
  requestBudget: v.optional(v.number()),
  readOnly: v.optional(v.boolean()),
});

const settings = v.object({ profile: v.optional(v.string()) });

/** Opens the profiles in the user's configuration folder (`World.folders.config`). Creates no files before the first write. */
export async function openProfiles(folder: string): Promise<Profiles> {
  return new ProfileFiles(folder, await openStore());
}

class ProfileFiles implements Profiles {
  readonly #folder: string;
  readonly #profilesFolder: string;
  readonly #open: OpenStore;

  constructor(folder: string, open: OpenStore) {
    this.#folder = folder;
    this.#profilesFolder = join(folder, 'profiles');
    this.#open = open;
  }

  list(): ProfileRow[] {
    const chosen = this.chosen();
    return [
      { name: sandboxProfile, builtIn: true, chosen: chosen === sandboxProfile },
      ...this.names().map((name) => ({
        name,
        builtIn: false,
        chosen: chosen === name,
        ...this.#profileOrProblem(name),
      })),
    ];
  }

  names(): string[] {
    if (!existsSync(this.#profilesFolder)) return [];
    return readdirSync(this.#profilesFolder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .filter((name) => isProfileName(name) && name !== sandboxProfile)
      .sort();
  }

  find(name: string): Profile | undefined {
    if (!this.names().includes(name)) return undefined;
    return this.#read('profile', name, this.#profilesFolder, (data) =>
      checkProfile({ name, ...v.parse(stored, data) }),
    );
  }

  chosen(): string | undefined {
    return this.#read('settings', 'settings', this.#folder, (data) => v.parse(settings, data).profile);
  }

  use(name: string): void {
    if (name !== sandboxProfile && !this.names().includes(name))
      throw unknownProfileProblem(name, this.names());
    this.#choose(name);
  }

  save(profile: Profile, options: { replace?: boolean } = {}): void {
    const { name, ...data } = checkProfile({ ...profile, name: checkProfileName(profile.name) });
    if (this.find(name) !== undefined && !options.replace) {
      throw nameTakenProblem(name);
    }
    this.#write('profile', name, this.#profilesFolder, data);
  }

  checkRemovable(name: string): void {
    checkProfileName(name);
    if (!this.names().includes(name)) throw unstoredProfileProblem(name, this.names());
  }

  remove(name: string): void {
    this.checkRemovable(name);
    if (this.chosen() === name) this.#choose(undefined);
    rmSync(join(this.#profilesFolder, `${name}.json`), { force: true });
  }

  /** Stores the name of the active profile. First reads the file, so that an unreadable file is not replaced. */
  #choose(name: string | undefined): void {
    if (this.chosen() === name) return;
    const { profile: _, ...others } = readStored(this.#folder);
    this.#write('settings', 'settings', this.#folder, { ...others, profile: name });
  }

  #profileOrProblem(name: string): { profile?: Profile; problem?: Problem } {
    try {
      const profile = this.find(name);
      return profile === undefined ? {} : { profile };
    } catch (error) {
      return { problem: asProblem(error) };
    }
  }

  /** Reads a file, and returns the result of `check` for its content. A missing file counts as an empty object. */
  #read<Result>(format: Format, name: string, folder: string, check: (data: unknown) => Result): Result {
    const path = join(folder, `${name}.json`);
    const text = readStoredText('config-invalid', 'settings', format, path);
    try {
      return check(text === undefined ? {} : JSON.parse(text));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Problem('config-invalid', `${path} cannot be used: ${reason}`, {
        cause: error,
        hint: 'Repair or delete the file. edgectl does not overwrite it.',
      });
    }
  }

  #write(format: Format, name: string, folder: string, data: Record<string, unknown>): void {
    writeStore(this.#open, format, name, folder, data);
  }
}
