import { Problem } from '../../model/problem.ts';
import {
  canHave,
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

/** A setting as `setting list` shows it. */
export interface ListedSetting {
  readonly name: SettingName;
  readonly value: string;
  /** Whether somebody has set it. */
  readonly set: boolean;
  readonly values: readonly string[];
  readonly about: string;
}

/** The settings that hold. Refuses a file that cannot be read. */
export function settingsOf(world: SettingWorld): Settings {
  return readSettings(world.folders.config);
}

/** The folders in which configurations of other users are used. */
export function trustedFolders(world: SettingWorld): readonly string[] {
  const value = settingsOf(world)['trusted-folders'];
  return value === settingTable['trusted-folders'].values[0] ? [] : splitFolders(value);
}

export function listSettings(world: SettingWorld): ListedSetting[] {
  const values = settingsOf(world);
  const stored = readStored(world.folders.config);
  return settingNames.map((name) => ({
    name,
    value: values[name],
    set: stored[name] !== undefined,
    values: settingChoices(name),
    about: settingTable[name].about,
  }));
}

/** The setting of this name. Refuses a name that none has. */
export function findSetting(world: SettingWorld, name: string): ListedSetting {
  const found = listSettings(world).find((one) => one.name === name);
  if (found === undefined) throw unknown(name);
  return found;
}

/** Refuses a name that no setting has, and a value that the setting cannot have. */
export function checkSetting(name: string, value: string): SettingName {
  if (!isSettingName(name)) throw unknown(name);
  if (canHave(name, value)) return name;
  const choices = settingChoices(name).join(' or ');
  throw new Problem('usage', `The setting ${name} cannot be "${value}": it is ${choices}.`);
}

/** The value of a setting that nobody has set. Refuses a name that none has. */
export function firstValue(name: string): string {
  if (!isSettingName(name)) throw unknown(name);
  return settingTable[name].values[0];
}

/** Sets a setting. Refuses a name that none has, and a value that it cannot have. */
export async function setSetting(world: SettingWorld, name: string, value: string): Promise<void> {
  await writeSetting(world.folders.config, checkSetting(name, value), value);
}

/** Takes a setting back to what it is when nobody sets it. Refuses a name that none has. */
export async function unsetSetting(world: SettingWorld, name: string): Promise<void> {
  if (!isSettingName(name)) throw unknown(name);
  await writeSetting(world.folders.config, name, undefined);
}

function unknown(name: string): Problem {
  return new Problem('usage', `There is no setting "${name}".`, {
    hint: `There are: ${settingNames.join(', ')}.`,
  });
}
