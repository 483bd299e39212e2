import { type SettingName, settingTable } from '../../model/settings.ts';
import type { World } from '../../world.ts';
import { readDisplaySettings } from './display-settings.ts';
import { defaultValue, type ListedSetting, listSettings } from './settings.ts';

/** A setting with the value that this process uses. */
export interface EffectiveSetting extends ListedSetting {
  /** The value that this process uses. */
  readonly value: string;
  /** The value in the settings file, or the default value. */
  readonly stored: string;
  readonly byDefault: string;
  readonly isDefault: boolean;
  /** Source of the value: `default`, `settings.json`, the name of a variable, or `screen-reader`, a setting that overrides the theme. */
  readonly source: string;
  /** Name of the variable that overrides the settings file, if any. */
  readonly overriddenBy: string | undefined;
  /** Whether the setting allows values other than the listed values. */
  readonly isFree: boolean;
  /** Whether a change affects only consoles that are opened later. */
  readonly isReadAtStart: boolean;
}

/**
 * The variables that override a setting, in order of precedence. Flags set these variables, and the demo sets them from the user's settings.
 */
const variables: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  theme: ['EDGECTL_THEME', 'NO_COLOR'],
  'screen-reader': ['EDGECTL_SCREEN_READER'],
  mouse: ['EDGECTL_MOUSE'],
};

const readAtStart: ReadonlySet<SettingName> = new Set<SettingName>([
  'theme',
  'mouse',
  'screen-reader',
  'refresh',
  'read-only',
]);

/** Lists all settings with the values in use and their sources. Throws if the settings file cannot be read. */
export function listEffectiveSettings(world: Pick<World, 'env' | 'folders'>): readonly EffectiveSetting[] {
  const display = readDisplaySettings(world);
  const onOff = (is: boolean) => (is ? 'on' : 'off');
  const applied: Readonly<Partial<Record<SettingName, string>>> = {
    theme: display.theme,
    'screen-reader': onOff(display.screenReader),
    mouse: onOff(display.mouse),
  };
  return listSettings(world).map((setting): EffectiveSetting => {
    const { name, set } = setting;
    const stored = setting.value;
    const value = applied[name] ?? stored;
    const byDefault = defaultValue(name);
    const isOverridden = value !== stored;
    const overriddenBy = isOverridden ? findVariable(name, display.screenReader, world.env) : undefined;
    return {
      ...setting,
      value,
      stored,
      byDefault,
      isDefault: value === byDefault,
      source: overriddenBy ?? (isOverridden ? 'screen-reader' : set ? 'settings.json' : 'default'),
      overriddenBy,
      isFree: 'form' in settingTable[name],
      isReadAtStart: readAtStart.has(name),
    };
  });
}

function findVariable(name: SettingName, isReader: boolean, env: World['env']): string | undefined {
  const own = name === 'theme' && isReader ? ['EDGECTL_SCREEN_READER'] : (variables[name] ?? []);
  return own.find((one) => (env[one] ?? '') !== '');
}
