import { Problem } from '../../model/problem.ts';
import {
  isAllowedValue,
  isSettingName,
  type SettingName,
  type Settings,
  settingChoices,
  settingNames,
  settingTable,
  splitFolders,
} from '../../model/settings.ts';
import { readSettings, readStored, writeSetting } from '../../profiles/settings.ts';
import type { World } from '../../world.ts';

type SettingWorld = Pick<World, 'folders'>;

/** A setting as shown by `setting list`. */
export interface ListedSetting {
  readonly name: SettingName;
  readonly value: string;
  /** Whether the user has set a value. */
  readonly set: boolean;
  readonly values: readonly string[];
  readonly about: string;
}

/** Returns all settings, with defaults for unset settings. Throws if the settings file cannot be read. */
export function loadSettings(world: SettingWorld): Settings {
  return readSettings(world.folders.config);
}

/** Returns the folders whose configuration files are trusted even if other users own or can change them. */
export function trustedFolders(world: SettingWorld): readonly string[] {
  const value = loadSettings(world)['trusted-folders'];
  return value === settingTable['trusted-folders'].values[0] ? [] : splitFolders(value);
}

export function listSettings(world: SettingWorld): ListedSetting[] {
  const values = loadSettings(world);
  const stored = readStored(world.folders.config);
  return settingNames.map((name) => ({
    name,
    value: values[name],
    set: stored[name] !== undefined,
    values: settingChoices(name),
    about: settingTable[name].about,
  }));
}

/** Returns a setting by name. Throws if the name is unknown. */
export function findSetting(world: SettingWorld, name: string): ListedSetting {
  const found = listSettings(world).find((one) => one.name === name);
  if (found === undefined) throw unknownSettingProblem(name);
  return found;
}

/** Returns the name of a setting. Throws if the name is unknown or the value is invalid. */
export function checkSetting(name: string, value: string): SettingName {
  if (!isSettingName(name)) throw unknownSettingProblem(name);
  if (isAllowedValue(name, value)) return name;
  const choices = settingChoices(name);
  const words = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  throw new Problem('usage', `Invalid value "${value}" for the setting ${name}: it must be ${words}.`);
}

/** Returns the default value of a setting. Throws if the name is unknown. */
export function defaultValue(name: string): string {
  if (!isSettingName(name)) throw unknownSettingProblem(name);
  return settingTable[name].values[0];
}

/** Saves the value of a setting. Throws if the name is unknown or the value is invalid. */
export async function setSetting(world: SettingWorld, name: string, value: string): Promise<void> {
  await writeSetting(world.folders.config, checkSetting(name, value), value);
}

/** Resets a setting to its default. Throws if the name is unknown. */
export async function unsetSetting(world: SettingWorld, name: string): Promise<void> {
  if (!isSettingName(name)) throw unknownSettingProblem(name);
  await writeSetting(world.folders.config, name, undefined);
}

/** Returns a sentence about the protection that is lost when a setting changes; undefined if no protection is lost. */
export function findLoss(name: SettingName, before: string, value: string): string | undefined {
  if (before === value || value !== 'off') return undefined;
  if (name === 'undo') return 'Deletes and overwrites can no longer be undone after this change.';
  return name === 'read-only' ? 'Commands can change production data after this change.' : undefined;
}

function unknownSettingProblem(name: string): Problem {
  return new Problem('usage', `Unknown setting "${name}".`, {
    hint: `Settings: ${settingNames.join(', ')}.`,
  });
}
