import { join } from 'node:path';
import * as v from 'valibot';
import { readStoredText } from '../files/stored.ts';
import { Problem } from '../model/problem.ts';
import {
  isAllowedValue,
  type SettingName,
  type Settings,
  settingChoices,
  settingNames,
  settingTable,
} from '../model/settings.ts';

const shape = v.object({
  undo: v.optional(v.picklist(settingTable.undo.values), settingTable.undo.values[0]),
  confirm: v.optional(v.picklist(settingTable.confirm.values), settingTable.confirm.values[0]),
  'read-only': v.optional(v.picklist(settingTable['read-only'].values), settingTable['read-only'].values[0]),
  'trusted-folders': v.optional(v.string(), settingTable['trusted-folders'].values[0]),
  theme: v.optional(v.picklist(settingTable.theme.values), settingTable.theme.values[0]),
  refresh: v.optional(v.picklist(settingTable.refresh.values), settingTable.refresh.values[0]),
  mouse: v.optional(v.picklist(settingTable.mouse.values), settingTable.mouse.values[0]),
  'screen-reader': v.optional(
    v.picklist(settingTable['screen-reader'].values),
    settingTable['screen-reader'].values[0],
  ),
  'update-check': v.optional(
    v.picklist(settingTable['update-check'].values),
    settingTable['update-check'].values[0],
  ),
  'domain-connect': v.optional(v.string(), settingTable['domain-connect'].values[0]),
  'domain-connect-key': v.optional(v.string(), settingTable['domain-connect-key'].values[0]),
});

/**
 * Returns the user's settings from `settings.json` in the configuration folder, with defaults for unset settings. Does not use the library
 * conf, which would take half of a command's startup time. Throws config-invalid, with the reason, if the file cannot be used.
 */
export function readSettings(folder: string): Settings {
  return v.parse(shape, readStored(folder));
}

/** Returns the content of `settings.json`, except its version. Throws config-invalid if the file cannot be used. */
export function readStored(folder: string): Readonly<Record<string, unknown>> {
  const path = join(folder, 'settings.json');
  const text = readStoredText('config-invalid', 'settings', 'settings', path);
  if (text === undefined) return {};
  try {
    const data = v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
    const wrong = settingNames.find((name) => isWrong(name, data[name]));
    const { version: _, ...rest } = data;
    if (wrong === undefined) return rest;
    throw new Error(`"${wrong}" must be one of ${settingChoices(wrong).join(', ')}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('config-invalid', `${path} cannot be used: ${reason}.`, {
      cause: error,
      hint: 'Repair or delete the file. edgectl does not overwrite it.',
    });
  }
}

function isWrong(name: SettingName, value: unknown): boolean {
  return value !== undefined && !(typeof value === 'string' && isAllowedValue(name, value));
}

/** Stores a setting; the value undefined removes the setting. Preserves the other fields of the file. Throws if the file cannot be used. */
export async function writeSetting(
  folder: string,
  name: SettingName,
  value: string | undefined,
): Promise<void> {
  const { [name]: _, ...others } = readStored(folder);
  const { openStore, writeStore } = await import('./store.ts');
  const store = await openStore();
  writeStore(store, 'settings', 'settings', folder, { ...others, [name]: value });
}
