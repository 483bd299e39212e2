import { Problem } from '../../model/problem.ts';
import { type Settings, settingTable } from '../../model/settings.ts';
import type { World } from '../../world.ts';
import { loadSettings } from './settings.ts';

/** Display settings of the console. */
export interface DisplaySettings {
  /** The name of a theme; `auto` matches the background of the terminal. */
  readonly theme: Settings['theme'];
  /** Whether changes are printed as new lines, without redrawing the screen. */
  readonly screenReader: boolean;
  /** Whether visible views are refreshed automatically. */
  readonly refresh: boolean;
  /** Whether the console handles clicks, the wheel and drags; if so, the user cannot select text with the mouse. */
  readonly mouse: boolean;
}

/** Environment variables that have the same effect as the display flags. */
export type DisplayVariables = Readonly<
  Partial<Record<'EDGECTL_THEME' | 'EDGECTL_SCREEN_READER' | 'EDGECTL_MOUSE', string>>
>;

/** Display flags; undefined or false if the user did not type the flag. */
interface DisplayFlags {
  readonly theme: string | undefined;
  readonly 'screen-reader': boolean;
  readonly mouse: boolean;
}

/** Returns the environment variables for the flags that the user typed. */
export function flagVariables({
  theme,
  'screen-reader': screenReader,
  mouse,
}: DisplayFlags): DisplayVariables {
  return {
    ...(theme !== undefined && { EDGECTL_THEME: theme }),
    ...(screenReader && { EDGECTL_SCREEN_READER: '1' }),
    ...(mouse && { EDGECTL_MOUSE: '1' }),
  };
}

/** Returns the environment variables for all display settings. */
export function displayVariables({
  theme,
  screenReader,
  mouse,
}: Omit<DisplaySettings, 'refresh'>): DisplayVariables {
  const bit = (is: boolean) => (is ? '1' : '0');
  return { EDGECTL_THEME: theme, EDGECTL_SCREEN_READER: bit(screenReader), EDGECTL_MOUSE: bit(mouse) };
}

/**
 * Returns the display settings. Environment variables override the settings file. A named theme overrides NO_COLOR, as no-color.org
 * specifies; screen-reader mode uses no colors. Throws if a variable has an unknown value, or if the settings file cannot be read.
 */
export function readDisplaySettings(world: Pick<World, 'env' | 'folders'>): DisplaySettings {
  const { theme, 'screen-reader': reader, mouse: mouseSetting, refresh } = loadSettings(world);
  const named = world.env['EDGECTL_THEME'] || undefined;
  const namedTheme = named === undefined ? undefined : readTheme(named);
  const screenReader = readSwitch('EDGECTL_SCREEN_READER', world.env) ?? reader === 'on';
  const isRefused = theme === 'auto' && (world.env['NO_COLOR'] ?? '') !== '';
  const shown = namedTheme ?? (isRefused ? 'mono' : theme);
  const mouse = readSwitch('EDGECTL_MOUSE', world.env) ?? mouseSetting === 'on';
  return { theme: screenReader ? 'mono' : shown, screenReader, mouse, refresh: refresh === 'on' };
}

/** Returns whether a variable is 1; undefined if the variable is empty or not set. Throws if the variable is neither 1 nor 0. */
function readSwitch(name: string, env: World['env']): boolean | undefined {
  const value = env[name] ?? '';
  if (value === '') return undefined;
  if (value === '1' || value === '0') return value === '1';
  throw new Problem('usage', `${name} must be 1 or 0, not "${value}".`);
}

function readTheme(text: string): Settings['theme'] {
  const { values } = settingTable.theme;
  const found = values.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Problem('usage', `Unknown theme "${text}".`, { hint: `Themes: ${values.join(', ')}.` });
}
